#pragma once
/// The log of a run: what it is told of the robot and of the program, whoever drives the robot.

#include <string>

#include "control/core/robot_config.h"
#include "harness/log/robot_log.h"

namespace jointrig::app {

/// Facts of the run, and the files that its robot was made of: robot.yaml as it is in force, and
/// the model.
[[nodiscard]] harness::RobotLogOptions run_log_options(const RobotConfig& config,
                                                       const std::string& backend);

}  // namespace jointrig::app
