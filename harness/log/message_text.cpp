#include "harness/log/message_text.h"

#include <fmt/format.h>

#include <cmath>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"

namespace jointrig::harness {
namespace {

std::string bad_waypoints(const Event& event) {
  if (event.command == CommandKind::kFootstep) {
    return fmt::format("it has {:.6g} numbers; send one row of {:.6g}", event.value, event.limit);
  }
  if (event.command == CommandKind::kWholeBodyTrajectory && event.limit == 0.0 &&
      event.waypoint == 0) {
    return "it has no rows; send 1 or more of each part";
  }
  if (event.waypoint == 0) {
    return fmt::format("it has {:.6g} numbers; send 1 to {} rows of {:.6g}", event.value,
                       kMaxWaypoints, event.limit);
  }
  if (event.value > event.limit) {
    return fmt::format("row {} has the time {:.6g} s; the point of a stream has 0 s: it is now",
                       event.waypoint, event.value);
  }
  return fmt::format("row {} has the time {:.6g} s; let it be {} {:.6g} s", event.waypoint,
                     event.value, event.waypoint == 1 ? "at least" : "above", event.limit);
}

struct Turns {
  std::size_t rows_at;  ///< place of the first number of the rows
  std::size_t width;    ///< numbers of a row; 0: the rows have no quaternions
  std::size_t column;   ///< of the quaternion in it
  std::size_t speeds;   ///< numbers of a row's velocities, if it has them
};

/// Where the rows of a message have their quaternions; none: width 0.
Turns turns_of(CommandKind kind) noexcept {
  switch (kind) {
    case CommandKind::kHandTrajectory:
    case CommandKind::kFootTrajectory:
      return {place_of<HandTrajectory>("waypoints"), 8, 4, 6};
    case CommandKind::kChestTrajectory:
    case CommandKind::kHeadTrajectory:
    case CommandKind::kPelvisOrientation:
      return {place_of<ChestTrajectory>("waypoints"), 5, 1, 3};
    case CommandKind::kPelvisTrajectory:
      return {place_of<PelvisTrajectory>("waypoints"), 8, 4, 6};
    case CommandKind::kFootstep:
    case CommandKind::kFootstepList:
      return {place_of<FootstepList>("steps"), kStepNumbers, 4, 0};
    default:
      return {};
  }
}

/// A refused quaternion stands in the place of its first number
/// (control/wholebody/message_rules.h).
bool is_quaternion(const Event& event) noexcept {
  const Turns turns = turns_of(event.command);
  const auto place_of_width = [&](std::size_t width) {
    return turns.rows_at + (event.waypoint - 1U) * width + turns.column + 1;
  };
  return turns.width != 0 && (event.detail == place_of_width(turns.width) ||
                              event.detail == place_of_width(turns.width + turns.speeds));
}

std::string bears_load(const Event& event) {
  const bool is_foot = event.command == CommandKind::kFootLoadBearing ||
                       event.command == CommandKind::kFootTrajectory;
  if (event.command == CommandKind::kFootLoadBearing) {
    return fmt::format(
        "the weight is on it: it bears {:.3g} N, and the capture point is {:.2g} mm {} the other "
        "soles; shift the centre of mass over them first, by com_x and com_y",
        event.value, 1e3 * std::abs(event.limit),
        event.limit < 0.0 ? "outside" : "inside the edge, within lift_margin, of");
  }
  return fmt::format("it bears {:.3g} N; unload it first: {} with bears: false", event.value,
                     is_foot ? "foot_load_bearing" : "hand_load_bearing");
}

std::string out_of_range(const Event& event) {
  const NumberInfo at =
      event.detail == 0 ? NumberInfo{} : number_at(fields_of(event.command), event.detail - 1U);
  if (at.field != nullptr && at.field->range == Range::kPreviousId) {
    return "the message that it is queued behind leaves out other axes, or those of another frame; "
           "leave out the same, or override it";
  }
  if (event.waypoint == 0) return "";
  if (is_quaternion(event)) {
    return fmt::format(
        "the quaternion of row {} has the length {:.6g}; a rotation has 1: divide it "
        "by its length",
        event.waypoint, event.value);
  }
  return fmt::format("a number of row {} is {:.6g}, and the {} allowed value is {:.6g}",
                     event.waypoint, event.value,
                     event.value < event.limit ? "smallest" : "largest", event.limit);
}

}  // namespace

std::string message_words(const Event& event) {
  const std::string_view kind = to_string(event.command);
  const auto words = [&](std::string_view what) {
    return fmt::format("message {}, {}, {}", event.message, kind, what);
  };
  switch (static_cast<MessageChange>(event.detail)) {
    case MessageChange::kStarted:
      return words(fmt::format("has started, for {:.6g} s", event.value));
    case MessageChange::kCompleted:
      return words("is completed");
    case MessageChange::kReplaced:
      return words("is over: another one took its place");
    case MessageChange::kDropped:
      return words("is dropped: all was stopped, or the controller went off");
  }
  return words("changed in an unknown way");
}

std::string why_no_message(const Event& event) {
  switch (event.reason) {
    case RejectReason::kNoId:
      return "its id is 0; give it a number of your choice, from 1";
    case RejectReason::kNoFingers:
      return fmt::format(
          "hand {:.0f} has no fingers; name the gripper that they are in whole_body.fingers of "
          "robot.yaml",
          event.value);
    case RejectReason::kWouldTip:
      return fmt::format(
          "at row {} the centre of mass would be {:.3g} mm {} of the soles that bear, and "
          "lift_margin is {:.3g} mm; choose a place nearer to their middle",
          event.waypoint, 1e3 * std::abs(event.value),
          event.value < 0.0 ? "outside the edge" : "inside the edge", 1e3 * event.limit);
    case RejectReason::kNoSuchPart:
      return "the robot has no such part; name it in whole_body of robot.yaml: chest, head, "
             "pelvis, "
             "hands, feet";
    case RejectReason::kNotStanding:
      return "the whole-body controller doesn't run; ask for mode torque on all joints first";
    case RejectReason::kWrongPrevious:
      return fmt::format(
          "its previous is {:.0f}, and the last message of the part has the id {:.0f}", event.value,
          event.limit);
    case RejectReason::kQueueFull:
      return fmt::format(
          "{:.0f} messages of the part run and wait, no more can; wait until one is "
          "completed",
          event.limit);
    case RejectReason::kBadWaypoints:
      return bad_waypoints(event);
    case RejectReason::kTooFast:
      return fmt::format(
          "it may come to a speed of {:.4g} m/s or rad/s on its way, and the limit is "
          "{:.4g}; take longer",
          event.value, event.limit);
    case RejectReason::kBearsLoad:
      return bears_load(event);
    case RejectReason::kInTheAir:
      return fmt::format(
          "its sole is {:.3g} mm above the ground of the other feet, and touch_height is {:.3g} "
          "mm; move it down first",
          1e3 * event.value, 1e3 * event.limit);
    case RejectReason::kNotWalking:
      return "the robot doesn't walk yet; it stands";
    case RejectReason::kPartTwice:
      return fmt::format(
          "row {} moves what an earlier one of another part moves: a hand and its arm, head and "
          "neck, or rows of a part that aren't together; send one of them",
          event.waypoint);
    case RejectReason::kSizeMismatch:
      return fmt::format("it has {:.6g} numbers and needs {:.6g}: {}", event.value, event.limit,
                         event.command == CommandKind::kArmDesiredAccelerations ||
                                 event.command == CommandKind::kNeckDesiredAccelerations
                             ? "one for each joint"
                             : "a stream has one row");
    case RejectReason::kOutOfRange:
      return out_of_range(event);
    default:
      return "";
  }
}

}  // namespace jointrig::harness
