#pragma once
/// Findings on torque limits and on inertias of motors.

#include "control/discovery/discovery.h"

namespace jointrig {

/// Adds findings on estimated torque limits and on motors too weak to hold the start pose; replaces
/// earlier findings on them. Uses the limits of `robot`: as discovered, or with the settings of a
/// file.
void judge_torques(const RobotConfig& robot, Discovery& found);

/// Says that the motor inertias of these joints are estimates; replaces earlier findings on them.
void report_armatures(const std::vector<JointIndex>& estimated, Discovery& found);

}  // namespace jointrig
