#pragma once
/// The rules by which a message to the body is accepted or refused (docs/whole-body.md).

#include <cstdint>
#include <span>

#include "control/core/body_commands.h"
#include "control/core/command.h"
#include "control/core/faults.h"
#include "control/wholebody/body_path.h"

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
  std::span<const double> rows;
  std::uint8_t rows_at = 0;  ///< place of the first number of the rows
};

template <BodyTopic kTopic>
PathMessage path_message(const BodyTrajectory<kTopic>& message) noexcept {
  using Message = BodyTrajectory<kTopic>;
  return {.topic = kTopic,
          .kind = kind_of(Request(std::in_place_type<Message>)),
          .hand = message.hand,
          .id = message.id,
          .execution = message.execution,
          .previous = message.previous,
          .rows = {message.waypoints.data(), message.waypoints.size()},
          .rows_at = static_cast<std::uint8_t>(place_of<Message>("waypoints"))};
}

/// What the rows of a part may contain.
struct PathRules {
  int coordinates = 0;    ///< of a row, after its time
  bool turns = false;     ///< a quaternion comes last
  bool is_place = false;  ///< the coordinates are a place: its speed counts, not theirs
  BodyPoint::Coordinates low = BodyPoint::Coordinates::Zero();
  BodyPoint::Coordinates high = BodyPoint::Coordinates::Zero();
  BodyPoint::Coordinates speed = BodyPoint::Coordinates::Zero();  ///< of each coordinate
  double place_speed = 0.0;                                       ///< [m/s]
  double turn_speed = 0.0;                                        ///< [rad/s]

  [[nodiscard]] std::size_t width() const noexcept {
    return std::size_t{1} + static_cast<std::size_t>(coordinates) + (turns ? 4U : 0U);
  }
};

/// A first waypoint that is due earlier is reached then.
inline constexpr double kFirstWaypoint = 0.05;  ///< s

/// Builds the path of a message. It starts where `start` says, with its velocity, so that no path
/// begins with a jump.
/// @param path  written; without meaning if the message is refused
MessageFault make_path(const PathMessage& message, const PathRules& rules, const BodyPoint& start,
                       BodyPath& path) noexcept;

/// Checks a list of footsteps, and refuses it then: the robot doesn't walk.
MessageFault check_steps(const FootstepList& list, std::size_t feet) noexcept;

}  // namespace jointrig
