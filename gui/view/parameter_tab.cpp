#include "gui/view/parameter_tab.h"

#include <filesystem>

#include "gui/view/law_area.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

void slider(const ViewContext& ctx, ParameterDesk& desk, JointIndex joint,
            JointParameter parameter) {
  const Interval range = desk.range(joint, parameter);
  double value = desk.ghost(joint, parameter);
  ImGui::BeginDisabled(!desk.why_not().empty());
  ImGui::SetNextItemWidth(-1.0F);
  constexpr ImGuiSliderFlags kFlags = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp;
  if (ImGui::SliderScalar("##slider", ImGuiDataType_Double, &value, &range.low, &range.high, "",
                          kFlags)) {
    desk.drag(joint, parameter, value);
  }
  if (ImGui::IsItemDeactivatedAfterEdit()) desk.release();
  ImGui::EndDisabled();
  ctx.note("parameter/" + std::string(to_string(parameter)) + "/slider");
  tip(desk.why_not().empty() ? desk.shown(joint, parameter, range.low) + " to " +
                                   desk.shown(joint, parameter, range.high) +
                                   (is_limit(parameter) ? ", what the robot was opened with" : "")
                             : desk.why_not());
}

void row(const ViewContext& ctx, ParameterDesk& desk, JointIndex joint, JointParameter parameter) {
  const Theme& theme = ctx.theme();
  const std::string name(to_string(parameter));
  const bool changed = desk.now(joint, parameter) != desk.opened(joint, parameter);
  ImGui::PushID(static_cast<int>(parameter));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(changed ? theme.asked : theme.text));
  ImGui::TextUnformatted(name.c_str());
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  slider(ctx, desk, joint, parameter);
  ImGui::TableNextColumn();
  std::string text = desk.shown(joint, parameter, desk.ghost(joint, parameter));
  if (text_field("##value", "", text, -1.0F, true)) desk.type(joint, parameter, text);
  ctx.note("parameter/" + name + "/field");
  ImGui::TableNextColumn();
  if (changed) {
    if (ImGui::Button("↺")) desk.set(joint, parameter, desk.opened(joint, parameter));
    tip("Back to " + desk.shown(joint, parameter, desk.opened(joint, parameter)));
  }
  ImGui::PopID();
}

void table(const ViewContext& ctx, ParameterDesk& desk, JointIndex joint) {
  if (!ImGui::BeginTable("parameters", 4, ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("", 0, ctx.px(130));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("", 0, ctx.px(150));
  ImGui::TableSetupColumn("", 0, ctx.px(26));
  for (const JointParameter parameter : kAllJointParameter) row(ctx, desk, joint, parameter);
  ImGui::EndTable();
}

void changes(const ViewContext& ctx, ParameterDesk& desk) {
  const std::vector<ChangedParameter> changed = desk.changed();
  ImGui::TextDisabled("Changed since the robot was opened: %zu", changed.size());
  const std::string none = desk.can_undo() ? desk.why_not() : "nothing to undo";
  if (guarded_button("Undo", none, "Undoes the newest change. Ctrl+Z.")) desk.undo();
  ctx.note("parameters/undo");
  ImGui::SameLine();
  if (guarded_button("Undo all", none)) desk.undo_all();
  ctx.note("parameters/undo_all");
  ImGui::SameLine();
  if (guarded_button("Compare with robot.yaml", desk.why_not_compare(),
                     "Shows the difference before it is written.")) {
    desk.wish = ParameterWish::kCompare;
  }
  ctx.note("parameters/compare");
  for (const ChangedParameter& one : changed) {
    ImGui::Text("%s  %s  %s → %s", ctx.panel.config().joints[one.joint].name.c_str(),
                std::string(to_string(one.parameter)).c_str(),
                desk.shown(one.joint, one.parameter, one.opened).c_str(),
                desk.shown(one.joint, one.parameter, one.now).c_str());
  }
}

void difference(const ViewContext& ctx, ParameterDesk& desk) {
  const Theme& theme = ctx.theme();
  ImGui::Spacing();
  const std::filesystem::path file = desk.file;
  ImGui::TextDisabled("%s would change:",
                      (file.parent_path().filename() / file.filename()).string().c_str());
  tip(desk.file);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colour(theme.box));
  const float height = ImGui::GetContentRegionAvail().y - ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("difference", {0, height}, false, ImGuiWindowFlags_HorizontalScrollbar);
  std::size_t begin = 0;
  while (begin < desk.difference.size()) {
    const std::size_t end = desk.difference.find('\n', begin);
    const std::string line = desk.difference.substr(begin, end - begin);
    const Rgb ink = line[0] == '+' ? theme.good : line[0] == '-' ? theme.error : theme.soft;
    ImGui::PushStyleColor(ImGuiCol_Text, colour(ink));
    ImGui::TextUnformatted(line.c_str());
    ImGui::PopStyleColor();
    begin = end == std::string::npos ? desk.difference.size() : end + 1;
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
  if (ImGui::Button("Write it")) desk.wish = ParameterWish::kWrite;
  ctx.note("parameters/write");
  ImGui::SameLine();
  if (ImGui::Button("Leave it")) desk.difference.clear();
  ctx.note("parameters/leave");
}

}  // namespace

void draw_parameter_tab(const ViewContext& ctx) {
  ParameterDesk& desk = ctx.desks.parameters;
  const JointIndex joint = ctx.panel.selected;
  if (joint >= ctx.panel.config().joints.size()) return;
  ImGui::PushFont(ctx.fonts.bold);
  ImGui::TextUnformatted(ctx.panel.config().joints[joint].name.c_str());
  ImGui::PopFont();
  table(ctx, desk, joint);
  ImGui::Spacing();
  changes(ctx, desk);
  if (!desk.difference.empty()) difference(ctx, desk);
  draw_laws(ctx);
}

}  // namespace jointrig::gui
