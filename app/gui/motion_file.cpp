#include "app/gui/motion_file.h"

#include <algorithm>
#include <cmath>

#include "app/gui/motion_reader.h"
#include "app/gui/written_scenario.h"
#include "app/run/result_files.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/scenario_reader.h"

namespace jointrig::app {
namespace {

using harness::yaml_number;
using harness::yaml_string;

template <typename Numbers>
std::string list_text(const Numbers& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + yaml_number(number);
  return "[" + text + "]";
}

bool names_a_joint(const gui::MotionWaypoint& waypoint) {
  return std::any_of(waypoint.q.begin(), waypoint.q.end(),
                     [](const auto& q) { return q.has_value(); });
}

std::string waypoint_text(const gui::MotionWaypoint& waypoint, const RobotConfig& config) {
  std::string text;
  if (!waypoint.label.empty()) text += "label: " + yaml_string(waypoint.label) + ", ";
  if (waypoint.tool) {
    text += "position: " + list_text(waypoint.tool->position) +
            ", orientation: " + list_text(waypoint.tool->orientation);
    if (names_a_joint(waypoint)) text += ", posture: " + joints_text(waypoint.q, config);
  } else {
    text += "joints: " + joints_text(waypoint.q, config);
  }
  if (waypoint.speed) text += ", speed: " + yaml_number(*waypoint.speed);
  return "{" + text + "}";
}

std::string tolerance_text(const gui::MotionList& list, const RobotConfig& config) {
  const JointSet joints = gui::joints_of(list, config);
  std::string text;
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    const double most = list.goal_tolerance[config.joints[i].slide ? 1 : 0];
    if (!joints.test(i) || most == 0.0) continue;
    text +=
        (text.empty() ? "" : ", ") + yaml_string(config.joints[i].name) + ": " + yaml_number(most);
  }
  return text;
}

/// `key: value` of a trajectory, without its waypoints.
std::vector<std::string> keys_of(const gui::MotionList& list, const RobotConfig& config) {
  std::vector<std::string> keys;
  const auto put = [&keys](const std::string& key, double value) {
    keys.push_back(key + ": " + yaml_number(value));
  };
  if (list.is_of_tool()) {
    keys.push_back("arm: " + yaml_string(config.arms[list.arm].name));
    if (list.corner_distance > 0.0) put("corner_distance", list.corner_distance);
    if (list.linear_speed) put("linear_speed", *list.linear_speed);
    if (list.rotational_speed) put("rotational_speed", *list.rotational_speed);
  }
  put("speed", list.speed);
  put("acceleration", list.acceleration);
  if (!list.checks_collisions) keys.emplace_back("check_collisions: false");
  if (list.execution != PlanExecution::kInverseDynamics) {
    keys.push_back("execution: " + std::string(to_string(list.execution)));
  }
  const std::string tolerance = tolerance_text(list, config);
  if (!tolerance.empty()) keys.push_back("goal_tolerance: {" + tolerance + "}");
  return keys;
}

/// A way that takes no longer, roughly: from one waypoint to the next at its speed.
double way_seconds(const gui::MotionList& list, const RobotConfig& config,
                   const gui::MotionWaypoint& from, const gui::MotionWaypoint& to) {
  const double share = to.speed.value_or(list.speed);
  double seconds = 0.0;
  for (std::size_t i = 0; i < from.q.size() && i < to.q.size(); ++i) {
    if (!from.q[i] || !to.q[i]) continue;
    const double v_max = config.joints[i].limits.v_max;
    seconds = std::max(seconds, std::abs(*to.q[i] - *from.q[i]) / (share * v_max));
  }
  if (!from.tool || !to.tool) return seconds;
  const ArmConfig& arm = config.arms[list.arm];
  double way = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    way += std::abs(to.tool->position[i] - from.tool->position[i]);
  constexpr double kHalfTurn = 3.15;
  seconds = std::max(seconds, way / list.linear_speed.value_or(arm.speed_max));
  return std::max(seconds, kHalfTurn / list.rotational_speed.value_or(arm.rotation_speed_max));
}

/// Thrice what it needs at full acceleration, and half a minute for the way to the first waypoint.
double timeout_of(const gui::MotionList& list, const RobotConfig& config) {
  double seconds = 0.0;
  for (std::size_t i = 0; i < list.waypoints.size(); ++i) {
    const gui::MotionWaypoint& from = list.waypoints[i == 0 ? 0 : i - 1];
    seconds += 1.0 + way_seconds(list, config, from, list.waypoints[i]);
  }
  const double slowest = std::min(list.speed, list.acceleration);
  return std::max(kLeastTimeout, std::ceil(3.0 * seconds + 30.0 / slowest));
}

}  // namespace

std::string to_scenario(const gui::MotionList& list, const RobotConfig& config,
                        const std::string& robot) {
  const double timeout = timeout_of(list, config);
  std::string text = "schema: 1\nscenario: " + yaml_string(list.name) +
                     "\nabout: A motion through waypoints, recorded in the motor panel.\nrobot: " +
                     yaml_string(robot) + "\ntimeout: {sim: " + yaml_number(timeout + 10.0) +
                     " s}\n\nsetup:\n  - set_mode: {joints: all, mode: position}\n"
                     "\nsteps:\n  - trajectory:\n";
  for (const std::string& key : keys_of(list, config)) text += "      " + key + "\n";
  text += "      timeout: " + yaml_number(timeout) + " s\n      waypoints:\n";
  for (const gui::MotionWaypoint& waypoint : list.waypoints) {
    text += "        - " + waypoint_text(waypoint, config) + "\n";
  }
  return text + "\nassert:\n  never: [{event: plan_broken}]\n";
}

std::string trajectory_step(const gui::SentMotion& motion, const RobotConfig& config) {
  std::string text = "trajectory: {";
  for (const std::string& key : keys_of(motion.list, config)) text += key + ", ";
  if (motion.goes_on) text += "replace: true, ";
  text += "wait: false, waypoints: [";
  for (std::size_t i = 0; i < motion.list.waypoints.size(); ++i) {
    text += (i == 0 ? "" : ", ") + waypoint_text(motion.list.waypoints[i], config);
  }
  return text + "]}";
}

void save_motion(gui::MotionDesk& desk, const RobotConfig& config, const std::string& robot) {
  check_may_write(desk.file, desk.own_file);
  gui::MotionList list = desk.table.list;
  list.name = std::filesystem::path(desk.file).stem().string();
  write_text(desk.file, to_scenario(list, config, robot));
  desk.own_file = desk.file;
}

gui::MotionList read_motion(const std::filesystem::path& file, const RobotConfig& config) {
  const std::vector<harness::Scenario> scenarios = harness::read_scenarios(file);
  MotionReader reader(config);
  for (const harness::Step& step : scenarios.front().steps) reader.take(step);
  return reader.list(scenarios.front());
}

}  // namespace jointrig::app
