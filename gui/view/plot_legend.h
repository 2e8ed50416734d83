#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// The names of a plot's lines with their newest values. A click hides, Ctrl+click leaves it alone,
/// Shift+click puts it on the other axis, a right click opens a menu with its look.
void draw_plot_legend(const ViewContext& ctx, std::size_t plot);

}  // namespace jointrig::gui
