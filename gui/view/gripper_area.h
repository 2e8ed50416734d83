#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws the robot's grippers: opening, state and buttons of each. Nothing for a robot without any.
void draw_grippers(const ViewContext& ctx);

}  // namespace jointrig::gui
