#include "harness/log/event_text.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>

#include "control/core/board_notice.h"
#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "control/motion/reference_generator.h"
#include "control/safety/admission.h"
#include "control/safety/arm_admission.h"
#include "control/stack/loop_statistics.h"
#include "harness/log/command_words.h"
#include "harness/log/message_text.h"
#include "harness/log/plan_text.h"

namespace jointrig::harness {
namespace {

std::string text(std::string_view word) { return std::string(word); }

std::string number(double value, int digits = 6) {
  if (std::isnan(value)) return "nan";  // printf would print its sign, which has no meaning
  return fmt::format("{:.{}g}", value, digits);
}

/// Four digits, or as many as distinguish the two.
int digits_for(double a, double b) {
  constexpr int kFew = 4;
  constexpr int kAll = 17;
  int digits = kFew;
  while (digits < kAll && a != b && number(a, digits) == number(b, digits)) ++digits;
  return digits;
}

/// `12 A`, `1 rad/s`; for a slide joint the unit has m for rad and N for N·m.
std::string quantity(double value, std::string_view unit, bool slide, int digits = 6) {
  std::string words = text(unit);
  const std::string figures = number(value, digits);
  if (slide) {
    constexpr std::string_view kTorque = "N·m";
    if (words.rfind("rad", 0) == 0) words.replace(0, 3, "m");
    if (words.rfind(kTorque, 0) == 0) words.replace(0, kTorque.size(), "N");
    if (const auto at = words.find("/rad"); at != std::string::npos) words.replace(at, 4, "/m");
    if (words == "N·s/m" || words == "N/m") return figures + " " + words;
  }
  return words.empty() ? figures : figures + " " + words;
}

const JointConfig* joint_of(const Event& event, const RobotConfig& config) {
  return event.joint < config.joints.size() ? &config.joints[event.joint] : nullptr;
}

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

/// For a number of the command itself, which belongs to no joint.
std::string own_out_of_range(const Event& event) {
  const NumberInfo at = number_at(fields_of(event.command), event.detail - std::size_t{1});
  if (at.field == nullptr) return number(event.value) + " is beyond " + number(event.limit);
  if (!at.field->words.empty()) {
    return "its " + text(at.field->name) + " is number " + number(event.value) +
           ", and the last word that it has is number " + number(event.limit) + ", " +
           text(at.field->words.back());
  }
  const std::string_view axis = axis_words(*at.field, at.index);
  const bool is_linear = axis.rfind(" along", 0) == 0;
  const std::string_view unit = unit_of(at.field->quantity, is_linear);
  const std::string name = text(at.field->name);
  const std::string what =
      (at.field->range == Range::kUnitLength ? "the length of its " : "its ") + name;
  const bool is_below = event.value < event.limit;
  return what + text(axis) + " is " + quantity(event.value, unit, false) +
         (is_below ? ", and the smallest allowed value is "
                   : ", and the largest allowed value is ") +
         quantity(event.limit, unit, false);
}

/// A law's parameter: its own range.
std::string law_out_of_range(const Event& event) {
  return "the value " + number(event.value) + " is " +
         (event.value < event.limit ? "below" : "above") + " the limit of " + number(event.limit) +
         ", which the law has declared";
}

std::string unknown_law(const Event& event) {
  const bool is_parameter = event.detail == 2;
  return std::string("it names ") + (is_parameter ? "parameter" : "law") + " number " +
         number(event.value) + (is_parameter ? ", the law has " : ", the robot has ") +
         number(event.limit) + "; count from 0";
}

std::string out_of_range(const Event& event, const JointConfig* joint) {
  if (event.command == CommandKind::kSetLawParameter) return law_out_of_range(event);
  if (event.command == CommandKind::kSetSpeedOverride) {
    return "a speed override of " + number(event.value) + " is out of range; give " +
           number(kLeastSpeedOverride) + " to 1";
  }
  if (joint == nullptr && event.detail != 0) return own_out_of_range(event);
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
  const std::string what =
      at.field == nullptr ? "a value"
                          : "its " + text(at.field->name) + text(axis_words(*at.field, at.index));
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

std::string unsupported(const Event& event, const JointConfig* joint) {
  if (event.command == CommandKind::kSetProtection) {
    return "the robot's file doesn't have it; give it collision_avoidance or collision_detection";
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
      return why_no_message(event);
    case RejectReason::kWrongMode:
      return wrong_mode(event);
    case RejectReason::kUnknownJoint:
      return "it names joint number " + number(event.value) + ", the robot has " +
             number(event.limit) + "; count from 0";
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
      return "it names arm number " + number(event.value) + ", the robot has " +
             number(event.limit) + "; count from 0";
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
      return why_no_plan(event, joint != nullptr && joint->slide);
    case RejectReason::kUnknownLaw:
      return unknown_law(event);
    case RejectReason::kUnknownGripper:
      return "it names gripper number " + number(event.value) + ", the robot has " +
             number(event.limit) + "; count from 0";
    case RejectReason::kNoWidth:
      return "the robot's file doesn't tell the gripper's width: give it `width`, or ask for a "
             "share, without a speed";
    case RejectReason::kNoTorque:
      return "its board takes no torque, so no force can be held; close_gripper closes it until it "
             "stands";
    case RejectReason::kLawFailed:
      return "it holds since a law of its own failed; switch that off or on again, then ask for a "
             "mode";
    case RejectReason::kPartHeld:
      return "its part holds, since a joint of it is lost; restore that one, then ask for a mode";
  }
  return "no reason given";
}

/// `the motor current is too high: 12 A against a limit of 10 A`
std::string fault_words(const Event& event, bool slide) {
  std::string words = text(describe(event.fault));
  if (event.value == 0.0 && event.limit == 0.0) return words;
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
  if (bodies.a.empty()) return "surfaces";
  return fmt::format("surfaces of {} and {}", bodies.a, bodies.b);
}

/// The line for robot.yaml that lets them meet.
std::string exclusion(const Event& event, const RobotConfig& config) {
  if (!config.avoidance) return "";
  const ShapePair bodies = bodies_of(*config.avoidance, event.number);
  if (bodies.a.empty()) return "";
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

/// `overran: it took 0.31 ms of its budget of 0.1 ms; ...`
std::string law_failure_words(const Event& event, bool slide) {
  const auto why = static_cast<LawFailure>(event.detail);
  constexpr double kMilli = 1e3;
  std::string words = "is shut out, it " + text(to_string(why));
  if (why == LawFailure::kThrew) words += " an exception";
  if (why == LawFailure::kNotFinite) {
    words = "is shut out, its torque is not_finite: " + quantity(event.value, "N·m", slide);
  }
  if (why == LawFailure::kOverran) {
    words += ": it took " + number(kMilli * event.value, 4) + " ms of its budget of " +
             number(kMilli * event.limit, 4) + " ms, again and again";
  }
  return words + "; its joints hold; mend it, switch it on and ask for a mode";
}

/// `ahead`, `to the left (67 deg from ahead)`
std::string direction_words(double direction) {
  constexpr double kDegrees = 180.0 / std::numbers::pi;
  const double turn = kDegrees * direction;
  const char* const way = std::abs(turn) < 45.0    ? "ahead"
                          : std::abs(turn) > 135.0 ? "backwards"
                          : turn > 0.0             ? "to the left"
                                                   : "to the right";
  return fmt::format("{} ({:.0f} deg from ahead)", way, turn);
}

/// The whole-body controller's own failures; its joints are damped.
std::string body_failure_words(const Event& event) {
  constexpr double kMilli = 1e3;
  const char* const way_out = "; its joints are damped; stand the robot up, and switch it on again";
  switch (static_cast<LawFailure>(event.detail)) {
    case LawFailure::kNoSolution:
      return "no_solution: its program has had none for " + number(kMilli * event.value) +
             " ms, and hold_time is " + number(kMilli * event.limit) + " ms" + way_out;
    case LawFailure::kFell:
      return "the robot falls " + direction_words(event.direction) + ": its capture point is " +
             quantity(event.value, "m", false, 4) + " beyond its feet, and capture_beyond is " +
             quantity(event.limit, "m", false) + way_out;
    default:
      return "the robot tips " + direction_words(event.direction) + ": its base has tilted by " +
             quantity(event.value, "rad", false, 4) + ", and tilt_max is " +
             quantity(event.limit, "rad", false) + way_out;
  }
}

/// `the foot "left"`: contacts are feet, then hands.
std::string contact_words(std::size_t place, const RobotConfig& config) {
  if (!config.whole_body) return "a foot";
  const auto& feet = config.whole_body->feet;
  const auto& hands = config.whole_body->hands;
  if (place < feet.size()) return "the foot \"" + feet[place].name + "\"";
  if (place - feet.size() >= hands.size()) return "a foot";
  return "the hand \"" + hands[place - feet.size()].name + "\"";
}

std::string gave_way_words(const Event& event, const RobotConfig& config) {
  const auto what = static_cast<BodyConstraint>(event.detail);
  const auto place = static_cast<std::size_t>(event.value);
  const std::string words = "no motion meets all that is asked; ";
  switch (what) {
    case BodyConstraint::kFoot:
      return words + contact_words(place, config) + " gave way: it moves";
    case BodyConstraint::kGround:
      return contact_words(place, config) + " has lost its ground: it is to bear, and is " +
             quantity(event.limit, "m", false, 3) + " away from where it stood";
    case BodyConstraint::kJointLimits:
      return words + "the joint_limits gave way: ranges, speeds and accelerations of the joints";
    case BodyConstraint::kFrame:
    case BodyConstraint::kMomentum:
      break;
  }
  return words + "the " + text(to_string(what)) + " gave way";
}

/// `lost: the object is gone at a width of 0.0312 m, after 0.04 m`
std::string gripper_words(const Event& event) {
  const auto change = static_cast<GripperChange>(event.detail);
  const bool has_width = event.quantity == QuantityKind::kLength;
  const auto opening = [&](double value) {
    return has_width ? "a width of " + quantity(value, "m", false) : "a share of " + number(value);
  };
  std::string words = text(to_string(change));
  switch (change) {
    case GripperChange::kOpened:
    case GripperChange::kClosed:
    case GripperChange::kReached:
    case GripperChange::kStopped:
      return words + " at " + opening(event.value);
    case GripperChange::kGrasped:
      return words + " an object at " + opening(event.value) + ", with " +
             quantity(event.limit, "N", false);
    case GripperChange::kMissed:
      if (event.limit == 0.0) return words + ": it closed on nothing, to " + opening(event.value);
      return words + ": it met " + opening(event.value) + ", and the object was expected " +
             (event.value < event.limit ? "at or above " : "at or below ") + opening(event.limit);
    case GripperChange::kLost:
      return words + ": the object is gone at " + opening(event.value) + ", it was at " +
             opening(event.limit);
    case GripperChange::kStalled:
      return words + ": something stops it at " + opening(event.value) + " on its way to " +
             opening(event.limit);
  }
  return words;
}

/// `remote1:anna took the lease (epoch 3)`
std::string lease_words(const Event& event, std::string_view sender) {
  const std::string who = sender.empty() ? "sender " + std::to_string(event.sender) : text(sender);
  const std::string epoch = " (epoch " + std::to_string(event.number) + ")";
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
  const std::string id = event.message == 0 ? "" : " " + std::to_string(event.message);
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
      return "fault " + fault + ": " + fault_words(event, slide) +
             "; remove the cause, then ask for force_idle";
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
    case EventKind::kLawState:
      return text(to_string(static_cast<LawState>(event.detail)));
    case EventKind::kGripper:
      return gripper_words(event);
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
    words += " [" + (sender.empty() ? "sender " + std::to_string(event.sender) : text(sender)) +
             " #" + std::to_string(event.number) + "]";
  }
  return words;
}

}  // namespace jointrig::harness
