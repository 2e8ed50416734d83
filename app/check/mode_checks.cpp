#include <algorithm>
#include <cmath>

#include "app/check/check_planner.h"
#include "app/check/duty_drive.h"

namespace jointrig::app {
namespace {

using harness::yaml_number;

constexpr double kHoldTime = 10.0;  // [s]

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
  const std::vector<const Joint*> joints = movable();
  tell_slow(joints);
  for (const Joint* joint : joints) {
    const std::string goal = yaml_number(joint->q() + joint->way);
    const std::string go = script_->mark(fmt::format("go_{}", ++i));
    script_->step("move: {{joints: {{{}: {}}}{}}}", joint->key, goal, at_their_pace({joint}));
    script_->wait(0.3);
    const std::string there = script_->mark(fmt::format("there_{}", i));
    script_->wait(0.3);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    go_home(*joint);
    script_->metric(*joint, "overshoot", "truth.$.q", {go, end}, "overshoot",
                    "target: " + goal + ", max: 5 %");
    script_->metric(*joint, "error", "truth.$.q - $.q_ref", {there, end}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
}

void CheckPlanner::direct() {
  constexpr double kShareOfStep = 0.95;  // so that no rounding refuses it
  begin();
  stand_in_position();
  int i = 0;
  for (const Joint* joint : movable()) {
    const double most = kShareOfStep * joint->config->limits.step_max;
    const double step = joint->sign() * std::min(most, std::abs(joint->way));
    const std::string goal = yaml_number(joint->q() + step);
    script_->step("set_mode: {{joints: {}, mode: position_direct}}", joint->key);
    const std::string go = script_->mark(fmt::format("go_{}", ++i));
    script_->step("stream: {{position: {{{}: {}}}, for: 0.8 s}}", joint->key, goal);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    go_home(*joint);
    script_->metric(*joint, "overshoot", "truth.$.q", {go, end}, "overshoot",
                    "target: " + goal + ", max: 5 %");
    script_->metric(*joint, "speed", "truth.$.v / $.v_max", {go, end}, "peak", "max: 105 %");
  }
}

void CheckPlanner::velocity() {
  begin();
  stand_in_position();
  int i = 0;
  const std::vector<const Joint*> joints = movable();
  tell_slow(joints);
  for (const Joint* joint : joints) {
    const double v = joint->sign() * joint->speed(1.0, 0.8, 0.3);
    script_->step("set_mode: {{joints: {}, mode: velocity}}", joint->key);
    script_->step("stream: {{velocity: {{{}: {}}}, for: 0.4 s}}", joint->key, yaml_number(v));
    const std::string steady = script_->mark(fmt::format("steady_{}", ++i));
    script_->step("stream: {{velocity: {{{}: {}}}, for: 0.3 s}}", joint->key, yaml_number(v));
    const std::string off = script_->mark(fmt::format("off_{}", i));
    script_->step("stream: {{velocity: {{{}: 0}}, for: 0.6 s}}", joint->key);
    const std::string rests = script_->mark(fmt::format("rests_{}", i));
    script_->step("stream: {{velocity: {{{}: 0}}, for: 0.4 s}}", joint->key);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    go_home(*joint);
    script_->metric(*joint, "speed off",
                    "mean(truth.$.v - $.v_ref, 0.1 s) / (" + yaml_number(v) +
                        (joint->config->slide ? " m/s)" : " rad/s)"),
                    {steady, off}, "peak", "max: 10 %");
    script_->metric(*joint, "drift at rest", "truth.$.q - at(truth.$.q, " + rests + ")",
                    {rests, end}, "peak", fmt::format("max: {}", joint->close()));
  }
}

void CheckPlanner::mixed() {
  // The goal's way and what is left of the velocity add up: a joint that brakes slowly goes half as
  // far again as the goal, and is to stay on the way that was found free.
  constexpr double kShare = 0.75;
  begin();
  stand_in_position();
  int i = 0;
  const std::vector<const Joint*> joints = movable();
  tell_slow(joints);
  for (const Joint* joint : joints) {
    const double v = joint->sign() * kShare * joint->speed(0.8, 0.5, 0.3);
    script_->step("set_mode: {{joints: {}, mode: mixed}}", joint->key);
    script_->step("stream: {{velocity: {{{}: {}}}, for: 0.4 s}}", joint->key, yaml_number(v));
    const std::string goal = yaml_number(joint->q() + kShare * joint->way);
    script_->step("move: {{joints: {{{}: {}}}{}}}", joint->key, goal, at_their_pace({joint}));
    script_->wait(0.3);
    const std::string there = script_->mark(fmt::format("there_{}", ++i));
    script_->wait(0.3);
    const std::string end = script_->mark(fmt::format("end_{}", i));
    go_home(*joint);
    const std::string unit = joint->config->slide ? " m" : " rad";
    script_->metric(*joint, "error", "truth.$.q - (" + goal + unit + ")", {there, end}, "peak",
                    fmt::format("max: {}", joint->close()));
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
  for (const Joint* joint : movable()) {
    // A fifth of its way in that time, half of its velocity limit, a third of its torque: at most.
    const double v = joint->speed(0.2, kFor / 2.0, 0.5);
    const double tau = joint->torque_to(v, kFor);
    const double expected = joint->speed_after(tau, kFor, joint->inertia);
    const double least = joint->speed_after(tau, kFor, joint->held_inertia) / expected;
    if (!(expected > 0.02 * v)) {
      plan_.notes.push_back(joint->config->name +
                            ": its friction takes what torque its weight leaves");
      continue;
    }
    script_->step("set_mode: {{joints: all, mode: torque}}");
    script_->step("stream: {{torque: {{{}: {}}}, for: {} s}}", joint->key,
                  yaml_number(joint->sign() * tau), yaml_number(kFor));
    const std::string pushed = script_->mark(fmt::format("pushed_{}", ++i));
    script_->step("wait: 1 ms");
    const std::string seen = script_->mark(fmt::format("seen_{}", i));
    all_go_home();
    script_->metric(*joint, "speed against its inertia's",
                    "truth.$.v / (" + yaml_number(joint->sign() * expected) +
                        (joint->config->slide ? " m/s)" : " rad/s)"),
                    {pushed, seen}, "final",
                    fmt::format("min: {:.4g} %, max: 200 %", 50.0 * least));
  }
}

void CheckPlanner::openloop() {
  constexpr double kLongest = 0.3;  // [s]
  begin("duty");
  stand_in_position();
  allow_closeness();
  int i = 0;
  for (const Joint* joint : movable()) {
    const DutyDrive drive = duty_drive(*joint, kLongest);
    if (!drive.why_not.empty()) {
      plan_.notes.push_back(joint->config->name + ": " + drive.why_not);
      continue;
    }
    // From idle its duty is all that the motor gets: after a hold the torque that held it would be
    // blended into the first 0.1 s, and can turn a light joint the other way.
    script_->step("set_mode: {{joints: {}, mode: idle}}", joint->key);
    script_->step("set_mode: {{joints: {}, mode: openloop}}", joint->key);
    const std::string go = script_->mark(fmt::format("go_{}", ++i));
    script_->step("stream: {{duty: {{{}: {}}}, for: {} s}}", joint->key, yaml_number(drive.duty),
                  yaml_number(drive.seconds));
    const std::string end = script_->mark(fmt::format("end_{}", i));
    script_->step("set_mode: {{joints: {}, mode: position}}", joint->key);
    script_->wait(0.5);
    const std::string held = script_->mark(fmt::format("held_{}", i));
    script_->wait(0.3);
    const std::string stood = script_->mark(fmt::format("stood_{}", i));
    go_home(*joint);
    script_->metric(*joint, "way against the voltage's",
                    "(truth.$.q - at(truth.$.q, " + go + ")) / (" + yaml_number(drive.way) +
                        (joint->config->slide ? " m)" : " rad)"),
                    {go, end}, "final", "min: 5 %");
    script_->metric(*joint, "speed", "truth.$.v / $.v_max", {go, end}, "peak", "max: 105 %");
    script_->metric(*joint, "error", "truth.$.q - $.q_ref", {held, stood}, "peak",
                    fmt::format("max: {}", joint->close()));
  }
  if (i == 0 && plan_.why_not.empty()) plan_.why_not = joined(plan_.notes);
}

}  // namespace jointrig::app
