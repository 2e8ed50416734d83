#include "gui/view/joint_buttons.h"

#include <cmath>
#include <string>

#include "gui/view/joint_menu.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

bool act_button(const ViewContext& ctx, JointIndex joint, const char* label, const char* item,
                PanelAct act, const std::string& help) {
  const std::string why = ctx.panel.acts.why_not(act, joint);
  const bool pressed = guarded_button(label, why, help);
  ctx.note("joint/" + joint_name(ctx, joint) + "/" + item);
  return pressed;
}

void idle_button(const ViewContext& ctx, JointIndex joint) {
  // Lit while it asks: the press after that is the answer. Its size stays.
  const auto& question = ctx.panel.acts.question();
  const bool asks = question && question->joint == joint;
  for (const ImGuiCol part : {ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive}) {
    if (asks) ImGui::PushStyleColor(part, colour(ctx.theme().warning));
  }
  if (asks) ImGui::PushStyleColor(ImGuiCol_Text, colour(ctx.theme().window));
  const bool pressed = act_button(
      ctx, joint, "Idle", "idle", PanelAct::kIdle,
      asks ? question->text + "\nOnce more: motor off."
           : std::string("Motor off. Under load it asks first; Shift skips that in simulation."));
  if (asks) ImGui::PopStyleColor(4);
  if (pressed) ctx.panel.acts.idle(joint, ImGui::GetIO().KeyShift);
}

void run_button(const ViewContext& ctx, JointIndex joint) {
  if (act_button(ctx, joint, "Run", "run", PanelAct::kRun,
                 "POSITION, motor on. The interaction mode stays as it is.")) {
    ctx.panel.acts.act(PanelAct::kRun, JointSet{}.set(joint));
  }
}

void force_idle_button(const ViewContext& ctx, JointIndex joint, bool faulted) {
  const Theme& theme = ctx.theme();
  const std::string why = ctx.panel.acts.why_not(PanelAct::kForceIdle, joint);
  const bool lit = faulted && why.empty();
  if (coloured_button(ctx, "Force-idle", lit ? theme.stop : theme.raised,
                      lit ? Rgb{255, 255, 255} : theme.text, {0, 0}, why)) {
    ctx.panel.acts.act(PanelAct::kForceIdle, JointSet{}.set(joint));
  }
  ctx.note("joint/" + joint_name(ctx, joint) + "/force_idle");
}

}  // namespace

const std::string& joint_name(const ViewContext& ctx, JointIndex joint) {
  return ctx.panel.config().joints[joint].name;
}

void box_area(const ViewContext& ctx, JointIndex joint, ImVec2 at, ImVec2 size) {
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("box", size);
  ImGui::SetItemAllowOverlap();
  ctx.note("joint/" + joint_name(ctx, joint) + "/box");
  if (ImGui::IsItemClicked()) ctx.panel.selected = joint;
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    ctx.plots.show_joint(ctx.history, joint);
  }
  // Only when it is dragged: a drag source would take the press from the buttons on it.
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left) &&
      ImGui::BeginDragDropSource()) {
    ImGui::SetDragDropPayload(kDraggedJoint, &joint, sizeof joint);
    ImGui::TextUnformatted(joint_name(ctx, joint).c_str());
    ImGui::EndDragDropSource();
  }
  joint_menu(ctx, joint);
}

void joint_buttons(const ViewContext& ctx, JointIndex joint, ImVec2 at, bool faulted) {
  ImGui::SetCursorScreenPos(at);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ctx.px(3), ctx.px(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ctx.px(5), ctx.px(3)});
  run_button(ctx, joint);
  ImGui::SameLine();
  idle_button(ctx, joint);
  ImGui::SameLine();
  force_idle_button(ctx, joint, faulted);
  ImGui::SameLine();
  if (act_button(ctx, joint, "Home", "home", PanelAct::kHome, "To its home pose.")) {
    ctx.panel.acts.act(PanelAct::kHome, JointSet{}.set(joint));
  }
  ImGui::SameLine();
  if (act_button(ctx, joint, "Cal", "calibrate", PanelAct::kCalibrate,
                 "Calibrate: the joint moves by itself to find its zero.")) {
    ctx.panel.acts.act(PanelAct::kCalibrate, JointSet{}.set(joint));
  }
  ImGui::SameLine();
  joint_menu_button(ctx, joint);
  ImGui::PopStyleVar(2);
}

void measured(const ViewContext& ctx, const JointStatus& status, ImVec2 at, Rgb ink,
              const std::string& text) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  text_at(draw, at, status.silent ? ctx.theme().soft : ink, text);
  if (!status.silent) return;
  const float middle = std::round(at.y + 0.55F * ImGui::GetFontSize());
  draw->AddLine({at.x, middle}, {at.x + width_of(text), middle}, colour(ctx.theme().soft),
                ctx.px(1.5F));
}

}  // namespace jointrig::gui
