#pragma once
/// Commands for arms as steps of a scenario.

#include <string>
#include <vector>

#include "control/core/command.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig::app {

/// `{arm: right, position: [x, y, z], orientation: [w, x, y, z]}`, for set_ and stream_tool_target.
std::string tool_target_text(const ToolTargetFields& target, const RobotConfig& config);

/// The step that repeats the command, "set_arm: {arm: right, ...}"; empty: no command for an arm.
/// Samples of a stream are no step of their own.
std::string arm_step(const Request& request, const RobotConfig& config);

/// Steps for a posture, one for each arm.
std::vector<std::string> posture_steps(const SetPosture& command, const RobotConfig& config);

/// Steps that change an arm's settings from those of its file to those of a snapshot. A snapshot
/// does not contain a stiffness or a damping given as a matrix; the file's value then stays.
std::vector<std::string> arm_setup_steps(const ArmSnapshot& now, const ArmConfig& arm);

}  // namespace jointrig::app
