#pragma once

#include "app/rig/rig.h"
#include "gui/scene3d/drawn_robot.h"

namespace jointrig::app {

/// The simulated model with all its shapes, in its present state and with the same body numbers;
/// for a robot that isn't simulated, the model of its simulation. Where shapes that are only drawn
/// can't be loaded, it says so on stderr and draws those that collide. Call before the loop starts.
/// Throws ModelError.
/// @param plant  with which the rig's simulation was built
gui::DrawnModel drawn_model(Rig& rig, const RobotConfig& config, const sim::PlantOptions& plant);

/// Likewise of a robot that no rig of this program has, at its start.
gui::DrawnModel drawn_model(const RobotConfig& config);

}  // namespace jointrig::app
