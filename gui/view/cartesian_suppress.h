#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Of the Cartesian tab: what protects the arm on the screen, held off while a button is held
/// (SuppressDesk).
void draw_suppress(const ViewContext& ctx);

}  // namespace jointrig::gui
