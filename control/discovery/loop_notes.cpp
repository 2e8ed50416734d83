#include "control/discovery/loop_notes.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <string>
#include <vector>

#include "control/core/text.h"

namespace jointrig {
namespace {

constexpr double kOpen = 1e-4;  // [m]: from here on a loop counts as open
/// Springs that swing slower are told as a warning [rad/s]: a choice. Default motions reach their
/// speed in 0.2 s; led so, a joint with 3.8 times its own inertia behind the spring overshoots by 3
/// % where that swings at 84 rad/s, 5 % at 68, 7 % at 53 and 12 % at 37 (a linear model of the
/// loop).
constexpr double kSlowSpring = 2.0 * std::numbers::pi * 10.0;

std::array<int, 2> bodies_of(const mjModel& m, int equality) {
  std::array<int, 2> bodies{m.eq_obj1id[equality], m.eq_obj2id[equality]};
  if (m.eq_objtype[equality] == mjOBJ_SITE) {
    for (int& body : bodies) body = m.site_bodyid[body];
  }
  return bodies;
}

std::string pair_text(const mjModel& m, int equality) {
  const auto [a, b] = bodies_of(m, equality);
  return "\"" + name_of(m, mjOBJ_BODY, a) + "\" on \"" + name_of(m, mjOBJ_BODY, b) + "\"";
}

bool is_moved_by(const mjModel& m, int body, int joint) {
  while (body > 0 && body != m.jnt_bodyid[joint]) body = m.body_parentid[body];
  return body > 0;
}

/// Names of the controlled joints that move one of two bodies against the other.
std::vector<std::string> joints_between(const Survey& survey, int equality) {
  const mjModel& m = *survey.model;
  const auto [a, b] = bodies_of(m, equality);
  std::vector<std::string> names;
  for (const int joint : survey.controlled) {
    if (is_moved_by(m, a, joint) != is_moved_by(m, b, joint)) {
      names.push_back(name_of(m, mjOBJ_JOINT, joint));
    }
  }
  return names;
}

/// Joints that carry springs of a loop. The law counts with the springs as standing where a
/// reference leads (stack/computed_torque.h), which its motions have to be slow for.
void tell_springs(const Survey& survey, Remarks& remarks) {
  const mjModel& m = *survey.model;
  const double slowest = LoopClosure(survey.loops).slowest_spring(m, *survey.data);
  const bool is_slow = slowest < kSlowSpring;
  for (const int joint : survey.controlled) {
    std::vector<std::string> springs;
    for (const int passive : survey.loops.passive_joints()) {
      if (m.jnt_stiffness[passive] > 0.0 && is_moved_by(m, m.jnt_bodyid[passive], joint)) {
        springs.push_back('"' + name_of(m, mjOBJ_JOINT, passive) + '"');
      }
    }
    if (springs.empty()) continue;
    remarks.add(
        is_slow ? Severity::kWarning : Severity::kInfo, Subject::kJoint,
        name_of(m, mjOBJ_JOINT, joint),
        fmt::format("carries springs that no motor moves and no encoder measures ({}), which swing "
                    "at {:.2g} Hz: {}",
                    joined(springs), slowest / (2.0 * std::numbers::pi),
                    is_slow ? "motions as fast as that overshoot: lower acceleration_max"
                            : "the law counts them as standing where motions are slower"));
  }
}

/// Welds, and pins between bodies that motors alone move: their forces aren't in the model.
void warn_of_the_rest(const Survey& survey, Remarks& remarks) {
  const mjModel& m = *survey.model;
  for (int e = 0; e < m.neq; ++e) {
    const bool is_weld = m.eq_type[e] == mjEQ_WELD;
    if ((!is_weld && m.eq_type[e] != mjEQ_CONNECT) || !m.eq_active0[e]) continue;
    const std::vector<PinnedPoints>& pins = survey.loops.pins();
    const bool is_heeded = std::any_of(pins.begin(), pins.end(),
                                       [&](const PinnedPoints& pin) { return pin.equality == e; });
    const std::vector<std::string> joints = joints_between(survey, e);
    if (is_heeded || joints.empty()) continue;
    remarks.add(Severity::kWarning,
                fmt::format("{} {}, which gravity and inertia leave out: the motors of {} work "
                            "against the force between the two",
                            is_weld ? "welds" : "pins", pair_text(m, e), joined(joints)));
  }
}

}  // namespace

void explain_loops(const Survey& survey, Remarks& remarks) {
  warn_of_the_rest(survey, remarks);
  if (survey.loops.empty()) return;
  const mjModel& m = *survey.model;
  const std::string pins = joined(survey.loops.pins(), ", ", [&](const PinnedPoints& pin) {
    return pair_text(m, pin.equality);
  });
  remarks.add(Severity::kInfo,
              "has kinematic loops, pinned at " + pins +
                  ": gravity, inertia and the start heed them; plans and their collision checks "
                  "take the joints without a motor in them as standing where they start");
  tell_springs(survey, remarks);
  if (survey.loop_gap > kOpen) {
    remarks.add(Severity::kWarning,
                fmt::format("its kinematic loops can't be closed in the start pose: {:.2g} mm are "
                            "left; start it in another one (keyframe, poses)",
                            survey.loop_gap * 1e3));
  }
}

}  // namespace jointrig
