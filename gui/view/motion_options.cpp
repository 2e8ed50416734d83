#include "gui/view/motion_options.h"

#include <fmt/core.h>

#include <array>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr float kNameWidth = 92.0F;  // px at scale 1

/// Two names and two fields on a line.
bool begin_fields(const ViewContext& ctx, const char* id) {
  if (!ImGui::BeginTable(id, 4, ImGuiTableFlags_SizingFixedFit)) return false;
  for (int i = 0; i < 2; ++i) {
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ctx.px(kNameWidth));
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  }
  return true;
}

void name_of_field(const char* name) {
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", name);
  ImGui::TableNextColumn();
}

/// A name and a field that takes its text on Enter.
template <typename Take>
void typed_field(const ViewContext& ctx, const char* name, const char* item, std::string text,
                 const char* help, Take&& take) {
  name_of_field(name);
  ImGui::PushID(item);
  if (text_field("##option", "", text, -1.0F, true)) take(text);
  ImGui::PopID();
  ctx.note(item);
  tip(help);
}

std::string seconds_text(double seconds) { return fmt::format("{:.2f} s", seconds); }

// A tool ----------------------------------------------------------------------------------------

struct BoundField {
  const ToolBound& bound;
  const char* name;
  const char* item;  ///< of the list
  const char* own;   ///< of a waypoint
  const char* help;
};

constexpr std::array<BoundField, 5> kBoundFields{
    {{tool_bounds::kCorner, "corner", "motion/corner", "motion/own/corner",
      "Distance from a waypoint at which an arc begins; 0: the tool stops there."},
     {tool_bounds::kSpeed, "tool speed", "motion/linear_speed", "motion/own/linear_speed",
      "Largest speed of the tool; –: the arm's own."},
     {tool_bounds::kAcceleration, "tool accel.", "motion/linear_acceleration",
      "motion/own/linear_acceleration", "Largest acceleration of the tool; –: the arm's own."},
     {tool_bounds::kTurning, "turning", "motion/rotational_speed", "motion/own/rotational_speed",
      "Largest angular speed of the tool; –: the arm's own."},
     {tool_bounds::kTurningAcceleration, "turn. accel.", "motion/rotational_acceleration",
      "motion/own/rotational_acceleration",
      "Largest angular acceleration of the tool; –: the arm's own."}}};

/// "x of the base", "y of the tool"
std::string freedom_text(FreeRotation free, ToolFrame frame) {
  const std::string word(to_string(free));
  if (free == FreeRotation::kNone) return "none";
  if (free == FreeRotation::kAll) return "all";
  const std::string axis = word.substr(word.size() - 1);
  if (word.size() > 1) return axis + " of the tool";
  return axis + (frame == ToolFrame::kWorld ? " of the world" : " of the base");
}

void free_rotation(const ViewContext& ctx, MotionList& list) {
  name_of_field("free rotation");
  ImGui::SetNextItemWidth(-1.0F);
  if (ImGui::BeginCombo("##free", freedom_text(list.free_rotation, list.frame).c_str())) {
    for (const FreeRotation free : kAllFreeRotation) {
      const bool is_chosen = list.free_rotation == free;
      if (ImGui::Selectable(freedom_text(free, list.frame).c_str(), is_chosen)) {
        list.free_rotation = free;
      }
      ctx.note("motion/free_rotation/" + std::string(to_string(free)));
    }
    ImGui::EndCombo();
  }
  ctx.note("motion/free_rotation");
  tip("Rotation of the tool that its path doesn't hold, for an arm that can't hold all three, or a "
      "tool that needn't. A refusal names one that helps; with \"all\" the place alone counts.");
}

void tool_options(const ViewContext& ctx, MotionTable& table) {
  for (const BoundField& one : kBoundFields) {
    const std::optional<double>& value = table.list.bounds.*one.bound.of;
    const bool is_corner = one.bound.most == nullptr;  // which no arm has of its own
    typed_field(ctx, one.name, one.item,
                shown_or_dash(is_corner ? std::optional(value.value_or(0.0)) : value,
                              one.bound.quantity, one.bound.is_linear),
                one.help, [&](const std::string& text) { table.type_bound(one.bound, text); });
  }
  free_rotation(ctx, table.list);
}

// Any list --------------------------------------------------------------------------------------

void shares(const ViewContext& ctx, MotionTable& table) {
  typed_field(ctx, "speed", "motion/speed", show(table.list.speed, JointQuantity::kDuty, false),
              "Share of each joint's largest speed; a waypoint may have its own.",
              [&](const std::string& text) { table.type_speed(text); });
  typed_field(ctx, "acceleration", "motion/acceleration",
              show(table.list.acceleration, JointQuantity::kDuty, false),
              "Share of each joint's largest acceleration; a waypoint may have its own.",
              [&](const std::string& text) { table.type_acceleration(text); });
}

void tolerances(const ViewContext& ctx, MotionTable& table, bool slides) {
  if (!table.moves(slides) && (slides || !table.list.waypoints.empty())) return;
  struct Tolerance {
    JointNumbers MotionList::*of;
    std::array<const char*, 2> name;  ///< of hinges, of slides
    std::array<const char*, 2> item;
    const char* help;
  };
  constexpr std::array<Tolerance, 2> kTolerances{
      {{&MotionList::goal_tolerance,
        {"goal within", "goal, slides"},
        {"motion/tolerance", "motion/tolerance_slides"},
        "How near each joint has to come to the last waypoint; –: it isn't watched."},
       {&MotionList::path_tolerance,
        {"path within", "path, slides"},
        {"motion/path_tolerance", "motion/path_tolerance_slides"},
        "A joint further from its reference stops the motion; –: it isn't watched."}}};
  for (const Tolerance& one : kTolerances) {
    const std::size_t kind = slides ? 1 : 0;
    typed_field(ctx, one.name.at(kind), one.item.at(kind), table.tolerance_text(one.of, slides),
                one.help,
                [&](const std::string& text) { table.type_tolerance(one.of, slides, text); });
  }
}

void settling(const ViewContext& ctx, MotionTable& table) {
  typed_field(ctx, "settling", "motion/settling", seconds_text(table.list.settling_time),
              "Time for the joints to come within their goal tolerance, after the end.",
              [&](const std::string& text) { table.type_settling(text); });
}

/// Lines of all that has no field.
void said(const ViewContext& ctx, const std::vector<std::string>& lines, const char* item) {
  if (lines.empty()) return;
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "; ") + line;
  ImGui::PushStyleColor(ImGuiCol_Text, colour(ctx.theme().soft));
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
  ctx.note(item);
  tip("Taken from the file that was opened: it is kept, planned, run and saved.");
}

void execution(const ViewContext& ctx, MotionList& list) {
  struct Way {
    PlanExecution execution;
    const char* name;
    const char* help;
  };
  constexpr Way kWays[]{
      {PlanExecution::kInverseDynamics, "inverse dynamics",
       "Joints get position, speed and the torque that the acceleration needs."},
      {PlanExecution::kPosition, "position",
       "Joints get position and speed; they lag while they accelerate."},
      {PlanExecution::kVelocity, "velocity",
       "Joints get a speed alone, into which the error of the position goes; at the end they hold "
       "the position."}};
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("led by");
  for (const Way& way : kWays) {
    ImGui::SameLine();
    if (ImGui::RadioButton(way.name, list.execution == way.execution)) {
      list.execution = way.execution;
    }
    ctx.note("motion/execution/" + std::string(to_string(way.execution)));
    tip(way.help);
  }
}

/// For whoever runs the file that is saved.
void of_a_scenario(const ViewContext& ctx, MotionTable& table) {
  MotionList& list = table.list;
  ImGui::Checkbox("goes on", &list.replaces);
  ctx.note("motion/replaces");
  tip("In a scenario: goes on from the motion that its joints follow, without a stop. Here the "
      "button \"Go on with this\" does.");
  ImGui::SameLine();
  ImGui::Checkbox("waits for its end", &list.waits);
  ctx.note("motion/waits");
  tip("In a scenario: the next step begins once it is at its end.");
  if (!begin_fields(ctx, "of a scenario")) return;
  typed_field(ctx, "timeout", "motion/timeout", list.timeout ? seconds_text(*list.timeout) : "–",
              "In a scenario: how long its end is waited for; –: by its length.",
              [&](const std::string& text) { table.type_timeout(text); });
  ImGui::EndTable();
}

// A waypoint ------------------------------------------------------------------------------------

void own_bounds(const ViewContext& ctx, MotionTable& table, const MotionBounds& own) {
  for (const BoundField& one : kBoundFields) {
    typed_field(
        ctx, one.name, one.own,
        shown_or_dash(own.*one.bound.of, one.bound.quantity, one.bound.is_linear),
        "For this waypoint alone; –: that of the whole motion.",
        [&](const std::string& text) { table.type_own_bound(table.selected, one.bound, text); });
  }
}

void own_tolerance(const ViewContext& ctx, MotionTable& table, bool slides) {
  if (!table.moves(slides)) return;
  typed_field(
      ctx, slides ? "here, slides" : "here within",
      slides ? "motion/own/tolerance_slides" : "motion/own/tolerance",
      table.own_tolerance_text(table.selected, slides),
      "How near each joint has to be as it passes the waypoint; –: it isn't watched.",
      [&](const std::string& text) { table.type_own_tolerance(table.selected, slides, text); });
}

}  // namespace

std::string shown_or_dash(const std::optional<double>& value, JointQuantity quantity, bool slide) {
  return value ? show(*value, quantity, slide) : "–";
}

void draw_own_options(const ViewContext& ctx, MotionTable& table) {
  if (table.waypoint(table.selected) == nullptr) return;
  const MotionWaypoint waypoint = *table.waypoint(table.selected);  // a copy: fields change it
  if (!begin_fields(ctx, "own")) return;
  if (!table.list.is_timed()) {
    typed_field(
        ctx, "acceleration", "motion/own/acceleration",
        shown_or_dash(waypoint.acceleration, JointQuantity::kDuty, false),
        "Share of the joints' largest acceleration on the way to it; –: that of the whole motion.",
        [&](const std::string& text) {
          table.type_own_share(table.selected, &MotionWaypoint::acceleration, text);
        });
  }
  own_tolerance(ctx, table, false);
  own_tolerance(ctx, table, true);
  if (waypoint.tool && table.list.is_of_tool()) own_bounds(ctx, table, waypoint.tool->own);
  ImGui::EndTable();
  said(ctx, said_beside(waypoint, ctx.panel.config()), "motion/said/waypoint");
}

void draw_motion_options(const ViewContext& ctx, MotionTable& table) {
  if (!begin_fields(ctx, "options")) return;
  if (!table.list.is_timed()) shares(ctx, table);
  if (table.list.is_of_tool()) tool_options(ctx, table);
  tolerances(ctx, table, false);
  tolerances(ctx, table, true);
  settling(ctx, table);
  ImGui::EndTable();
  said(ctx, said_beside(table.list), "motion/said");
  ImGui::Checkbox("refuse collisions", &table.list.checks_collisions);
  ctx.note("motion/collisions");
  tip("Refuses a path on which bodies of the robot or its scene come too near.");
  execution(ctx, table.list);
  of_a_scenario(ctx, table);
}

}  // namespace jointrig::gui
