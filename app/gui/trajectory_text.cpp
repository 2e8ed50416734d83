#include "app/gui/trajectory_text.h"

#include <algorithm>
#include <cmath>

#include "app/gui/written_scenario.h"
#include "control/core/command_numbers.h"
#include "control/core/text.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/interaction_setting.h"

namespace jointrig::app {
namespace {

using harness::yaml_number;
using harness::yaml_string;
using Keys = std::vector<std::string>;

constexpr std::size_t kBounds = 5;
struct BoundKey {
  const char* key;
  std::optional<double> gui::MotionBounds::*of;
};
constexpr std::array<BoundKey, kBounds> kBoundKeys{{
    {"corner_distance", &gui::MotionBounds::corner_distance},
    {"linear_speed", &gui::MotionBounds::linear_speed},
    {"linear_acceleration", &gui::MotionBounds::linear_acceleration},
    {"rotational_speed", &gui::MotionBounds::rotational_speed},
    {"rotational_acceleration", &gui::MotionBounds::rotational_acceleration},
}};

void put(Keys& keys, const char* key, const std::optional<double>& value) {
  if (value) keys.push_back(std::string(key) + ": " + yaml_number(*value));
}

template <typename Numbers>
void put_list(Keys& keys, const char* key, const std::optional<Numbers>& numbers) {
  if (!numbers) return;
  Keys parts;
  for (const double number : *numbers) parts.push_back(yaml_number(number));
  keys.push_back(std::string(key) + ": [" + joined(parts) + "]");
}

/// SI numbers of joints.
void put_joints(Keys& keys, const char* key, const gui::JointNumbers& numbers,
                const RobotConfig& config, const JointSet& of) {
  Keys parts;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i] || !of.test(i)) continue;
    parts.push_back(yaml_string(config.joints[i].name) + ": " + yaml_number(*numbers[i]));
  }
  if (!parts.empty()) keys.push_back(std::string(key) + ": {" + joined(parts) + "}");
}

void put_bounds(Keys& keys, const gui::MotionBounds& bounds) {
  for (const BoundKey& bound : kBoundKeys) put(keys, bound.key, bounds.*bound.of);
}

void put_interaction(Keys& keys, const std::optional<SetInteractionControl>& interaction) {
  if (interaction) keys.push_back("interaction: " + harness::written_text(*interaction));
}

bool names_a_joint(const gui::MotionWaypoint& waypoint) {
  return std::any_of(waypoint.q.begin(), waypoint.q.end(),
                     [](const auto& q) { return q.has_value(); });
}

std::string waypoint_text(const gui::MotionWaypoint& waypoint, const RobotConfig& config,
                          const JointSet& moved, bool holds_rotation) {
  Keys keys;
  if (!waypoint.label.empty()) keys.push_back("label: " + yaml_string(waypoint.label));
  put(keys, "time", waypoint.time);
  if (waypoint.tool) {
    put_list(keys, "position", waypoint.tool->position);
    put_list(keys, "by", waypoint.tool->by);
    if (holds_rotation) {
      put_list(keys, "orientation", waypoint.tool->orientation);
      put_list(keys, "turn", waypoint.tool->turn);
    }
    if (names_a_joint(waypoint)) keys.push_back("posture: " + joints_text(waypoint.q, config));
    put_bounds(keys, waypoint.tool->own);
  } else if (!waypoint.pose.empty()) {
    keys.push_back("pose: " + yaml_string(waypoint.pose));
  } else {
    keys.push_back("joints: " + joints_text(waypoint.q, config));
  }
  put(keys, "speed", waypoint.speed);
  put(keys, "acceleration", waypoint.acceleration);
  put_joints(keys, "velocities", waypoint.v, config, moved);
  put_joints(keys, "accelerations", waypoint.a, config, moved);
  put_joints(keys, "tolerance", waypoint.tolerance, config, moved);
  put_joints(keys, "max_acceleration", waypoint.a_max, config, moved);
  put_interaction(keys, waypoint.interaction);
  return "{" + joined(keys) + "}";
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
  const gui::MotionBounds& own = to.tool->own;
  const auto least = [](const std::optional<double>& a, const std::optional<double>& b,
                        double otherwise) { return a.value_or(b.value_or(otherwise)); };
  double way = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (to.tool->by) way += std::abs((*to.tool->by)[i]);
    if (!to.tool->position) continue;
    // From a place that isn't said the way may be as long as the arm.
    way +=
        from.tool->position ? std::abs((*to.tool->position)[i] - (*from.tool->position)[i]) : 1.0;
  }
  constexpr double kHalfTurn = 3.15;
  seconds =
      std::max(seconds, way / least(own.linear_speed, list.bounds.linear_speed, arm.speed_max));
  return std::max(seconds, kHalfTurn / least(own.rotational_speed, list.bounds.rotational_speed,
                                             arm.rotation_speed_max));
}

}  // namespace

TrajectoryText trajectory_text(const gui::MotionList& list, const RobotConfig& config) {
  const JointSet moved = gui::joints_of(list, config);
  TrajectoryText text;
  Keys& keys = text.keys;
  if (list.is_of_tool()) {
    keys.push_back("arm: " + yaml_string(config.arms[list.arm].name));
    if (list.frame != ToolFrame::kBase) {
      keys.push_back("frame: " + std::string(to_string(list.frame)));
    }
    if (!list.endpoint.empty()) keys.push_back("endpoint: " + yaml_string(list.endpoint));
    if (list.free_rotation != FreeRotation::kNone) {
      keys.push_back("free_rotation: " + std::string(to_string(list.free_rotation)));
    }
    put_bounds(keys, list.bounds);
  }
  if (!list.is_timed()) {
    put(keys, "speed", list.speed);
    put(keys, "acceleration", list.acceleration);
  }
  if (list.is_timed() && list.rounds_corners) keys.emplace_back("rounds_corners: true");
  if (list.is_timed() && list.brakes_behind) keys.emplace_back("brakes_behind: true");
  if (!list.checks_collisions) keys.emplace_back("check_collisions: false");
  if (list.execution != PlanExecution::kInverseDynamics) {
    keys.push_back("execution: " + std::string(to_string(list.execution)));
  }
  put_joints(keys, "path_tolerance", list.path_tolerance, config, moved);
  put_joints(keys, "goal_tolerance", list.goal_tolerance, config, moved);
  if (list.settling_time != gui::MotionList().settling_time) {
    put(keys, "settling_time", list.settling_time);
  }
  for (const gui::MotionWaypoint& waypoint : list.waypoints) {
    text.waypoints.push_back(waypoint_text(waypoint, config, moved, list.holds_rotation()));
  }
  return text;
}

TrajectoryText scenario_text(const gui::MotionList& list, const RobotConfig& config) {
  TrajectoryText text = trajectory_text(list, config);
  put_interaction(text.keys, list.interaction);
  if (list.replaces) text.keys.emplace_back("replace: true");
  if (!list.waits) text.keys.emplace_back("wait: false");
  put(text.keys, "timeout", list.timeout.value_or(usual_timeout(list, config)));
  return text;
}

std::vector<std::string> in_lines(const TrajectoryText& text) {
  std::vector<std::string> lines = text.keys;
  lines.emplace_back("waypoints:");
  for (const std::string& waypoint : text.waypoints) lines.push_back("  - " + waypoint);
  return lines;
}

std::string in_brackets(const TrajectoryText& text) {
  Keys keys = text.keys;
  keys.push_back("waypoints: [" + joined(text.waypoints) + "]");
  return "{" + joined(keys) + "}";
}

double usual_timeout(const gui::MotionList& list, const RobotConfig& config) {
  double seconds = list.is_timed() ? list.waypoints.back().time.value_or(0.0) : 0.0;
  for (std::size_t i = 0; i < list.waypoints.size() && !list.is_timed(); ++i) {
    const gui::MotionWaypoint& from = list.waypoints[i == 0 ? 0 : i - 1];
    seconds += 1.0 + way_seconds(list, config, from, list.waypoints[i]);
  }
  const double slowest = std::min(list.speed, list.acceleration);
  return std::max(kLeastTimeout, std::ceil(3.0 * seconds + 30.0 / slowest));
}

}  // namespace jointrig::app
