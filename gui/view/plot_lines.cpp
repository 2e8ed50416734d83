#include "gui/view/plot_lines.h"

#include <algorithm>
#include <cmath>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

/// With fewer samples per pixel they are drawn one by one.
constexpr double kSamplesPerPixel = 1.5;

/// Share of its colour in a line that is laid over.
constexpr double kOverInk = 0.7;

/// Closer ends of columns look the same [pixels].
constexpr float kSame = 0.3F;

/// Style of a line.
struct Pen {
  ImU32 ink = 0;
  float width = 1.3F;  ///< [pixels]
  float dash = 0.0F;   ///< [pixels]; 0: no gaps
};

Pen pen_for(const ViewContext& ctx, const PlotLine& line) {
  return {colour(line_colour(ctx, line)), ctx.px(line.style == LineStyle::kThick ? 2.6F : 1.3F),
          line.style == LineStyle::kDashed ? ctx.px(5) : 0.0F};
}

/// Draws the path so far, as a line or as dashes; begins a new one.
void stroke(ImDrawList* draw, const Pen& pen) {
  if (pen.dash == 0.0F) return draw->PathStroke(pen.ink, 0, pen.width);
  float gone = 0.0F;  // distance along the path
  for (int i = 1; i < draw->_Path.Size; ++i) {
    const ImVec2 a = draw->_Path[i - 1];
    const ImVec2 b = draw->_Path[i];
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    for (float at = 0.0F; at < length;) {
      const float left = pen.dash - std::fmod(gone + at, pen.dash);
      const float end = std::min(length, at + std::max(left, 0.1F));
      const auto on = [&](float way) {
        return ImVec2{a.x + (b.x - a.x) * way / length, a.y + (b.y - a.y) * way / length};
      };
      if (std::fmod(gone + at, 2.0F * pen.dash) < pen.dash) {
        draw->AddLine(on(at), on(end), pen.ink, pen.width);
      }
      at = end;
    }
    gone += length;
  }
  draw->PathClear();
}

void draw_samples(const ViewContext& ctx, const PlotFrame& frame, const SampleRing& series,
                  const Pen& pen) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const double first = ctx.history.index_of(frame.time.low);
  const double last = ctx.history.index_of(frame.time.high);
  const auto from = std::max(series.begin(), static_cast<std::uint64_t>(std::max(0.0, first - 1)));
  const auto to = std::min(series.end(), static_cast<std::uint64_t>(std::max(0.0, last + 2)));
  SampleReader samples(series);
  for (std::uint64_t i = from; i < to; ++i) {
    const float value = samples.at(i);
    if (std::isnan(value)) {  // a gap breaks the line
      stroke(draw, pen);
      continue;
    }
    draw->PathLineTo({frame.x_of(ctx.history.time_of(i)), frame.y_of(value)});
  }
  stroke(draw, pen);
}

void draw_columns(const ViewContext& ctx, const PlotFrame& frame, const SampleRing& series,
                  ColumnCache& cache, const Pen& pen) {
  const auto count = static_cast<std::size_t>(std::max(1.0F, frame.to.x - frame.from.x));
  // Columns begin at whole multiples of their width, so that they don't flicker as time passes.
  const double step = frame.time.size() / static_cast<double>(count);
  const auto first = static_cast<std::int64_t>(std::floor(frame.time.low / step));
  const std::vector<Extremes>& found =
      cache.update(series, step / ctx.history.period(), first, count);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const auto most = static_cast<int>(count);
  draw->PrimReserve(6 * most, 4 * most);
  const float half = 0.5F * pen.width;
  const auto dash = static_cast<std::int64_t>(pen.dash);
  int drawn = 0;
  float top_before = 0.0F;
  float bottom_before = 0.0F;
  float run_from = 0.0F;
  float run_to = 0.0F;
  bool joined = false;  // to the column before: a gap breaks the line
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t column = first + static_cast<std::int64_t>(i);
    const bool in_gap = dash > 0 && column / dash % 2 != 0;
    if (found[i].empty() || in_gap) {
      joined = false;
      continue;
    }
    const float x = frame.x_of(step * static_cast<double>(column));
    const float top = frame.y_of(found[i].high);
    const float bottom = frame.y_of(found[i].low);
    // A rising line continues where the column before ended.
    const float from = joined ? std::min(top, bottom_before) : top;
    const float to = joined ? std::max(bottom, top_before) : bottom;
    const bool flat = joined && std::abs(from - run_from) < kSame && std::abs(to - run_to) < kSame;
    if (flat) {  // one rectangle while columns look the same
      draw->_VtxWritePtr[-3].pos.x = draw->_VtxWritePtr[-2].pos.x = x + 1.0F;
    } else {
      draw->PrimRect({x, from - half}, {x + 1.0F, to + half}, pen.ink);
      ++drawn;
      run_from = from;
      run_to = to;
    }
    top_before = top;
    bottom_before = bottom;
    joined = true;
  }
  draw->PrimUnreserve(6 * (most - drawn), 4 * (most - drawn));
}

void draw_series(const ViewContext& ctx, const PlotFrame& frame, const SampleRing& series,
                 ColumnCache& cache, const Pen& pen) {
  const double per_pixel = frame.time.size() / ctx.history.period() /
                           std::max(1.0, static_cast<double>(frame.to.x - frame.from.x));
  if (per_pixel < kSamplesPerPixel) {
    draw_samples(ctx, frame, series, pen);
  } else {
    draw_columns(ctx, frame, series, cache, pen);
  }
}

}  // namespace

void draw_mode_bands(const ViewContext& ctx, const PlotFrame& frame, JointIndex joint) {
  if (joint == kNoJoint) return;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const auto& modes = ctx.history.modes(joint);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const double begin = ctx.history.time_of(modes[i].index);
    const double end =
        i + 1 < modes.size() ? ctx.history.time_of(modes[i + 1].index) : ctx.history.newest();
    if (end < frame.time.low || begin > frame.time.high) continue;
    const Rgb fill = style_of(modes[i].mode, ctx.panel.palette).fill;
    const float x0 = std::max(frame.from.x, frame.x_of(begin));
    const float x1 = std::min(frame.to.x, frame.x_of(end));
    // Opaque: blending so many pixels is slow on a processor.
    draw->AddRectFilled({x0, frame.from.y}, {x1, frame.to.y},
                        colour(mixed(ctx.theme().box, fill, 0.16)));
    draw->AddRectFilled({x0, frame.to.y - ctx.px(4)}, {x1, frame.to.y}, colour(fill));
  }
}

void draw_limits(const ViewContext& ctx, const PlotFrame& frame, std::size_t signal) {
  const JointIndex joint = ctx.history.joint_of(signal);
  const JointConfig& config = ctx.panel.config().joints[joint];
  const auto line = [&](double si, JointQuantity quantity) {
    const float y = frame.y_of(si * shown_unit(quantity, config.slide).per_si);
    ImGui::GetWindowDrawList()->AddLine({frame.from.x, y}, {frame.to.x, y},
                                        colour(ctx.theme().error, 0.6F), ctx.px(1));
  };
  const auto is = [&](JointTrace trace) { return ctx.history.signal(joint, trace) == signal; };
  if (is(JointTrace::kPosition) || is(JointTrace::kReference)) {
    const Bar range = ctx.panel.watch.status(joint).position;
    line(range.soft_low, JointQuantity::kPosition);
    line(range.soft_high, JointQuantity::kPosition);
  }
  for (const double sign : {-1.0, 1.0}) {
    if (is(JointTrace::kVelocity)) line(sign * config.limits.v_max, JointQuantity::kVelocity);
    if (is(JointTrace::kTorque)) line(sign * config.limits.tau_max, JointQuantity::kTorque);
  }
}

Rgb line_colour(const ViewContext& ctx, const PlotLine& line) {
  return line_colours(ctx.theme())[static_cast<std::size_t>(line.colour) % kLineColours];
}

void draw_line(const ViewContext& ctx, const PlotFrame& frame, const PlotLine& line) {
  draw_series(ctx, frame, ctx.history.series(line.signal), ctx.state.columns[line.signal],
              pen_for(ctx, line));
}

void draw_line_laid_over(const ViewContext& ctx, const PlotFrame& frame, const PlotLine& line) {
  const KeptWindow* const over = ctx.plots.kept.over_window();
  if (over == nullptr) return;
  const auto kept = over->series.find(line.signal);
  if (kept == over->series.end()) return;
  const double shift = ctx.plots.over_shift();
  PlotFrame shifted = frame;
  shifted.time = {frame.time.low - shift, frame.time.high - shift};
  Pen pen = pen_for(ctx, line);
  pen.ink = colour(mixed(ctx.theme().box, line_colour(ctx, line), kOverInk));
  pen.dash = ctx.px(4);
  // Columns of its own: those of the record are kept from frame to frame.
  draw_series(ctx, shifted, kept->second, ctx.state.columns[ctx.history.size() + line.signal], pen);
}

void draw_event_marks(const ViewContext& ctx, const PlotFrame& frame, JointIndex joint) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (const History::Mark& mark : ctx.history.marks()) {
    if (mark.joint != joint && mark.joint != kNoJoint) continue;
    const float x = frame.x_of(ctx.history.time_of(mark.index));
    if (x < frame.from.x || x > frame.to.x) continue;
    const float r = ctx.px(5);
    draw->AddLine({x, frame.from.y}, {x, frame.to.y}, colour(ctx.theme().warning, 0.55F));
    draw->AddTriangleFilled({x - r, frame.from.y}, {x + r, frame.from.y}, {x, frame.from.y + r},
                            colour(ctx.theme().warning));
    if (ImGui::IsMouseHoveringRect({x - r, frame.from.y}, {x + r, frame.from.y + 2 * r})) {
      ImGui::SetTooltip("%s", mark.text.c_str());
    }
  }
}

void draw_trigger_line(const ViewContext& ctx, const PlotFrame& frame) {
  const std::optional<double> at = ctx.plots.trigger.at();
  if (!at) return;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float x = frame.x_of(*at);
  draw->AddLine({x, frame.from.y}, {x, frame.to.y}, colour(ctx.theme().asked), ctx.px(1));
  text_at(draw, {x + ctx.px(3), frame.to.y - ctx.px(18)}, ctx.theme().asked, "T");
}

void draw_cursor_lines(const ViewContext& ctx, const PlotFrame& frame) {
  const Cursors& cursors = ctx.plots.cursors;
  if (!cursors.on) return;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float a = frame.x_of(cursors.a);
  const float b = frame.x_of(cursors.b);
  draw->AddRectFilled({std::min(a, b), frame.from.y}, {std::max(a, b), frame.to.y},
                      colour(ctx.theme().text, 0.06F));
  for (const auto& [x, name] : {std::pair{a, "A"}, std::pair{b, "B"}}) {
    draw->AddLine({x, frame.from.y}, {x, frame.to.y}, colour(ctx.theme().text), ctx.px(1));
    text_at(draw, {x + ctx.px(3), frame.from.y + ctx.px(2)}, ctx.theme().text, name);
  }
}

}  // namespace jointrig::gui
