#include "gui/view/cartesian_tab.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "gui/view/cartesian_gains.h"
#include "gui/view/cartesian_guide.h"
#include "gui/view/cartesian_suppress.h"
#include "gui/view/plot_tools.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr double kPerDegree = std::numbers::pi / 180.0;
constexpr std::array<double, 4> kSteps{0.001, 0.01, 0.05, 0.1};  // m
constexpr std::array<double, 4> kTurns{kPerDegree, 5 * kPerDegree, 15 * kPerDegree,
                                       45 * kPerDegree};

std::string shown(double value, std::size_t axis) {
  return show(value, JointQuantity::kPosition, is_linear(axis));
}

void arms(const ViewContext& ctx, ArmDesk& desk) {
  for (std::size_t i = 0; i < desk.arms().size(); ++i) {
    const ArmConfig& arm = desk.arms()[i];
    if (i > 0) ImGui::SameLine();
    if (ImGui::RadioButton(arm.name.c_str(), desk.arm == i)) desk.arm = static_cast<ArmIndex>(i);
    ctx.note("arm/" + arm.name);
    tip("Part " + arm.part + ", tool " + arm.tool);
  }
}

void modes(const ViewContext& ctx, ArmDesk& desk) {
  ImGui::TextUnformatted(desk.state().c_str());
  if (guarded_button("Cartesian", desk.why_not(ArmAct::kEnter),
                     "All its joints to mode cartesian; the tool keeps its pose.")) {
    desk.enter();
  }
  ctx.note("arm/enter");
  ImGui::SameLine();
  if (guarded_button("Position", desk.why_not(ArmAct::kLeave),
                     "All its joints to mode position, at their positions.")) {
    desk.leave();
  }
  ctx.note("arm/leave");
  ImGui::SameLine();
  if (guarded_button("Target here", desk.why_not(ArmAct::kMove),
                     "Sets the target to the tool's pose, so that its springs relax.")) {
    desk.target_here();
  }
  ctx.note("arm/target_here");
}

template <std::size_t N>
void steps(const ViewContext& ctx, const char* label, const std::array<double, N>& all,
           std::size_t axis, double& step) {
  ImGui::SetNextItemWidth(ctx.px(90));
  if (ImGui::BeginCombo(label, shown(step, axis).c_str())) {
    for (const double one : all) {
      if (ImGui::Selectable(shown(one, axis).c_str(), step == one)) step = one;
      ctx.note(std::string("arm/step/") + shown(one, axis));
    }
    ImGui::EndCombo();
  }
  ctx.note(std::string("arm/") + label);
}

void jog_settings(const ViewContext& ctx, ArmDesk& desk) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("Jog by");
  ImGui::SameLine();
  steps(ctx, "##step", kSteps, 0, desk.step);
  ImGui::SameLine();
  steps(ctx, "##turn", kTurns, 3, desk.turn_step);
  ImGui::SameLine();
  ImGui::TextDisabled("along the axes of");
  for (const JogFrame frame : kAllJogFrame) {
    ImGui::SameLine();
    const std::string name(to_string(frame));
    if (ImGui::RadioButton(name.c_str(), desk.jog_frame == frame)) desk.jog_frame = frame;
    ctx.note("arm/jog_frame/" + name);
  }
}

/// From the middle to both sides; beyond the maximum it is full, in another colour.
void bar(const ViewContext& ctx, const ArmBar& bar, const char* unit, double per_si) {
  const Theme& theme = ctx.theme();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()};
  ImGui::Dummy(size);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(from, {from.x + size.x, from.y + size.y}, colour(theme.raised));
  const double share = bar.most > 0.0 ? std::clamp(bar.value / bar.most, -1.0, 1.0) : 0.0;
  const float middle = from.x + 0.5F * size.x;
  const float end = middle + 0.5F * size.x * static_cast<float>(share);
  const Rgb ink = std::abs(share) >= 1.0 ? theme.error : theme.accent;
  draw->AddRectFilled({std::min(middle, end), from.y}, {std::max(middle, end), from.y + size.y},
                      colour(ink, 0.45F));
  draw->AddLine({middle, from.y}, {middle, from.y + size.y}, colour(theme.line));
  const std::string text = fmt::format("{:.1f} {}", per_si * bar.value + 0.0, unit);
  const float pad = ImGui::GetStyle().FramePadding.y;
  text_at(draw, {from.x + pad, from.y + pad}, theme.text, text, size.x);
}

void jog_buttons(const ViewContext& ctx, ArmDesk& desk, std::size_t axis) {
  const std::string why = desk.why_not(ArmAct::kMove);
  const std::string name(axis_name(axis));
  for (const int direction : {-1, 1}) {
    if (direction > 0) ImGui::SameLine(0, ctx.px(3));
    const std::string label = (direction < 0 ? "−##" : "+##") + name;
    if (guarded_button(label.c_str(), why,
                       "The goal goes a step; " + name + " of the axes chosen.")) {
      desk.jog(axis, direction);
    }
    ctx.note("arm/jog/" + name + (direction < 0 ? "/back" : "/forth"));
  }
}

void row(const ViewContext& ctx, ArmDesk& desk, std::size_t axis, const ToolNumbers& measured,
         const ToolNumbers& goal) {
  ImGui::PushID(static_cast<int>(axis));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(number_name(axis).data());
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(shown(measured[axis], axis).c_str());
  if (is_linear(axis)) {
    const std::string end = "." + std::string(axis_name(axis));
    ctx.note("arm/tool" + end);
    plot_at_double_click(
        ctx, {desk.config().name + ".tool" + end, desk.config().name + ".target" + end});
    tip("A double click plots it beside its target.");
  }
  ImGui::TableNextColumn();
  std::string text = shown(goal[axis], axis);
  ImGui::BeginDisabled(!desk.why_not(ArmAct::kMove).empty());
  if (text_field("##target", "", text, -1.0F, true)) desk.type_target(axis, text);
  ImGui::EndDisabled();
  ctx.note("arm/target/" + std::string(number_name(axis)));
  tip(desk.why_not(ArmAct::kMove));
  ImGui::TableNextColumn();
  jog_buttons(ctx, desk, axis);
  ImGui::TableNextColumn();
  bar(ctx, desk.error(axis), is_linear(axis) ? "mm" : "°",
      is_linear(axis) ? 1e3 : 1.0 / kPerDegree);
  const std::string arm = desk.config().name;
  const std::string turn(axis_name(axis));
  plot_at_double_click(ctx, {arm + ".error." + turn});
  tip("Target minus tool, of error_max, along " + turn + " of the base. A double click plots it.");
  ImGui::TableNextColumn();
  bar(ctx, desk.wrench(axis), is_linear(axis) ? "N" : "N·m", 1.0);
  ctx.note("arm/wrench/" + turn);
  // "fx", and "tx" for "rx".
  const std::string force = is_linear(axis) ? "f" + turn : "t" + turn.substr(1);
  plot_at_double_click(ctx, {arm + ".wrench." + force, arm + ".external." + force});
  tip("Force of spring and damper on the tool, relative to the spring's maximum. A double click "
      "plots it beside the external force.");
  ImGui::PopID();
}

void poses(const ViewContext& ctx, ArmDesk& desk) {
  if (!ImGui::BeginTable("tool", 6, ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("", 0, ctx.px(36));
  ImGui::TableSetupColumn("tool", 0, ctx.px(78));
  ImGui::TableSetupColumn("target", 0, ctx.px(84));
  ImGui::TableSetupColumn("jog", 0, ctx.px(58));
  ImGui::TableSetupColumn("error", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("force", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableHeadersRow();
  const ArmSnapshot now = desk.now();
  const ToolNumbers measured = as_numbers(now.tool);
  const ToolNumbers goal = as_numbers(now.goal);
  for (std::size_t axis = 0; axis < 6; ++axis) row(ctx, desk, axis, measured, goal);
  ImGui::EndTable();
}

void acting(const ViewContext& ctx, const ArmDesk& desk) {
  std::string list;
  for (const std::string& limit : desk.acting()) list += (list.empty() ? "" : " · ") + limit;
  ImGui::PushStyleColor(ImGuiCol_Text,
                        colour(list.empty() ? ctx.theme().soft : ctx.theme().warning));
  ImGui::TextUnformatted(list.empty() ? "no limit acts" : list.c_str());
  ImGui::PopStyleColor();
}

}  // namespace

void draw_cartesian_tab(const ViewContext& ctx) {
  ArmDesk& desk = ctx.desks.arms;
  if (!desk.has_arms()) {
    ImGui::TextWrapped(
        "This robot's file names no arm. Define one for each part with a tool: `arms`.");
    return;
  }
  arms(ctx, desk);
  modes(ctx, desk);
  draw_zero_g(ctx);
  draw_suppress(ctx);
  ImGui::Spacing();
  ImGui::TextDisabled("In the frame of %s", desk.config().base.empty()
                                                ? "the body of its first joint's mount"
                                                : desk.config().base.c_str());
  poses(ctx, desk);
  acting(ctx, desk);
  jog_settings(ctx, desk);
  ImGui::Separator();
  draw_cartesian_gains(ctx);
  ImGui::Separator();
  draw_interaction(ctx);
}

}  // namespace jointrig::gui
