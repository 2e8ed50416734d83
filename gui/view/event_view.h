#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// What happened, newest last; a click jumps the plots to the time of a line.
void draw_events(const ViewContext& ctx, ImVec2 size);

}  // namespace jointrig::gui
