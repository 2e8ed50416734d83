#pragma once
/// Checks of a robot before its stack runs. They are apart as no file of the cycle formats text.

#include <span>
#include <vector>

#include "control/backend.h"
#include "control/core/robot_config.h"
#include "control/joint/joint_control.h"

namespace jointrig {

/// The configuration with its laws declared. Throws ConfigError: joints that the boards don't have
/// in this order, limits or gains that can't be.
[[nodiscard]] RobotConfig checked(RobotConfig config, const std::vector<JointCapabilities>& boards);

/// Throws ConfigError: the whole-body controller gives torques, and the board of a joint takes
/// none.
void check_body_mode(const RobotConfig& robot, std::span<const JointSetup> joints);

/// Throws ConfigError: not kLeastSpeedOverride to 1.
void check_first_speed(double factor);

}  // namespace jointrig
