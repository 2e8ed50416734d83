#pragma once

#include <vector>

#include "gui/panel/panel.h"

namespace jointrig {

/// Where each joint is asked to go, for the ghost of the 3D view: where a hand drags its slider,
/// else its reference in modes that follow a position, else NaN.
void ghost_of(const MotorPanel& panel, std::vector<double>& q);

}  // namespace jointrig
