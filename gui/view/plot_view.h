#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Stacked plots with one time axis.
///
///     wheel               zooms time around the mouse; with Ctrl the values
///     drag                pans time and values
///     drag with Shift     draws a box and zooms into it
///     click on a name     hides a line; with Shift: to the axis at the other side
///     double click        fits the values again, and follows
///
/// Modes of the first line's joint are the background, events are marks. A column of pixels shows
/// its extremes, so that a spike of one sample is visible in a plot of a minute.
void draw_plots(const ViewContext& ctx);

/// The plots alone, without buttons: strip of overruns, legends, plots, times below the last.
void draw_plot_cells(const ViewContext& ctx, ImVec2 size);

}  // namespace jointrig::gui
