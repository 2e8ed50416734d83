#include "gui/view/plot_kept.h"

#include <fmt/core.h>

#include <algorithm>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr double kMegabyte = 1e6;

std::string words_of(const KeptWindow& window) {
  return fmt::format("{} at {:.3f} s, {:.2f} s long", window.name, window.robot_time,
                     window.time.size());
}

/// @return true if the window is to be deleted
bool kept_row(const ViewContext& ctx, std::size_t number) {
  PlotSet& plots = ctx.plots;
  const std::string place = fmt::format("plot/kept/{}", number);
  const bool is_shown = plots.kept.shown() == number;
  ImGui::PushID(static_cast<int>(number));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (ImGui::RadioButton(words_of(plots.kept[number]).c_str(), is_shown)) plots.show_kept(number);
  ctx.note(place + "/show");
  ImGui::TableNextColumn();
  bool over = plots.kept.laid_over() == number;
  ImGui::BeginDisabled(is_shown);
  if (ImGui::Checkbox("laid over", &over)) {
    plots.kept.lay_over(over ? std::optional(number) : std::nullopt);
  }
  ImGui::EndDisabled();
  ctx.note(place + "/over");
  tip(is_shown ? "it is the one that is shown"
               : "Draws it dashed over the window shown, on the same zero of time: trigger on "
                 "trigger, fault on fault.");
  ImGui::TableNextColumn();
  const bool erased = ImGui::Button("Delete");
  ctx.note(place + "/delete");
  ImGui::PopID();
  return erased;
}

void kept_table(const ViewContext& ctx) {
  PlotSet& plots = ctx.plots;
  std::optional<std::size_t> erased;
  ImGui::BeginChild("windows", {ctx.px(520), ctx.px(180)});
  if (ImGui::BeginTable("kept", 3, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableSetupColumn("window", ImGuiTableColumnFlags_WidthStretch);
    // The newest first.
    for (std::size_t i = plots.kept.size(); i-- > 0;) {
      if (kept_row(ctx, i)) erased = i;
    }
    ImGui::EndTable();
  }
  ImGui::EndChild();
  if (!erased) return;
  const bool was_shown = plots.kept.shown() == *erased;
  plots.kept.erase(*erased);
  if (was_shown) plots.follow();
}

}  // namespace

void draw_kept_windows(const ViewContext& ctx) {
  PlotSet& plots = ctx.plots;
  const bool refused = !plots.kept.note().empty();
  const std::string label = fmt::format("Kept {} ▾###kept", plots.kept.size());
  if (refused) ImGui::PushStyleColor(ImGuiCol_Text, colour(ctx.theme().warning));
  if (ImGui::Button(label.c_str())) ImGui::OpenPopup("kept windows");
  if (refused) ImGui::PopStyleColor();
  ctx.note("plot/kept");
  tip(refused ? plots.kept.note()
              : "Frozen windows, the trigger's catches and those around faults, until you delete "
                "them.");
  if (!ImGui::BeginPopup("kept windows")) return;
  if (refused) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour(ctx.theme().warning));
    ImGui::TextWrapped("%s", plots.kept.note().c_str());
    ImGui::PopStyleColor();
  }
  if (ImGui::RadioButton("what is recorded now", !plots.kept.shown())) plots.follow();
  ctx.note("plot/kept/live");
  if (plots.kept.size() == 0) {
    ImGui::TextDisabled(
        "None yet: Freeze keeps one, a trigger its catch, a fault the second before it.");
  } else {
    kept_table(ctx);
    ImGui::TextDisabled("%.1f of %.0f MB", static_cast<double>(plots.kept.bytes()) / kMegabyte,
                        static_cast<double>(KeptWindows::kMostBytes) / kMegabyte);
    ImGui::SameLine();
    if (ImGui::Button("Delete all")) {
      plots.kept.erase_all();
      plots.follow();
    }
    ctx.note("plot/kept/delete_all");
  }
  ImGui::EndPopup();
}

void draw_kept_names(const ViewContext& ctx, const PlotFrame& frame) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  ImVec2 at{frame.from.x + ctx.px(6), frame.from.y + ctx.px(3)};
  const auto line = [&](const char* what, const KeptWindow& window) {
    const std::string words = what + words_of(window);
    const float room = frame.to.x - at.x - ctx.px(4);
    // Lines behind it would make it hard to read.
    draw->AddRectFilled(
        {at.x - ctx.px(2), at.y},
        {at.x + std::min(room, width_of(words)) + ctx.px(2), at.y + ImGui::GetTextLineHeight()},
        colour(ctx.theme().box, 0.85F));
    text_at(draw, at, ctx.theme().text, words, room);
    at.y += ImGui::GetTextLineHeight();
  };
  if (const auto shown = ctx.plots.kept.shown_window()) line("kept: ", *shown);
  if (const KeptWindow* over = ctx.plots.kept.over_window()) line("dashed: ", *over);
}

}  // namespace jointrig::gui
