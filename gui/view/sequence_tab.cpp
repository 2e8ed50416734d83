#include "gui/view/sequence_tab.h"

#include <fmt/core.h>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

void playing(const ViewContext& ctx, SequenceDesk& desk) {
  const Theme& theme = ctx.theme();
  if (guarded_button("▶ Run", desk.why_not(false), "From the first pose to the last.")) desk.run();
  ctx.note("sequence/run");
  ImGui::SameLine();
  if (guarded_button("Step", desk.why_not(true), "To the selected pose; then selects the next.")) {
    desk.step();
  }
  ctx.note("sequence/step");
  ImGui::SameLine();
  ImGui::Checkbox("Loop", &desk.loop);
  ctx.note("sequence/loop");
  tip("Repeats from the first pose until it is stopped.");
  ImGui::SameLine();
  if (guarded_button("■ Stop", desk.playing() ? "" : "nothing is played",
                     "Its joints brake and hold.")) {
    desk.stop();
  }
  ctx.note("sequence/stop");
  if (!desk.playing()) return;
  ImGui::SameLine(0, ctx.px(14));
  ImGui::PushStyleColor(ImGuiCol_Text, colour(theme.asked));
  ImGui::Text("%s pose %zu", desk.holding() ? "holds" : "on the way to", desk.row() + 1);
  ImGui::PopStyleColor();
}

void editing(const ViewContext& ctx, SequenceDesk& desk) {
  const std::string none = desk.sequence.poses.empty() ? "record a pose first" : "";
  if (ImGui::Button("● Record pose")) desk.record();
  ctx.note("sequence/record");
  tip("Adds the present positions of this part's joints after the selected pose.");
  ImGui::SameLine();
  if (guarded_button("Again", none, "Replaces the selected pose by a new record."))
    desk.record_again();
  ctx.note("sequence/again");
  ImGui::SameLine();
  if (guarded_button("Copy", none, "Copies the selected pose.")) desk.duplicate();
  ctx.note("sequence/copy");
  ImGui::SameLine();
  if (guarded_button("▲", none, "Moves the selected pose up.")) desk.shift(-1);
  ctx.note("sequence/up");
  ImGui::SameLine();
  if (guarded_button("▼", none, "Moves the selected pose down.")) desk.shift(1);
  ctx.note("sequence/down");
  ImGui::SameLine();
  if (guarded_button("Remove", none)) desk.remove();
  ctx.note("sequence/remove");
}

/// A cell that takes a value on Enter; dim if another cell decides.
bool cell(const ViewContext& ctx, const char* id, std::string& text, bool decides) {
  const Theme& theme = ctx.theme();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(decides ? theme.text : theme.soft));
  const bool entered = text_field(id, "", text, -1.0F, true);
  ImGui::PopStyleColor();
  return entered;
}

void row(const ViewContext& ctx, SequenceDesk& desk, std::size_t i, const PoseCheck& check) {
  const Theme& theme = ctx.theme();
  SequencePose& pose = desk.sequence.poses[i];
  const std::string at = fmt::format("sequence/{}/", i);
  ImGui::PushID(static_cast<int>(i));
  ImGui::TableNextRow();
  const bool lit = desk.playing() && desk.row() == i;
  if (lit) {
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, colour(theme.asked, kLit));
  }
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  if (ImGui::Selectable(fmt::format("{}", i + 1).c_str(), desk.selected == i)) desk.selected = i;
  ctx.note(at + "select");
  ImGui::TableNextColumn();
  text_field("##name", "name", pose.name, -1.0F);
  ImGui::TableNextColumn();
  std::string time = fmt::format("{:.2f} s", pose.timed ? pose.time : check.seconds);
  if (cell(ctx, "##time", time, pose.timed)) desk.type_time(i, time);
  ctx.note(at + "time");
  ImGui::TableNextColumn();
  std::string speed = fmt::format("{:.0f} %", 100.0 * (pose.timed ? check.share : pose.speed));
  if (cell(ctx, "##speed", speed, !pose.timed)) desk.type_speed(i, speed);
  ctx.note(at + "speed");
  ImGui::TableNextColumn();
  std::string hold = fmt::format("{:.2f} s", pose.hold);
  if (cell(ctx, "##hold", hold, true)) desk.type_hold(i, hold);
  ctx.note(at + "hold");
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(lit                     ? theme.text
                                              : check.problem.empty() ? theme.good
                                                                      : theme.error));
  ImGui::TextUnformatted(check.problem.empty() ? "ok" : check.problem.c_str());
  ImGui::PopStyleColor();
  tip(check.problem);
  ImGui::PopID();
}

void table(const ViewContext& ctx, SequenceDesk& desk) {
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_RowBg |
                                     ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit;
  const float height = 0.5F * ImGui::GetContentRegionAvail().y;
  if (!ImGui::BeginTable("poses", 6, kFlags, {0, height})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("", 0, ctx.px(24));
  ImGui::TableSetupColumn("pose", 0, ctx.px(110));
  ImGui::TableSetupColumn("time", 0, ctx.px(64));
  ImGui::TableSetupColumn("speed", 0, ctx.px(56));
  ImGui::TableSetupColumn("hold", 0, ctx.px(64));
  ImGui::TableSetupColumn("check", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableHeadersRow();
  const std::vector<PoseCheck> checks = desk.checks();
  for (std::size_t i = 0; i < desk.sequence.poses.size() && i < checks.size(); ++i) {
    row(ctx, desk, i, checks[i]);
  }
  ImGui::EndTable();
}

/// The joints of the selected pose.
void joints(const ViewContext& ctx, SequenceDesk& desk) {
  if (desk.selected >= desk.sequence.poses.size()) return;
  const SequencePose& pose = desk.sequence.poses[desk.selected];
  ImGui::TextDisabled("Joints of %s", pose.name.c_str());
  ImGui::BeginChild("pose joints");
  if (ImGui::BeginTable("joints", 4)) {
    for (std::size_t i = 0; i < pose.q.size(); ++i) {
      if (!pose.q[i]) continue;
      const JointConfig& config = ctx.panel.config().joints[i];
      ImGui::PushID(static_cast<int>(i));
      ImGui::TableNextColumn();
      ImGui::AlignTextToFramePadding();
      ImGui::TextUnformatted(config.name.c_str());
      ImGui::TableNextColumn();
      std::string q = show(*pose.q[i], JointQuantity::kPosition, config.slide);
      if (cell(ctx, "##q", q, true)) {
        desk.type_position(desk.selected, static_cast<JointIndex>(i), q);
      }
      ctx.note("sequence/joint/" + config.name);
      ImGui::PopID();
    }
    ImGui::EndTable();
  }
  ImGui::EndChild();
}

void file(const ViewContext& ctx, SequenceDesk& desk) {
  text_field("##file", "file.yaml", desk.file, ctx.px(240), true);
  ctx.note("sequence/file");
  ImGui::SameLine();
  if (guarded_button("Save", desk.sequence.poses.empty() ? "record a pose first" : "",
                     "As a scenario, which jointrig run runs.")) {
    desk.wish = FileWish::kSave;
  }
  ctx.note("sequence/save");
  ImGui::SameLine();
  if (ImGui::Button("Open")) desk.wish = FileWish::kOpen;
  ctx.note("sequence/open");
}

}  // namespace

void draw_sequence_tab(const ViewContext& ctx) {
  SequenceDesk& desk = ctx.desks.sequence;
  editing(ctx, desk);
  playing(ctx, desk);
  file(ctx, desk);
  ImGui::Spacing();
  table(ctx, desk);
  joints(ctx, desk);
}

}  // namespace jointrig::gui
