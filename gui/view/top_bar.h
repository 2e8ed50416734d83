#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// The bar that never scrolls: which robot and whether it is real, STOP and OFF, what the panel may
/// do, group buttons, speed, the clock and how the loop is doing; below it the simulation's own
/// buttons and the last notice.
void draw_top_bar(const ViewContext& ctx, float width);
float top_bar_height(const ViewContext& ctx);

}  // namespace jointrig::gui
