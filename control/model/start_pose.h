#pragma once
/// The start pose of a robot, for plant and model alike.

#include "control/core/robot_config.h"
#include "control/core/robot_io.h"
#include "control/model/mjcf.h"

namespace jointrig {

/// Sets `data` to the start: the model's own state (`start`), the controlled joints at q_start,
/// their followers as the equalities determine. All velocities are 0. The remaining actuators hold
/// the rest (holding_controls.h), unless the start has controls of its own.
void apply_start(const RobotConfig& robot, const NamedState& start, const mjModel& model,
                 mjData& data);

/// The state in which each joint stands at its q_start.
RobotState state_at_start(const RobotConfig& robot);

}  // namespace jointrig
