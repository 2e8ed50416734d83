#include "control/model/overlap.h"

#include <algorithm>

namespace jointrig {
namespace {

/// The least depth that counts [m].
double deep(const mjModel& model, const mjContact& contact) {
  constexpr double kDeep = 1e-3;
  constexpr double kOfRadius = 0.05;
  double depth = kDeep;
  for (const int geom : contact.geom) {
    const double radius = model.geom_rbound[geom];  // 0: endless
    if (radius > 0.0) depth = std::min(depth, kOfRadius * radius);
  }
  return depth;
}

}  // namespace

std::vector<Overlap> overlaps(const mjModel& model, const mjData& data) {
  std::vector<Overlap> pairs;
  for (int i = 0; i < data.ncon; ++i) {
    const mjContact& contact = data.contact[i];
    const double depth = contact.includemargin - contact.dist;
    if (contact.geom[0] < 0 || contact.geom[1] < 0 || depth < deep(model, contact)) continue;
    const int a = model.geom_bodyid[contact.geom[0]];
    const int b = model.geom_bodyid[contact.geom[1]];
    Overlap pair{name_of(model, mjOBJ_BODY, a), name_of(model, mjOBJ_BODY, b), depth,
                 a > 0 && b > 0 && model.body_rootid[a] == model.body_rootid[b]};
    const auto same = std::find_if(pairs.begin(), pairs.end(), [&](const Overlap& known) {
      return known.a == pair.a && known.b == pair.b;
    });
    if (same == pairs.end()) {
      pairs.push_back(std::move(pair));
    } else {
      same->depth = std::max(same->depth, pair.depth);
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Overlap& a, const Overlap& b) { return a.depth > b.depth; });
  return pairs;
}

std::size_t leave_out_overlaps(Mjcf& mjcf, const std::vector<Overlap>& pairs) {
  std::size_t count = 0;
  for (const Overlap& pair : pairs) {
    if (!pair.one_robot) continue;
    mjsExclude* exclude = mjs_addExclude(mjcf.spec.get());
    mjs_setString(exclude->bodyname1, pair.a.c_str());
    mjs_setString(exclude->bodyname2, pair.b.c_str());
    ++count;
  }
  return count;
}

}  // namespace jointrig
