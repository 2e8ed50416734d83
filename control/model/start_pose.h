#pragma once
/// The pose a robot starts in, for plant and model alike.

#include "control/core/robot_config.h"
#include "control/model/mjcf.h"

namespace jointrig {

/// Sets `data` to the start: the model's own (`start`), the controlled joints at their q_start,
/// their followers where the equalities want them. Nothing moves. Actuators that stay hold the rest
/// (holding_controls.h), unless the start has controls of its own.
void apply_start(const RobotConfig& robot, const NamedState& start, const mjModel& model,
                 mjData& data);

}  // namespace jointrig
