#include "app/gui/motion_request.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/planning/joint_trajectory.h"

namespace jointrig::app {
namespace {

constexpr double kStays = std::numeric_limits<double>::quiet_NaN();

/// Joints without a number stay as they were.
std::vector<double> places_of(const gui::MotionWaypoint& waypoint,
                              const std::vector<JointIndex>& joints) {
  std::vector<double> q;
  for (const JointIndex joint : joints) q.push_back(waypoint.q[joint].value_or(kStays));
  return q;
}

AskedToolPath tool_path(const gui::MotionList& list, const std::vector<JointIndex>& joints) {
  AskedToolPath path;
  path.arm = list.arm;
  path.frame = ToolFrame::kBase;
  for (const gui::MotionWaypoint& from : list.waypoints) {
    ArmWaypoint& to = path.waypoints.emplace_back();
    to.position = from.tool->position;
    to.orientation = from.tool->orientation;
    to.corner_distance = list.corner_distance;
    to.linear_speed = list.linear_speed;
    to.rotational_speed = list.rotational_speed;
    to.speed_ratio = from.speed.value_or(list.speed);
    to.acceleration_ratio = list.acceleration;
    const bool has_posture =
        std::any_of(from.q.begin(), from.q.end(), [](const auto& q) { return q.has_value(); });
    if (has_posture) to.posture = places_of(from, joints);
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
  const std::vector<JointIndex> joints = TrajectoryJoints::of(config, asked.joints).index;
  for (const JointIndex joint : joints) {
    asked.tolerances.push_back({0.0, list.goal_tolerance[config.joints[joint].slide ? 1 : 0]});
  }
  if (list.is_of_tool()) {
    asked.tool = tool_path(list, joints);
    return asked;
  }
  for (const gui::MotionWaypoint& from : list.waypoints) {
    AskedWaypoint& to = asked.waypoints.emplace_back();
    to.q = places_of(from, joints);
    to.speed = from.speed.value_or(list.speed);
    to.acceleration = list.acceleration;
  }
  return asked;
}

gui::MotionAnswer answer_of(const PlanReport& report, const gui::MotionList& list,
                            const RobotConfig& config, const Snapshot& now) {
  gui::MotionAnswer answer;
  answer.refusal = report.refusal;
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
