#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws the bar that never scrolls: robot and whether it is real, STOP and OFF, access, group
/// buttons, speed, clock and state of the loop; below it the buttons of the simulation and the last
/// notice.
void draw_top_bar(const ViewContext& ctx, float width);
float top_bar_height(const ViewContext& ctx);

}  // namespace jointrig::gui
