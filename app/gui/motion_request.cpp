#include "app/gui/motion_request.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/planning/joint_trajectory.h"
#include "gui/panel/panel_units.h"

namespace jointrig::app {
namespace {

constexpr double kStays = std::numeric_limits<double>::quiet_NaN();

/// One for each joint that moves.
std::vector<double> numbers_of(const gui::JointNumbers& numbers,
                               const std::vector<JointIndex>& joints, double otherwise) {
  std::vector<double> each;
  for (const JointIndex joint : joints) {
    each.push_back(joint < numbers.size() ? numbers[joint].value_or(otherwise) : otherwise);
  }
  return each;
}

/// Likewise, or none.
std::vector<double> numbers_or_none(const gui::JointNumbers& numbers,
                                    const std::vector<JointIndex>& joints) {
  return numbers.empty() ? std::vector<double>{} : numbers_of(numbers, joints, 0.0);
}

AskedToolPath tool_path(const gui::MotionList& list, const std::vector<JointIndex>& joints) {
  AskedToolPath path;
  path.arm = list.arm;
  path.frame = list.frame;
  path.endpoint = list.endpoint;
  path.free_rotation = list.free_rotation;
  const gui::MotionBounds& all = list.bounds;
  for (const gui::MotionWaypoint& from : list.waypoints) {
    const gui::MotionPose& pose = *from.tool;
    const gui::MotionBounds& own = pose.own;
    const auto bound = [&](std::optional<double> gui::MotionBounds::*of) {
      return own.*of ? own.*of : all.*of;
    };
    ArmWaypoint& to = path.waypoints.emplace_back();
    to.position = pose.position;
    to.by = pose.by;
    if (list.holds_rotation()) {
      to.orientation = pose.orientation;
      to.turn = pose.turn;
    }
    to.corner_distance = bound(&gui::MotionBounds::corner_distance).value_or(0.0);
    to.linear_speed = bound(&gui::MotionBounds::linear_speed);
    to.linear_acceleration = bound(&gui::MotionBounds::linear_acceleration);
    to.rotational_speed = bound(&gui::MotionBounds::rotational_speed);
    to.rotational_acceleration = bound(&gui::MotionBounds::rotational_acceleration);
    to.speed_ratio = from.speed.value_or(list.speed);
    to.acceleration_ratio = from.acceleration.value_or(list.acceleration);
    const bool has_posture =
        std::any_of(from.q.begin(), from.q.end(), [](const auto& q) { return q.has_value(); });
    if (has_posture) to.posture = numbers_of(from.q, joints, kStays);
    to.tolerance = numbers_or_none(from.tolerance, joints);
    to.interaction = from.interaction;
  }
  return path;
}

std::string label_of(const gui::MotionList& list, std::size_t waypoint) {
  if (waypoint < 1 || waypoint > list.waypoints.size()) return {};
  const std::string& label = list.waypoints[waypoint - 1].label;
  return label.empty() ? "" : "; waypoint \"" + label + "\"";
}

}  // namespace

AskedTrajectory asked_of(const gui::MotionList& list, const RobotConfig& config, bool goes_on) {
  AskedTrajectory asked;
  asked.joints = gui::joints_of(list, config);
  asked.nan_stays = true;
  asked.goes_on = goes_on;
  asked.checks_collisions = list.checks_collisions;
  asked.execution = list.execution;
  asked.wants_report = true;
  asked.has_times = list.is_timed();
  asked.rounds_corners = list.is_timed() && list.rounds_corners;
  asked.brakes_behind = list.is_timed() && list.brakes_behind;
  asked.settling_time = list.settling_time;
  const std::vector<JointIndex> joints = TrajectoryJoints::of(config, asked.joints).index;
  const std::vector<double> path = numbers_of(list.path_tolerance, joints, 0.0);
  const std::vector<double> goal = numbers_of(list.goal_tolerance, joints, 0.0);
  const bool is_watched = !list.path_tolerance.empty() || !list.goal_tolerance.empty();
  for (std::size_t j = 0; is_watched && j < joints.size(); ++j) {
    asked.tolerances.push_back({path[j], goal[j]});
  }
  if (list.is_of_tool()) {
    asked.tool = tool_path(list, joints);
    return asked;
  }
  for (const gui::MotionWaypoint& from : list.waypoints) {
    AskedWaypoint& to = asked.waypoints.emplace_back();
    to.q = numbers_of(from.q, joints, kStays);
    to.tolerance = numbers_or_none(from.tolerance, joints);
    to.a_max = numbers_or_none(from.a_max, joints);
    to.interaction = from.interaction;
    if (!asked.has_times) {
      to.speed = from.speed.value_or(list.speed);
      to.acceleration = from.acceleration.value_or(list.acceleration);
      continue;
    }
    // Waypoints that were added have the speeds of those that the file has: 0 where none is said.
    const gui::MotionWaypoint& first = list.waypoints.front();
    to.time = from.time.value_or(0.0);
    to.v = numbers_or_none(from.v, joints);
    if (!first.v.empty()) to.v = numbers_of(from.v, joints, 0.0);
    if (!first.a.empty()) to.a = numbers_of(from.a, joints, 0.0);
  }
  return asked;
}

gui::MotionAnswer answer_of(const PlanReport& report, const gui::MotionList& list,
                            const RobotConfig& config, const Snapshot& now) {
  gui::MotionAnswer answer;
  answer.refusal = gui::in_panel_units(report.refusal);
  if (!report.refusal.empty()) answer.refusal += label_of(list, report.waypoint);
  answer.waypoint = report.waypoint;
  answer.duration = report.duration;
  answer.times = report.waypoint_times;
  answer.start.resize(config.joints.size());
  const std::vector<JointIndex> asked =
      TrajectoryJoints::of(config, gui::joints_of(list, config)).index;
  for (std::size_t j = 0; j < std::min(asked.size(), report.start.size()); ++j) {
    answer.start[asked[j]] = report.start[j];
  }
  if (report.meets.empty()) return answer;
  answer.meets = report.meets;
  answer.meets_at = report.meets_at;
  for (const JointSnapshot& joint : now.joints) answer.meets_q.push_back(joint.state.q);
  for (std::size_t j = 0; j < std::min(report.joints.size(), report.meets_q.size()); ++j) {
    if (report.joints[j] < answer.meets_q.size()) {
      answer.meets_q[report.joints[j]] = report.meets_q[j];
    }
  }
  return answer;
}

}  // namespace jointrig::app
