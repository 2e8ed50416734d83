#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// The line below the top bar. Its room is always kept, so that nothing below moves away from under
/// a hand. It shows, from the left:
///
///     question   before a loaded joint is let go: it blocks nothing and lapses by itself
///     STOP       when, what holds, how to go on (gui/panel/stop_latch.h)
///     swing      a joint swings since a gain of it was changed, with a button that undoes it
///     notice     why something was not done; the rest of the line
void draw_strip(const ViewContext& ctx, float top, float width);

float strip_height(const ViewContext& ctx);

}  // namespace jointrig::gui
