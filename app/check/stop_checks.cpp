#include <fmt/core.h>

#include <algorithm>

#include "app/check/check_planner.h"
#include "app/check/duty_drive.h"

namespace jointrig::app {
namespace {

using harness::yaml_number;

/// In which a joint brakes what a torque or a duty gave it: a choice, less than what it gets until
/// it has to stand [s].
constexpr double kBrakeTime = 0.5;

bool floats_in_torque(const CheckedJoint& joint) {
  return joint.takes(DriveMode::kTorque) && joint.config->gravity_in_torque;
}

bool takes_duty(const CheckedJoint& joint) { return joint.takes(DriveMode::kDuty); }

/// Speed that a torque is to give it in that time: a fifth of its way, and what it brakes soon.
double speed_by_torque(const CheckedJoint& joint, double seconds) {
  constexpr double kShareOfWay = 0.2;
  return std::min(joint.speed(kShareOfWay, seconds / 2.0, 0.5),
                  kBrakeTime * joint.config->limits.a_max);
}

/// @param still  of its sample [s]
double longest_duty(double still) { return std::max(0.3, still + 0.1); }

}  // namespace

std::vector<const CheckedJoint*> CheckPlanner::some_of(const std::vector<const Joint*>& joints,
                                                       bool (*fits)(const Joint&),
                                                       const std::string& why_not) {
  std::vector<const Joint*> fitting;
  std::vector<std::string> others;
  for (const Joint* joint : joints) {
    if (fits(*joint)) {
      fitting.push_back(joint);
    } else {
      others.push_back(joint->config->name);
    }
  }
  if (!others.empty()) plan_.notes.push_back(joined(others) + ": " + why_not);
  return fitting;
}

std::vector<const CheckedJoint*> CheckPlanner::that_float(const std::vector<const Joint*>& joints) {
  return some_of(joints, floats_in_torque,
                 "not in TORQUE, which its board doesn't take, or in which it would fall "
                 "(gravity_in_torque: false)");
}

std::vector<const CheckedJoint*> CheckPlanner::that_take_duty(
    const std::vector<const Joint*>& joints) {
  return some_of(joints, takes_duty, "not in OPENLOOP, since its board takes no duty");
}

CheckPlanner::Group CheckPlanner::driven_by_torque(const Group& group, double seconds) {
  Group driven;
  for (const Joint* joint : group) {
    const double v = speed_by_torque(*joint, seconds);
    if (joint->speed_after(joint->torque_to(v, seconds), seconds, joint->inertia) > 0.02 * v) {
      driven.push_back(joint);
    } else {
      plan_.notes.push_back(joint->config->name +
                            ": not in TORQUE, since its friction takes what its weight leaves");
    }
  }
  return driven;
}

void CheckPlanner::drive_by_torque(const std::vector<const Joint*>& floating, const Group& group,
                                   double seconds, double still) {
  const double time = seconds + still;
  script_->step("set_mode: {{joints: {}, mode: torque}}", keys(floating));
  script_->step("stream: {{torque: {}, for: {} s}}",
                each(group,
                     [&](const Joint& joint) {
                       return joint.sign() * joint.torque_to(speed_by_torque(joint, time), time);
                     }),
                yaml_number(seconds));
}

CheckPlanner::Group CheckPlanner::driven_by_duty(const Group& group, double still) {
  Group driven;
  for (const Joint* joint : group) {
    const DutyDrive drive = duty_drive(*joint, longest_duty(still));
    if (!drive.why_not.empty() || drive.seconds <= still) {
      plan_.notes.push_back(
          joint->config->name + ": not in OPENLOOP, since " +
          (drive.why_not.empty() ? "its duty turns it too far until its time-out" : drive.why_not));
      continue;
    }
    const double brakes = drive.speed / joint->config->limits.a_max;
    if (brakes > kBrakeTime) {
      plan_.notes.push_back(fmt::format(
          "{}: not in OPENLOOP, since by its acceleration_max of {:.2g} {}/s^2 the {:.2g} {}/s "
          "that its voltage gives are braked in {:.2g} s",
          joint->config->name, joint->config->limits.a_max, joint->unit_of_way(), drive.speed,
          joint->unit_of_way(), brakes));
      continue;
    }
    driven.push_back(joint);
  }
  return driven;
}

void CheckPlanner::drive_by_duty(const Group& group, double still) {
  const auto drive = [&](const Joint& joint) { return duty_drive(joint, longest_duty(still)); };
  script_->step("set_mode: {{joints: {}, mode: idle}}", keys(group));
  script_->step("set_mode: {{joints: {}, mode: openloop}}", keys(group));
  script_->step("stream: {{duty: {}, for: {} s}}",
                each(group, [&](const Joint& joint) { return drive(joint).duty; }),
                yaml_number(drive(*group[0]).seconds - still));
}

void CheckPlanner::stops(const std::vector<const Joint*>& joints, const std::string& mode,
                         const std::string& word, double seconds, const std::string& in) {
  const std::string stands = script_->mark("stands_" + word);
  script_->wait(seconds);
  const std::string end = script_->mark("end_" + word);
  for (const Joint* joint : joints) {
    script_->stays_in_mode(joint->key, in, {stands, end});
    script_->metric(*joint, "drift after " + mode, "truth.$.q - at(truth.$.q, " + stands + ")",
                    {stands, end}, "peak", fmt::format("max: {}", joint->close()));
  }
}

void CheckPlanner::timeout() {
  begin();
  stand_in_position();
  const std::vector<const Joint*> joints = those(
      [](const Joint& joint) {
        const TimeoutReaction reaction = joint.config->timeout.reaction;
        return joint.way != 0.0 &&
               (reaction == TimeoutReaction::kHold || reaction == TimeoutReaction::kDecelerate);
      },
      "no room between its start and its limits, or its reaction to silence holds no position");
  if (joints.empty()) return;
  tell_slow(joints);
  constexpr double kBrakes = 0.8;  // [s] after the time-out
  constexpr double kStands = 1.0;
  double silent = 0.0;
  for (const Joint* joint : joints) silent = std::max(silent, joint->config->timeout.seconds);
  script_->step("set_mode: {{joints: [{}], mode: velocity}}", joined(joints, ", ", &Joint::key));
  script_->step("stream: {{velocity: {}, for: 0.4 s}}", each(joints, [&](const Joint& joint) {
                  return joint.sign() * joint.speed(0.6, 0.4 + silent, 0.2);
                }));
  script_->wait(silent + kBrakes);
  stops(joints, "VELOCITY", "velocity", kStands);

  allow_closeness_from_here();
  constexpr double kDriven = 0.05;  // [s] of torque, before its stream is silent
  int i = 0;
  const auto until = [](const Joint& joint) { return joint.config->timeout.seconds; };
  const std::vector<const Joint*> floating = that_float(joints);
  for (const Group& group : parted_by(groups_of(floating), until)) {
    const Group driven = driven_by_torque(group, kDriven + until(*group[0]));
    all_go_home();
    if (driven.empty()) continue;
    drive_by_torque(floating, driven, kDriven, until(*group[0]));
    script_->wait(until(*group[0]) + kBrakes);
    stops(driven, "TORQUE", fmt::format("torque_{}", ++i), kStands);
  }
  i = 0;
  for (const Group& alike : parted_by(groups_of(that_take_duty(joints)), until)) {
    const double still = until(*alike[0]);
    const auto seconds = [&](const Joint& joint) {
      return duty_drive(joint, longest_duty(still)).seconds;
    };
    for (const Group& group : parted_by({driven_by_duty(alike, still)}, seconds)) {
      all_go_home();
      drive_by_duty(group, still);
      script_->wait(still + kBrakes);
      stops(group, "OPENLOOP", fmt::format("openloop_{}", ++i), kStands);
    }
  }
}

void CheckPlanner::stop_now(const std::vector<const Joint*>& joints, const std::string& mode,
                            const std::string& word) {
  const std::string stopped = script_->mark("stopped_" + word);
  script_->step("stop: {{joints: all}}");
  script_->wait(1.0);
  // A velocity's reference holds as well; without one the mode becomes position.
  stops(joints, mode, word, 0.5, mode == "VELOCITY" ? "velocity" : "position");
  for (const Joint* joint : joints) {
    const std::string v = "at(truth.$.v, " + stopped + ")";
    script_->metric(*joint, "way beyond braking in " + mode,
                    "abs(truth.$.q - at(truth.$.q, " + stopped + ")) - " + v +
                        "^2 / (2 * $.a_max) - abs(" + v + ") * " +
                        yaml_number(joint->answer_time()) + " s",
                    {stopped, "end_" + word}, "max", fmt::format("max: {}", joint->brake_room()));
  }
}

void CheckPlanner::stop() {
  constexpr double kSlower = 1.2;  // than the slowest joint needs
  constexpr double kDriven = 0.1;  // [s] of torque
  begin();
  stand_in_position();
  const std::vector<const Joint*> joints = movable();
  if (joints.empty()) return;
  tell_slow(joints);
  double longest = 0.0;
  for (const Joint* joint : joints) longest = std::max(longest, kSlower * joint->move_time());
  script_->step("move: {{joints: {}, duration: {} s, wait: false}}",
                each(joints, [](const Joint& joint) { return joint.q() + joint.way; }),
                yaml_number(longest));
  script_->wait(longest / 2.0);
  stop_now(joints, "POSITION", "position");

  all_go_home();
  script_->step("set_mode: {{joints: [{}], mode: velocity}}", joined(joints, ", ", &Joint::key));
  script_->step("stream: {{velocity: {}, for: 0.4 s}}", each(joints, [](const Joint& joint) {
                  return joint.sign() * joint.speed(0.6, 0.4, 0.3);
                }));
  stop_now(joints, "VELOCITY", "velocity");

  // Not all at once, since a torque on one joint turns the others, and a duty carries no arm.
  allow_closeness_from_here();
  int i = 0;
  const std::vector<const Joint*> floating = that_float(joints);
  for (const Group& group : groups_of(floating)) {
    const Group driven = driven_by_torque(group, kDriven);
    all_go_home();
    if (driven.empty()) continue;
    drive_by_torque(floating, driven, kDriven, 0.0);
    stop_now(driven, "TORQUE", fmt::format("torque_{}", ++i));
  }
  i = 0;
  const Group with_duty = driven_by_duty(that_take_duty(joints), 0.0);
  const auto seconds = [](const Joint& joint) {
    return duty_drive(joint, longest_duty(0.0)).seconds;
  };
  for (const Group& group : parted_by(groups_of(with_duty), seconds)) {
    all_go_home();
    drive_by_duty(group, 0.0);
    stop_now(group, "OPENLOOP", fmt::format("openloop_{}", ++i));
  }
}

}  // namespace jointrig::app
