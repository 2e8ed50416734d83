#pragma once
/// Findings on torque limits.

#include "control/discovery/discovery.h"

namespace jointrig {

/// Adds findings on estimated torque limits and on motors too weak to hold the start pose; replaces
/// earlier findings on them. Uses the limits of `robot`: as discovered, or with the settings of a
/// file.
void judge_torques(const RobotConfig& robot, Discovery& found);

}  // namespace jointrig
