#include "control/safety/obstacle_admission.h"

#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

/// A name without a character counts as a first one of 0.
Refusal check_name(const ObstacleName& name) noexcept {
  constexpr double kFirst = 0x20;
  constexpr double kLast = 0x7E;
  bool has_ended = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const double letter = name[i];
    const auto place = static_cast<std::uint8_t>(i + 1);
    if (letter == 0.0 && i > 0) {
      has_ended = true;
      continue;
    }
    if (has_ended || letter < kFirst) {
      return {RejectReason::kOutOfRange, kNoJoint, letter, kFirst, place};
    }
    if (letter > kLast) return {RejectReason::kOutOfRange, kNoJoint, letter, kLast, place};
  }
  return {};
}

Refusal check_between(double value, double least, double most, std::size_t place) noexcept {
  if (value >= least && value <= most) return {};
  return {RejectReason::kOutOfRange, kNoJoint, value, value < least ? least : most,
          static_cast<std::uint8_t>(place + 1)};
}

Refusal check_sizes(const SetObstacle& command) noexcept {
  constexpr std::size_t kFirst = place_of<SetObstacle>("size");
  for (std::size_t i = 0; i < command.size.size(); ++i) {
    const bool is_used = i < size_count(command.shape);
    const Refusal r = check_between(command.size[i], is_used ? kLeastObstacle : 0.0,
                                    is_used ? kLargestObstacle : 0.0, kFirst + i);
    if (r) return r;
  }
  return {};
}

Refusal check_motion(const SetObstacle& command) noexcept {
  constexpr std::size_t kPosition = place_of<SetObstacle>("position");
  constexpr std::size_t kVelocity = place_of<SetObstacle>("velocity");
  for (std::size_t i = 0; i < 3; ++i) {
    Refusal r =
        check_between(command.position[i], -kFarthestObstacle, kFarthestObstacle, kPosition + i);
    if (!r) {
      r = check_between(command.velocity[i], -kFastestObstacle, kFastestObstacle, kVelocity + i);
    }
    if (r) return r;
  }
  return check_between(command.moves_for, 0.0, kLongestObstacleWay,
                       place_of<SetObstacle>("moves_for"));
}

Refusal check_turn(const SetObstacle& command) noexcept {
  constexpr double kTolerance = 1e-3;  // a choice: three digits written by hand
  double squares = 0.0;
  for (const double number : command.orientation) squares += number * number;
  const double length = std::sqrt(squares);
  if (std::abs(length - 1.0) <= kTolerance) return {};
  return {RejectReason::kOutOfRange, kNoJoint, length, 1.0,
          static_cast<std::uint8_t>(place_of<SetObstacle>("orientation") + 1)};
}

}  // namespace

Refusal check_obstacle(const SetObstacle& command, std::size_t arm_count) noexcept {
  if (const Refusal r = check_name(command.name)) return r;
  if (const Refusal r = check_sizes(command)) return r;
  if (const Refusal r = check_motion(command)) return r;
  if (const Refusal r = check_turn(command)) return r;
  if (command.frame == ToolFrame::kWorld || command.of_arm < arm_count) return {};
  return {RejectReason::kUnknownArm, kNoJoint, static_cast<double>(command.of_arm),
          static_cast<double>(arm_count)};
}

}  // namespace jointrig
