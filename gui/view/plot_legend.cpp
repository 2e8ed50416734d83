#include "gui/view/plot_legend.h"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "gui/view/plot_lines.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

std::string newest_of(const ViewContext& ctx, const PlotLine& line) {
  const SampleRing& series = ctx.history.series(line.signal);
  const float last = series.end() > 0 ? series.at(series.end() - 1) : std::nanf("");
  return std::isnan(last) ? "–" : fmt::format("{:.3f}", last);
}

/// The value at the pointer's time while it is in a plot, else the newest.
std::string shown_of(const ViewContext& ctx, const PlotLine& line) {
  if (!ctx.state.pointer_time) return newest_of(ctx, line);
  const double value = value_at(ctx.history, line.signal, *ctx.state.pointer_time);
  return std::isnan(value) ? "–" : fmt::format("{:.3f}", value);
}

void looks(const ViewContext& ctx, std::size_t plot, const PlotLine& line,
           const std::string& place) {
  for (int colour_index = 0; colour_index < static_cast<int>(kLineColours); ++colour_index) {
    PlotLine other = line;
    other.colour = colour_index;
    ImGui::PushID(colour_index);
    if (colour_index > 0) ImGui::SameLine(0, ctx.px(3));
    if (ImGui::ColorButton("##colour", colour4(line_colour(ctx, other)),
                           ImGuiColorEditFlags_NoTooltip, {ctx.px(18), ctx.px(18)})) {
      ctx.plots.set_look(plot, line.signal, colour_index, line.style);
    }
    ImGui::PopID();
    ctx.note(fmt::format("{}/colour/{}", place, colour_index));
  }
  for (const LineStyle style : kAllLineStyle) {
    const std::string word(to_string(style));
    if (ImGui::MenuItem(word.c_str(), nullptr, line.style == style)) {
      ctx.plots.set_look(plot, line.signal, line.colour, style);
    }
    ctx.note(place + "/" + word);
  }
}

/// @return true if the line is to be removed
bool menu(const ViewContext& ctx, std::size_t plot, const PlotLine& line,
          const std::string& place) {
  bool removed = false;
  if (!ImGui::BeginPopupContextItem("look")) return removed;
  looks(ctx, plot, line, place);
  ImGui::Separator();
  if (ImGui::MenuItem(line.hidden ? "show" : "hide")) ctx.plots.toggle(plot, line.signal);
  if (ImGui::MenuItem("alone")) ctx.plots.solo(plot, line.signal);
  if (ImGui::MenuItem("on the right", nullptr, line.right)) {
    ctx.plots.to_other_axis(plot, line.signal);
  }
  if (ImGui::MenuItem("copy value")) ImGui::SetClipboardText(newest_of(ctx, line).c_str());
  ctx.note(place + "/copy");
  removed = ImGui::MenuItem("remove");
  ctx.note(place + "/remove");
  ImGui::EndPopup();
  return removed;
}

/// The joint of a signal; "r_elbow" of "r_elbow.q_ref".
std::string owner_of(const ViewContext& ctx, const PlotLine& line) {
  const std::string name = ctx.history.name(line.signal);
  return name.substr(0, name.rfind('.'));
}

/// @param goes_on  the line before it is of the same joint: that one's name is enough
std::string label_of(const ViewContext& ctx, const PlotLine& line, bool goes_on) {
  const std::string name = ctx.history.name(line.signal);
  const std::string shown = goes_on ? name.substr(owner_of(ctx, line).size()) : name;
  return (line.right ? "▸ " : "") + shown + " " + shown_of(ctx, line) + " " +
         std::string(ctx.history.unit(line.signal));
}

/// All the full names fit in one line.
bool has_room(const ViewContext& ctx, std::size_t plot) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  float width = -gap;
  for (const PlotLine& line : ctx.plots.plots[plot].lines) {
    width += button_width(label_of(ctx, line, false)) + gap;
  }
  return width <= ImGui::GetContentRegionAvail().x;
}

}  // namespace

int draw_plot_legend(const ViewContext& ctx, std::size_t plot) {
  std::optional<std::size_t> removed;
  const bool is_short = !has_room(ctx, plot);
  int rows = 1;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, ctx.px(1)});
  const std::vector<PlotLine> lines = ctx.plots.plots[plot].lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const PlotLine& line = lines[i];
    const std::string name = ctx.history.name(line.signal);
    const std::string place = fmt::format("plot/{}/legend/{}", plot, name);
    const Rgb ink = line.hidden ? ctx.theme().soft : line_colour(ctx, line);
    ImGui::PushID(static_cast<int>(line.signal));
    ImGui::PushStyleColor(ImGuiCol_Text, colour(ink));
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{});
    const bool goes_on = is_short && i > 0 && owner_of(ctx, lines[i - 1]) == owner_of(ctx, line);
    const std::string label = label_of(ctx, line, goes_on);
    if (i > 0) {
      const float above = ImGui::GetCursorPosY();
      same_line_if_fits(ctx, button_width(label));
      if (ImGui::GetCursorPosY() == above) ++rows;
    }
    if (ImGui::SmallButton((label + "###line").c_str())) {
      ImGui::GetIO().KeyCtrl    ? ctx.plots.solo(plot, line.signal)
      : ImGui::GetIO().KeyShift ? ctx.plots.to_other_axis(plot, line.signal)
                                : ctx.plots.toggle(plot, line.signal);
    }
    ImGui::PopStyleColor(2);
    ctx.note(place);
    tip("Click hides, Ctrl+click leaves it alone, Shift+click puts it on the other axis (▸: the "
        "right one), right click: its look.");
    if (menu(ctx, plot, line, place)) removed = line.signal;
    ImGui::PopID();
  }
  if (removed) ctx.plots.remove(plot, *removed);
  if (lines.empty()) ImGui::NewLine();
  ImGui::PopStyleVar();
  return rows;
}

}  // namespace jointrig::gui
