#include "gui/view/cartesian_gains.h"

#include <fmt/core.h>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr ImGuiSliderFlags kSlider = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp;

/// @returns true if the hand moved it
bool slider(const ViewContext& ctx, ArmDesk& desk, double& value, double most, const char* format,
            const std::string& name) {
  const std::string why = desk.why_not(ArmAct::kGain);
  const double least = 0.0;
  ImGui::BeginDisabled(!why.empty());
  ImGui::SetNextItemWidth(-1.0F);
  const bool moved =
      ImGui::SliderScalar("##slider", ImGuiDataType_Double, &value, &least, &most, format, kSlider);
  const bool let_go = ImGui::IsItemDeactivatedAfterEdit();
  ImGui::EndDisabled();
  ctx.note("arm/" + name + "/slider");
  tip(why);
  if (moved) return true;
  if (let_go) desk.release();
  return false;
}

void stiffness(const ViewContext& ctx, ArmDesk& desk, std::size_t axis) {
  const std::string name = "stiffness/" + std::string(axis_name(axis));
  const auto shown = [axis](double value) {
    return show(value, JointQuantity::kStiffness, is_linear(axis));
  };
  ImGui::PushID(name.c_str());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(axis_name(axis).data());
  ImGui::TableNextColumn();
  double value = desk.stiffness(axis);
  if (slider(ctx, desk, value, desk.config().stiffness_max[axis], "", name)) {
    desk.drag_stiffness(axis, value);
  }
  ImGui::TableNextColumn();
  std::string text = shown(desk.stiffness(axis));
  ImGui::BeginDisabled(!desk.why_not(ArmAct::kGain).empty());
  if (text_field("##value", "", text, -1.0F, true)) desk.type_stiffness(axis, text);
  ImGui::EndDisabled();
  ctx.note("arm/" + name + "/field");
  tip("0 to " + shown(desk.config().stiffness_max[axis]) + ", along the axes of the " +
      std::string(to_string(desk.config().frame)));
  ImGui::PopID();
}

void damping(const ViewContext& ctx, ArmDesk& desk) {
  ImGui::PushID("damping");
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("damping");
  ImGui::TableNextColumn();
  double ratio = desk.damping_ratio();
  if (slider(ctx, desk, ratio, ArmDesk::most_damping_ratio(), "", "damping_ratio")) {
    desk.drag_damping_ratio(ratio);
  }
  ImGui::TableNextColumn();
  if (desk.damping_ratio() > 0.0) {
    ImGui::Text("ratio %.2f", desk.damping_ratio());
  } else {
    ImGui::TextDisabled("in numbers, or none");
  }
  ImGui::PopID();
}

void gains(const ViewContext& ctx, ArmDesk& desk) {
  if (!ImGui::BeginTable("gains", 3, ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("", 0, ctx.px(70));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("", 0, ctx.px(120));
  for (std::size_t axis = 0; axis < 6; ++axis) stiffness(ctx, desk, axis);
  damping(ctx, desk);
  ImGui::EndTable();
}

void terms(const ViewContext& ctx, ArmDesk& desk) {
  const std::string why = desk.why_not(ArmAct::kWeigh);
  const ArmTerms now = desk.now().terms;
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("Terms");
  for (const ArmTerm term : kAllArmTerm) {
    if (!is_switched(term)) continue;
    const std::string name(to_string(term));
    bool on = now.has(term);
    ImGui::SameLine();
    ImGui::BeginDisabled(!why.empty());
    if (ImGui::Checkbox(name.c_str(), &on)) desk.set_term(term, on);
    ImGui::EndDisabled();
    ctx.note("arm/term/" + name);
    tip(why);
  }
  if (guarded_button("Posture from here", desk.why_not(ArmAct::kMove),
                     "Takes the joints' present positions as the posture.")) {
    desk.posture_here();
  }
  ctx.note("arm/posture");
}

void payload(const ViewContext& ctx, ArmDesk& desk) {
  const KnownPayload known = desk.now().payload;
  const std::string why = desk.why_not(ArmAct::kWeigh);
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("Payload");
  for (std::size_t place = 0; place < 4; ++place) {
    const bool is_mass = place == 0;
    std::string text = is_mass ? show(known.mass, JointQuantity::kMass, true)
                               : show(known.centre[place - 1], JointQuantity::kPosition, true);
    ImGui::PushID(static_cast<int>(place));
    ImGui::SameLine();
    ImGui::BeginDisabled(!why.empty());
    if (text_field("##payload", "", text, ctx.px(92), true)) desk.type_payload(place, text);
    ImGui::EndDisabled();
    ctx.note(fmt::format("arm/payload/{}", place));
    tip(why.empty()
            ? (is_mass ? "Its mass"
                       : "Its centre in the flange frame, " + std::string(axis_name(place - 1)))
            : why);
    ImGui::PopID();
  }
}

}  // namespace

void draw_cartesian_gains(const ViewContext& ctx) {
  ArmDesk& desk = ctx.desks.arms;
  ImGui::TextDisabled("Stiffness and damping");
  gains(ctx, desk);
  terms(ctx, desk);
  payload(ctx, desk);
}

}  // namespace jointrig::gui
