#include "gui/view/main_view.h"

#include <fmt/core.h>

#include "gui/view/body_tab.h"
#include "gui/view/cartesian_tab.h"
#include "gui/view/event_view.h"
#include "gui/view/fault_card.h"
#include "gui/view/joint_area.h"
#include "gui/view/joint_tab.h"
#include "gui/view/motion_tab.h"
#include "gui/view/parameter_tab.h"
#include "gui/view/plot_view.h"
#include "gui/view/scenario_tab.h"
#include "gui/view/scene_view.h"
#include "gui/view/sequence_tab.h"
#include "gui/view/stop_corner.h"
#include "gui/view/swing_band.h"
#include "gui/view/top_bar.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

std::string side_label(const ViewContext& ctx, SideTab tab) {
  std::string label(to_string(tab));
  const std::size_t faults = ctx.panel.watch.faulted_joints().size();
  if (tab == SideTab::kFaults && faults > 0) label += fmt::format(" ! {}", faults);
  return label + "###" + std::string(to_string(tab));
}

bool is_there(const ViewContext& ctx, SideTab tab) {
  return tab != SideTab::kBody || ctx.desks.body.is_there();
}

void side_page(const ViewContext& ctx) {
  switch (ctx.state.side) {
    case SideTab::kPlots:
      return draw_plots(ctx);
    case SideTab::kFaults:
      return draw_fault_cards(ctx);
    case SideTab::kJoint:
      return draw_joint_tab(ctx);
    case SideTab::kCartesian:
      return draw_cartesian_tab(ctx);
    case SideTab::kBody:
      return draw_body_tab(ctx);
    case SideTab::kSequence:
      return draw_sequence_tab(ctx);
    case SideTab::kMotion:
      return draw_motion_tab(ctx);
    case SideTab::kScenario:
      return draw_scenario_tab(ctx);
    case SideTab::kParameters:
      return draw_parameter_tab(ctx);
  }
}

/// Whole words, on as many lines as the window needs.
void side_tabs(const ViewContext& ctx) {
  const Theme& theme = ctx.theme();
  bool first = true;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ctx.px(3), ctx.px(3)});
  for (const SideTab tab : kAllSideTab) {
    if (!is_there(ctx, tab)) continue;
    const std::string label = side_label(ctx, tab);
    if (!first) same_line_if_fits(ctx, button_width(label), 3.0F);
    first = false;
    const bool chosen = ctx.state.side == tab;
    ImGui::PushStyleColor(ImGuiCol_Button, colour(chosen ? theme.hovered : theme.raised));
    if (ImGui::Button(label.c_str())) ctx.state.side = tab;
    ImGui::PopStyleColor();
    if (chosen) {
      const ImVec2 from = ImGui::GetItemRectMin();
      const ImVec2 to = ImGui::GetItemRectMax();
      ImGui::GetWindowDrawList()->AddRectFilled({from.x, to.y - ctx.px(2)}, to,
                                                colour(theme.accent));
    }
    ctx.note("side/" + std::string(to_string(tab)));
  }
  ImGui::PopStyleVar();
  ImGui::Separator();
}

void side(const ViewContext& ctx, ImVec2 size) {
  ViewState& state = ctx.state;
  if (!is_there(ctx, state.side)) state.side = SideTab::kPlots;  // as of another robot
  ImGui::BeginChild("side", size);
  side_tabs(ctx);
  ImGui::PushID(static_cast<int>(state.side));  // a page keeps its own scrolling
  ImGui::BeginChild("page");
  side_page(ctx);
  ImGui::EndChild();
  ImGui::PopID();
  ImGui::EndChild();
}

void help(const ViewContext& ctx) {
  if (!ctx.state.help) return;
  ImGui::SetNextWindowSize({ctx.px(460), 0});
  if (ImGui::Begin("Keys", &ctx.state.help, ImGuiWindowFlags_NoCollapse)) {
    if (ImGui::BeginTable("keys", 2)) {
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ctx.px(130));
      for (const KeyHelp& key : key_help()) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(key.keys.data(), key.keys.data() + key.keys.size());
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(key.meaning.data(), key.meaning.data() + key.meaning.size());
      }
      ImGui::EndTable();
    }
    ImGui::TextDisabled("All but F10, Ctrl+Space and Esc are off while a text is being typed.");
  }
  ImGui::End();
}

void layout(const ViewContext& ctx) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  ViewState& state = ctx.state;
  const float events_height = room.y * state.events_part;
  const float main_height = room.y - events_height - 3.0F * gap;
  const float side_width = room.x * state.side_part;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::BeginGroup();
  ImGui::PopStyleVar();
  draw_joint_area(ctx, {room.x - side_width - gap, main_height});
  splitter("events splitter", false, room.x - side_width - gap, room.y, state.events_part, 0.05F,
           0.6F);
  draw_events(ctx, {room.x - side_width - gap, events_height});
  ImGui::EndGroup();
  ImGui::SameLine(0, 0);
  splitter("side splitter", true, room.y, room.x, state.side_part, 0.1F, 0.7F);
  ImGui::SameLine(0, 0);
  ImGui::BeginGroup();
  const float below = draw_scene_pane(ctx, room.y);
  side(ctx, {0, below});
  ImGui::EndGroup();
}

}  // namespace

void draw_main_view(const ViewContext& ctx, const KeyInput& keys) {
  act_on_stop(ctx, keys);
  if (ctx.items != nullptr) ctx.items->clear();
  apply_theme(ctx.theme(), ctx.fonts.scale);
  handle_keys(ctx, keys, ImGui::GetIO().WantTextInput);
  ctx.plots.update(ctx.history);
  watch_swings(ctx);
  const ImGuiIO& io = ImGui::GetIO();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(io.DisplaySize);
  constexpr ImGuiWindowFlags kBare = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoBringToFrontOnFocus |
                                     ImGuiWindowFlags_NoScrollWithMouse |
                                     ImGuiWindowFlags_NoSavedSettings;
  ImGui::PushFont(ctx.fonts.plain);
  ImGui::Begin("jointrig", nullptr, kBare);
  const ImVec2 top = ImGui::GetCursorPos();
  draw_stop_corner(ctx);
  ImGui::SetCursorPos(top);
  draw_top_bar(ctx, io.DisplaySize.x);
  ImGui::SetCursorPos({top.x, top.y + top_bar_height(ctx)});
  layout(ctx);
  ImGui::End();
  help(ctx);
  ImGui::PopFont();
}

}  // namespace jointrig::gui
