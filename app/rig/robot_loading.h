#pragma once

#include <functional>

#include "control/core/robot_config.h"
#include "control/discovery/discovery.h"
#include "harness/config/robot_file.h"

namespace jointrig::app {

/// Reads the model, then lays robot.yaml and overrides on what it found. `adjust` may change what
/// must be known before the model is read (keyframe, scene). Throws ModelError or FileError.
Discovery load_robot(const harness::RobotSource& source,
                     const std::function<void(RobotConfig&)>& adjust = {});

}  // namespace jointrig::app
