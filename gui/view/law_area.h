#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws the robot's laws of one's own: a switch, parameters and signals of each. Nothing for a
/// robot without any.
void draw_laws(const ViewContext& ctx);

}  // namespace jointrig::gui
