#include "harness/log/refusal_text.h"

#include <optional>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "control/core/free_rotation.h"
#include "control/motion/reference_generator.h"
#include "control/safety/admission.h"
#include "control/safety/arm_admission.h"
#include "harness/log/command_words.h"
#include "harness/log/event_numbers.h"
#include "harness/log/message_text.h"
#include "harness/log/number_text.h"
#include "harness/log/plan_text.h"

namespace jointrig::harness {

using event_numbers::number;
using event_numbers::quantity;
using event_numbers::text;

namespace {

/// The refused quantity, and its allowed interval if known.
struct Refused {
  std::string what;
  QuantityKind quantity = QuantityKind::kNone;
  Range range = Range::kFinite;
  std::optional<Interval> interval;
};

/// `detail` contains the place of the refused number (Refusal::place).
Refused refused_value(const Event& event, const JointConfig& joint) {
  const std::size_t place = event.detail - std::size_t{1};
  if (event.command == CommandKind::kSetParameter) {
    const auto parameter = static_cast<JointParameter>(place);
    return {text(to_string(parameter)), quantity_of(parameter), Range::kParameter, {}};
  }
  const NumberInfo number = number_at(value_fields_of(event.command), place);
  if (number.field == nullptr) return {"value", QuantityKind::kNone, Range::kFinite, {}};
  return {text(number.field->name), number.field->quantity, number.field->range,
          interval_of(number.field->range, joint)};
}

/// A law's parameter: its own range.
std::string law_out_of_range(const Event& event) {
  return "the value " + number(event.value) + " is " +
         (event.value < event.limit ? "below" : "above") + " the limit of " + number(event.limit) +
         ", which the law has declared";
}

/// @param owner  what has event.limit of them
std::string no_such_number(const char* thing, const char* owner, const Event& event) {
  return std::string("it names ") + thing + " number " + number(event.value) + ", the " + owner +
         " has " + number(event.limit) + "; count from 0";
}

std::string unknown_law(const Event& event) {
  return event.detail == 2 ? no_such_number("parameter", "law", event)
                           : no_such_number("law", "robot", event);
}

std::string out_of_range(const Event& event, const JointConfig* joint) {
  if (event.command == CommandKind::kSetLawParameter) return law_out_of_range(event);
  if (event.command == CommandKind::kSetSpeedOverride) {
    return "a speed override of " + number(event.value) + " is out of range; give " +
           number(kLeastSpeedOverride) + " to 1";
  }
  if (event.command == CommandKind::kSetGravity) {
    return "a gravity of " + number(event.value) +
           " m/s² is out of range; give a vector of at most " + number(kMostGravity) + " m/s²";
  }
  if (joint == nullptr && event.detail != 0) {
    return number_out_of_range(event.command, event.detail - std::size_t{1}, event.value,
                               event.limit);
  }
  if (joint == nullptr) return number(event.value) + " is beyond " + number(event.limit);
  const Refused refused = refused_value(event, *joint);
  const std::string_view unit = unit_of(refused.quantity, joint->slide);
  const auto with_unit = [&](double v) {
    return number(v) + (unit.empty() ? "" : " " + text(unit));
  };
  std::string words = refused.what + " " + with_unit(event.value) + " is " +
                      (event.value < event.limit ? "below" : "above") + " the limit of " +
                      with_unit(event.limit);
  if (refused.range == Range::kDuration) {
    return words + ", the shortest that its limits allow; take longer";
  }
  if (!refused.interval) return words;
  return words + "; stay within " + number(refused.interval->low) + " to " +
         with_unit(refused.interval->high);
}

std::string not_finite(const Event& event, const JointConfig* joint) {
  const auto fields = joint == nullptr ? fields_of(event.command) : value_fields_of(event.command);
  const NumberInfo at =
      event.detail == 0 ? NumberInfo{} : number_at(fields, event.detail - std::size_t{1});
  const std::string what = at.field == nullptr
                               ? "a value"
                               : "its " + text(at.field->name) + axis_words(*at.field, at.index);
  return what + " is " + number(event.value) + "; send finite numbers";
}

/// "position or mixed": the modes that take this command.
std::string modes_taking(CommandKind command) {
  std::string words;
  for (const ControlMode mode : kAllControlMode) {
    if (!modes_of(command).has(mode)) continue;
    words += (words.empty() ? "" : " or ") + text(to_string(mode));
  }
  return words;
}

std::string wrong_mode(const Event& event) {
  const std::string mode = text(to_string(event.mode));
  const std::string command = text(to_string(event.command));
  ControlMode is{};
  if (parse(mode, is) && modes_of(event.command).has(is)) {
    return "the joint's motor is not on yet in " + mode + ", and " + command +
           " waits for none; send it again some cycles later";
  }
  return "the joint is in " + mode + ", which takes no " + command + "; ask for " +
         modes_taking(event.command) + " first";
}

std::string stale(const Event& event) {
  if (event.value <= event.limit) {
    return "its number " + number(event.value) + " is not above " + number(event.limit) +
           ", the last one taken; count up";
  }
  if (event.limit == 0.0) {
    return "the sender's id " + number(event.value) + " is unknown; connect first";
  }
  return "it was computed from a snapshot " + number(event.value) + " s old, more than " +
         number(event.limit) + " s; use a newer snapshot";
}

/// Rotations that the drive of a tool can't hold: value is the free rotation that was asked for,
/// limit has a bit for each beside which the joints hold the others (control/stack/tool_drives.h).
std::string not_held(const Event& event) {
  std::string words;
  for (const FreeRotation free : kAllFreeRotation) {
    const auto bit = 1U << static_cast<unsigned>(free);
    if ((static_cast<unsigned>(event.limit) & bit) == 0) continue;
    words += (words.empty() ? "" : ", ") + text(to_string(free));
  }
  const auto asked = static_cast<FreeRotation>(event.value);
  if (is_axis(asked)) {
    return "the arm's joints can't hold the other two rotations of its tool with free_rotation " +
           text(to_string(asked)) + "; give another: " + (words.empty() ? "" : words + ", ") +
           "all";
  }
  const std::string more =
      words.empty() ? "" : ", or a free_rotation beside which the others are held: " + words;
  return (asked == FreeRotation::kAll
              ? std::string("free_rotation all holds no rotation of the tool")
              : std::string("the arm's joints can't hold the three rotations of its tool, so that "
                            "they lead its place alone")) +
         "; give no angular velocity" + more;
}

std::string no_other_gravity(const Event& event) {
  if (event.value == 0.0) return "the controller has no model that gravity could act on";
  if (event.value == 1.0) {
    return "the robot's base floats, and is known in the world, where bodies fall as the model "
           "says; "
           "give the model another gravity";
  }
  return "its board compensates gravity by itself, and goes on in the direction that it knows; "
         "tell "
         "the board, and give robot.yaml the `gravity`";
}

std::string unsupported(const Event& event, const JointConfig* joint) {
  if (event.command == CommandKind::kSetProtection) {
    return "the robot's file doesn't have it; give it collision_avoidance or collision_detection";
  }
  if (event.command == CommandKind::kSetObstacle) {
    return "the robot has no collision avoidance that could look at it; give its file "
           "collision_avoidance";
  }
  if (event.command == CommandKind::kSetGravity) {
    return no_other_gravity(event);
  }
  if (event.command == CommandKind::kDriveTool) return not_held(event);
  if (event.command == CommandKind::kStreamTrajectory) {
    return "its board closes its own loop, and takes no torque beside it; give the sample no "
           "torque, or the drive `feed_forward` if it has 60B2h";
  }
  if (event.limit == 0.0) {
    return "its board lacks what this needs and the stack can't emulate it; choose another "
           "mode or interaction";
  }
  const bool is_named = joint != nullptr && !joint->drive.bus.empty();
  const std::string bus = is_named ? "bus " + joint->drive.bus : "its bus";
  constexpr double kMilli = 1e3;
  return bus + " has a cycle of " + number(kMilli * event.value) +
         " ms, and a law that the stack closes by torque takes " + number(kMilli * event.limit) +
         " ms at most; use stiff position modes, where the drive closes the loop, or spread the "
         "drives over more buses and shorten `cycle`";
}

}  // namespace

std::string why_rejected(const Event& event, const JointConfig* joint) {
  const std::string mode = text(to_string(event.mode));
  if (const std::string words = why_no_message(event); event.message != 0 && !words.empty()) {
    return words;
  }
  switch (event.reason) {
    case RejectReason::kNone:
      break;
    case RejectReason::kNoId:
    case RejectReason::kNoSuchPart:
    case RejectReason::kNotStanding:
    case RejectReason::kWrongPrevious:
    case RejectReason::kQueueFull:
    case RejectReason::kBadWaypoints:
    case RejectReason::kTooFast:
    case RejectReason::kBearsLoad:
    case RejectReason::kInTheAir:
    case RejectReason::kNotWalking:
    case RejectReason::kPartTwice:
    case RejectReason::kNoFingers:
    case RejectReason::kWouldTip:
      return why_no_message(event);
    case RejectReason::kWrongMode:
      return wrong_mode(event);
    case RejectReason::kUnknownJoint:
      return no_such_number("joint", "robot", event);
    case RejectReason::kOutOfRange:
      return out_of_range(event, joint);
    case RejectReason::kBoardFaulted:
      return "the joint is in hw_fault; remove the cause, then ask for force_idle";
    case RejectReason::kSizeMismatch:
      if (is_for_arm(event.command)) {
        return "it carries " + number(event.value) + " numbers and needs " + number(event.limit);
      }
      if (event.value == event.limit) return "it names no joint; name at least one";
      return "it carries " + number(event.value) + " values and its joints need " +
             number(event.limit) + "; send one for each joint named";
    case RejectReason::kNotFinite:
      return not_finite(event, joint);
    case RejectReason::kStale:
      return stale(event);
    case RejectReason::kNotConfigured:
      return "the board is silent or set up wrongly; check its power and configuration first";
    case RejectReason::kNotCalibrated:
      return "the joint is not calibrated; calibrate it first";
    case RejectReason::kCalibrating:
      return "the joint is calibrating; wait until it is done, or ask for idle to abort";
    case RejectReason::kNotIdle:
      return "the joint is in " + mode + "; ask for idle first";
    case RejectReason::kUnsupported:
      return unsupported(event, joint);
    case RejectReason::kNoForceSensor:
      return "the arm has no force/torque sensor here; name one as `force_sensor` in its settings, "
             "and run it on a backend that reads it";
    case RejectReason::kSensorFaulty:
      return "its force/torque sensor is " +
             text(to_string(static_cast<ForceSensorState>(event.value))) +
             "; check its wire and its load first";
    case RejectReason::kInboxFull:
      return "more commands came than a cycle can take; send it again";
    case RejectReason::kUnknownArm:
      if (joint != nullptr) return "the joint is in no arm; only joints of an arm take cartesian";
      return no_such_number("arm", "robot", event);
    case RejectReason::kIncompleteArm:
      return "mode cartesian is for all joints of an arm together, and this one isn't named; name "
             "them all";
    case RejectReason::kNotDefinite:
      if (event.value < 0.0) {
        return "the matrix has a negative eigenvalue, " + number(event.value) +
               "; send one that pulls back in every direction";
      }
      return "the matrix isn't symmetric: entries differ by " + number(event.value) +
             "; send a symmetric one";
    case RejectReason::kNotRigid:
      return describe_flaw(event.value, event.limit);
    case RejectReason::kToolMoves:
      return "its tool is on its way to a target, which is one of the present tool; wait until it "
             "has arrived, or stop it";
    case RejectReason::kInteracting:
      return "interaction control is on, and its frame is set up for the present tool; switch it "
             "off first (interaction: {active: false})";
    case RejectReason::kOutOfReach:
      return "the target is " + number(event.value) + " m from the shoulder, and the arm is " +
             number(event.limit) + " m long; stay within";
    case RejectReason::kContact:
      return "its part has stopped on a contact; wait until the stop is over, after a squish ask "
             "for "
             "a mode";
    case RejectReason::kGuided:
      return "its arm is guided by hand; let go of the cuff first";
    case RejectReason::kNoPlan:
    case RejectReason::kBadPlan:
    case RejectReason::kNotAtStart:
    case RejectReason::kPlanPosition:
    case RejectReason::kPlanSpeed:
    case RejectReason::kPlanAcceleration:
    case RejectReason::kPlanSpline:
    case RejectReason::kPlanReach:
    case RejectReason::kPlanJump:
    case RejectReason::kPlanSingular:
    case RejectReason::kPlanCollision:
    case RejectReason::kUnknownEndpoint:
      return why_no_plan(event, joint != nullptr && joint->slide);
    case RejectReason::kUnknownLaw:
      return unknown_law(event);
    case RejectReason::kUnknownGripper:
      return no_such_number("gripper", "robot", event);
    case RejectReason::kNoWidth:
      return "the robot's file doesn't tell the gripper's width: give it `width`, or ask for a "
             "share, without a speed";
    case RejectReason::kNoTorque:
      return "its board takes no torque, so no force can be held; close_gripper closes it until it "
             "stands";
    case RejectReason::kLawFailed:
      return "it holds since a law of its own failed; switch that off or on again, then ask for a "
             "mode";
    case RejectReason::kUnknownObstacle:
      return "the robot knows no obstacle of that name; it knows " + number(event.value);
    case RejectReason::kTooManyObstacles:
      return "it would be obstacle number " + number(event.value) + ", and the robot knows " +
             number(event.limit) + " at most; remove one first";
    case RejectReason::kPartHeld:
      return "its part holds, since a joint of it is lost; restore that one, then ask for a mode";
  }
  return "no reason given";
}

}  // namespace jointrig::harness
