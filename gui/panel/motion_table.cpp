#include "gui/panel/motion_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "control/core/text.h"
#include "gui/panel/quantity.h"
#include "gui/panel/sequence.h"
#include "gui/panel/tool_angles.h"
#include "gui/panel/typed_seconds.h"

namespace jointrig::gui {
namespace {

constexpr double kFarthest = 10.0;    // [m] of a tool from its base: beyond it a typing error
constexpr double kLeastShare = 0.01;  // below it the time is longer than anyone waits for
constexpr const char* kSeveral = "several";

/// A joint that the waypoints before name as well is at their last value.
bool names(const MotionWaypoint& waypoint, std::size_t joint) {
  return joint < waypoint.q.size() && waypoint.q[joint].has_value();
}

}  // namespace

bool is_no_value(const std::string& text) {
  const std::string_view word = trimmed(text);
  return word.empty() || word == "–" || word == "-";
}

// Recording -------------------------------------------------------------------------------------

std::string MotionTable::why_not_choose(ArmIndex arm) const {
  if (arm == list.arm || list.waypoints.empty()) return {};
  return "poses of a tool and positions of joints don't mix in one motion: remove the waypoints "
         "first";
}

void MotionTable::choose(ArmIndex arm) {
  if (!refuse(why_not_choose(arm)).empty()) return;
  if (arm == list.arm) return;
  list.arm = arm < panel_->config().arms.size() ? arm : kNoArm;
  list.bounds = {};  // these are for one tool
  list.frame = ToolFrame::kBase;
  list.endpoint.clear();
  list.free_rotation = FreeRotation::kNone;
  list.interaction.reset();
}

std::string MotionTable::kind_text() const {
  if (list.is_of_tool()) return "tool of " + panel_->config().arms[list.arm].name;
  if (panel_->part < 0) return "joints";
  return "joints of " + panel_->config().parts[static_cast<std::size_t>(panel_->part)].name;
}

JointNumbers MotionTable::joints_here(const JointSet& joints) const {
  const RobotConfig& config = panel_->config();
  JointNumbers q(config.joints.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    const JointSnapshot& joint = panel_->snapshot().joints[i];
    if (!joints.test(i) || joint.mode == JointMode::kNotConfigured) continue;
    if (std::isfinite(joint.state.q)) q[i] = gui::tidy(joint.state.q, config.joints[i]);
  }
  return q;
}

std::string MotionTable::next_label() const {
  return fmt::format("point {}", list.waypoints.size() + 1);
}

MotionWaypoint MotionTable::here() const {
  MotionWaypoint waypoint;
  waypoint.label = next_label();
  if (list.is_of_tool()) {
    waypoint.tool = MotionPose::at(tidy(panel_->snapshot().arms[list.arm].tool));
  } else {
    waypoint.q = joints_here(panel_->group());
  }
  return waypoint;
}

std::string MotionTable::why_not_record() const {
  if (list.is_of_tool() && list.frame == ToolFrame::kWorld) {
    return "its poses are in the world, and those that are recorded in the arm's base: type them";
  }
  if (list.endpoint.empty()) return {};
  return "its poses are of " + list.endpoint +
         ", and those that are recorded of the arm's tool: type them";
}

void MotionTable::insert(std::size_t row, MotionWaypoint waypoint) {
  if (list.is_timed()) {  // its first waypoint is never a new one
    const double before = list.waypoints[row - 1].time.value_or(0.0);
    const MotionWaypoint* after = at(row);
    waypoint.time =
        after != nullptr ? 0.5 * (before + after->time.value_or(before)) : before + kStep;
  }
  list.waypoints.insert(list.waypoints.begin() + static_cast<std::ptrdiff_t>(row),
                        std::move(waypoint));
  selected = row;
}

void MotionTable::record() {
  if (!refuse(why_not_record()).empty()) return;
  insert(list.waypoints.empty() ? 0 : std::min(selected + 1, list.waypoints.size()), here());
}

void MotionTable::record_again() {
  MotionWaypoint* waypoint = at(selected);
  if (waypoint == nullptr || !refuse(why_not_record()).empty()) return;
  if (list.is_of_tool()) {
    const MotionBounds own = waypoint->tool->own;
    waypoint->tool = here().tool;
    waypoint->tool->own = own;
    if (has_joints()) set_posture(true);
    return;
  }
  waypoint->pose.clear();
  JointSet joints;  // those that it has, whichever part is shown now
  for (std::size_t i = 0; i < waypoint->q.size(); ++i) joints.set(i, waypoint->q[i].has_value());
  waypoint->q = joints_here(joints);
}

void MotionTable::remove() {
  if (at(selected) == nullptr) return;
  list.waypoints.erase(list.waypoints.begin() + static_cast<std::ptrdiff_t>(selected));
  if (selected > 0 && selected == list.waypoints.size()) --selected;
}

void MotionTable::duplicate() {
  if (at(selected) == nullptr) return;
  MotionWaypoint copy = list.waypoints[selected];
  copy.label = next_label();
  insert(selected + 1, std::move(copy));
}

void MotionTable::shift(int by) {
  const std::size_t other = selected + static_cast<std::size_t>(by);  // below 0 beyond the end
  if (at(selected) == nullptr || at(other) == nullptr) return;
  std::swap(list.waypoints[selected], list.waypoints[other]);
  std::swap(list.waypoints[selected].time, list.waypoints[other].time);
  selected = other;
}

void MotionTable::set_posture(bool on) {
  MotionWaypoint* waypoint = at(selected);
  if (waypoint == nullptr || !list.is_of_tool()) return;
  waypoint->q.clear();
  if (on) waypoint->q = joints_here(joints_of(list, panel_->config()));
}

void MotionTable::take(MotionList read) {
  list = std::move(read);
  selected = 0;
}

bool MotionTable::has_joints() const {
  const MotionWaypoint* now = waypoint(selected);
  if (now == nullptr) return false;
  for (std::size_t i = 0; i < now->q.size(); ++i) {
    if (names(*now, i)) return true;
  }
  return false;
}

bool MotionTable::moves(bool slides) const {
  const JointSet joints = joints_of(list, panel_->config());
  for (std::size_t i = 0; i < panel_->config().joints.size(); ++i) {
    if (joints.test(i) && panel_->config().joints[i].slide == slides) return true;
  }
  return false;
}

// Typing ----------------------------------------------------------------------------------------

std::string MotionTable::refuse(std::string why) {
  if (!why.empty()) panel_->tell(why);
  return why;
}

std::string MotionTable::type_position(std::size_t row, JointIndex joint, const std::string& text) {
  MotionWaypoint* waypoint = at(row);
  if (waypoint == nullptr || joint >= waypoint->q.size()) return {};
  const Typed typed =
      read_typed(text, JointQuantity::kPosition, panel_->config().joints[joint].slide);
  if (!typed.error.empty()) return refuse(typed.error);
  waypoint->q[joint] = typed.value;  // beyond a limit: the planner refuses it by name
  waypoint->pose.clear();
  return {};
}

std::string MotionTable::type_tool(std::size_t row, std::size_t place, const std::string& text) {
  MotionWaypoint* waypoint = at(row);
  if (waypoint == nullptr || !waypoint->tool || place >= ToolNumbers{}.size()) return {};
  const Typed typed = read_typed(text, JointQuantity::kPosition, place < kToolLengths);
  if (!typed.error.empty()) return refuse(typed.error);
  if (place < kToolLengths && std::abs(typed.value) > kFarthest) {
    return refuse(fmt::format("{} m is far beyond any arm", typed.value));
  }
  MotionPose& pose = *waypoint->tool;
  if (place < kToolLengths) {
    if (!pose.position && !pose.by) pose.by.emplace();
    (pose.position ? *pose.position : *pose.by)[place] = typed.value;
    return {};
  }
  ToolNumbers numbers = shown_numbers(pose);
  numbers[place] = typed.value;
  if (pose.orientation) {
    pose.orientation = as_pose(numbers).orientation;
  } else {
    pose.turn = {numbers[3], numbers[4], numbers[5]};
  }
  return {};
}

std::string MotionTable::take_share(const std::string& text, double& share) {
  const Typed typed = read_typed(text, JointQuantity::kDuty, false);
  if (!typed.error.empty()) return refuse(typed.error);
  if (typed.value < kLeastShare || typed.value > 1.0) {
    return refuse("\"" + text + "\" is no share of a limit: 1 to 100 %");
  }
  share = typed.value;
  return {};
}

std::string MotionTable::type_own_share(std::size_t row, OwnShare of, const std::string& text) {
  MotionWaypoint* waypoint = at(row);
  if (waypoint == nullptr) return {};
  if (is_no_value(text)) {
    (waypoint->*of).reset();
    return {};
  }
  double share = 0.0;
  std::string wrong = take_share(text, share);
  if (wrong.empty()) waypoint->*of = share;
  return wrong;
}

std::string MotionTable::type_time(std::size_t row, const std::string& text) {
  MotionWaypoint* waypoint = at(row);
  if (waypoint == nullptr || !waypoint->time) return {};
  double time = 0.0;
  if (std::string wrong = refuse(take_seconds(text, time, 0.0)); !wrong.empty()) return wrong;
  const double before = row == 0 ? 0.0 : list.waypoints[row - 1].time.value_or(0.0);
  const MotionWaypoint* after = at(row + 1);
  if (time <= before || (after != nullptr && time >= after->time.value_or(time + 1.0))) {
    return refuse(fmt::format(
        "times rise from waypoint to waypoint: this one lies after {:.2f} s{}", before,
        after != nullptr && after->time ? fmt::format(" and before {:.2f} s", *after->time) : ""));
  }
  waypoint->time = time;
  return {};
}

std::string MotionTable::type_velocity(std::size_t row, JointIndex joint, const std::string& text) {
  MotionWaypoint* waypoint = at(row);
  if (waypoint == nullptr || joint >= panel_->config().joints.size()) return {};
  Typed typed;
  if (!is_no_value(text)) {
    typed = read_typed(text, JointQuantity::kVelocity, panel_->config().joints[joint].slide);
  }
  if (!typed.error.empty()) return refuse(typed.error);
  waypoint->v.resize(panel_->config().joints.size());
  waypoint->v[joint] = typed.value;
  return {};
}

std::string MotionTable::type_speed(const std::string& text) {
  return take_share(text, list.speed);
}

std::string MotionTable::type_acceleration(const std::string& text) {
  return take_share(text, list.acceleration);
}

std::string MotionTable::take_bound(const ToolBound& bound, const std::string& text,
                                    MotionBounds& bounds) {
  if (is_no_value(text)) {
    (bounds.*bound.of).reset();
    return {};
  }
  const Typed typed = read_typed(text, bound.quantity, bound.is_linear);
  if (!typed.error.empty()) return refuse(typed.error);
  const ArmConfig& arm = panel_->config().arms[list.arm];
  if (bound.most == nullptr && (typed.value < 0.0 || typed.value > kFarthest)) {
    return refuse("a corner distance is 0 or more: there the arc begins");
  }
  if (bound.most != nullptr && (typed.value <= 0.0 || typed.value > arm.*bound.most)) {
    return refuse("the tool of " + arm.name + " may have up to " +
                  show(arm.*bound.most, bound.quantity, bound.is_linear));
  }
  bounds.*bound.of = typed.value;
  return {};
}

std::string MotionTable::type_bound(const ToolBound& bound, const std::string& text) {
  return list.is_of_tool() ? take_bound(bound, text, list.bounds) : std::string();
}

std::string MotionTable::type_own_bound(std::size_t row, const ToolBound& bound,
                                        const std::string& text) {
  MotionWaypoint* waypoint = at(row);
  if (waypoint == nullptr || !waypoint->tool || !list.is_of_tool()) return {};
  return take_bound(bound, text, waypoint->tool->own);
}

std::string MotionTable::take_tolerance(const std::string& text, bool slides, JointNumbers& all) {
  if (trimmed(text) == kSeveral) return {};
  std::optional<double> most;
  if (!is_no_value(text)) {
    const Typed typed = read_typed(text, JointQuantity::kPosition, slides);
    if (!typed.error.empty()) return refuse(typed.error);
    if (typed.value < 0.0) return refuse("a tolerance is 0 or more; 0: it isn't watched");
    if (typed.value > 0.0) most = typed.value;
  }
  all.resize(panel_->config().joints.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (panel_->config().joints[i].slide == slides) all[i] = most;
  }
  return {};
}

std::string MotionTable::common_text(const JointNumbers& all, bool slides) const {
  const JointSet joints = joints_of(list, panel_->config());
  std::optional<std::optional<double>> common;  // absent: no joint yet
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool counts = joints.test(i) || list.waypoints.empty();
    if (!counts || panel_->config().joints[i].slide != slides) continue;
    if (common && *common != all[i]) return kSeveral;
    common = all[i];
  }
  if (!common || !*common) return "–";
  return show(**common, JointQuantity::kPosition, slides);
}

std::string MotionTable::type_tolerance(JointNumbers MotionList::*of, bool slides,
                                        const std::string& text) {
  return take_tolerance(text, slides, list.*of);
}

std::string MotionTable::type_own_tolerance(std::size_t row, bool slides, const std::string& text) {
  MotionWaypoint* waypoint = at(row);
  return waypoint != nullptr ? take_tolerance(text, slides, waypoint->tolerance) : std::string();
}

std::string MotionTable::tolerance_text(JointNumbers MotionList::*of, bool slides) const {
  return common_text(list.*of, slides);
}

std::string MotionTable::own_tolerance_text(std::size_t row, bool slides) const {
  const MotionWaypoint* one = waypoint(row);
  return one != nullptr ? common_text(one->tolerance, slides) : "–";
}

std::string MotionTable::type_settling(const std::string& text) {
  return refuse(take_seconds(text, list.settling_time, 0.0));
}

std::string MotionTable::type_timeout(const std::string& text) {
  if (is_no_value(text)) {
    list.timeout.reset();
    return {};
  }
  double timeout = 0.0;
  std::string wrong = refuse(take_seconds(text, timeout, 0.001));
  if (wrong.empty()) list.timeout = timeout;
  return wrong;
}

}  // namespace jointrig::gui
