#pragma once

#include <functional>

#include "control/core/robot_config.h"
#include "control/discovery/discovery.h"
#include "harness/config/robot_file.h"

namespace jointrig::app {

/// Reads the model, then applies robot.yaml and overrides to the discovered configuration. `adjust`
/// may change settings that the model needs (keyframe, scene). Throws ModelError or FileError.
Discovery load_robot(const harness::RobotSource& source,
                     const std::function<void(RobotConfig&)>& adjust = {});

}  // namespace jointrig::app
