#pragma once

#include <string>
#include <vector>

#include "gui/view/plot_lines.h"

namespace jointrig::gui {

struct ValueLabel {
  double value = 0.0;
  float top = 0.0F;  ///< [px]
};

/// Values with a line, and those with a label beside it.
struct ValueLabels {
  std::vector<double> lines;
  std::vector<ValueLabel> labels;
  double step = 1.0;
};

/// Three labels at least, in steps as fine as they need, where the plot is 2.8 times as high as
/// their text.
ValueLabels value_labels(const PlotFrame& frame, float height);

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
