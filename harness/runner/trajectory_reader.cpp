#include "harness/runner/trajectory_reader.h"

#include "harness/config/units.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

std::optional<Text> text_of(const YamlNode& node, std::string_view key) {
  const YamlNode* text = node.find(key);
  return text != nullptr ? std::optional(read_text(*text)) : std::nullopt;
}

std::vector<Target> targets_of(const YamlNode& node, std::string_view key) {
  const YamlNode* targets = node.find(key);
  return targets != nullptr ? read_targets(*targets) : std::vector<Target>{};
}

TrajectoryPoint read_point(const YamlNode& node) {
  TrajectoryPoint point;
  point.targets = targets_of(node, "joints");
  point.pose = text_of(node, "pose");
  point.speed = text_of(node, "speed");
  point.acceleration = text_of(node, "acceleration");
  if (const YamlNode* time = node.find("time")) point.time = quantity(*time, "s");
  point.velocities = targets_of(node, "velocities");
  point.accelerations = targets_of(node, "accelerations");
  return point;
}

/// Times are for all waypoints or none, and what goes with them.
void check_times(const YamlNode& node, bool is_timed) {
  const bool has_time = node.find("time") != nullptr;
  if (has_time != is_timed) {
    throw node.error("\"time\" is for all waypoints of a trajectory, or for none");
  }
  for (const std::string_view key : {"speed", "acceleration"}) {
    if (is_timed && node.find(key) != nullptr) {
      throw FileError(node.key_spot(key),
                      "only one of \"" + std::string(key) + "\", \"time\" can be given");
    }
  }
  for (const std::string_view key : {"velocities", "accelerations"}) {
    if (!is_timed && node.find(key) != nullptr) {
      throw FileError(node.key_spot(key), "\"" + std::string(key) + "\" goes with \"time\"");
    }
  }
  if (node.find("accelerations") != nullptr && node.find("velocities") == nullptr) {
    throw FileError(node.key_spot("accelerations"), "\"accelerations\" goes with \"velocities\"");
  }
}

}  // namespace

TrajectoryStep read_trajectory(const YamlNode& node) {
  TrajectoryStep step;
  const std::vector<YamlNode>& waypoints = node.at("waypoints").items();
  for (const YamlNode& waypoint : waypoints) {
    check_times(waypoint, waypoints.front().find("time") != nullptr);
    step.waypoints.push_back(read_point(waypoint));
  }
  step.speed = text_of(node, "speed");
  step.acceleration = text_of(node, "acceleration");
  for (const std::string_view key : {"speed", "acceleration"}) {
    if (step.waypoints.front().time && node.find(key) != nullptr) {
      throw FileError(node.key_spot(key), "a timed trajectory has no \"" + std::string(key) + "\"");
    }
  }
  step.path_tolerance = targets_of(node, "path_tolerance");
  step.goal_tolerance = targets_of(node, "goal_tolerance");
  step.settling_time = read_seconds(node, "settling_time", step.settling_time);
  if (const YamlNode* replace = node.find("replace")) step.replace = replace->boolean();
  if (const YamlNode* wait = node.find("wait")) step.wait = wait->boolean();
  step.timeout = read_seconds(node, "timeout", step.timeout);
  return step;
}

}  // namespace jointrig::harness
