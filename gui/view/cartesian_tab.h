#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws the page of an arm's tool: mode, pose and target, jog, gains, terms, payload (ArmDesk).
void draw_cartesian_tab(const ViewContext& ctx);

}  // namespace jointrig::gui
