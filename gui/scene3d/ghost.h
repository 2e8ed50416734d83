#pragma once

#include <vector>

#include "gui/panel/panel.h"
#include "gui/scene3d/scene3d.h"

namespace jointrig::gui {

/// Target position of each joint, for the ghost of the 3D view: the slider under the hand, else the
/// reference in modes that follow a position, else NaN.
void ghost_of(const MotorPanel& panel, std::vector<double>& q);

/// The tools of running arms, and their goals, for the frames of the 3D view.
void asked_tools_of(const MotorPanel& panel, std::vector<Scene3d::AskedTool>& tools);

}  // namespace jointrig::gui
