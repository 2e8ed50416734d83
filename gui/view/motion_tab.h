#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Waypoints of a motion: recorded, planned, run.
void draw_motion_tab(const ViewContext& ctx);

}  // namespace jointrig::gui
