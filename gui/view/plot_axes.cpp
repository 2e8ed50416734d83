#include "gui/view/plot_axes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr int kLeastTicks = 3;
constexpr float kLineSpacing = 2.2F;   // between values, in heights of their text
constexpr float kTimeSpacing = 90.0F;  // px at scale 1
constexpr float kDigits = 0.8F;  // height of digits, which have no descenders, in heights of text
constexpr float kNarrowest = 44.0F;  // px at scale 1
constexpr float kWidest = 110.0F;

struct Ticks {
  std::vector<double> at;
  double step = 1.0;
};

Ticks spaced(Span span, float length, float spacing, int least = kLeastTicks) {
  Ticks found;
  const int most = std::max(kLeastTicks, static_cast<int>(length / spacing));
  found.at = ticks(span, most, least);
  found.step = found.at.size() > 1 ? found.at[1] - found.at[0] : span.size();
  return found;
}

void value_lines(const ViewContext& ctx, const PlotFrame& frame) {
  const ValueLabels labels = value_labels(frame, ImGui::GetFontSize());
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (const double value : labels.lines) {
    const float y = frame.y_of(value);
    draw->AddLine({frame.from.x, y}, {frame.to.x, y}, colour(ctx.theme().line, 0.45F));
  }
  for (const ValueLabel& label : labels.labels) {
    const std::string text = tick_text(label.value, labels.step);
    const float width = width_of(text);
    ctx.state.axis_needed = std::max(ctx.state.axis_needed, width);
    text_at(draw, {frame.from.x - width - ctx.px(4), label.top}, ctx.theme().soft, text);
  }
}

void time_lines(const ViewContext& ctx, const PlotFrame& frame, bool with_time) {
  const Ticks times = spaced(frame.time, frame.to.x - frame.from.x, ctx.px(kTimeSpacing));
  ImDrawList* draw = ImGui::GetWindowDrawList();
  float last = -1e9F;
  for (const double at : times.at) {
    const float x = frame.x_of(at);
    draw->AddLine({x, frame.from.y}, {x, frame.to.y}, colour(ctx.theme().line, 0.45F));
    if (!with_time) continue;
    const std::string text = tick_text(at, times.step) + " s";
    const float width = width_of(text);
    const float left = std::min(x - 0.5F * width, frame.to.x - width);
    if (left < last) continue;
    last = left + width + ctx.px(6);
    text_at(draw, {left, frame.to.y + ctx.px(2)}, ctx.theme().soft, text);
  }
}

/// A label stays beside its own plot, and is left out where it would meet the one below.
std::vector<ValueLabel> placed(const Ticks& values, const PlotFrame& frame, float height) {
  std::vector<ValueLabel> labels;
  float last = 1e9F;  // top of the label below
  for (const double value : values.at) {
    const float y = frame.y_of(value);
    const float top = std::clamp(y - 0.55F * height, frame.from.y, frame.to.y - height);
    if (top + kDigits * height > last) continue;
    last = top;
    labels.push_back({value, top});
  }
  return labels;
}

}  // namespace

ValueLabels value_labels(const PlotFrame& frame, float height) {
  constexpr int kFinest = 5 * kLeastTicks;
  const float length = frame.to.y - frame.from.y;
  if (length < height) return {};
  ValueLabels found;
  for (int least = kLeastTicks; least <= kFinest; least += kLeastTicks) {
    const Ticks values = spaced(frame.values, length, kLineSpacing * height, least);
    std::vector<ValueLabel> labels = placed(values, frame, height);
    if (labels.size() <= found.labels.size()) continue;
    found = {values.at, std::move(labels), values.step};
    if (found.labels.size() >= kLeastTicks) break;
  }
  // Where the steps had to be finer a line stands for each label alone.
  if (found.lines.size() > 2 * found.labels.size()) {
    found.lines.clear();
    for (const ValueLabel& label : found.labels) found.lines.push_back(label.value);
  }
  return found;
}

void begin_axes(const ViewContext& ctx) {
  ViewState& state = ctx.state;
  const float wanted =
      std::clamp(state.axis_needed + ctx.px(8), ctx.px(kNarrowest), ctx.px(kWidest));
  // Narrower by a good piece alone: else the plots would jump as digits come and go.
  if (wanted > state.axis_width || wanted < state.axis_width - ctx.px(20)) {
    state.axis_width = wanted;
  }
  state.axis_needed = 0.0F;
}

float axis_width(const ViewContext& ctx) { return ctx.state.axis_width; }

void draw_grid(const ViewContext& ctx, const PlotFrame& frame, const std::string& unit,
               bool with_time) {
  ImGui::PushFont(ctx.fonts.small);
  value_lines(ctx, frame);
  time_lines(ctx, frame, with_time);
  text_at(ImGui::GetWindowDrawList(), {frame.from.x + ctx.px(4), frame.from.y + ctx.px(1)},
          ctx.theme().soft, unit);
  ImGui::PopFont();
}

void draw_right_axis(const ViewContext& ctx, const PlotFrame& frame, const std::string& unit) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  ImGui::PushFont(ctx.fonts.small);
  const ValueLabels labels = value_labels(frame, ImGui::GetFontSize());
  for (const double value : labels.lines) {
    const float y = frame.y_of(value);
    draw->AddLine({frame.to.x, y}, {frame.to.x + ctx.px(4), y}, colour(ctx.theme().line));
  }
  for (const ValueLabel& label : labels.labels) {
    const std::string text = tick_text(label.value, labels.step);
    ctx.state.axis_needed = std::max(ctx.state.axis_needed, width_of(text) + ctx.px(2));
    text_at(draw, {frame.to.x + ctx.px(6), label.top}, ctx.theme().soft, text);
  }
  text_at(draw, {frame.to.x - width_of(unit) - ctx.px(4), frame.from.y + ctx.px(1)},
          ctx.theme().soft, unit);
  ImGui::PopFont();
}

void draw_overrun_strip(const ViewContext& ctx, const PlotFrame& frame) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(frame.from, frame.to, colour(ctx.theme().box));
  ImGui::PushFont(ctx.fonts.small);
  const std::string label = "late";
  text_at(draw, {frame.from.x - width_of(label) - ctx.px(4), frame.from.y - ctx.px(1)},
          ctx.theme().soft, label);
  ImGui::PopFont();
  const bool hovered = ImGui::IsMouseHoveringRect(frame.from, frame.to);
  const float pointer = ImGui::GetIO().MousePos.x;
  const float reach = ctx.px(4);
  const History::Overrun* pointed = nullptr;
  int count = 0;
  float drawn_to = frame.from.x - 1.0F;
  for (const History::Overrun& overrun : ctx.history.overruns()) {
    const float x = frame.x_of(ctx.history.time_of(overrun.index));
    if (x < frame.from.x || x > frame.to.x) continue;
    ++count;
    if (hovered && std::abs(x - pointer) < reach &&
        (pointed == nullptr || overrun.seconds > pointed->seconds)) {
      pointed = &overrun;
    }
    if (x < drawn_to) continue;  // a pixel is drawn once
    drawn_to = std::floor(x) + 1.0F;
    draw->AddRectFilled({std::floor(x), frame.from.y}, {std::floor(x) + ctx.px(2), frame.to.y},
                        colour(ctx.theme().warning));
  }
  if (pointed != nullptr) {
    ImGui::SetTooltip("overrun: the cycle ended %.1f ms after it was due (%d in sight)",
                      1e3 * pointed->seconds, count);
  } else if (hovered) {
    ImGui::SetTooltip("cycles that ended late: %d in sight", count);
  }
}

void draw_pointer_line(const ViewContext& ctx, const PlotFrame& frame) {
  if (!ctx.state.pointer_time) return;
  const float x = frame.x_of(*ctx.state.pointer_time);
  ImGui::GetWindowDrawList()->AddLine({x, frame.from.y}, {x, frame.to.y},
                                      colour(ctx.theme().text, 0.35F), ctx.px(1));
}

void draw_pointer_values(const ViewContext& ctx, std::size_t plot) {
  if (!ctx.state.pointer_time || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  const double at = *ctx.state.pointer_time;
  ImGui::BeginTooltip();
  ImGui::TextDisabled("%.3f s", at);
  for (const PlotLine& line : ctx.plots.plots[plot].lines) {
    if (line.hidden) continue;
    const double value = value_at(ctx.history, line.signal, at);
    const std::string number = std::isnan(value) ? "–" : fmt::format("{:.5g}", value);
    ImGui::PushStyleColor(ImGuiCol_Text, colour(line_colour(ctx, line)));
    ImGui::TextUnformatted((ctx.history.name(line.signal) + "  " + number + " " +
                            std::string(ctx.history.unit(line.signal)))
                               .c_str());
    ImGui::PopStyleColor();
  }
  ImGui::EndTooltip();
}

}  // namespace jointrig::gui
