#include <algorithm>
#include <cmath>

#include "app/check/check_planner.h"
#include "app/check/duty_drive.h"

namespace jointrig::app {
namespace {

using harness::yaml_number;

constexpr double kHoldTime = 10.0;  // [s]

/// Equal for joints that arrive at nearly the same time, each of which is judged a while after the
/// last of them.
double pace(const CheckedJoint& joint) {
  constexpr double kAlike = 1.1;  // ratio of two times: a choice
  return std::round(std::log(joint.move_time()) / std::log(kAlike));
}

}  // namespace

void CheckPlanner::hold() {
  begin();
  const bool falls = std::any_of(all_.begin(), all_.end(), [](const Joint& joint) {
    return joint.config->board.needs_calibration;
  });
  if (falls) stand_in_position();  // a calibrated motor is off until a mode is asked for
  const std::string from = script_->mark("start");
  script_->step("set_mode: {{joints: all, mode: position}}");
  script_->wait(kHoldTime);
  for (const Joint* joint : those([](const Joint&) { return true; }, "")) {
    script_->metric(*joint, "drift", "truth.$.q - at(truth.$.q, start)", {from}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void CheckPlanner::move() {
  begin();
  stand_in_position();
  int i = 0;
  const auto goal = [](const Joint& joint) { return joint.q() + joint.way; };
  const std::vector<const Joint*> joints = movable();
  tell_slow(joints);
  for (const Group& group : parted_by(groups_of(joints), pace)) {
    const std::string go = script_->mark(fmt::format("go_{}", ++i));
    script_->step("move: {{joints: {}{}}}", each(group, goal), at_their_pace(group));
    script_->wait(0.3);
    const std::string there = script_->mark(fmt::format("there_{}", i));
    script_->wait(0.3);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    go_home(group);
    for (const Joint* joint : group) {
      script_->metric(*joint, "overshoot", "truth.$.q", {go, end}, "overshoot",
                      "target: " + yaml_number(goal(*joint)) + ", max: 5 %");
      script_->metric(*joint, "error", "truth.$.q - $.q_ref", {there, end}, "peak",
                      fmt::format("max: {}", joint->close()));
    }
  }
}

void CheckPlanner::direct() {
  constexpr double kShareOfStep = 0.95;  // so that no rounding refuses it
  begin();
  stand_in_position();
  int i = 0;
  const auto goal = [](const Joint& joint) {
    const double most = kShareOfStep * joint.config->limits.step_max;
    return joint.q() + joint.sign() * std::min(most, std::abs(joint.way));
  };
  for (const Group& group : groups_of(movable())) {
    script_->step("set_mode: {{joints: {}, mode: position_direct}}", keys(group));
    const std::string go = script_->mark(fmt::format("go_{}", ++i));
    script_->step("stream: {{position: {}, for: 0.8 s}}", each(group, goal));
    const std::string end = script_->mark(fmt::format("end_{}", i));
    go_home(group);
    for (const Joint* joint : group) {
      script_->metric(*joint, "overshoot", "truth.$.q", {go, end}, "overshoot",
                      "target: " + yaml_number(goal(*joint)) + ", max: 5 %");
      script_->metric(*joint, "speed", "truth.$.v / $.v_max", {go, end}, "peak", "max: 105 %");
    }
  }
}

void CheckPlanner::velocity() {
  begin();
  stand_in_position();
  int i = 0;
  const auto speed = [](const Joint& joint) { return joint.sign() * joint.speed(1.0, 0.8, 0.3); };
  const std::vector<const Joint*> joints = movable();
  tell_slow(joints);
  for (const Group& group : groups_of(joints)) {
    const std::string speeds = each(group, speed);
    const std::string zeros = each(group, [](const Joint&) { return 0.0; });
    script_->step("set_mode: {{joints: {}, mode: velocity}}", keys(group));
    script_->step("stream: {{velocity: {}, for: 0.4 s}}", speeds);
    const std::string steady = script_->mark(fmt::format("steady_{}", ++i));
    script_->step("stream: {{velocity: {}, for: 0.3 s}}", speeds);
    const std::string off = script_->mark(fmt::format("off_{}", i));
    script_->step("stream: {{velocity: {}, for: 0.6 s}}", zeros);
    const std::string rests = script_->mark(fmt::format("rests_{}", i));
    script_->step("stream: {{velocity: {}, for: 0.4 s}}", zeros);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    go_home(group);
    for (const Joint* joint : group) {
      script_->metric(*joint, "speed off",
                      "mean(truth.$.v - $.v_ref, 0.1 s) / (" + yaml_number(speed(*joint)) +
                          (joint->config->slide ? " m/s)" : " rad/s)"),
                      {steady, off}, "peak", "max: 10 %");
      script_->metric(*joint, "drift at rest", "truth.$.q - at(truth.$.q, " + rests + ")",
                      {rests, end}, "peak", fmt::format("max: {}", joint->close()));
    }
  }
}

void CheckPlanner::mixed() {
  // The goal's way and what is left of the velocity add up: a joint that brakes slowly goes half as
  // far again as the goal, and is to stay on the way that was found free.
  constexpr double kShare = 0.75;
  begin();
  stand_in_position();
  int i = 0;
  const auto goal = [](const Joint& joint) { return joint.q() + kShare * joint.way; };
  const std::vector<const Joint*> joints = movable();
  tell_slow(joints);
  for (const Group& group : parted_by(groups_of(joints), pace)) {
    script_->step("set_mode: {{joints: {}, mode: mixed}}", keys(group));
    script_->step("stream: {{velocity: {}, for: 0.4 s}}", each(group, [](const Joint& joint) {
                    return joint.sign() * kShare * joint.speed(0.8, 0.5, 0.3);
                  }));
    script_->step("move: {{joints: {}{}}}", each(group, goal), at_their_pace(group));
    script_->wait(0.3);
    const std::string there = script_->mark(fmt::format("there_{}", ++i));
    script_->wait(0.3);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    go_home(group);
    for (const Joint* joint : group) {
      const std::string unit = joint->config->slide ? " m" : " rad";
      script_->metric(*joint, "error", "truth.$.q - (" + yaml_number(goal(*joint)) + unit + ")",
                      {there, end}, "peak", fmt::format("max: {}", joint->close()));
    }
  }
}

void CheckPlanner::torque() {
  const bool all_compensated = std::all_of(
      all_.begin(), all_.end(), [](const Joint& joint) { return joint.config->gravity_in_torque; });
  if (!all_compensated) {
    plan_.why_not = "the robot's file sets gravity_in_torque: false, and would fall";
    return;
  }
  constexpr double kFor = 0.1;  // [s]
  begin("torque");
  stand_in_position();
  allow_closeness();
  script_->step("set_mode: {{joints: all, mode: torque}}");
  const std::string floats = script_->mark("floats");
  script_->wait(1.0);
  const std::string floated = script_->mark("floated");
  all_go_home();
  int i = 0;
  for (const Joint* joint : those([](const Joint&) { return true; }, "")) {
    script_->metric(*joint, "drift", "truth.$.q - at(truth.$.q, floats)", {floats, floated}, "peak",
                    fmt::format("max: {}", joint->floating()));
  }
  // A fifth of its way in that time, half of its velocity limit, a third of its torque: at most.
  const auto speed = [](const Joint& joint) { return joint.speed(0.2, kFor / 2.0, 0.5); };
  const auto torque = [&](const Joint& joint) { return joint.torque_to(speed(joint), kFor); };
  const auto expected = [&](const Joint& joint) {
    return joint.speed_after(torque(joint), kFor, joint.inertia);
  };
  std::vector<const Joint*> driven;
  for (const Joint* joint : movable()) {
    if (expected(*joint) > 0.02 * speed(*joint)) {
      driven.push_back(joint);
    } else {
      plan_.notes.push_back(joint->config->name +
                            ": its friction takes what torque its weight leaves");
    }
  }
  for (const Group& group : groups_of(driven)) {
    script_->step("set_mode: {{joints: all, mode: torque}}");
    script_->step("stream: {{torque: {}, for: {} s}}",
                  each(group, [&](const Joint& joint) { return joint.sign() * torque(joint); }),
                  yaml_number(kFor));
    const std::string pushed = script_->mark(fmt::format("pushed_{}", ++i));
    script_->step("wait: 1 ms");
    const std::string seen = script_->mark(fmt::format("seen_{}", i));
    all_go_home();
    for (const Joint* joint : group) {
      const double v = expected(*joint);
      const double least = joint->speed_after(torque(*joint), kFor, joint->held_inertia) / v;
      script_->metric(*joint, "speed against its inertia's",
                      "truth.$.v / (" + yaml_number(joint->sign() * v) +
                          (joint->config->slide ? " m/s)" : " rad/s)"),
                      {pushed, seen}, "final",
                      fmt::format("min: {:.4g} %, max: 200 %", 50.0 * least));
    }
  }
}

void CheckPlanner::openloop() {
  constexpr double kLongest = 0.3;  // [s]
  begin("duty");
  stand_in_position();
  allow_closeness();
  int i = 0;
  std::vector<const Joint*> driven;
  for (const Joint* joint : movable()) {
    const DutyDrive drive = duty_drive(*joint, kLongest);
    if (drive.why_not.empty())
      driven.push_back(joint);
    else
      plan_.notes.push_back(joint->config->name + ": " + drive.why_not);
  }
  const auto seconds = [](const Joint& joint) { return duty_drive(joint, kLongest).seconds; };
  for (const Group& group : parted_by(groups_of(driven), seconds)) {
    // From idle its duty is all that the motor gets: after a hold the torque that held it would be
    // blended into the first 0.1 s, and can turn a light joint the other way.
    script_->step("set_mode: {{joints: {}, mode: idle}}", keys(group));
    script_->step("set_mode: {{joints: {}, mode: openloop}}", keys(group));
    const std::string go = script_->mark(fmt::format("go_{}", ++i));
    script_->step("stream: {{duty: {}, for: {} s}}",
                  each(group, [](const Joint& joint) { return duty_drive(joint, kLongest).duty; }),
                  yaml_number(seconds(*group[0])));
    const std::string end = script_->mark(fmt::format("end_{}", i));
    script_->step("set_mode: {{joints: {}, mode: position}}", keys(group));
    script_->wait(0.5);
    const std::string held = script_->mark(fmt::format("held_{}", i));
    script_->wait(0.3);
    const std::string stood = script_->mark(fmt::format("stood_{}", i));
    go_home(group);
    for (const Joint* joint : group) {
      script_->metric(*joint, "way against the voltage's",
                      "(truth.$.q - at(truth.$.q, " + go + ")) / (" +
                          yaml_number(duty_drive(*joint, kLongest).way) +
                          (joint->config->slide ? " m)" : " rad)"),
                      {go, end}, "final", "min: 5 %");
      script_->metric(*joint, "speed", "truth.$.v / $.v_max", {go, end}, "peak", "max: 105 %");
      script_->metric(*joint, "error", "truth.$.q - $.q_ref", {held, stood}, "peak",
                      fmt::format("max: {}", joint->close()));
    }
  }
  if (i == 0 && plan_.why_not.empty()) plan_.why_not = joined(plan_.notes);
}

}  // namespace jointrig::app
