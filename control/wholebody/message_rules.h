#pragma once
/// The rules by which a message to the body is accepted or refused (docs/whole-body.md).

#include <cstdint>
#include <span>
#include <string_view>

#include "control/core/body_commands.h"
#include "control/core/command.h"
#include "control/core/faults.h"
#include "control/wholebody/body_path.h"
#include "control/wholebody/message_queue.h"

namespace jointrig {

/// Why a message is refused; none: it is accepted.
struct MessageFault {
  RejectReason reason = RejectReason::kNone;
  double value = 0.0;
  double limit = 0.0;
  std::uint8_t place = 0;      ///< 1 + place of the number at fault in the command
  std::uint16_t waypoint = 0;  ///< from 1; 0: none

  explicit operator bool() const noexcept { return reason != RejectReason::kNone; }
};

/// A trajectory of any part.
struct PathMessage {
  BodyTopic topic = BodyTopic::kChest;
  CommandKind kind = CommandKind::kChestTrajectory;
  std::uint8_t hand = 0;
  MessageId id = 0;
  Execution execution = Execution::kOverride;
  MessageId previous = 0;
  std::uint8_t previous_at = 0;  ///< its place
  double integration = 0.0;
  std::uint8_t integration_at = 0;  ///< its place
  TaskChoice choice{};
  std::uint8_t weights_at = 0;  ///< place of the first weight
  std::uint8_t frame_at = 0;    ///< place of the frame
  PointFrame given_in = PointFrame::kStance;
  std::uint8_t given_at = 0;  ///< its place
  bool velocities = false;
  std::span<const double> rows{};
  std::uint8_t rows_at = 0;  ///< place of the first number of the rows
};

/// The axes of a task by its place: of what only turns they are the last three.
template <BodyTopic kTopic>
constexpr std::size_t first_axis() noexcept {
  return BodyTrajectory<kTopic>::kTurns ? 3 : 0;
}

/// Place of a field that not every message has; 0: it has none.
template <typename Message>
consteval std::uint8_t place_if_any(std::string_view field) {
  for (const FieldInfo& info : field_infos<Message>()) {
    if (info.name == field) return static_cast<std::uint8_t>(info.place);
  }
  return 0;
}

/// Rules that a message and a part of a whole-body message have in common.
/// @param rows  of the part, without its number
template <typename Message>
PathMessage path_message(const Message& message, BodyTopic topic, std::uint8_t hand,
                         std::span<const double> rows) noexcept {
  return {.topic = topic,
          .kind = kind_of<Message>(),
          .hand = hand,
          .id = message.id,
          .execution = message.execution,
          .previous = message.previous,
          .previous_at = static_cast<std::uint8_t>(place_of<Message>("previous")),
          .integration = message.integration,
          .integration_at = static_cast<std::uint8_t>(place_of<Message>("integration")),
          .given_in = message.given_in,
          .given_at = place_if_any<Message>("given_in"),
          .velocities = message.velocities,
          .rows = rows,
          .rows_at = static_cast<std::uint8_t>(place_of<Message>("waypoints"))};
}

template <BodyTopic kTopic>
PathMessage path_message(const BodyTrajectory<kTopic>& message) noexcept {
  using Message = BodyTrajectory<kTopic>;
  constexpr bool kOneWeight = Message::kAxes == 1;
  PathMessage path = path_message(message, kTopic, message.hand,
                                  {message.waypoints.data(), message.waypoints.size()});
  path.choice.frame = message.frame;
  path.weights_at = static_cast<std::uint8_t>(place_of<Message>(kOneWeight ? "weight" : "weights"));
  if constexpr (!kOneWeight) path.frame_at = static_cast<std::uint8_t>(place_of<Message>("frame"));
  for (std::size_t i = 0; i < Message::kAxes; ++i) {
    path.choice.weights[first_axis<kTopic>() + i] = message.weights[i];
    path.choice.left_out[first_axis<kTopic>() + i] = !kOneWeight && message.left_out[i];
  }
  return path;
}

/// Accelerations of the joints of an arm or of the neck.
struct AccelerationMessage {
  BodyTopic topic = BodyTopic::kArm;
  CommandKind kind = CommandKind::kArmDesiredAccelerations;
  std::uint8_t hand = 0;
  MessageId id = 0;
  std::span<const double> accelerations{};
  std::uint8_t accelerations_at = 0;  ///< place of the first
};

template <BodyTopic kTopic>
AccelerationMessage acceleration_message(const DesiredAccelerations<kTopic>& message) noexcept {
  using Message = DesiredAccelerations<kTopic>;
  return {.topic = kTopic,
          .kind = kind_of<Message>(),
          .hand = message.hand,
          .id = message.id,
          .accelerations = {message.accelerations.data(), message.accelerations.size()},
          .accelerations_at = static_cast<std::uint8_t>(place_of<Message>("accelerations"))};
}

/// Rules for the rows of a part.
struct PathRules {
  int coordinates = 0;    ///< of a row, after its time
  bool turns = false;     ///< a quaternion comes last
  bool is_place = false;  ///< the coordinates are a place: its speed counts, not theirs
  BodyPoint::Coordinates low = BodyPoint::Coordinates::Zero();
  BodyPoint::Coordinates high = BodyPoint::Coordinates::Zero();
  BodyPoint::Coordinates speed = BodyPoint::Coordinates::Zero();  ///< of each coordinate
  double place_speed = 0.0;                                       ///< [m/s]
  double turn_speed = 0.0;                                        ///< [rad/s]
  bool velocities = false;                                        ///< each row ends with them

  /// Numbers of a row before its velocities.
  [[nodiscard]] std::size_t place_width() const noexcept {
    return std::size_t{1} + static_cast<std::size_t>(coordinates) + (turns ? 4U : 0U);
  }
  [[nodiscard]] std::size_t width() const noexcept {
    const std::size_t speeds = static_cast<std::size_t>(coordinates) + (turns ? 3U : 0U);
    return place_width() + (velocities ? speeds : 0U);
  }
};

/// A first waypoint that is due earlier is reached then.
inline constexpr double kFirstWaypoint = 0.05;  ///< s

/// Duration for which a point of a stream goes on [s]: a choice. The longest is the way that a part
/// may go without its sender.
inline constexpr double kShortestStream = 0.002;
inline constexpr double kLongestStream = 1.0;
/// Of a task: beyond that the weights of robot.yaml count for nothing beside it. A choice.
inline constexpr double kLargestWeight = 1e4;

/// Weights are in range, and a stream has its duration.
MessageFault check_choice(const PathMessage& message) noexcept;

/// Builds the path of a message. It starts where `start` says, with its velocity, so that no path
/// begins with a jump. A stream's leads from there to where its point has gone in `integration`,
/// and arrives with the point's velocity.
/// @param path  written; without meaning if the message is refused
MessageFault make_path(const PathMessage& message, const PathRules& rules, const BodyPoint& start,
                       BodyPath& path) noexcept;

/// A message of footsteps. Places are those of its fields.
struct StepMessage {
  MessageId id = 0;
  Execution execution = Execution::kOverride;
  std::uint8_t execution_at = 0;
  MessageId previous = 0;
  std::uint8_t previous_at = 0;
  double swing_duration = 0.0;
  std::uint8_t swing_at = 0;
  double transfer_duration = 0.0;
  std::uint8_t transfer_at = 0;
  double swing_height = 0.0;
  std::uint8_t height_at = 0;
  PointFrame given_in = PointFrame::kStance;
  std::uint8_t given_at = 0;
  std::span<const double> rows{};
  std::size_t most_rows = 0;
  std::uint8_t rows_at = 0;
};

template <std::size_t kMost>
StepMessage step_message(const Footsteps<kMost>& message) noexcept {
  using Message = Footsteps<kMost>;
  const auto at = [](std::size_t place) { return static_cast<std::uint8_t>(place); };
  return {.id = message.id,
          .execution = message.execution,
          .execution_at = at(place_of<Message>("execution")),
          .previous = message.previous,
          .previous_at = at(place_of<Message>("previous")),
          .swing_duration = message.swing_duration,
          .swing_at = at(place_of<Message>("swing_duration")),
          .transfer_duration = message.transfer_duration,
          .transfer_at = at(place_of<Message>("transfer_duration")),
          .swing_height = message.swing_height,
          .height_at = at(place_of<Message>("swing_height")),
          .given_in = message.given_in,
          .given_at = at(place_of<Message>("given_in")),
          .rows = {message.steps.data(), message.steps.size()},
          .most_rows = kMost,
          .rows_at = at(place_of<Message>("steps"))};
}

// Limits of footsteps, each a choice.
inline constexpr double kShortestStepTime = 0.1;  ///< of a swing or transfer [s]
inline constexpr double kLongestStepTime = 10.0;  ///< [s]
inline constexpr double kHighestSwing = 0.3;      ///< [m]
inline constexpr double kFarthestStep = 2.0;      ///< of the first step from its frame [m]
inline constexpr double kLongestStep = 1.0;       ///< from one step to the next [m]

/// Checks every field of footsteps but the frame. A robot that doesn't walk has taken none: the one
/// that a queued message may follow is 0.
MessageFault check_steps(const StepMessage& message, std::size_t feet) noexcept;

}  // namespace jointrig
