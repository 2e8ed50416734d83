#pragma once
/// Commands for arms as steps of a scenario.

#include <string>
#include <vector>

#include "control/core/command.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig::app {

/// `{arm: right, position: [x, y, z], orientation: [w, x, y, z]}`, of set_ and stream_tool_target.
std::string tool_target_text(const ToolTargetFields& target, const RobotConfig& config);

/// The step that sends it again, "set_arm: {arm: right, ...}"; empty: it is none for an arm.
/// Samples of a stream are no step of their own.
std::string arm_step(const Request& request, const RobotConfig& config);

/// Postures are for joints; steps are for arms: one each.
std::vector<std::string> posture_steps(const SetPosture& command, const RobotConfig& config);

/// Steps that bring an arm to the settings of a snapshot from those of its file. A stiffness or a
/// damping that was given as a matrix is not in a snapshot, and stays the file's.
std::vector<std::string> arm_setup_steps(const ArmSnapshot& now, const ArmConfig& arm);

}  // namespace jointrig::app
