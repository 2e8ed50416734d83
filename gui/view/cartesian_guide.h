#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Part of the Cartesian tab: hand guiding and interaction control of the arm on the screen
/// (GuideDesk).
void draw_zero_g(const ViewContext& ctx);
void draw_interaction(const ViewContext& ctx);

}  // namespace jointrig::gui
