#include "gui/view/parameter_tab.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "gui/view/law_area.h"
#include "gui/view/swing_band.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr float kWide = 560.0F;  // px at scale 1: a slider has room beside the values

std::string slider_tip(ParameterDesk& desk, JointIndex joint, JointParameter parameter) {
  if (!desk.why_not().empty()) return desk.why_not();
  const Interval range = desk.range(joint, parameter);
  std::string text =
      desk.shown(joint, parameter, range.low) + " to " + desk.shown(joint, parameter, range.high);
  if (is_limit(parameter)) return text + ", what the robot was opened with";
  if (desk.scale(joint, parameter).has_middle()) {
    text += "; in the middle " + desk.shown(joint, parameter, desk.opened(joint, parameter)) +
            ", as opened";
  }
  const double margin = desk.margin(joint, parameter);
  if (margin < range.high) {
    text += ". From " + desk.shown(joint, parameter, margin) +
            " on (amber) its loop swings up with 1.5 times more or less inertia";
  }
  return text;
}

/// Amber where the loop has no margin left, and a mark in the middle.
void scale_marks(const ViewContext& ctx, ParameterDesk& desk, JointIndex joint,
                 JointParameter parameter) {
  const GainScale scale = desk.scale(joint, parameter);
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  // The middle of ImGui's knob goes from here to there.
  const float inset = 2.0F + 0.5F * ImGui::GetStyle().GrabMinSize;
  const auto x_of = [&](double place) {
    return from.x + inset + static_cast<float>(place) * (to.x - from.x - 2.0F * inset);
  };
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const double margin = desk.margin(joint, parameter);
  if (margin < desk.range(joint, parameter).high) {
    draw->AddRectFilled({x_of(scale.place(margin)), to.y - ctx.px(4)}, {to.x, to.y},
                        colour(ctx.theme().warning));
  }
  if (!scale.has_middle()) return;
  const float middle = std::floor(x_of(0.5));
  draw->AddRectFilled({middle, to.y - ctx.px(6)}, {middle + ctx.px(2), to.y},
                      colour(ctx.theme().soft));
}

bool is_past_margin(ParameterDesk& desk, JointIndex joint, JointParameter parameter) {
  return desk.ghost(joint, parameter) > desk.margin(joint, parameter);
}

void slider(const ViewContext& ctx, ParameterDesk& desk, JointIndex joint,
            JointParameter parameter) {
  const GainScale scale = desk.scale(joint, parameter);
  double place = scale.place(desk.ghost(joint, parameter));
  constexpr double kLeft = 0.0;
  constexpr double kRight = 1.0;
  const bool amber = is_past_margin(desk, joint, parameter);
  const ImVec4 knob = colour4(ctx.theme().warning);
  ImGui::BeginDisabled(!desk.why_not().empty());
  ImGui::SetNextItemWidth(-1.0F);
  if (amber) ImGui::PushStyleColor(ImGuiCol_SliderGrab, knob);
  if (amber) ImGui::PushStyleColor(ImGuiCol_SliderGrabActive, knob);
  constexpr ImGuiSliderFlags kFlags = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp;
  if (ImGui::SliderScalar("##slider", ImGuiDataType_Double, &place, &kLeft, &kRight, "", kFlags)) {
    desk.drag(joint, parameter, scale.value(place));
  }
  if (amber) ImGui::PopStyleColor(2);
  if (ImGui::IsItemDeactivatedAfterEdit()) desk.release();
  ImGui::EndDisabled();
  ctx.note("parameter/" + std::string(to_string(parameter)) + "/slider");
  scale_marks(ctx, desk, joint, parameter);
  tip(slider_tip(desk, joint, parameter));
}

/// A value beside the running one: dim where it is the same.
void other_value(const ViewContext& ctx, double value, double now) {
  const bool same = value == now;
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(same ? ctx.theme().soft : ctx.theme().asked));
  ImGui::TextUnformatted(same ? "=" : fmt::format("{:.4g}", value).c_str());
  ImGui::PopStyleColor();
}

/// The value of another column in the unit of the field.
double in_field_unit(ParameterDesk& desk, JointIndex joint, JointParameter parameter,
                     double value) {
  return std::strtod(desk.shown(joint, parameter, value).c_str(), nullptr);
}

void field(const ViewContext& ctx, ParameterDesk& desk, JointIndex joint,
           JointParameter parameter) {
  const bool amber = is_past_margin(desk, joint, parameter);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(amber ? ctx.theme().warning : ctx.theme().text));
  std::string text = desk.shown(joint, parameter, desk.ghost(joint, parameter));
  if (text_field("##value", "", text, -1.0F, true)) desk.type(joint, parameter, text);
  ImGui::PopStyleColor();
  ctx.note("parameter/" + std::string(to_string(parameter)) + "/field");
  if (amber) tip(slider_tip(desk, joint, parameter));
}

void row(const ViewContext& ctx, ParameterDesk& desk, JointIndex joint, JointParameter parameter,
         bool wide) {
  const double now = desk.now(joint, parameter);
  const double opened = desk.opened(joint, parameter);
  const auto other = [&](double value) {
    other_value(ctx, in_field_unit(desk, joint, parameter, value),
                in_field_unit(desk, joint, parameter, now));
  };
  ImGui::PushID(static_cast<int>(parameter));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text,
                        colour(now != opened ? ctx.theme().asked : ctx.theme().text));
  ImGui::TextUnformatted(std::string(to_string(parameter)).c_str());
  ImGui::PopStyleColor();
  if (!wide) slider(ctx, desk, joint, parameter);
  if (wide) {
    ImGui::TableNextColumn();
    slider(ctx, desk, joint, parameter);
  }
  ImGui::TableNextColumn();
  field(ctx, desk, joint, parameter);
  ImGui::TableNextColumn();
  other(desk.in_file(joint, parameter));
  if (wide) ImGui::TableNextColumn();  // else below
  other(opened);
  ImGui::TableNextColumn();
  if (now != opened) {
    if (ImGui::Button("↺")) desk.set(joint, parameter, opened);
    tip("Back to " + desk.shown(joint, parameter, opened));
  }
  ImGui::PopID();
}

void table(const ViewContext& ctx, ParameterDesk& desk, JointIndex joint) {
  const bool wide = ImGui::GetContentRegionAvail().x > ctx.px(kWide);
  if (!ImGui::BeginTable("parameters", wide ? 6 : 4, ImGuiTableFlags_SizingFixedFit)) return;
  if (wide) ImGui::TableSetupColumn("", 0, ctx.px(130));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("running", 0, ctx.px(wide ? 150 : 138));
  ImGui::TableSetupColumn(wide ? "file" : "file, opened", 0, ctx.px(wide ? 62 : 84));
  if (wide) ImGui::TableSetupColumn("opened", 0, ctx.px(62));
  ImGui::TableSetupColumn("", 0, ctx.px(26));
  ImGui::TableHeadersRow();
  for (const JointParameter parameter : kAllJointParameter) {
    row(ctx, desk, joint, parameter, wide);
  }
  ImGui::EndTable();
}

/// A joint that swings by itself.
void swing_line(const ViewContext& ctx, JointIndex joint) {
  const SwingWatch::Report* report = ctx.state.swings.of(joint);
  if (report == nullptr) return;
  ImGui::PushStyleColor(ImGuiCol_Text, colour(ctx.theme().warning));
  ImGui::TextUnformatted(swing_text(ctx, *report).c_str());
  ImGui::PopStyleColor();
}

void changes(const ViewContext& ctx, ParameterDesk& desk) {
  const std::vector<ChangedParameter> changed = desk.changed();
  const std::size_t unwritten = desk.unwritten().size();
  ImGui::TextDisabled("Changed since the robot was opened: %zu", changed.size());
  if (unwritten > 0 && !desk.file.empty()) {
    ImGui::SameLine();
    ImGui::TextDisabled("· not in the file: %zu", unwritten);
  }
  const std::string none = desk.can_undo() ? desk.why_not() : "nothing to undo";
  if (guarded_button("Undo", none, "Undoes the newest change. Ctrl+Z.")) desk.undo();
  ctx.note("parameters/undo");
  ImGui::SameLine();
  if (guarded_button("Undo all", none)) desk.undo_all();
  ctx.note("parameters/undo_all");
  same_line_if_fits(ctx, button_width("Compare with robot.yaml"));
  if (guarded_button("Compare with robot.yaml", desk.why_not_compare(),
                     "Shows the difference before it is written.")) {
    desk.wish = ParameterWish::kCompare;
  }
  ctx.note("parameters/compare");
  for (const ChangedParameter& one : changed) {
    ImGui::Text("%s  %s  %s → %s", ctx.panel.config().joints[one.joint].name.c_str(),
                std::string(to_string(one.parameter)).c_str(),
                desk.shown(one.joint, one.parameter, one.before).c_str(),
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
  swing_line(ctx, joint);
  table(ctx, desk, joint);
  ImGui::Spacing();
  changes(ctx, desk);
  if (!desk.difference.empty()) difference(ctx, desk);
  draw_laws(ctx);
}

}  // namespace jointrig::gui
