#pragma once
/// What there is to say of torque limits.

#include "control/discovery/discovery.h"

namespace jointrig {

/// Says which torque limits are estimates, and which motors are too weak to hold the start pose, by
/// how much; in place of what was said of that before. The limits are those of `robot`: the one
/// found, or the same with what a file says.
void judge_torques(const RobotConfig& robot, Discovery& found);

}  // namespace jointrig
