#include "control/model/overlap.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

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

bool carries(const mjModel& m, int carrier, int body) {
  while (body > carrier) body = m.body_parentid[body];
  return body == carrier;
}

/// Way of a point [m] when the joint goes by `step`.
double way_at(const mjModel& m, const mjData& data, int joint, const mjtNum* point, double step) {
  if (m.jnt_type[joint] == mjJNT_SLIDE) return std::abs(step);
  mjtNum lever[3];
  mjtNum across[3];
  mju_sub3(lever, point, data.xanchor + 3 * joint);
  mju_cross(across, data.xaxis + 3 * joint, lever);
  return std::abs(step) * mju_norm3(across);
}

/// True if the joint can leave its position within its range, and that moves the shapes of the
/// contact into each other, whichever way it goes.
bool is_shut_in(const mjModel& m, mjData& data, int joint, const mjContact& contact) {
  constexpr double kSlideStep = 1e-3;  // [m]
  constexpr double kHingeStep = 0.02;  // [rad]
  constexpr double kOfWay = 0.25;      // of a point's way that goes into the other shape
  constexpr double kFarthest = 1.0;    // [m] of distances that are looked for
  const double step = m.jnt_type[joint] == mjJNT_SLIDE ? kSlideStep : kHingeStep;
  const double way = way_at(m, data, joint, contact.pos, step);
  mjtNum& q = data.qpos[m.jnt_qposadr[joint]];
  const mjtNum start = q;
  bool can_go = false;
  bool is_free = false;
  for (const double side : {step, -step}) {
    const double to = start + side;
    const mjtNum* range = m.jnt_range + 2 * static_cast<std::ptrdiff_t>(joint);
    if (m.jnt_limited[joint] != 0 && (to < range[0] || to > range[1])) continue;
    can_go = true;
    q = to;
    mj_kinematics(&m, &data);
    const double distance =
        mj_geomDistance(&m, &data, contact.geom[0], contact.geom[1], kFarthest, nullptr);
    is_free = is_free || distance > contact.dist - kOfWay * way;
  }
  q = start;
  return can_go && !is_free && way > 0.0;
}

/// Links of one robot that touch, and keep a joint between them where it is.
std::vector<Overlap> shut_in_links(const mjModel& m, mjData& data) {
  std::vector<Overlap> pairs;
  const std::vector<mjContact> contacts(data.contact, data.contact + data.ncon);
  for (const mjContact& contact : contacts) {
    if (contact.geom[0] < 0 || contact.geom[1] < 0) continue;
    const int a = m.geom_bodyid[contact.geom[0]];
    const int b = m.geom_bodyid[contact.geom[1]];
    if (a == 0 || b == 0 || m.body_rootid[a] != m.body_rootid[b]) continue;
    bool is_shut = false;
    for (int joint = 0; joint < m.njnt && !is_shut; ++joint) {
      const bool turns = m.jnt_type[joint] == mjJNT_HINGE || m.jnt_type[joint] == mjJNT_SLIDE;
      const int moved = m.jnt_bodyid[joint];
      if (!turns || carries(m, moved, a) == carries(m, moved, b)) continue;
      is_shut = is_shut_in(m, data, joint, contact);
    }
    if (!is_shut) continue;
    pairs.push_back(Overlap{name_of(m, mjOBJ_BODY, a), name_of(m, mjOBJ_BODY, b),
                            std::max(0.0, -contact.dist), true});
  }
  if (!contacts.empty()) mj_fwdPosition(&m, &data);
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
  for (Overlap& pair : shut_in_links(model, data)) add_pair(std::move(pair), pairs);
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
