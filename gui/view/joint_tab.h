#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws the selected joint: impedance to set; limits, gains and board to read.
void draw_joint_tab(const ViewContext& ctx);

}  // namespace jointrig::gui
