#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Part of the Cartesian tab: protections of the arm on the screen, suppressed while a button is
/// held (SuppressDesk).
void draw_suppress(const ViewContext& ctx);

}  // namespace jointrig::gui
