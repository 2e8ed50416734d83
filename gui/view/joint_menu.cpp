#include "gui/view/joint_menu.h"

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr const char* kMenu = "joint menu";
constexpr const char* kButtonMenu = "joint menu of the button";

void colour_square(const ViewContext& ctx, ModeRequest request) {
  const auto mode = as_joint_mode(requested_mode(request));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = ImGui::GetFontSize();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(at, {at.x + side, at.y + side},
                      colour(style_of(mode, ctx.panel.palette).fill));
  if (asks_for_compliance(request)) {
    hatch(draw, at, {at.x + side, at.y + side}, colour(ctx.theme().text, 0.5F), ctx.px(5));
  }
  ImGui::Dummy({side, side});
  ImGui::SameLine();
}

void mode_items(const ViewContext& ctx, JointIndex joint, const std::string& prefix) {
  const JointMode now = ctx.panel.snapshot().joints[joint].mode;
  for (const ModeRequest request : kAllModeRequest) {
    const std::string why = ctx.panel.acts.why_not_mode(request, joint);
    colour_square(ctx, request);
    const bool is_now = request != ModeRequest::kForceIdle && !asks_for_compliance(request) &&
                        as_joint_mode(requested_mode(request)) == now;
    ImGui::BeginDisabled(!why.empty());
    if (ImGui::MenuItem(std::string(to_string(request)).c_str(), nullptr, is_now)) {
      ctx.panel.acts.set_mode(joint, request);
    }
    ctx.note(prefix + std::string(to_string(request)));
    ImGui::EndDisabled();
    tip(why);
  }
}

void interaction_items(const ViewContext& ctx, JointIndex joint, const std::string& prefix) {
  const JointSnapshot& now = ctx.panel.snapshot().joints[joint];
  const std::string why = ctx.panel.acts.why_not(PanelAct::kSetInteraction, joint);
  for (const InteractionMode interaction : kAllInteractionMode) {
    ImGui::BeginDisabled(!why.empty());
    if (ImGui::MenuItem(std::string(to_string(interaction)).c_str(), nullptr,
                        now.interaction == interaction)) {
      ctx.panel.acts.set_interaction(JointSet{}.set(joint), interaction);
    }
    ctx.note(prefix + std::string(to_string(interaction)));
    ImGui::EndDisabled();
    tip(why);
  }
}

void fault_items(const ViewContext& ctx, JointIndex joint, const std::string& prefix) {
  Simulation* simulation = ctx.panel.robot().simulation;
  if (simulation == nullptr || !ImGui::BeginMenu("Inject a fault (simulation)")) {
    ctx.note(prefix + "inject");
    return;
  }
  ctx.note(prefix + "inject");
  const std::vector<std::string> types = simulation->fault_types(joint);
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (ImGui::MenuItem(types[i].c_str())) simulation->inject(joint, i);
    ctx.note(prefix + "inject/" + types[i]);
  }
  if (types.empty()) ImGui::TextDisabled("none: the joint has no simulated board");
  ImGui::Separator();
  if (ImGui::MenuItem("end all of this joint")) simulation->end_faults(joint);
  ctx.note(prefix + "inject/end");
  ImGui::EndMenu();
}

void menu_items(const ViewContext& ctx, JointIndex joint) {
  const std::string& name = ctx.panel.config().joints[joint].name;
  const std::string prefix = "menu/";
  ImGui::PushFont(ctx.fonts.bold);
  ImGui::TextUnformatted(name.c_str());
  ImGui::PopFont();
  ImGui::Separator();
  ImGui::TextDisabled("Control mode");
  mode_items(ctx, joint, prefix);
  ImGui::Separator();
  ImGui::TextDisabled("Interaction");
  interaction_items(ctx, joint, prefix);
  ImGui::Separator();
  if (ImGui::MenuItem("Plot this joint")) {
    ctx.plots.show_joint(ctx.history, joint);
    ctx.state.side = SideTab::kPlots;
  }
  ctx.note(prefix + "plot");
  fault_items(ctx, joint, prefix);
}

}  // namespace

void joint_menu(const ViewContext& ctx, JointIndex joint) {
  if (!ImGui::BeginPopupContextItem(kMenu)) return;
  ctx.panel.selected = joint;
  menu_items(ctx, joint);
  ImGui::EndPopup();
}

void joint_menu_button(const ViewContext& ctx, JointIndex joint) {
  if (ImGui::Button("…")) ImGui::OpenPopup(kButtonMenu);
  ctx.note("joint/" + ctx.panel.config().joints[joint].name + "/menu");
  tip("Modes, interaction, plots. A right click on the box does the same.");
  if (!ImGui::BeginPopup(kButtonMenu)) return;
  ctx.panel.selected = joint;
  menu_items(ctx, joint);
  ImGui::EndPopup();
}

}  // namespace jointrig::gui
