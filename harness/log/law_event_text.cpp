#include "harness/log/law_event_text.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <numbers>

#include "harness/log/event_numbers.h"

namespace jointrig::harness {

using event_numbers::number;
using event_numbers::quantity;
using event_numbers::text;

namespace {

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

/// `the foot "left"`: contacts are feet, then hands.
std::string contact_words(std::size_t place, const RobotConfig& config) {
  if (!config.whole_body) return "a foot";
  const auto& feet = config.whole_body->feet;
  const auto& hands = config.whole_body->hands;
  if (place < feet.size()) return "the foot \"" + feet[place].name + "\"";
  if (place - feet.size() >= hands.size()) return "a foot";
  return "the hand \"" + hands[place - feet.size()].name + "\"";
}

}  // namespace

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

std::string law_state_words(const Event& event) {
  const auto state = static_cast<LawState>(event.detail);
  std::string words = text(to_string(state));
  if (state != LawState::kHolds) return words;
  return words +
         ": its joints hold in mode position until its base is known, then they go to "
         "mode torque";
}

namespace {

/// `no foot bears: set it on its feet`
std::string obstacle_words(const Event& event) {
  const auto against = [&](std::string_view unit) {
    return quantity(event.value, unit, false, 4) + ", and " + quantity(event.limit, unit, false, 4);
  };
  const std::string unknown = "nobody knows where its base is, ";
  switch (static_cast<TorqueObstacle>(event.detail)) {
    case TorqueObstacle::kNoImu:
      return unknown + "its IMU gives nothing: look at its supply and its wire";
    case TorqueObstacle::kNoFoot:
      return unknown + "no foot bears: set it on its feet";
    case TorqueObstacle::kLooking:
      return unknown + "it has stood for " + against("s") + " are needed: leave it on its feet";
    case TorqueObstacle::kFeetApart:
      return unknown + "its feet tell speeds that are apart by " + against("m/s") +
             " is the most: let no foot slide";
    case TorqueObstacle::kTurns:
      return unknown + "it turns at " + against("rad/s") + " is taken for a fall: hold it still";
    case TorqueObstacle::kNoGravity:
      return unknown + "IMU and legs find a gravity of " + against("m/s²") +
             " is right: look at how the IMU is mounted, and let no foot slide";
    case TorqueObstacle::kJointOff:
      return "the motor of this joint is not on: see its board";
    case TorqueObstacle::kJointHeld:
      return "this joint is held: free it first";
    case TorqueObstacle::kJointMoves:
      break;
  }
  return "this joint is still on its way: let it arrive";
}

}  // namespace

std::string stays_held_words(const Event& event) {
  return "mode torque was asked for and did not come within " + number(kTorquePatience) +
         " s, its joints hold on in mode position; " + obstacle_words(event) +
         ", and ask for mode torque again";
}

std::string balance_words(const Event& event) {
  constexpr double kMilli = 1e3;
  const auto state = static_cast<BalanceState>(event.detail);
  std::string words = "balance " + text(to_string(state)) + ": the capture point is " +
                      number(kMilli * std::abs(event.value), 4) + " mm " +
                      (event.value < 0.0 ? "outside" : "inside") + " the soles' edge";
  if (state != BalanceState::kInside) {
    words += ", " + direction_words(event.direction) + "; lift_margin is " +
             number(kMilli * event.limit) + " mm";
  }
  if (event.message != 0) words += fmt::format("; the last message is {}", event.message);
  return words;
}

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
    case LawFailure::kNoBase:
      return "no_base: for " + number(kMilli * event.value) +
             " ms its IMU has given nothing and no foot has borne, so that nobody knows where the "
             "base is, and hold_time is " +
             number(kMilli * event.limit) + " ms" + way_out;
    default:
      return "the robot tips " + direction_words(event.direction) + ": its base has tilted by " +
             quantity(event.value, "rad", false, 4) + ", and tilt_max is " +
             quantity(event.limit, "rad", false) + way_out;
  }
}

namespace {

/// `its IMU root_imu`, `the force/torque sensor of its foot left`
std::string body_sensor_name(const Event& event, const RobotConfig& config) {
  if (!config.whole_body) return "a sensor";
  const WholeBodyConfig& body = *config.whole_body;
  if (event.kind == EventKind::kImu) return "its IMU " + body.imu.site;
  const auto foot = static_cast<std::size_t>(event.number / kSensorAxes);
  return "the force/torque sensor of " +
         (foot < body.feet.size() ? "its foot " + body.feet[foot].name : std::string("a foot"));
}

/// `acceleration along x is 39.2 m/s²`
std::string body_sensor_axis(const Event& event) {
  constexpr std::array<std::string_view, 3> kAxes{"x", "y", "z"};
  const std::uint64_t axis = event.number % kSensorAxes;
  const bool is_first = axis < kAxes.size();
  const bool is_imu = event.kind == EventKind::kImu;
  const char* const what = is_imu ? (is_first ? "acceleration along " : "angular velocity about ")
                                  : (is_first ? "force along " : "torque about ");
  return what + text(kAxes[axis % kAxes.size()]);
}

std::string body_sensor_unit(const Event& event) {
  const bool is_first = event.number % kSensorAxes < 3;
  if (event.kind == EventKind::kImu) return is_first ? "m/s²" : "rad/s";
  return is_first ? "N" : "N·m";
}

}  // namespace

std::string body_sensor_words(const Event& event, const RobotConfig& config) {
  const auto state = static_cast<ForceSensorState>(event.detail);
  std::string words = body_sensor_name(event, config) + " is " + text(to_string(state));
  const std::string unit = body_sensor_unit(event);
  const std::string then =
      event.kind == EventKind::kImu
          ? "; where the base is follows from the soles that bear alone, until it is good again: "
            "look at its supply and its wire, and don't push the robot"
          : "; the foot bears as it is told to, until it is good again: look at its supply and its "
            "wire";
  switch (state) {
    case ForceSensorState::kNone:
    case ForceSensorState::kGood:
      return words + " again";
    case ForceSensorState::kSaturated:
      return words + ": its " + body_sensor_axis(event) + " is " +
             quantity(event.value, unit, false) + ", and its range ends at " +
             quantity(event.limit, unit, false) +
             "; the estimate of the base errs while that lasts: give it a wider range if it comes "
             "again";
    case ForceSensorState::kStale:
      return words + ": " + number(event.value) + " samples are missing in a row, and fewer than " +
             number(event.limit) + " are tolerated" + then;
    case ForceSensorState::kNotFinite:
      return words + ": its " + body_sensor_axis(event) + " is " + number(event.value) + then;
    case ForceSensorState::kFrozen:
      return words + ": by its legs the robot has turned by " +
             quantity(event.value, "rad", false) + ", which is more than " +
             quantity(event.limit, "rad", false) + ", and it reads the same to the bit" + then;
  }
  return words;
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
    case BodyConstraint::kUnloaded:
      return contact_words(place, config) + " has lost its ground: it is to bear " +
             quantity(event.limit, "N", false, 3) + ", and its sensor finds none";
    case BodyConstraint::kReference:
      return "joint " + (place < config.joints.size() ? config.joints[place].name : "") +
             " stays behind: its reference is " + quantity(event.limit, "rad", false, 3) +
             " away from where it is, and is held back";
    case BodyConstraint::kJointLimits:
      return words + "the joint_limits gave way: ranges, speeds and accelerations of the joints";
    case BodyConstraint::kFrame:
    case BodyConstraint::kMomentum:
      break;
  }
  return words + "the " + text(to_string(what)) + " gave way";
}

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

}  // namespace jointrig::harness
