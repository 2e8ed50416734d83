#pragma once
/// The kept windows of the plots (plot/kept_windows.h): their list, and what is drawn of them.

#include "gui/view/plot_lines.h"

namespace jointrig::gui {

/// A button with their number, which opens the list.
void draw_kept_windows(const ViewContext& ctx);
/// Names of the window shown and of the one laid over it.
void draw_kept_names(const ViewContext& ctx, const PlotFrame& frame);

}  // namespace jointrig::gui
