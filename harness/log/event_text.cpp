#include "harness/log/event_text.h"

#include <fmt/core.h>

#include "control/core/board_notice.h"
#include "control/core/command_facts.h"
#include "control/core/plan.h"
#include "control/core/twin_evidence.h"
#include "control/stack/loop_statistics.h"
#include "harness/log/command_words.h"
#include "harness/log/event_numbers.h"
#include "harness/log/law_event_text.h"
#include "harness/log/message_text.h"
#include "harness/log/plan_text.h"
#include "harness/log/refusal_text.h"

namespace jointrig::harness {

using event_numbers::digits_for;
using event_numbers::number;
using event_numbers::quantity;
using event_numbers::text;

namespace {

const JointConfig* joint_of(const Event& event, const RobotConfig& config) {
  return event.joint < config.joints.size() ? &config.joints[event.joint] : nullptr;
}

/// `node 3, since its serial number was answered with two values`
std::string twin_words(const Event& event) {
  const std::string node = fmt::format("node {:.0f}", event.value);
  const std::string_view how = describe(twin_evidence_of(event.limit));
  return how.empty() ? node : fmt::format("{}, since {}", node, how);
}

/// A person does this before force_idle.
std::string_view remedy(FaultCode fault) {
  return fault == FaultCode::kDuplicateNode ? "unplug one of them or give it a number of its own"
                                            : "remove the cause";
}

/// `the motor current is too high: 12 A against a limit of 10 A`
std::string fault_words(const Event& event, bool slide) {
  std::string words = text(describe(event.fault));
  if (event.value == 0.0 && event.limit == 0.0) return words;
  if (event.fault == FaultCode::kDuplicateNode) return words + ": " + twin_words(event);
  const std::string_view unit = unit_of(event.fault);
  const int digits = digits_for(event.value, event.limit);
  words += ": " + quantity(event.value, unit, slide, digits);
  if (event.limit != 0.0) {
    words += " against a limit of " + quantity(event.limit, unit, slide, digits);
  }
  return words;
}

std::string limited_words(const Event& event, bool slide) {
  const auto limit = static_cast<Limit>(event.detail);
  std::string words = "limited by " + text(to_string(limit));
  if (event.value == 0.0 && event.limit == 0.0) return words;
  // A rate limits the torque of one cycle: both numbers are torques.
  constexpr std::string_view kUnits[] = {"rad", "rad/s", "rad/s²", "rad", "N·m", "N·m", "", ""};
  const std::string_view unit = event.detail < std::size(kUnits) ? kUnits[event.detail] : "";
  const int digits = digits_for(event.value, event.limit);
  words += ": " + quantity(event.value, unit, slide, digits);
  const std::string bound = quantity(event.limit, unit, slide, digits);
  if (limit == Limit::kTorqueRate)
    return words + " wanted, " + bound + " is the most in this cycle";
  return words + " against " + bound;
}

/// The obstacle that holds the drive of a tool back, or its end.
std::string drive_words(const Event& event, bool slide) {
  const int digits = digits_for(event.value, event.limit);
  const auto both = [&](std::string_view unit, const char* between) {
    return quantity(event.value, unit, slide, digits) + between +
           quantity(event.limit, unit, slide, digits);
  };
  switch (static_cast<DriveChange>(event.detail)) {
    case DriveChange::kFree:
      return "the tool has its velocity again";
    case DriveChange::kPosition:
      return "the tool can't have its velocity: this joint comes to the end of its range, " +
             both("rad", " of ") + "; drive another way";
    case DriveChange::kSpeed:
      return "the tool can't have its velocity: this joint would need " +
             both("rad/s", ", and its limit is ") + "; drive more slowly";
    case DriveChange::kSingular:
      return "the tool can't have its velocity: it comes near to a singular pose, " +
             number(event.value) + " with a least singular value of " + number(event.limit) +
             "; drive back or across";
    case DriveChange::kReach:
      return "the tool can't have its velocity: no joint positions lead on, " +
             number(100.0 * event.value) + " % of it is left; drive another way";
    case DriveChange::kLapsed:
      return "the drive's time of " + number(event.value) + " s is over: the tool brakes";
    case DriveChange::kStopped:
      return "the drive was stopped: the tool brakes along its way";
  }
  return "a drive of unknown news";
}

std::string drive_broken_words(const Event& event) {
  const bool is_near = static_cast<PlanChange>(event.detail) == PlanChange::kAvoidance;
  return "the drive ends, since " + why_off_its_way(event) +
         (is_near ? ": drive it away from what is near" : "");
}

/// `link_stale: a sample of its board is missing and extrapolated (3 cycles)`
std::string notice_words(const Event& event, const JointConfig* joint) {
  const auto notice = static_cast<Notice>(event.detail);
  std::string words = text(to_string(notice)) + ": " + text(describe(notice));
  const bool has_bus = joint != nullptr && !joint->drive.bus.empty();
  if (notice == Notice::kBoardBack && has_bus) words += " (bus " + joint->drive.bus + ")";
  const std::string unit = text(unit_of(notice));
  if (unit.empty()) return words;
  if (notice == Notice::kOtherBoard) {
    return fmt::format("{} (serial number {:X}h, at the start {:X}h)", words,
                       static_cast<unsigned>(event.value), static_cast<unsigned>(event.limit));
  }
  if (notice == Notice::kDuplicateNode) {
    const auto help = remedy(FaultCode::kDuplicateNode);
    return fmt::format("{} ({}); {}", words, twin_words(event), help);
  }
  if (notice == Notice::kEmergency) {
    return fmt::format("{} ({:04X}h)", words, static_cast<unsigned>(event.value));
  }
  return words + " (" + number(event.value) + " " + unit + ")";
}

/// `squish: 20.1 N·m of external torque against a threshold of 20 N·m; ...`
std::string contact_words(const Event& event, bool slide, const RobotConfig& config) {
  const auto kind = static_cast<ContactKind>(event.detail);
  const CollisionDetectionConfig detection = config.detection.value_or(CollisionDetectionConfig{});
  const int digits = digits_for(event.value, event.limit);
  const bool is_joints = kind != ContactKind::kHandWrench;
  const std::string_view unit = unit_of(event.quantity, slide && is_joints);
  const std::string what = kind == ContactKind::kImpact   ? "of sudden torque"
                           : kind == ContactKind::kSquish ? "of external torque"
                                                          : "on the hand";
  std::string words = text(to_string(kind)) + ": " + quantity(event.value, unit, false, digits) +
                      " " + what + " against a threshold of " +
                      quantity(event.limit, unit, false, digits);
  if (kind == ContactKind::kSquish) {
    return words + ", most on this joint; its part holds softly until a mode is asked for";
  }
  return words + ", most on this joint; its part stops for " + number(detection.stop_time) + " s";
}

/// The two surfaces of an event of collision avoidance.
std::string surfaces(const Event& event, const RobotConfig& config) {
  if (!config.avoidance) return "surfaces";
  const ShapePair bodies = bodies_of(*config.avoidance, event.number);
  const std::string_view obstacle = text_of(event.obstacle);
  if (!bodies.a.empty() && !obstacle.empty()) {
    return fmt::format("surfaces of {} and of obstacle {}", bodies.a, obstacle);
  }
  if (bodies.a.empty() || bodies.b.empty()) return "surfaces";
  return fmt::format("surfaces of {} and {}", bodies.a, bodies.b);
}

/// The line for robot.yaml that lets them meet.
std::string exclusion(const Event& event, const RobotConfig& config) {
  if (!config.avoidance) return "";
  const ShapePair bodies = bodies_of(*config.avoidance, event.number);
  if (bodies.a.empty() || bodies.b.empty()) return "";
  return fmt::format("; where they may meet: collision_avoidance: {{exclude: [[{}, {}]]}}",
                     bodies.a, bodies.b);
}

std::string avoidance_words(const Event& event, const RobotConfig& config) {
  if (static_cast<AvoidanceAct>(event.detail) == AvoidanceAct::kPushes) {
    return "collision avoidance pushes, this joint most: " + surfaces(event, config) + " are " +
           number(event.value, 4) + " m apart, less than the margin of " + number(event.limit) +
           " m";
  }
  return "collision avoidance stops references that bring " + surfaces(event, config) + ", " +
         number(event.value, 4) + " m apart, nearer than the margin of " + number(event.limit) +
         " m, this joint most; give a goal that leads away" + exclusion(event, config);
}

std::string suppression_words(const Event& event) {
  const std::string what = text(to_string(static_cast<Suppressible>(event.detail)));
  if (event.kind == EventKind::kSuppressed) {
    return what + " is suppressed while messages come within " + number(event.limit) + " s";
  }
  return what + " acts again: no message for " + number(event.limit) +
         " s, it was suppressed for " + number(event.value) + " s";
}

/// `refused: it isn't released: in 2 s it would drift by 2.1 rad against a limit of 0.5 rad`
std::string guide_words(const Event& event, bool slide) {
  const auto change = static_cast<GuideChange>(event.detail);
  std::string words = text(to_string(change)) + ": " + text(describe(change));
  const std::string_view unit = unit_of(change);
  if (unit.empty()) return words;
  const int digits = digits_for(event.value, event.limit);
  return words + " " + quantity(event.value, unit, slide, digits) + " against a limit of " +
         quantity(event.limit, unit, slide, digits);
}

/// `saturated: its force along z is 312 N, and its range ends at 300 N`
std::string sensor_words(const Event& event) {
  const auto state = static_cast<ForceSensorState>(event.detail);
  std::string words = "the force/torque sensor is " + text(to_string(state));
  const bool is_force = event.quantity == QuantityKind::kForce;
  constexpr std::array<std::string_view, 3> kAxes{"x", "y", "z"};
  const std::string which = (is_force ? "force along " : "torque about ") +
                            text(kAxes[static_cast<std::size_t>(event.number % 3)]);
  const std::string_view unit = unit_of(event.quantity, false);
  switch (state) {
    case ForceSensorState::kNone:
      return "the force/torque sensor is gone: the backend reads none any more";
    case ForceSensorState::kGood:
      return words + " again";
    case ForceSensorState::kSaturated:
      return words + ": its " + which + " is " + quantity(event.value, unit, false) +
             ", and its range ends at " + quantity(event.limit, unit, false) +
             "; take load off the tool";
    case ForceSensorState::kStale:
      return words + ": " + number(event.value) +
             " samples are missing in a row, and it tolerates fewer than " + number(event.limit) +
             "; the last wrench is held";
    case ForceSensorState::kNotFinite:
      return words + ": its " + which + " is " + number(event.value) + "; the last wrench is held";
    case ForceSensorState::kFrozen:
      return words + ": the weight on it has turned by " + quantity(event.value, "N", false) +
             ", which is more than " + quantity(event.limit, "N", false) +
             ", and it reads the same to the bit; the last wrench is held";
  }
  return words;
}

std::string sender_words(const Event& event, std::string_view sender) {
  return sender.empty() ? fmt::format("sender {}", event.sender) : text(sender);
}

/// `remote1:anna took the lease (epoch 3)`
std::string lease_words(const Event& event, std::string_view sender) {
  const std::string who = sender_words(event, sender);
  const std::string epoch = fmt::format(" (epoch {})", event.number);
  switch (static_cast<LeaseAct>(event.detail)) {
    case LeaseAct::kTaken:
      return who + " took the lease" + epoch;
    case LeaseAct::kReleased:
      return who + " released the lease" + epoch;
    case LeaseAct::kTakenOver:
      return who + " lost the lease" + epoch + ": another client took it over";
    case LeaseAct::kSilent:
      return who + " lost the lease" + epoch + ": it was silent for " + number(event.value) + " s";
    case LeaseAct::kDisconnected:
      return who + " lost the lease" + epoch + ": its connection ended";
    case LeaseAct::kStopped:
      return who + " lost the lease" + epoch + ": another client stopped the robot";
  }
  return who + ": an unknown change of the lease";
}

std::string what_happened(const Event& event, const JointConfig* joint, const RobotConfig& config,
                          std::string_view sender) {
  const bool slide = joint != nullptr && joint->slide;
  const std::string id = event.message == 0 ? "" : fmt::format(" {}", event.message);
  const std::string command = text(to_string(event.command)) + id;
  const std::string fault = text(to_string(event.fault));
  switch (event.kind) {
    case EventKind::kAccepted:
      return "accepted " + command;
    case EventKind::kRejected:
      return "rejected " + command + " (" + text(to_string(event.reason)) +
             "): " + why_rejected(event, joint);
    case EventKind::kModeChanged:
      return "mode " + text(to_string(event.mode)) + ", was " + text(to_string(event.was));
    case EventKind::kEngaged:
      return "the motor came on with " + quantity(event.value, "N·m", slide, 4) +
             " at once to carry the joint; the torque rate is " +
             quantity(event.limit, "N·m", slide, 4) + " a cycle";
    case EventKind::kFalls:
      return "its motor goes off under " + quantity(event.value, "N·m", slide) +
             (event.limit > 0.0
                  ? ", and its brake holds " + quantity(event.limit, "N·m", slide) + ": it slips"
                  : ", and it has no brake: it falls");
    case EventKind::kHeld:
      return "its motor goes off under " + quantity(event.value, "N·m", slide) +
             ": its brake holds it, with up to " + quantity(event.limit, "N·m", slide);
    case EventKind::kInteractionChanged:
      return "interaction " + text(to_string(static_cast<InteractionMode>(event.detail)));
    case EventKind::kFault:
      return "fault " + fault + ": " + fault_words(event, slide) + "; " +
             text(remedy(event.fault)) + ", then ask for force_idle";
    case EventKind::kFaultCleared:
      return "fault " + fault + " cleared";
    case EventKind::kFaultStays:
      return "fault " + fault + " stays after force_idle: " + fault_words(event, slide) +
             "; the cause remains";
    case EventKind::kCommandTimeout:
      return "no command for " + number(event.value) + " s, the timeout of this stream: " +
             text(to_string(static_cast<TimeoutReaction>(event.detail))) +
             "; send more often or set a longer timeout";
    case EventKind::kLimited:
      return limited_words(event, slide);
    case EventKind::kGoalReached:
      if (joint == nullptr) return "the target has reached its goal";
      return "goal " + quantity(event.value, "rad", slide) + " reached";
    case EventKind::kForceSensor:
      return sensor_words(event);
    case EventKind::kImu:
    case EventKind::kFootSensor:
      return body_sensor_words(event, config);
    case EventKind::kTared:
      return "the force/torque sensor is tared: a bias of " + quantity(event.value, "N", false) +
             " and " + quantity(event.limit, "N·m", false) + " is subtracted";
    case EventKind::kLoadChanged:
      return "a load of " + number(event.value) + " kg counts now, after one of " +
             number(event.limit) + " kg";
    case EventKind::kCalibrationDone:
      return "calibrated, offset " + quantity(event.value, "rad", slide);
    case EventKind::kOverrun:
      return "the cycle was over " + number(event.value * 1e3) +
             " ms after it was due, with a period of " + number(event.limit * 1e3) +
             " ms; most of that was " + text(to_string(static_cast<LoopStage>(event.detail)));
    case EventKind::kCyclesMissed:
      return "the scenario fell behind the loop and missed " + number(event.value) +
             (event.value == 1.0 ? " cycle" : " cycles");
    case EventKind::kNotice:
      return notice_words(event, joint);
    case EventKind::kContact:
      return contact_words(event, slide, config);
    case EventKind::kContactOver:
      return "the stop after a contact is over: it holds, and accepts motion again";
    case EventKind::kAvoidance:
      return avoidance_words(event, config);
    case EventKind::kSuppressed:
    case EventKind::kUnsuppressed:
      return suppression_words(event);
    case EventKind::kGuide:
      return guide_words(event, slide);
    case EventKind::kPlan:
    case EventKind::kPlanBroken:
      return plan_text(event, slide);
    case EventKind::kLawFailed:
      return event.detail >= static_cast<std::uint8_t>(LawFailure::kNoSolution)
                 ? body_failure_words(event)
                 : law_failure_words(event, slide);
    case EventKind::kGaveWay:
      return gave_way_words(event, config);
    case EventKind::kMessage:
      return message_words(event);
    case EventKind::kBalance:
      return balance_words(event);
    case EventKind::kLawState:
      return law_state_words(event);
    case EventKind::kStaysHeld:
      return stays_held_words(event);
    case EventKind::kGripper:
      return gripper_words(event);
    case EventKind::kDrive:
      return drive_words(event, slide);
    case EventKind::kDriveBroken:
      return drive_broken_words(event);
    case EventKind::kLease:
    case EventKind::kLeaseLost:
      return lease_words(event, sender);
  }
  return "an event of unknown kind";
}

std::string who(const Event& event, const JointConfig* joint, const RobotConfig& config) {
  if (event.law < config.laws.size()) {
    const std::string law = "law " + config.laws[event.law].name;
    return joint == nullptr ? law : law + ", " + joint->name;
  }
  if (event.gripper < config.grippers.size()) {
    const std::string gripper = "gripper " + config.grippers[event.gripper].name;
    return joint == nullptr ? gripper : gripper + ", " + joint->name;
  }
  if (const std::string_view obstacle = text_of(event.obstacle);
      joint == nullptr && !obstacle.empty()) {
    return fmt::format("obstacle {}", obstacle);
  }
  const bool has_arm = event.arm < config.arms.size();
  std::string arm = has_arm ? "arm " + config.arms[event.arm].name : "robot";
  if (joint == nullptr) return arm;
  return has_arm ? arm + ", " + joint->name : joint->name;
}

}  // namespace

std::string sentence(const Event& event, const RobotConfig& config, std::string_view sender) {
  const JointConfig* joint = joint_of(event, config);
  std::string words = who(event, joint, config) + ": ";
  words += what_happened(event, joint, config, sender);
  const bool is_answer = event.kind == EventKind::kAccepted || event.kind == EventKind::kRejected;
  if (is_answer) {
    words += fmt::format(" [{} #{}]", sender_words(event, sender), event.number);
  }
  return words;
}

}  // namespace jointrig::harness
