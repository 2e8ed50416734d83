#pragma once

#include "app/rig/rig.h"
#include "gui/scene3d/drawn_robot.h"

namespace jointrig::app {

/// A copy of what is simulated, bodies with the same numbers, as it stands now; of a robot that
/// isn't simulated, what its simulation would start with. Before the loop starts. Throws
/// ModelError.
gui::DrawnModel drawn_model(Rig& rig, const RobotConfig& config);

}  // namespace jointrig::app
