#include "gui/view/fault_card.h"

#include <fmt/core.h>

#include "gui/panel/fault_text.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

void line(const ViewContext& ctx, const char* label, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour(ctx.theme().soft));
  ImGui::TextUnformatted(label);
  ImGui::PopStyleColor();
  ImGui::SameLine(ctx.px(110));
  ImGui::PushTextWrapPos(0.0F);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
}

void step(const ViewContext& ctx, bool done, const char* text) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour(done ? ctx.theme().good : ctx.theme().soft));
  ImGui::TextUnformatted(done ? "✔" : "○");
  ImGui::PopStyleColor();
  ImGui::SameLine();
  ImGui::TextUnformatted(text);
}

void recovery(const ViewContext& ctx, JointIndex joint, JointMode mode) {
  MotorPanel& panel = ctx.panel;
  const std::string& name = panel.config().joints[joint].name;
  const bool out = mode != JointMode::kHwFault;
  step(ctx, out, "the cause is gone, and Force-idle has cleared the fault");
  step(ctx, out && mode == JointMode::kPosition, "Run: motor on, the joint holds its position");
  ImGui::Spacing();
  if (guarded_button("Force-idle", panel.acts.why_not(PanelAct::kForceIdle, joint),
                     "Clears the fault if its cause is gone; the joint is then idle.")) {
    panel.acts.act(PanelAct::kForceIdle, JointSet{}.set(joint));
  }
  ctx.note("fault/" + name + "/force_idle");
  ImGui::SameLine();
  if (guarded_button("Run", panel.acts.why_not(PanelAct::kRun, joint))) {
    panel.acts.act(PanelAct::kRun, JointSet{}.set(joint));
  }
  ctx.note("fault/" + name + "/run");
}

void buttons(const ViewContext& ctx, JointIndex joint, const FaultRecord& record) {
  const std::string& name = ctx.panel.config().joints[joint].name;
  if (ImGui::Button("Show 1 s before")) {
    const double at = ctx.history.history_time(record.since_ns);
    ctx.plots.show_joint(ctx.history, joint);
    ctx.plots.time.show({at - 1.0, at + 0.2});
    ctx.state.side = SideTab::kPlots;
  }
  ctx.note("fault/" + name + "/show");
  ImGui::SameLine();
  if (record.acknowledged) {
    ImGui::TextDisabled("acknowledged");
  } else if (ImGui::Button("Acknowledge")) {
    ctx.panel.watch.acknowledge(joint);
  }
  ctx.note("fault/" + name + "/acknowledge");
}

void card(const ViewContext& ctx, JointIndex joint, const FaultRecord& record) {
  const JointConfig& config = ctx.panel.config().joints[joint];
  const JointMode mode = ctx.panel.snapshot().joints[joint].mode;
  const Theme& theme = ctx.theme();
  ImGui::PushStyleColor(ImGuiCol_Text,
                        colour(mode == JointMode::kHwFault ? theme.error : theme.text));
  ImGui::PushFont(ctx.fonts.bold);
  ImGui::TextWrapped("%s: %s", config.name.c_str(),
                     std::string(describe(record.fault.code)).c_str());
  ImGui::PopFont();
  ImGui::PopStyleColor();
  line(ctx, "measured", fault_text(record.fault, config.slide));
  line(ctx, "first",
       fmt::format("{:.3f} s, cycle {}, {}", to_seconds(record.since_ns), record.fault.cycle,
                   ago_text(to_seconds(ctx.panel.snapshot().time_ns - record.since_ns))));
  if (record.count > 1) line(ctx, "times", fmt::format("{}", record.count));
  line(ctx, "done about it", "motor off, mode HARDWARE FAULT; the other joints go on");
  line(ctx, "likely", std::string(likely_causes(record.fault.code)));
  ImGui::Spacing();
  recovery(ctx, joint, mode);
  ImGui::SameLine();
  buttons(ctx, joint, record);
}

void silent_card(const ViewContext& ctx, const SilentGroup& group) {
  MotorPanel& panel = ctx.panel;
  ImGui::PushStyleColor(ImGuiCol_Text, colour(ctx.theme().error));
  ImGui::PushFont(ctx.fonts.bold);
  ImGui::TextWrapped("%s", group.title.c_str());
  ImGui::PopFont();
  ImGui::PopStyleColor();
  const double age = to_seconds(panel.snapshot().time_ns - group.since_ns);
  line(ctx, "measured",
       fmt::format("nothing {}: since {:.3f} s", silent_for_text(age), to_seconds(group.since_ns)));
  const bool is_one = group.joints.size() == 1;
  line(ctx, "done about it",
       fmt::format("no command reaches {}; whether a motor is on can't be known from here",
                   is_one ? "it" : "them"));
  line(ctx, "likely", group.likely);
  line(ctx, "then", "a board that is back has its motor off: Force-idle, then Run");
  ImGui::Spacing();
  JointSet joints;
  for (const JointIndex joint : group.joints) joints.set(joint);
  const std::string why = panel.acts.why_not(PanelAct::kForceIdle, group.joints.front());
  if (guarded_button(is_one ? "Force-idle it" : "Force-idle them", why,
                     "Asks for each to be set up again.")) {
    panel.acts.act(PanelAct::kForceIdle, joints);
  }
  ctx.note("silent/" + panel.config().joints[group.joints.front()].name + "/force_idle");
  ImGui::Separator();
}

}  // namespace

void draw_fault_cards(const ViewContext& ctx) {
  bool any = false;
  for (const SilentGroup& group : ctx.panel.watch.silent_groups()) {
    any = true;
    ImGui::PushID(group.title.c_str());
    silent_card(ctx, group);
    ImGui::PopID();
  }
  const auto cards = [&](bool present) {
    for (std::size_t i = 0; i < ctx.panel.config().joints.size(); ++i) {
      const auto joint = static_cast<JointIndex>(i);
      const FaultRecord& record = ctx.panel.watch.fault_record(joint);
      const bool is_present = ctx.panel.snapshot().joints[i].mode == JointMode::kHwFault;
      if (record.count == 0 || is_present != present) continue;
      if (ctx.panel.watch.is_silent(joint)) continue;  // on the card of their cause
      any = true;
      ImGui::PushID(static_cast<int>(i));
      card(ctx, joint, record);
      ImGui::PopID();
      ImGui::Separator();
    }
  };
  cards(true);
  cards(false);
  if (!any) ImGui::TextDisabled("No fault since the panel opened.");
}

}  // namespace jointrig::gui
