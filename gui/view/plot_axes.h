#pragma once

#include <string>

#include "gui/view/plot_lines.h"

namespace jointrig::gui {

/// Grid of a plot, values at its left and their unit inside its corner; with_time: times below it.
/// Three values and three times at least, of which those that have room are labelled.
void draw_grid(const ViewContext& ctx, const PlotFrame& frame, const std::string& unit,
               bool with_time);
/// Values and unit of the axis at the right, beside the plot.
void draw_right_axis(const ViewContext& ctx, const PlotFrame& frame, const std::string& unit);

/// Width for the values beside the plots [px]: that of the widest label of the last frame.
float axis_width(const ViewContext& ctx);
/// Call once a frame, before the plots.
void begin_axes(const ViewContext& ctx);

/// Cycles that ended late, as ticks in a strip of their own above the plots.
void draw_overrun_strip(const ViewContext& ctx, const PlotFrame& frame);

/// The line at the pointer's time, in each plot.
void draw_pointer_line(const ViewContext& ctx, const PlotFrame& frame);
/// Time and values at the pointer, beside it.
void draw_pointer_values(const ViewContext& ctx, std::size_t plot);

}  // namespace jointrig::gui
