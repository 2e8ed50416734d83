#pragma once
/// The contents of one plot.

#include "gui/view/context.h"

namespace jointrig::gui {

/// Place of a plot on the screen, and its spans.
struct PlotFrame {
  ImVec2 from;
  ImVec2 to;
  Span time;
  Span values;
  [[nodiscard]] float x_of(double at) const noexcept {
    return from.x + static_cast<float>((at - time.low) / time.size()) * (to.x - from.x);
  }
  [[nodiscard]] float y_of(double value) const noexcept {
    return to.y - static_cast<float>((value - values.low) / values.size()) * (to.y - from.y);
  }
  [[nodiscard]] double time_at(float x) const noexcept {
    return time.low + static_cast<double>((x - from.x) / (to.x - from.x)) * time.size();
  }
  [[nodiscard]] double value_at(float y) const noexcept {
    return values.low + static_cast<double>((to.y - y) / (to.y - from.y)) * values.size();
  }
};

/// Draws modes below everything else; nothing for the loop's own signals.
void draw_mode_bands(const ViewContext& ctx, const PlotFrame& frame, JointIndex joint);
/// Draws visible limits: soft limits of a position, largest speed and torque of the others.
void draw_limits(const ViewContext& ctx, const PlotFrame& frame, std::size_t signal);
/// The colour of a line and its name.
Rgb line_colour(const ViewContext& ctx, const PlotLine& line);
void draw_line(const ViewContext& ctx, const PlotFrame& frame, const PlotLine& line);
/// The same signal of the kept window that is laid over, shifted in time: pale, and dashed.
void draw_line_laid_over(const ViewContext& ctx, const PlotFrame& frame, const PlotLine& line);
void draw_event_marks(const ViewContext& ctx, const PlotFrame& frame, JointIndex joint);
/// Draws a line at the trigger's time.
void draw_trigger_line(const ViewContext& ctx, const PlotFrame& frame);
void draw_cursor_lines(const ViewContext& ctx, const PlotFrame& frame);

}  // namespace jointrig::gui
