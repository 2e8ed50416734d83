#include "gui/view/cartesian_guide.h"

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

void zero_g(const ViewContext& ctx, GuideDesk& desk) {
  const std::string why = desk.why_not_guide();
  guarded_button("Zero-G##cuff", why,
                 "While it is held a hand guides the arm, which carries its own weight; let "
                 "go, and the arm continues as before, from its position.");
  if (ImGui::IsItemActive() && ImGui::IsItemHovered() && why.empty()) desk.hold();
  ctx.note("guide/cuff");
  ImGui::SameLine();
  ImGui::TextUnformatted(desk.state().c_str());
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("Free");
  for (std::size_t axis = 0; axis < 6; ++axis) {
    const std::string name(axis_name(axis));
    bool free = desk.is_free(axis);
    ImGui::SameLine();
    ImGui::BeginDisabled(!why.empty());
    if (ImGui::Checkbox((name + "##free").c_str(), &free)) desk.set_free(axis, free);
    ImGui::EndDisabled();
    ctx.note("guide/free/" + name);
    tip(why.empty() ? "Axes that a hand moves while the arm is guided; the other axes hold." : why);
  }
}

void axis_row(const ViewContext& ctx, GuideDesk& desk, std::size_t axis) {
  const std::string name(axis_name(axis));
  InteractionAxis& mode = desk.form().axes[axis];
  ImGui::PushID(static_cast<int>(axis));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(name.c_str());
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1.0F);
  if (ImGui::BeginCombo("##mode", to_string(mode).data())) {
    for (const InteractionAxis one : kAllInteractionAxis) {
      if (ImGui::Selectable(to_string(one).data(), mode == one)) mode = one;
      ctx.note("guide/mode/" + name + "/" + std::string(to_string(one)));
    }
    ImGui::EndCombo();
  }
  ctx.note("guide/mode/" + name);
  ImGui::TableNextColumn();
  std::string text = show(desk.form().force[axis], JointQuantity::kTorque, is_linear(axis));
  ImGui::BeginDisabled(mode == InteractionAxis::kImpedance);
  if (text_field("##force", "", text, -1.0F, true)) desk.type_force(axis, text);
  ImGui::EndDisabled();
  ctx.note("guide/force/" + name);
  tip(mode == InteractionAxis::kImpedance ? "Impedance has neither force nor limit."
                                          : "Force to press with, or force limit.");
  ImGui::PopID();
}

void interaction(const ViewContext& ctx, GuideDesk& desk) {
  ImGui::TextDisabled("Interaction control%s", desk.active() ? ": on" : "");
  if (ImGui::BeginTable("interaction", 3, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableSetupColumn("", 0, ctx.px(42));
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("", 0, ctx.px(110));
    for (std::size_t axis = 0; axis < 6; ++axis) axis_row(ctx, desk, axis);
    ImGui::EndTable();
  }
  const std::string why = desk.why_not_apply();
  if (guarded_button("Apply##interaction", why,
                     "Sends all six axes, with the arm's present stiffness.")) {
    desk.apply();
  }
  ctx.note("guide/apply");
  ImGui::SameLine();
  const std::string off = why.empty() && !desk.active() ? "it is off" : why;
  if (guarded_button("Off##interaction", off, "Impedance along all axes, as before.")) desk.off();
  ctx.note("guide/off");
  for (const ToolFrame frame : kAllToolFrame) {
    ImGui::SameLine();
    const std::string name(to_string(frame));
    if (ImGui::RadioButton((name + "##frame").c_str(), desk.form().frame == frame)) {
      desk.form().frame = frame;
    }
    ctx.note("guide/frame/" + name);
    tip("Frame of these axes");
  }
}

}  // namespace

void draw_zero_g(const ViewContext& ctx) { zero_g(ctx, ctx.desks.guide); }

void draw_interaction(const ViewContext& ctx) { interaction(ctx, ctx.desks.guide); }

}  // namespace jointrig::gui
