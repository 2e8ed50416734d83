#include <algorithm>
#include <cmath>

#include "app/check/check_planner.h"
#include "control/joint/joint_control.h"

namespace jointrig::app {
namespace {

using harness::yaml_number;

}  // namespace

void CheckPlanner::idle() {
  begin("truth");
  stand_in_position();
  allow_closeness();
  script_->step("set_mode: {{joints: all, mode: idle}}");
  script_->step("wait: 50 ms");
  const std::string caught = script_->mark("caught");
  script_->step("set_mode: {{joints: all, mode: position}}");
  script_->wait(1.0);
  const std::string stands = script_->mark("stands");
  script_->wait(0.5);
  for (const Joint* joint : those([](const Joint&) { return true; }, "")) {
    script_->metric(*joint, "speed", "truth.$.v / max($.v_max, abs(at(truth.$.v, caught)))",
                    {caught}, "peak", "max: 110 %");
    script_->metric(*joint, "error", "truth.$.q - $.q_ref", {stands}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void CheckPlanner::timeout() {
  begin("truth");
  stand_in_position();
  const std::vector<const Joint*> joints = those(
      [](const Joint& joint) {
        const TimeoutReaction reaction = joint.config->timeout.reaction;
        return joint.way != 0.0 &&
               (reaction == TimeoutReaction::kHold || reaction == TimeoutReaction::kDecelerate);
      },
      "no room between its start and its limits, or its reaction to silence holds no position");
  if (joints.empty()) return;
  double silent = 0.0;
  for (const Joint* joint : joints) silent = std::max(silent, joint->config->timeout.seconds);
  script_->step("set_mode: {{joints: [{}], mode: velocity}}", joined(joints, ", ", &Joint::key));
  script_->step("stream: {{velocity: {}, for: 0.4 s}}", each(joints, [&](const Joint& joint) {
                  return joint.sign() * joint.speed(0.6, 0.4 + silent, 0.2);
                }));
  script_->wait(silent + 0.8);
  const std::string stands = script_->mark("stands");
  script_->wait(1.0);
  for (const Joint* joint : joints) {
    script_->ends_in_mode(joint->key, "position");
    script_->metric(*joint, "drift", "truth.$.q - at(truth.$.q, stands)", {stands}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void CheckPlanner::stop() {
  constexpr double kSlower = 1.2;  // than the slowest joint needs
  begin("truth");
  stand_in_position();
  const std::vector<const Joint*> joints = movable();
  if (joints.empty()) return;
  double longest = 0.0;
  for (const Joint* joint : joints) longest = std::max(longest, kSlower * joint->move_time());
  script_->step("move: {{joints: {}, duration: {} s, wait: false}}",
                each(joints, [](const Joint& joint) { return joint.q() + joint.way; }),
                yaml_number(longest));
  script_->wait(longest / 2.0);
  const std::string stopped = script_->mark("stopped");
  script_->step("stop: {{joints: all}}");
  script_->wait(1.0);
  const std::string stands = script_->mark("stands");
  script_->wait(0.5);
  for (const Joint* joint : joints) {
    script_->ends_in_mode(joint->key, "position");
    script_->metric(*joint, "way beyond braking",
                    "abs(truth.$.q - at(truth.$.q, stopped)) - at(truth.$.v, stopped)^2 / (2 * "
                    "$.a_max)",
                    {stopped}, "max", fmt::format("max: {}", joint->brake_room()));
    script_->metric(*joint, "drift", "truth.$.q - at(truth.$.q, stands)", {stands}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void CheckPlanner::push() {
  constexpr double kLeast = 0.05;  // of its torque: with less left it isn't pushed
  begin("truth, disturbances");
  stand_in_position();
  allow_contacts();
  std::vector<const Joint*> joints =
      those([](const Joint& joint) { return joint.torque_left() > kLeast * joint.tau_max(); },
            "its own weight takes all but 15 % of its torque");
  // A fault ends the check: those that can't but be too fast come last.
  std::stable_partition(joints.begin(), joints.end(), [](const Joint* joint) {
    return joint->speed_unanswered(joint->push_torque()) < kOverSpeed * joint->v_max();
  });
  int i = 0;
  for (const Joint* joint : joints) {
    const std::string pushed = script_->mark(fmt::format("pushed_{}", ++i));
    script_->step("force: {{joint: {}, along: {}, for: 0.3 s}}", joint->key,
                  yaml_number(joint->sign() * joint->push_torque()));
    script_->wait(1.3);
    const std::string back = script_->mark(fmt::format("back_{}", i));
    script_->wait(0.3);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    script_->metric(*joint, "speed", "truth.$.v / $.v_max", {pushed, end}, "peak", "max: 110 %");
    script_->metric(*joint, "error", "truth.$.q - $.q_ref", {back, end}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void CheckPlanner::load() {
  constexpr double kStair = 0.04;  // [s]
  constexpr double kLoaded = 1.9;  // [s] each stair: the load goes as it came
  constexpr double kMostOfRange = 0.25;
  begin("truth, disturbances");
  stand_in_position();
  allow_contacts();
  std::vector<const Joint*> joints =
      those([](const Joint& joint) { return joint.torque_left() > 0.0; },
            "its own weight takes 90 % of its torque or more");
  // A fault ends the check: those that a stair turns against their stop come last.
  std::stable_partition(joints.begin(), joints.end(), [](const Joint* joint) {
    return joint->gives_way(joint->load_stair()) < kMostOfRange * joint->range();
  });
  int i = 0;
  for (const Joint* joint : joints) {
    const bool is_light = std::abs(joint->weight) < 1e-3 * joint->tau_max();
    const double side = is_light ? -joint->sign() : std::copysign(1.0, joint->weight);
    const std::string loaded = script_->mark(fmt::format("loaded_{}", ++i));
    for (int stair = 0; stair < kLoadStairs; ++stair) {
      script_->step("force: {{joint: {}, along: {}, for: {} s}}", joint->key,
                    yaml_number(-side * joint->load_stair()), yaml_number(kLoaded));
      script_->wait(kStair);
    }
    script_->wait(1.0);
    const std::string held = script_->mark(fmt::format("held_{}", i));
    script_->wait(0.4);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    script_->wait(1.0);
    script_->metric(*joint, "deflection", "truth.$.q - $.q_ref", {loaded, end}, "peak",
                    fmt::format("max: {}", joint->far()));
    script_->metric(*joint, "error", "truth.$.q - $.q_ref", {held, end}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

}  // namespace jointrig::app
