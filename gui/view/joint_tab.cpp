#include "gui/view/joint_tab.h"

#include <fmt/core.h>

#include <algorithm>

#include "control/core/backend_parts.h"
#include "gui/view/gripper_area.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

void row(const char* name, const std::string& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", name);
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(value.c_str());
}

std::string plain(double value, const char* unit) { return fmt::format("{:.4g} {}", value, unit); }

/// A field for a value with its unit; the other value of the pair stays.
void impedance_field(const ViewContext& ctx, JointIndex joint, JointQuantity quantity) {
  const bool slide = ctx.panel.config().joints[joint].slide;
  const JointSnapshot& now = ctx.panel.snapshot().joints[joint];
  const bool is_stiffness = quantity == JointQuantity::kStiffness;
  std::string text = show(is_stiffness ? now.stiffness : now.damping, quantity, slide);
  ImGui::PushID(static_cast<int>(quantity));
  if (text_field("##impedance", "", text, ctx.px(150), true)) {
    const Typed typed = read_typed(text, quantity, slide);
    if (typed.error.empty()) {
      ctx.panel.parameters.set_impedance(joint, is_stiffness ? typed.value : now.stiffness,
                                         is_stiffness ? now.damping : typed.value);
    }
  }
  ctx.note("impedance/" + std::string(to_string(quantity)));
  ImGui::SameLine();
  ImGui::TextDisabled("%s", std::string(to_string(quantity)).c_str());
  ImGui::PopID();
}

/// Buttons that move the joint while they are held.
void jog_buttons(const ViewContext& ctx, JointIndex joint) {
  const std::string why = ctx.panel.acts.why_not(PanelAct::kReference, joint);
  for (const int direction : {-1, 1}) {
    guarded_button(direction < 0 ? "◀ Jog" : "Jog ▶", why,
                   "Moves as long as it is held. Alt+← and Alt+→ do, too.");
    if (ImGui::IsItemActive() && ImGui::IsItemHovered()) ctx.panel.jog.hold(joint, direction);
    ctx.note(direction < 0 ? "jog/back" : "jog/forth");
    ImGui::SameLine();
  }
  ImGui::NewLine();
}

bool has_parts_on_other_backends(const RobotConfig& robot) {
  return std::any_of(robot.joints.begin(), robot.joints.end(),
                     [](const JointConfig& joint) { return joint.backend.has_value(); });
}

void limits_table(const RobotConfig& robot, const JointConfig& c) {
  if (!ImGui::BeginTable("limits", 2)) return;
  if (has_parts_on_other_backends(robot)) {
    row("backend", std::string(to_string(backend_of(robot, c))));
  }
  const auto shown = [&c](double value, JointQuantity quantity) {
    return show(value, quantity, c.slide);
  };
  row("range", shown(c.limits.q_min, JointQuantity::kPosition) + " to " +
                   shown(c.limits.q_max, JointQuantity::kPosition));
  row("soft margin", shown(c.limits.soft_margin, JointQuantity::kPosition));
  row("stream times out after",
      plain(c.timeout.seconds, "s") + ", then " + std::string(to_string(c.timeout.reaction)));
  row("inertia felt", plain(c.gains.inertia, c.slide ? "kg" : "kg·m²"));
  ImGui::EndTable();
}

}  // namespace

void draw_joint_tab(const ViewContext& ctx) {
  const JointIndex joint = ctx.panel.selected;
  if (joint >= ctx.panel.config().joints.size()) return;
  const JointConfig& config = ctx.panel.config().joints[joint];
  ImGui::PushFont(ctx.fonts.bold);
  ImGui::Text("%s  (#%d)", config.name.c_str(), joint);
  ImGui::PopFont();
  ImGui::TextUnformatted(ctx.panel.watch.status(joint).title.c_str());
  jog_buttons(ctx, joint);
  ImGui::Spacing();
  ImGui::TextDisabled("Impedance of COMPLIANT (stored if the mode does not use it)");
  impedance_field(ctx, joint, JointQuantity::kStiffness);
  impedance_field(ctx, joint, JointQuantity::kDamping);
  ImGui::Spacing();
  ImGui::TextDisabled("Set in robot.yaml; gains and the other limits are under Parameters");
  limits_table(ctx.panel.config(), config);
  draw_grippers(ctx);
}

}  // namespace jointrig::gui
