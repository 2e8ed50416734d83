#include "gui/view/gripper_area.h"

#include <algorithm>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

Rgb ink_of(GripperState state, const Theme& theme) {
  switch (state) {
    case GripperState::kGrasped:
      return theme.good;
    case GripperState::kMissed:
    case GripperState::kLost:
    case GripperState::kStalled:
      return theme.error;
    default:
      return theme.soft;
  }
}

/// Filled from the left as it opens; the text stays readable on both parts.
void opening_bar(const ViewContext& ctx, float share, const std::string& text) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 to{from.x + ctx.px(240), from.y + ImGui::GetFrameHeight()};
  const float filled = from.x + std::clamp(share, 0.0F, 1.0F) * (to.x - from.x);
  const float rounding = ImGui::GetStyle().FrameRounding;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(from, to, colour(ctx.theme().raised), rounding);
  draw->AddRectFilled(from, {filled, to.y},
                      colour(mixed(ctx.theme().raised, ctx.theme().accent, 0.45)), rounding);
  text_at(draw, {from.x + ctx.px(8), from.y + ImGui::GetStyle().FramePadding.y}, ctx.theme().text,
          text);
  ImGui::Dummy({to.x - from.x, to.y - from.y});
}

void head(const ViewContext& ctx, const GripperDesk& desk, GripperIndex gripper) {
  ImGui::PushFont(ctx.fonts.bold);
  ImGui::TextUnformatted(("Gripper " + desk.grippers()[gripper].name).c_str());
  ImGui::PopFont();
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(ink_of(desk.state(gripper), ctx.theme())));
  ImGui::TextUnformatted(desk.state_text(gripper).c_str());
  ImGui::PopStyleColor();
  opening_bar(ctx, static_cast<float>(desk.share(gripper)), desk.opening_text(gripper));
  ctx.note("gripper/" + desk.grippers()[gripper].name + "/width");
}

void buttons(const ViewContext& ctx, GripperDesk& desk, GripperIndex gripper) {
  const std::string prefix = "gripper/" + desk.grippers()[gripper].name + "/";
  const std::string why = desk.why_not(gripper);
  if (guarded_button("Open", why)) desk.open(gripper);
  ctx.note(prefix + "open");
  ImGui::SameLine();
  if (guarded_button("Close", why, "Stops at what stands in its way.")) desk.close(gripper);
  ctx.note(prefix + "close");
  ImGui::SameLine();
  if (guarded_button("Grasp", desk.why_no_grasp(gripper),
                     "Closes until it meets an object, then presses with the force beside.")) {
    desk.grasp(gripper);
  }
  ctx.note(prefix + "grasp");
  ImGui::SameLine();
  std::string force = desk.force_text(gripper);
  if (text_field("##force", "force", force, ctx.px(70), true)) desk.type_force(gripper, force);
  tip("With which each fingertip presses.");
  ctx.note(prefix + "force");
  ImGui::SameLine();
  if (ImGui::Button("Stop")) desk.stop(gripper);
  tip("Ends its motion. A grasped object stays grasped.");
  ctx.note(prefix + "stop");
}

}  // namespace

void draw_grippers(const ViewContext& ctx) {
  GripperDesk& desk = ctx.desks.grippers;
  for (std::size_t i = 0; i < desk.grippers().size(); ++i) {
    const auto gripper = static_cast<GripperIndex>(i);
    ImGui::Spacing();
    ImGui::PushID(static_cast<int>(i));
    head(ctx, desk, gripper);
    buttons(ctx, desk, gripper);
    ImGui::PopID();
  }
}

}  // namespace jointrig::gui
