#pragma once

#include "app/robot/blocks.h"
#include "app/robot/robot.h"

namespace jointrig {

/// Inputs of a block that controls the robot, or a part of it, in this step.
Signals inputs_of(const Robot& robot, const RobotPart& part);

/// Sends what it gave. Throws std::invalid_argument: no command, or one that the robot lacks.
void send_outputs(const Signals& out, RobotPart& part);

/// Runs a block as the controller of all joints, step by step, for `seconds` or until the robot's
/// status isn't "ok". The last command stays.
/// @return  steps that were run
std::size_t run_block(Robot& robot, Block& block, double seconds);

}  // namespace jointrig
