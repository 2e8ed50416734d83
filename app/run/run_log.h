#pragma once
/// The log of a run: what it is told of the robot and of the program, whoever drives the robot.

#include "app/rig/rig.h"
#include "harness/log/robot_log.h"

namespace jointrig::app {

/// Facts of the run, and the files that its robot was made of: robot.yaml as it is in force, and
/// the model.
[[nodiscard]] harness::RobotLogOptions run_log_options(Rig& rig);

}  // namespace jointrig::app
