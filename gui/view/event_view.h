#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws the events, newest last; a click on a line moves the plots to its time.
void draw_events(const ViewContext& ctx, ImVec2 size);

}  // namespace jointrig::gui
