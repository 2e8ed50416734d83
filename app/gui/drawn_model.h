#pragma once

#include "app/rig/rig.h"
#include "gui/scene3d/drawn_robot.h"

namespace jointrig::app {

/// A copy of the simulated model in its present state, with the same body numbers; for a robot that
/// isn't simulated, the model of its simulation. Call before the loop starts. Throws ModelError.
gui::DrawnModel drawn_model(Rig& rig, const RobotConfig& config);

}  // namespace jointrig::app
