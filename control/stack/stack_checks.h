#pragma once
/// Checks of a robot before its stack runs. They are apart as no file of the cycle formats text.

#include <vector>

#include "control/backend.h"
#include "control/core/robot_config.h"

namespace jointrig {

/// The configuration with its laws declared. Throws ConfigError: joints that the boards don't have
/// in this order, limits or gains that can't be.
[[nodiscard]] RobotConfig checked(RobotConfig config, const std::vector<JointCapabilities>& boards);

/// Throws ConfigError: not kLeastSpeedOverride to 1.
void check_first_speed(double factor);

}  // namespace jointrig
