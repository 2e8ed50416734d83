#include <algorithm>
#include <cmath>

#include "app/check/check_planner.h"
#include "control/joint/joint_control.h"

namespace jointrig::app {
namespace {

using harness::yaml_number;

std::string why_pushed_less(const CheckedJoint& joint) {
  const JointConfig& config = *joint.config;
  const double half = joint.half_torque();
  const double v = joint.speed_unanswered(half);
  const std::string what = v > joint.v_max()
                               ? fmt::format("give {:.3g} {}/s", v, joint.unit_of_way())
                               : fmt::format("turn it to a limit switch ({:.2g} {} there and back)",
                                             joint.way_of_push(half), joint.unit_of_way());
  return fmt::format(
      "light {}: pushed by {:.3g} {}: {:.3g} at once on its {:.2g} {} would {} before its motor "
      "answers ({:.2g} ms later, by {:.4g} {}/s)",
      config.name, joint.push_torque(), joint.unit(), half, joint.inertia, joint.unit_of_inertia(),
      what, 1e3 * joint.loop_time, config.limits.tau_rate_max, joint.unit());
}

std::string why_in_more_steps(const CheckedJoint& joint) {
  const JointConfig& config = *joint.config;
  return fmt::format(
      "light {}: loaded in {} steps: its {:.3g} {} in {} would turn its {:.2g} {} by {:.2g} {} "
      "before "
      "its motor answers",
      config.name, joint.load_stairs(), joint.torque_left(), joint.unit(), kLoadStairs,
      joint.inertia, joint.unit_of_inertia(), joint.way_of_load(kLoadStairs), joint.unit_of_way());
}

/// That its weight presses to already, or the one away from its way.
double side_of_load(const CheckedJoint& joint) {
  const bool is_light = std::abs(joint.weight) < 1e-3 * joint.tau_max();
  return is_light ? -joint.sign() : std::copysign(1.0, joint.weight);
}

}  // namespace

std::vector<CheckPlanner::Group> CheckPlanner::groups_of_but(
    const std::vector<const Joint*>& joints, std::vector<const Joint*>::const_iterator alone) {
  std::vector<Group> groups = groups_of({joints.begin(), alone});
  for (; alone != joints.end(); ++alone) groups.push_back({*alone});
  return groups;
}

void CheckPlanner::idle() {
  begin();
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

void CheckPlanner::push() {
  constexpr double kLeast = 0.05;  // of its torque: with less left it isn't pushed
  begin("disturbances");
  stand_in_position();
  allow_contacts();
  std::vector<const Joint*> joints =
      those([](const Joint& joint) { return joint.torque_left() > kLeast * joint.tau_max(); },
            "its own weight takes all but 15 % of its torque");
  // A fault ends the check: those that can't but be too fast come last.
  const auto last = std::stable_partition(joints.begin(), joints.end(), [](const Joint* joint) {
    return joint->speed_unanswered(joint->push_torque()) < kOverSpeed * joint->v_max();
  });
  for (const Joint* joint : joints) {
    if (joint->push_torque() >= joint->half_torque()) continue;
    plan_.remarks.push_back(why_pushed_less(*joint));
  }
  int i = 0;
  for (const Group& group : groups_of_but(joints, last)) {
    const std::string pushed = script_->mark(fmt::format("pushed_{}", ++i));
    for (const Joint* joint : group) {
      script_->step("force: {{joint: {}, along: {}, for: 0.3 s}}", joint->key,
                    yaml_number(joint->sign() * joint->push_torque()));
    }
    script_->wait(1.3);
    const std::string back = script_->mark(fmt::format("back_{}", i));
    script_->wait(0.3);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    for (const Joint* joint : group) {
      script_->metric(*joint, "speed", "truth.$.v / $.v_max", {pushed, end}, "peak", "max: 110 %");
      script_->metric(*joint, "error", "truth.$.q - $.q_ref", {back, end}, "peak",
                      fmt::format("max: {}", joint->close()));
    }
  }
}

void CheckPlanner::load() {
  constexpr double kWhole = 1.55;  // [s] at its full size; it goes as it came
  constexpr double kMostOfRange = 0.25;
  begin("disturbances");
  stand_in_position();
  allow_contacts();
  std::vector<const Joint*> joints =
      those([](const Joint& joint) { return joint.torque_left() > 0.0; },
            "its own weight takes 90 % of its torque or more");
  // A fault ends the check: those that a stair turns against their stop come last.
  const auto last = std::stable_partition(joints.begin(), joints.end(), [](const Joint* joint) {
    return joint->gives_way(joint->load_stair()) < kMostOfRange * joint->range();
  });
  for (const Joint* joint : joints) {
    if (joint->load_stairs() > kLoadStairs) plan_.remarks.push_back(why_in_more_steps(*joint));
  }
  const auto stairs_of = [](const Joint& joint) { return joint.load_stairs(); };
  int i = 0;
  for (const Group& group : parted_by(groups_of_but(joints, last), stairs_of)) {
    const std::string loaded = script_->mark(fmt::format("loaded_{}", ++i));
    const int stairs = stairs_of(*group[0]);
    const auto put = [&](int stair, double seconds) {
      for (const Joint* joint : group) {
        script_->step("force: {{joint: {}, along: {}, for: {} s}}", joint->key,
                      yaml_number(-side_of_load(*joint) * joint->load_stair() * stair),
                      yaml_number(seconds));
      }
    };
    for (int stair = 1; stair < stairs; ++stair) {
      put(stair, kStairTime);
      script_->wait(kStairTime);
    }
    put(stairs, kWhole);
    script_->wait(kStairTime + 1.0);
    const std::string held = script_->mark(fmt::format("held_{}", i));
    script_->wait(0.4);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    script_->wait(kWhole - kStairTime - 1.4);
    for (int stair = stairs - 1; stair > 0; --stair) {
      put(stair, kStairTime);
      script_->wait(kStairTime);
    }
    script_->wait(0.5);
    for (const Joint* joint : group) {
      script_->metric(*joint, "deflection", "truth.$.q - $.q_ref", {loaded, end}, "peak",
                      fmt::format("max: {}", joint->far()));
      script_->metric(*joint, "error", "truth.$.q - $.q_ref", {held, end}, "peak",
                      fmt::format("max: {}", joint->close()));
    }
  }
}

}  // namespace jointrig::app
