#include "control/model/overlap.h"

#include <algorithm>

namespace jointrig {
namespace {

/// The least depth that counts [m]: a tenth of a millimetre still rubs with newtons.
double deep(const mjModel& model, const mjContact& contact) {
  constexpr double kDeep = 1e-4;
  constexpr double kOfRadius = 0.05;
  double depth = kDeep;
  for (const int geom : contact.geom) {
    const double radius = model.geom_rbound[geom];  // 0: endless
    if (radius > 0.0) depth = std::min(depth, kOfRadius * radius);
  }
  return depth;
}

/// MuJoCo lets links that share a joint not collide, unless the carrying one is fixed in the world.
bool are_fixed_base_and_neighbour(const mjModel& m, int base, int link) {
  const int weld = m.body_weldid[link];
  return base > 0 && m.body_weldid[base] == 0 && weld > 0 &&
         m.body_weldid[m.body_parentid[weld]] == 0 && m.body_rootid[base] == m.body_rootid[link];
}

bool can_collide(const mjModel& m, int a, int b) {
  constexpr auto kLeastShape = static_cast<int>(mjGEOM_SPHERE);  // no plane, no height field
  return m.geom_type[a] >= kLeastShape && m.geom_type[b] >= kLeastShape &&
         ((m.geom_contype[a] & m.geom_conaffinity[b]) != 0 ||
          (m.geom_contype[b] & m.geom_conaffinity[a]) != 0);
}

/// A link that just touches its fixed base: rounding decides in each pose if they rub.
std::vector<Overlap> links_on_their_base(const mjModel& m, mjData& data) {
  constexpr double kTouching = 1e-6;  // [m], far above rounding
  std::vector<Overlap> pairs;
  for (int base = 0; base < m.ngeom; ++base) {
    for (int link = 0; link < m.ngeom; ++link) {
      const int a = m.geom_bodyid[base];
      const int b = m.geom_bodyid[link];
      if (!are_fixed_base_and_neighbour(m, a, b) || !can_collide(m, base, link)) continue;
      const double distance = mj_geomDistance(&m, &data, base, link, 1.0, nullptr);
      if (distance > kTouching) continue;
      pairs.push_back(Overlap{name_of(m, mjOBJ_BODY, a), name_of(m, mjOBJ_BODY, b),
                              std::max(0.0, -distance), true});
    }
  }
  return pairs;
}

void add_pair(Overlap pair, std::vector<Overlap>& pairs) {
  const auto same = std::find_if(pairs.begin(), pairs.end(), [&](const Overlap& known) {
    return (known.a == pair.a && known.b == pair.b) || (known.a == pair.b && known.b == pair.a);
  });
  if (same == pairs.end()) {
    pairs.push_back(std::move(pair));
  } else {
    same->depth = std::max(same->depth, pair.depth);
  }
}

}  // namespace

std::vector<Overlap> overlaps(const mjModel& model, mjData& data) {
  std::vector<Overlap> pairs;
  for (int i = 0; i < data.ncon; ++i) {
    const mjContact& contact = data.contact[i];
    const double depth = contact.includemargin - contact.dist;
    if (contact.geom[0] < 0 || contact.geom[1] < 0 || depth < deep(model, contact)) continue;
    const int a = model.geom_bodyid[contact.geom[0]];
    const int b = model.geom_bodyid[contact.geom[1]];
    add_pair(Overlap{name_of(model, mjOBJ_BODY, a), name_of(model, mjOBJ_BODY, b), depth,
                     a > 0 && b > 0 && model.body_rootid[a] == model.body_rootid[b]},
             pairs);
  }
  for (Overlap& pair : links_on_their_base(model, data)) add_pair(std::move(pair), pairs);
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
