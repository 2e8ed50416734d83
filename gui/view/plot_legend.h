#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws the names of a plot's lines with their newest values. A click hides a line, Ctrl+click
/// shows it alone, Shift+click moves it to the other axis, a right click opens a menu with its
/// style. Returns the number of rows that they take.
int draw_plot_legend(const ViewContext& ctx, std::size_t plot);

}  // namespace jointrig::gui
