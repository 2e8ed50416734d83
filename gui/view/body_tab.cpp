#include "gui/view/body_tab.h"

#include <fmt/core.h>

#include "gui/view/body_messages.h"
#include "gui/view/plot_tools.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

Rgb ink_of(const Theme& theme, const BodyDesk& desk) {
  if (desk.state() == LawState::kFailed || desk.is_falling()) return theme.error;
  return desk.state() == LawState::kRuns ? theme.good : theme.soft;
}

void state(const ViewContext& ctx, BodyDesk& desk) {
  if (guarded_button("Stand", desk.why_not_stand(),
                     "All joints to mode torque, the controller on: it stands where it is.")) {
    desk.stand();
  }
  ctx.note("body/stand");
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(ink_of(ctx.theme(), desk)));
  ImGui::TextWrapped("%s", desk.state_text().c_str());
  ImGui::PopStyleColor();
  ctx.note("body/state");
  const std::string gave_way = desk.gave_way_text();
  if (!gave_way.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour(ctx.theme().warning));
    ImGui::TextWrapped("Gave way: %s", gave_way.c_str());
    ImGui::PopStyleColor();
    ctx.note("body/gave_way");
  }
}

void forces(const ViewContext& ctx, const BodyDesk& desk) {
  ImGui::TextDisabled("Contact forces of the program");
  if (ctx.scene != nullptr) {
    ImGui::SameLine();
    ImGui::Checkbox("balance in the 3D view", &ctx.scene->shows.balance);
    ctx.note("body/balance");
    tip("Hull of the soles, centre of mass with its projection, capture point.");
  }
  if (!ImGui::BeginTable("feet", 2, ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("", 0, ctx.px(110));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  for (const BodyDesk::FootForce& foot : desk.feet()) {
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(foot.name.c_str());
    ImGui::TableNextColumn();
    const std::string text = fmt::format("{:.1f} N", foot.force);
    ImGui::ProgressBar(static_cast<float>(foot.share), {-1.0F, 0.0F}, text.c_str());
    ctx.note("body/force/" + foot.name);
    tip(fmt::format("{:.0f} % of all contact forces", 100.0 * foot.share));
  }
  ImGui::EndTable();
}

/// Where the weight is to be: the law's own parameters. They move the robot: ARMED, which a law's
/// parameters in general don't need.
void shift(const ViewContext& ctx, const BodyDesk& desk) {
  LawDesk& laws = ctx.desks.laws;
  const LawConfig& law = laws.laws()[desk.law()];
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("Shift by");
  for (std::size_t i = 0; i < law.parameters.size(); ++i) {
    ImGui::SameLine();
    ImGui::PushID(static_cast<int>(i));
    std::string text = laws.parameter_text(desk.law(), i);
    if (text_field("##shift", "", text, ctx.px(84), true) &&
        ctx.panel.client.allowed(ctx.panel.client.why_not(Access::kArmed))) {
      laws.type(desk.law(), i, text);
      ctx.panel.client.note_motion();
    }
    ImGui::PopID();
    ctx.note("body/shift/" + law.parameters[i].name);
    tip(law.parameters[i].name +
        ": of the centre of mass; x ahead, y to the left, z up. Enter sends.");
  }
}

void tasks(const ViewContext& ctx, const BodyDesk& desk) {
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
  if (!ImGui::BeginTable("tasks", 3, kFlags)) return;
  ImGui::TableSetupColumn("Task", 0, ctx.px(130));
  ImGui::TableSetupColumn("Error", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("Weight", 0, ctx.px(60));
  ImGui::TableHeadersRow();
  for (const BodyDesk::Task& task : desk.tasks()) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(task.name.c_str());
    ctx.note("body/task/" + task.name);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(task.error.c_str());
    ImGui::TableNextColumn();
    ImGui::Text("%g", task.weight);
    tip("whole_body: " + task.weight_of +
        " of robot.yaml, unless a message has chosen another one");
  }
  ImGui::EndTable();
}

/// Every signal of the controller, by name.
void values(const ViewContext& ctx, BodyDesk& desk) {
  const bool is_open = ImGui::CollapsingHeader("All values");
  ctx.note("body/values");
  if (!is_open) return;
  text_field("##values", "filter: hand, weight, force", desk.values_like, ctx.px(240));
  ctx.note("body/values_like");
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
  if (!ImGui::BeginTable("values", 2, kFlags)) return;
  ImGui::TableSetupColumn("", 0, ctx.px(240));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  for (const BodyDesk::Value& value : desk.values()) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(value.name.c_str());
    ctx.note("body/value/" + value.name);
    plot_at_double_click(ctx, {"law." + std::string(kWholeBodyLaw) + "." + value.name});
    tip(value.meaning + (value.meaning.empty() ? "" : "\n") + "A double click plots it.");
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(value.text.c_str());
  }
  ImGui::EndTable();
}

}  // namespace

void draw_body_tab(const ViewContext& ctx) {
  BodyDesk& desk = ctx.desks.body;
  state(ctx, desk);
  ImGui::Separator();
  draw_body_messages(ctx);
  ImGui::Separator();
  forces(ctx, desk);
  ImGui::Separator();
  shift(ctx, desk);
  tasks(ctx, desk);
  values(ctx, desk);
}

}  // namespace jointrig::gui
