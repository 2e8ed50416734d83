#include "gui/view/plot_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/view/plot_axes.h"
#include "gui/view/plot_kept.h"
#include "gui/view/plot_legend.h"
#include "gui/view/plot_lines.h"
#include "gui/view/plot_tools.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

// px at scale 1
constexpr float kLegendHeight = 19.0F;
constexpr float kBelowPlot = 3.0F;
constexpr float kTimeHeight = 16.0F;
constexpr float kStripHeight = 9.0F;
constexpr float kLowest = 37.0F;  // three values have room
constexpr float kSearch = 220.0F;
constexpr float kNarrowSearch = 110.0F;

constexpr double kWheelZoom = 0.85;

/// A button of the toolbar, on the line of the one before if it fits there.
bool tool_button(const ViewContext& ctx, const char* label, const char* item, const char* help,
                 float gap = 2.0F) {
  same_line_if_fits(ctx, button_width(label), gap);
  const bool pressed = ImGui::Button(label);
  ctx.note(item);
  tip(help);
  return pressed;
}

void time_controls(const ViewContext& ctx) {
  PlotSet& plots = ctx.plots;
  if (ImGui::Button(plots.time.follows() ? "Freeze###freeze" : "Follow###freeze")) {
    plots.freeze_or_follow(ctx.history);
  }
  ctx.note("plot/freeze");
  tip("Freeze the view and keep it; recording goes on. F");
  for (const double seconds : {1.0, 5.0, 20.0, 60.0}) {
    const std::string number = tick_text(seconds, 1.0);
    if (tool_button(ctx, (number + " s").c_str(), ("plot/span/" + number).c_str(),
                    "Length of time in sight.")) {
      plots.time.set_span(seconds);
    }
  }
  same_line_if_fits(ctx, button_width("Undo zoom"), 4.0F);
  if (guarded_button("Undo zoom", plots.time.can_undo() ? "" : "nothing was zoomed")) {
    plots.time.undo();
  }
  ctx.note("plot/undo");
  if (tool_button(ctx, plots.cursors.on ? "Cursors off###cursors" : "Cursors###cursors",
                  "plot/cursors", "Two cursors to measure between; drag them. C", 4.0F)) {
    plots.cursors.on ? plots.cursors.on = false : (plots.show_cursors(), true);
  }
  ViewState& state = ctx.state;
  state.wants_csv |= tool_button(
      ctx, "CSV", "plot/csv", "Writes the visible part to a CSV file, in the units shown.", 4.0F);
  state.wants_mcap |=
      tool_button(ctx, "MCAP", "plot/mcap", "Writes the visible part to an MCAP log, in SI units.");
  state.wants_plot_picture |= tool_button(
      ctx, "PNG", "plot/png", "A picture of the plots for a page: twice as fine, no buttons.");
}

void search(const ViewContext& ctx) {
  // One line where the buttons leave it room: each more is taken from the plots.
  float room = ImGui::GetContentRegionAvail().x;
  for (const char* button : {"+ plot", "Sets ▾", "Trigger ▾", "Kept 99 ▾"}) {
    room -= button_width(button) + ctx.px(4);
  }
  text_field("##signals", "search signals: elbow tau", ctx.state.signal_filter,
             std::clamp(std::floor(room), ctx.px(kNarrowSearch), ctx.px(kSearch)));
  ctx.note("plot/search");
  if (tool_button(ctx, "+ plot", "plot/add", "One more plot, below.", 4.0F)) ctx.plots.add_plot();
  same_line_if_fits(ctx, button_width("Sets ▾"), 4.0F);
  draw_plot_sets(ctx);
  same_line_if_fits(ctx, button_width("Trigger ▾"), 4.0F);
  draw_trigger(ctx);
  same_line_if_fits(ctx, button_width("Kept 99 ▾"), 4.0F);
  draw_kept_windows(ctx);
  if (ctx.state.signal_filter.empty()) return;
  const std::vector<std::size_t> found = ctx.history.find(ctx.state.signal_filter);
  ImGui::BeginChild("found", {0, ctx.px(110)}, true);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(found.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const std::size_t signal = found[static_cast<std::size_t>(i)];
      const std::string name = ctx.history.name(signal);
      if (ImGui::Selectable(name.c_str())) {
        if (ctx.plots.plots.empty()) ctx.plots.add_plot();
        ctx.plots.add(ctx.plots.plots.size() - 1, signal);
      }
      ctx.note("found/" + name);
      tip("A click adds it to the last plot; drag it onto any.");
      if (ImGui::BeginDragDropSource()) {
        ImGui::SetDragDropPayload(kDraggedSignal, &signal, sizeof signal);
        ImGui::TextUnformatted(name.c_str());
        ImGui::EndDragDropSource();
      }
    }
  }
  ImGui::EndChild();
}

PlotFrame with_right_axis(const ViewContext& ctx, std::size_t plot, PlotFrame frame) {
  frame.values = ctx.plots.values_of(ctx.plots.plots[plot], ctx.history, /*right=*/true);
  return frame;
}

/// Changes both axes of a plot together.
template <typename Change>
void change_values(const ViewContext& ctx, std::size_t plot, const PlotFrame& frame,
                   const Change& change) {
  Plot& p = ctx.plots.plots[plot];
  if (p.has_right()) p.right_values = change(with_right_axis(ctx, plot, frame));
  p.values = change(frame);
}

void handle_wheel(const ViewContext& ctx, std::size_t plot, const PlotFrame& frame) {
  const float wheel = ImGui::GetIO().MouseWheel;
  if (wheel == 0.0F) return;
  const double factor = std::pow(kWheelZoom, static_cast<double>(wheel));
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::GetIO().KeyCtrl) {
    change_values(ctx, plot, frame, [&](const PlotFrame& axis) {
      return zoomed(axis.values, factor, axis.value_at(mouse.y));
    });
  } else {
    ctx.plots.time.zoom(factor, frame.time_at(mouse.x));
    ctx.plots.time.end_gesture();
  }
}

void finish_box(const ViewContext& ctx, std::size_t plot, const PlotFrame& frame) {
  const ImVec2 a = ctx.state.box_from;
  const ImVec2 b = ImGui::GetIO().MousePos;
  ctx.state.boxing = false;
  if (std::abs(a.x - b.x) < ctx.px(6)) return;
  ctx.plots.time.show({frame.time_at(std::min(a.x, b.x)), frame.time_at(std::max(a.x, b.x))});
  if (std::abs(a.y - b.y) > ctx.px(12)) {
    change_values(ctx, plot, frame, [&](const PlotFrame& axis) {
      return Span{axis.value_at(std::max(a.y, b.y)), axis.value_at(std::min(a.y, b.y))};
    });
  }
}

/// The cursor under the mouse: 0 none, 1 A, 2 B.
int cursor_at(const ViewContext& ctx, const PlotFrame& frame, float x) {
  const Cursors& cursors = ctx.plots.cursors;
  if (!cursors.on) return 0;
  if (std::abs(frame.x_of(cursors.a) - x) < ctx.px(6)) return 1;
  return std::abs(frame.x_of(cursors.b) - x) < ctx.px(6) ? 2 : 0;
}

void press(const ViewContext& ctx, const PlotFrame& frame) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  ctx.state.cursor_held = cursor_at(ctx, frame, mouse.x);
  ctx.state.boxing = ctx.state.cursor_held == 0 && ImGui::GetIO().KeyShift;
  ctx.state.box_from = mouse;
}

void drag(const ViewContext& ctx, std::size_t plot, const PlotFrame& frame) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ctx.state.boxing) {
    ImGui::GetWindowDrawList()->AddRectFilled(ctx.state.box_from, io.MousePos,
                                              colour(ctx.theme().accent, 0.25F));
    return;
  }
  if (ctx.state.cursor_held != 0) {
    (ctx.state.cursor_held == 1 ? ctx.plots.cursors.a : ctx.plots.cursors.b) =
        frame.time_at(io.MousePos.x);
    return;
  }
  if (io.MouseDelta.x != 0.0F) {
    ctx.plots.time.pan(static_cast<double>(-io.MouseDelta.x / (frame.to.x - frame.from.x)));
  }
  const Plot& p = ctx.plots.plots[plot];
  if (io.MouseDelta.y != 0.0F && (p.values || std::abs(io.MouseDelta.y) > ctx.px(3))) {
    const double part = static_cast<double>(io.MouseDelta.y / (frame.to.y - frame.from.y));
    change_values(ctx, plot, frame,
                  [&](const PlotFrame& axis) { return panned(axis.values, part); });
  }
}

void mouse(const ViewContext& ctx, std::size_t plot, const PlotFrame& frame) {
  if (ImGui::IsItemActivated()) {
    press(ctx, frame);  // the mouse's motion before the press is no drag
  } else if (ImGui::IsItemActive()) {
    drag(ctx, plot, frame);
  }
  if (ImGui::IsItemDeactivated()) {
    if (ctx.state.boxing) finish_box(ctx, plot, frame);
    ctx.plots.time.end_gesture();
    ctx.state.cursor_held = 0;
  }
  if (!ImGui::IsItemHovered()) return;
  handle_wheel(ctx, plot, frame);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    ctx.plots.plots[plot].values.reset();
    ctx.plots.plots[plot].right_values.reset();
    ctx.plots.follow();
  }
}

/// Takes signals and joints that are dragged onto a plot.
void take_dragged(const ViewContext& ctx, std::size_t plot) {
  if (!ImGui::BeginDragDropTarget()) return;
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kDraggedSignal)) {
    ctx.plots.add(plot, *static_cast<const std::size_t*>(payload->Data));
  }
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload(kDraggedJoint)) {
    const JointIndex joint = *static_cast<const JointIndex*>(payload->Data);
    for (const JointTrace trace : {JointTrace::kPosition, JointTrace::kReference}) {
      ctx.plots.add(plot, ctx.history.signal(joint, trace));
    }
  }
  ImGui::EndDragDropTarget();
}

/// Left and right end of all plots: one axis beside each, also where a plot needs none at the
/// right.
PlotFrame frame_between(const ViewContext& ctx, float top, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ctx.px(160), ImGui::GetContentRegionAvail().x);
  const bool any_right = std::any_of(ctx.plots.plots.begin(), ctx.plots.plots.end(),
                                     [](const Plot& plot) { return plot.has_right(); });
  PlotFrame frame;
  frame.from = {at.x + axis_width(ctx), top};
  frame.to = {at.x + width - (any_right ? axis_width(ctx) : 0.0F), top + height};
  frame.time = ctx.plots.time.shown();
  return frame;
}

void draw_lines(const ViewContext& ctx, std::size_t plot, const PlotFrame& frame,
                const PlotFrame& right) {
  const std::vector<PlotLine>& lines = ctx.plots.plots[plot].lines;
  if (lines.empty()) return;
  const PlotLine& first = lines.front();
  const JointIndex joint = ctx.history.joint_of(first.signal);
  if (joint != kNoJoint) draw_limits(ctx, first.right ? right : frame, first.signal);
  // The first line is drawn last: the measured value lies on its reference.
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (line->hidden) continue;
    draw_line_laid_over(ctx, line->right ? right : frame, *line);
    draw_line(ctx, line->right ? right : frame, *line);
  }
  draw_event_marks(ctx, frame, joint);
}

void draw_canvas(const ViewContext& ctx, std::size_t plot, const PlotFrame& frame, bool is_last) {
  const Plot& p = ctx.plots.plots[plot];
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(frame.from, frame.to, colour(ctx.theme().box));
  draw->PushClipRect(frame.from, frame.to, true);
  if (!p.lines.empty()) draw_mode_bands(ctx, frame, ctx.history.joint_of(p.lines.front().signal));
  draw->PopClipRect();
  draw_grid(ctx, frame, axis_unit(p, ctx.history, false), is_last);
  const PlotFrame right = with_right_axis(ctx, plot, frame);
  if (p.has_right()) draw_right_axis(ctx, right, axis_unit(p, ctx.history, true));
  draw->PushClipRect(frame.from, frame.to, true);
  draw_lines(ctx, plot, frame, right);
  draw_trigger_line(ctx, frame);
  if (plot == 0) draw_kept_names(ctx, frame);
  draw_cursor_lines(ctx, frame);
  draw_pointer_line(ctx, frame);
  draw->PopClipRect();
}

void draw_plot(const ViewContext& ctx, std::size_t plot, float height, bool is_last) {
  ImGui::PushID(static_cast<int>(plot));
  // A legend of several rows takes them from its plot.
  const int rows = draw_plot_legend(ctx, plot);
  height -= ctx.px(kLegendHeight) * static_cast<float>(rows - 1);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  PlotFrame frame = frame_between(ctx, at.y, std::max(ctx.px(kLowest), height));
  frame.values = ctx.plots.values_of(ctx.plots.plots[plot], ctx.history);
  ImGui::SetCursorScreenPos(frame.from);
  ImGui::InvisibleButton("plot", {frame.to.x - frame.from.x, frame.to.y - frame.from.y});
  ctx.note("plot/" + std::to_string(plot) + "/area");
  mouse(ctx, plot, frame);
  if (ImGui::IsItemHovered()) {
    ctx.state.pointer_next = frame.time_at(ImGui::GetIO().MousePos.x);
    draw_pointer_values(ctx, plot);
  }
  take_dragged(ctx, plot);
  draw_canvas(ctx, plot, frame, is_last);
  ImGui::SetCursorScreenPos({at.x, frame.to.y + ctx.px(kBelowPlot)});
  ImGui::PopID();
}

void cursor_table(const ViewContext& ctx) {
  const Cursors& cursors = ctx.plots.cursors;
  const double dt = std::abs(cursors.dt());
  ImGui::AlignTextToFramePadding();
  ImGui::Text("Δt %.4f s   1/Δt %.2f Hz", dt, dt > 0.0 ? 1.0 / dt : 0.0);
  ImGui::SameLine(0, ctx.px(14));
  ImGui::Checkbox("step response", &ctx.plots.reads_steps);
  ctx.note("plot/steps");
  tip("Response to the step between the cursors.");
  ImGui::SameLine(0, ctx.px(14));
  if (ImGui::SmallButton("Copy")) {
    ImGui::SetClipboardText(cursor_table_text(ctx.plots, ctx.history).c_str());
  }
  ctx.note("plot/copy");
  tip("This table for a spreadsheet, with tabs between the columns.");
  // Columns are as wide as their numbers: a narrow window scrolls, and cuts none off.
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_ScrollX | ImGuiTableFlags_SizingFixedFit;
  if (!ImGui::BeginTable("cursors", 9, kFlags, {0, ctx.px(112)})) return;
  ImGui::TableSetupScrollFreeze(1, 1);
  for (const char* heading : {"", "A", "B", "Δ", "min", "max", "mean", "rms", "std"}) {
    ImGui::TableSetupColumn(heading);
  }
  ImGui::TableHeadersRow();
  for (const Plot& plot : ctx.plots.plots) {
    for (const PlotLine& line : plot.lines) {
      const CursorReading r = read_cursors(ctx.history, line.signal, cursors);
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushStyleColor(ImGuiCol_Text, colour(line_colour(ctx, line)));
      const std::string_view unit = ctx.history.unit(line.signal);
      ImGui::Text("%s  %.*s", ctx.history.name(line.signal).c_str(), static_cast<int>(unit.size()),
                  unit.data());
      ImGui::PopStyleColor();
      for (const double value : {r.at_a, r.at_b, r.at_b - r.at_a, r.between.low, r.between.high,
                                 r.between.mean, r.between.rms, r.between.deviation}) {
        ImGui::TableNextColumn();
        ImGui::Text("%.4g", value);
      }
    }
  }
  ImGui::EndTable();
}

}  // namespace

void draw_plot_cells(const ViewContext& ctx, ImVec2 size) {
  PlotSet& plots = ctx.plots;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  begin_axes(ctx);
  ctx.state.pointer_time = std::exchange(ctx.state.pointer_next, std::nullopt);
  draw_overrun_strip(ctx, frame_between(ctx, at.y, ctx.px(kStripHeight)));
  ImGui::SetCursorScreenPos({at.x, at.y + ctx.px(kStripHeight + kBelowPlot)});
  const float room = size.y - ctx.px(kStripHeight + kBelowPlot + kTimeHeight);
  const auto count = static_cast<float>(plots.plots.size());
  const float each = room / count - ctx.px(kLegendHeight + kBelowPlot);
  for (std::size_t i = 0; i < plots.plots.size(); ++i) {
    draw_plot(ctx, i, each, i + 1 == plots.plots.size());
  }
  ImGui::SetCursorScreenPos({at.x, at.y + size.y});
}

void draw_plots(const ViewContext& ctx) {
  PlotSet& plots = ctx.plots;
  time_controls(ctx);
  search(ctx);
  if (plots.plots.empty()) {
    ImGui::TextDisabled("Double-click a joint, or search a signal.");
    return;
  }
  const float table = plots.cursors.on ? ctx.px(plots.reads_steps ? 250 : 150) : 0.0F;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 all = ImGui::GetContentRegionAvail();
  const float room = all.y - table;
  ctx.state.plot_area = {at.x, at.y, at.x + all.x, at.y + room};
  draw_plot_cells(ctx, {all.x, room});
  if (!plots.cursors.on) return;
  cursor_table(ctx);
  if (plots.reads_steps) draw_step_table(ctx);
}

}  // namespace jointrig::gui
