#pragma once
/// Fate of a joint whose motor goes off under a load.

#include <algorithm>
#include <cmath>

#include "control/core/enumeration.h"
#include "control/core/robot_config.h"

namespace jointrig {

/// With the Coulomb friction f of the joint and the holding torque b of its brake:
///
///     stays   |load| <= f
///     held    |load| <= f + b
///     falls   else; with a brake, it slips
#define JOINTRIG_WHEN_OFF(X) \
  X(kStays, "stays")         \
  X(kHeld, "held")           \
  X(kFalls, "falls")
JOINTRIG_ENUM(WhenOff, JOINTRIG_WHEN_OFF)

/// @param load  torque that carries the joint [N·m or N]
[[nodiscard]] inline WhenOff when_off(const JointConfig& joint, double load) noexcept {
  const double friction = joint.board.friction.value_or(joint.gains.friction);
  if (std::abs(load) <= friction) return WhenOff::kStays;
  const bool holds = std::abs(load) <= friction + joint.brake.holding_torque;
  return holds ? WhenOff::kHeld : WhenOff::kFalls;
}

/// True if the robot's file knows of brakes: only then is it known that a joint has none.
[[nodiscard]] inline bool tells_brakes(const RobotConfig& robot) noexcept {
  return std::any_of(robot.joints.begin(), robot.joints.end(),
                     [](const JointConfig& joint) { return joint.brake.is_there(); });
}

}  // namespace jointrig
