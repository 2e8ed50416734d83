#include "gui/view/motion_tab.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "gui/view/motion_options.h"
#include "gui/view/speed_slider.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr float kMostRows = 6.0F;   // of the table at once: more are scrolled to
constexpr float kPosition = 70.0F;  // px at scale 1: least width of a field

// Recording -------------------------------------------------------------------------------------

void kind(const ViewContext& ctx, MotionTable& table, const std::string& name, ArmIndex arm) {
  ImGui::SameLine();
  const std::string why = table.why_not_choose(arm);
  ImGui::BeginDisabled(!why.empty());
  if (ImGui::RadioButton((name + "##kind").c_str(), table.list.arm == arm)) table.choose(arm);
  ImGui::EndDisabled();
  ctx.note("motion/kind/" + name);
  tip(!why.empty() ? why
      : arm == kNoArm
          ? "Waypoints are positions of the shown part's joints."
          : "Waypoints are poses of its tool, which goes straight from one to the next.");
}

void kinds(const ViewContext& ctx, MotionTable& table) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("Through");
  kind(ctx, table, "joints", kNoArm);
  const std::vector<ArmConfig>& arms = ctx.panel.config().arms;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    kind(ctx, table, "tool of " + arms[i].name, static_cast<ArmIndex>(i));
  }
}

void recording(const ViewContext& ctx, MotionTable& table) {
  const std::string none = table.list.waypoints.empty() ? "record a waypoint first" : "";
  if (guarded_button(
          "● Record here", table.why_not_record(),
          "Adds where the " + table.kind_text() + " is now, after the selected waypoint.")) {
    table.record();
  }
  ctx.note("motion/record");
  struct Edit {
    const char* label;
    const char* item;
    const char* help;
    void (*act)(MotionTable&);
  };
  constexpr Edit kEdits[]{
      {"Here", "motion/again", "Replaces the selected waypoint's place by where the robot is.",
       [](MotionTable& t) { t.record_again(); }},
      {"Copy", "motion/copy", "Inserts the selected waypoint once more.",
       [](MotionTable& t) { t.duplicate(); }},
      {"▲", "motion/up", "Moves the selected waypoint up.", [](MotionTable& t) { t.shift(-1); }},
      {"▼", "motion/down", "Moves the selected waypoint down.", [](MotionTable& t) { t.shift(1); }},
      {"Remove", "motion/remove", "", [](MotionTable& t) { t.remove(); }}};
  for (const Edit& edit : kEdits) {
    ImGui::SameLine();
    if (guarded_button(edit.label, none, edit.help)) edit.act(table);
    ctx.note(edit.item);
  }
}

// Plan and run ----------------------------------------------------------------------------------

void planning(const ViewContext& ctx, MotionDesk& desk) {
  if (desk.state() == MotionState::kPlanning) {
    if (ImGui::Button("Cancel")) desk.cancel();
    ctx.note("motion/cancel");
    const std::optional<double> share = desk.progress();
    if (!share) return;
    ImGui::SameLine();
    ImGui::ProgressBar(static_cast<float>(*share), {ctx.px(90), 0});
    return;
  }
  const bool goes_on = desk.can_replace();
  if (guarded_button(goes_on ? "Go on with this" : "Plan", desk.why_not_plan(),
                     goes_on ? "Plans the waypoints from the motion that is followed; what passes "
                               "the checks goes on from it without a stop."
                             : "Makes the path and checks all of it; nothing moves.")) {
    desk.plan();
  }
  ctx.note("motion/plan");
}

void running(const ViewContext& ctx, MotionDesk& desk) {
  planning(ctx, desk);
  ImGui::SameLine();
  if (guarded_button("▶ Run", desk.why_not_run(), "Through all waypoints.")) desk.run();
  ctx.note("motion/run");
  ImGui::SameLine();
  if (guarded_button("■ Stop", desk.running() ? "" : "nothing is followed",
                     "Its joints slow down along the path, and hold.")) {
    desk.stop();
  }
  ctx.note("motion/stop");
  ImGui::SameLine();
  draw_speed_slider(ctx, std::max(ctx.px(70), ImGui::GetContentRegionAvail().x), "motion/override");
}

Rgb ink_of(const Theme& theme, const MotionDesk& desk) {
  if (desk.running()) return theme.asked;
  switch (desk.state()) {
    case MotionState::kRefused:
      return theme.error;
    case MotionState::kPassed:
      return theme.good;
    default:
      return theme.soft;
  }
}

void status(const ViewContext& ctx, const MotionDesk& desk) {
  const std::string text = desk.status_text();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(ink_of(ctx.theme(), desk)));
  ImGui::TextWrapped("%s", text.empty()
                               ? "Move the robot where it is to pass, and record each place."
                               : text.c_str());
  ImGui::PopStyleColor();
  ctx.note("motion/status");
}

// Waypoints -------------------------------------------------------------------------------------

/// The plan's answer on a waypoint: its time, or that it is refused.
void verdict(const ViewContext& ctx, const MotionDesk& desk, std::size_t row, bool is_lit) {
  const Theme& theme = ctx.theme();
  std::string words = "–";
  Rgb ink = theme.soft;
  if (desk.refused_row() == row) {
    words = "✗ refused";
    ink = theme.error;
  } else if (const MotionAnswer* answer = desk.answer(); answer != nullptr && desk.is_current() &&
                                                         answer->has_passed() &&
                                                         row < answer->times.size()) {
    words = fmt::format("{:.2f} s", answer->times[row]);
    ink = theme.good;
  }
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(is_lit ? theme.text : ink));
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopStyleColor();
  if (desk.refused_row() == row) tip(desk.status_text());
}

void row(const ViewContext& ctx, MotionDesk& desk, std::size_t i) {
  const Theme& theme = ctx.theme();
  MotionWaypoint& waypoint = desk.table.list.waypoints[i];
  const std::string at = fmt::format("motion/{}/", i);
  ImGui::PushID(static_cast<int>(i));
  ImGui::TableNextRow();
  const bool is_lit = desk.running_row() == i;
  if (is_lit) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, colour(theme.asked, kLit));
  if (desk.refused_row() == i) {
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, colour(theme.error, kLit));
  }
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  if (ImGui::Selectable(fmt::format("{}", i + 1).c_str(), desk.table.selected == i)) {
    desk.table.selected = i;
  }
  ctx.note(at + "select");
  ImGui::TableNextColumn();
  text_field("##label", "label", waypoint.label, -1.0F);
  ctx.note(at + "label");
  ImGui::TableNextColumn();
  if (waypoint.time) {
    std::string time = fmt::format("{:.2f} s", *waypoint.time);
    if (text_field("##time", "", time, -1.0F, true)) desk.table.type_time(i, time);
    ctx.note(at + "time");
    tip("When the joints are there, from the start.");
  } else {
    std::string speed = shown_or_dash(waypoint.speed, JointQuantity::kDuty, false);
    if (text_field("##speed", "", speed, -1.0F, true)) {
      desk.table.type_own_share(i, &MotionWaypoint::speed, speed);
    }
    ctx.note(at + "speed");
    tip("Share of the joints' largest speed on the way to it; –: that of the whole motion.");
  }
  ImGui::TableNextColumn();
  verdict(ctx, desk, i, is_lit);
  ImGui::PopID();
}

void waypoints(const ViewContext& ctx, MotionDesk& desk) {
  const std::size_t count = desk.table.list.waypoints.size();
  if (count == 0) return;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_RowBg |
                                     ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit;
  const float line = ImGui::GetFrameHeight() + 2.0F * ImGui::GetStyle().CellPadding.y;
  const float rows = std::min(static_cast<float>(count), kMostRows);
  if (!ImGui::BeginTable("waypoints", 4, kFlags, {0, line * (rows + 1.0F)})) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("", 0, ctx.px(24));
  ImGui::TableSetupColumn("waypoint", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn(desk.table.list.is_timed() ? "time" : "speed", 0, ctx.px(70));
  ImGui::TableSetupColumn("passed at", 0, ctx.px(80));
  ImGui::TableHeadersRow();
  for (std::size_t i = 0; i < count; ++i) row(ctx, desk, i);
  ImGui::EndTable();
}

/// Width of the widest name of the waypoint's joints.
float names_width(const ViewContext& ctx, const MotionWaypoint& waypoint) {
  float widest = 0.0F;
  for (std::size_t i = 0; i < waypoint.q.size(); ++i) {
    if (waypoint.q[i]) widest = std::max(widest, width_of(ctx.panel.config().joints[i].name));
  }
  return widest;
}

/// Two joints stand side by side where their names and fields have room.
bool begin_joints(const ViewContext& ctx, const MotionWaypoint& waypoint, bool has_speeds) {
  const float name = names_width(ctx, waypoint);
  const float cell = ImGui::GetStyle().CellPadding.x * 2.0F;
  const float pair = name + ctx.px(kPosition) + 2.0F * cell;
  const bool two = !has_speeds && 2.0F * pair <= ImGui::GetContentRegionAvail().x;
  const int fields = has_speeds ? 2 : 1;
  const int pairs = two ? 2 : 1;
  if (!ImGui::BeginTable("joints", pairs * (1 + fields))) return false;
  for (int i = 0; i < pairs; ++i) {
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, name);
    for (int field = 0; field < fields; ++field) {
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    }
  }
  return true;
}

void joints(const ViewContext& ctx, MotionTable& table, const MotionWaypoint& waypoint) {
  const bool has_speeds = !table.list.is_of_tool() && !table.list.waypoints.front().v.empty();
  if (!table.has_joints() || !begin_joints(ctx, waypoint, has_speeds)) return;
  for (std::size_t i = 0; i < waypoint.q.size(); ++i) {
    if (!waypoint.q[i]) continue;
    const JointConfig& config = ctx.panel.config().joints[i];
    ImGui::PushID(static_cast<int>(i));
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(config.name.c_str());
    ctx.note("motion/name/" + config.name);
    ImGui::TableNextColumn();
    std::string q = show(*waypoint.q[i], JointQuantity::kPosition, config.slide);
    if (text_field("##q", "", q, -1.0F, true)) {
      table.type_position(table.selected, static_cast<JointIndex>(i), q);
    }
    ctx.note("motion/joint/" + config.name);
    if (has_speeds) {
      ImGui::TableNextColumn();
      const double there = i < waypoint.v.size() ? waypoint.v[i].value_or(0.0) : 0.0;
      std::string v = show(there, JointQuantity::kVelocity, config.slide);
      if (text_field("##v", "", v, -1.0F, true)) {
        table.type_velocity(table.selected, static_cast<JointIndex>(i), v);
      }
      ctx.note("motion/velocity/" + config.name);
      tip("Its speed there.");
    }
    ImGui::PopID();
  }
  ImGui::EndTable();
}

/// "x" and "roll", or "by x" and "turn x" from the waypoint before.
std::string pose_name(const MotionPose& tool, std::size_t place) {
  if (!is_relative(tool, is_linear(place))) return std::string(number_name(place));
  return (is_linear(place) ? "by " : "turn ") + std::string(number_name(place % kToolLengths));
}

void pose(const ViewContext& ctx, MotionTable& table, const MotionPose& tool) {
  const std::array<double, 6> numbers = shown_numbers(tool);
  if (!ImGui::BeginTable("pose", 6, ImGuiTableFlags_SizingFixedFit)) return;
  const bool has_long_names = is_relative(tool, false);
  for (int i = 0; i < 3; ++i) {
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed,
                            ctx.px(has_long_names ? 52.0F : 36.0F));
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string name(number_name(i));
    ImGui::PushID(static_cast<int>(i));
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(pose_name(tool, i).c_str());
    ImGui::TableNextColumn();
    std::string text = show(numbers[i], JointQuantity::kPosition, is_linear(i));
    const bool is_free = !is_linear(i) && !table.list.holds_rotation();
    ImGui::BeginDisabled(is_free);
    if (text_field("##pose", "", text, -1.0F, true)) table.type_tool(table.selected, i, text);
    ImGui::EndDisabled();
    ctx.note("motion/tool/" + name);
    if (is_free) tip("Every rotation is free: the path holds the place alone.");
    ImGui::PopID();
  }
  ImGui::EndTable();
  bool has_posture = table.has_joints();
  if (ImGui::Checkbox("posture", &has_posture)) table.set_posture(has_posture);
  ctx.note("motion/posture");
  tip("Joint positions that the arm is to be near to from here on: now, those that it has.");
}

/// Numbers of the selected waypoint.
void numbers(const ViewContext& ctx, MotionTable& table) {
  if (table.selected >= table.list.waypoints.size()) return;
  // A copy: the posture may go while it is drawn.
  const MotionWaypoint selected = table.list.waypoints[table.selected];
  ImGui::TextDisabled("Waypoint %zu", table.selected + 1);
  if (selected.tool) pose(ctx, table, *selected.tool);
  joints(ctx, table, selected);
  draw_own_options(ctx, table);
}

void file(const ViewContext& ctx, MotionDesk& desk) {
  text_field("##file", "file.yaml", desk.file, ctx.px(220), true);
  ctx.note("motion/file");
  ImGui::SameLine();
  if (guarded_button("Save", desk.table.list.waypoints.empty() ? "record a waypoint first" : "",
                     "As a scenario with one trajectory, which jointrig run runs.")) {
    desk.wish = FileWish::kSave;
  }
  ctx.note("motion/save");
  ImGui::SameLine();
  if (ImGui::Button("Open")) desk.wish = FileWish::kOpen;
  ctx.note("motion/open");
}

}  // namespace

void draw_motion_tab(const ViewContext& ctx) {
  MotionDesk& desk = ctx.desks.motion;
  kinds(ctx, desk.table);
  recording(ctx, desk.table);
  running(ctx, desk);
  status(ctx, desk);
  file(ctx, desk);
  waypoints(ctx, desk);
  numbers(ctx, desk.table);
  ImGui::Separator();
  draw_motion_options(ctx, desk.table);
}

}  // namespace jointrig::gui
