#include "harness/runner/trajectory_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "harness/config/units.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/interaction_setting.h"
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

struct MotionKey {
  const char* key;
  std::optional<Text> ToolMotion::*value;
};

constexpr std::array kMotionKeys{
    MotionKey{"linear_speed", &ToolMotion::linear_speed},
    MotionKey{"linear_acceleration", &ToolMotion::linear_acceleration},
    MotionKey{"rotational_speed", &ToolMotion::rotational_speed},
    MotionKey{"rotational_acceleration", &ToolMotion::rotational_acceleration},
    MotionKey{"corner_distance", &ToolMotion::corner_distance},
};

ToolMotion read_motion(const YamlNode& node) {
  ToolMotion motion;
  for (const MotionKey& part : kMotionKeys) motion.*part.value = text_of(node, part.key);
  return motion;
}

/// Refuses the keys of a tool's motion, and others that only a tool has.
void refuse_tool_keys(const YamlNode& node, std::initializer_list<const char*> others,
                      const std::string& reason) {
  const auto refuse = [&](const char* key) {
    if (node.find(key) == nullptr) return;
    throw FileError(node.key_spot(key), "\"" + std::string(key) + "\" " + reason);
  };
  for (const char* key : others) refuse(key);
  for (const MotionKey& part : kMotionKeys) refuse(part.key);
}

constexpr std::array kPoseKeys{"position", "by", "orientation", "turn"};

/// True if the keys of one kind of waypoint are there, and none of the other.
bool is_for_tool(const YamlNode& node) {
  const auto is_there = [&](const char* key) { return node.find(key) != nullptr; };
  const bool is_pose = std::any_of(kPoseKeys.begin(), kPoseKeys.end(), is_there);
  const bool has_joints = is_there("joints");
  const bool has_pose = is_there("pose");
  if (has_joints && has_pose) {
    throw FileError(node.key_spot("pose"), "only one of \"joints\", \"pose\" can be given");
  }
  if (is_pose && (has_joints || has_pose)) {
    throw FileError(node.key_spot(has_joints ? "joints" : "pose"),
                    "a waypoint is a pose of the tool or positions of joints, not both");
  }
  if (!is_pose && !has_joints && !has_pose) {
    throw node.error(
        "it says no place: give \"joints\" or \"pose\", or for a tool \"position\", \"by\", "
        "\"orientation\" or \"turn\"");
  }
  return is_pose;
}

/// Refuses what is not for this kind of trajectory.
void check_kind(const YamlNode& node, const YamlNode& waypoint, bool is_tool) {
  if (is_for_tool(waypoint) != is_tool) {
    if (node.find("arm") == nullptr) {
      throw waypoint.error("a pose of a tool wants an arm: give \"arm\" beside \"waypoints\"");
    }
    throw waypoint.error(
        "with \"arm\" all waypoints are poses of its tool, and none positions of joints: make two "
        "trajectories, one after the other");
  }
  for (const char* key : {"time", "velocities", "accelerations", "max_acceleration"}) {
    if (!is_tool || waypoint.find(key) == nullptr) continue;
    throw FileError(waypoint.key_spot(key), "\"" + std::string(key) + "\" is for joints");
  }
  if (!is_tool) refuse_tool_keys(waypoint, {"posture"}, "is for a tool");
}

TrajectoryPose read_pose(const YamlNode& node) {
  return {read_tool_place(node), read_motion(node), targets_of(node, "posture")};
}

/// Keys of a trajectory of a tool beside its waypoints.
void read_tool(const YamlNode& node, TrajectoryStep& step) {
  step.arm = text_of(node, "arm");
  if (!step.arm)
    refuse_tool_keys(node, {"frame", "endpoint", "free_rotation"}, "goes with \"arm\"");
  if (const YamlNode* frame = node.find("frame")) parse(frame->text(), step.frame);
  step.endpoint = text_of(node, "endpoint");
  if (const YamlNode* free = node.find("free_rotation")) parse(free->text(), step.free_rotation);
  step.motion = read_motion(node);
}

/// Refuses an orientation that nothing holds.
void check_free(const YamlNode& waypoint, FreeRotation free) {
  for (const char* key : {"orientation", "turn"}) {
    if (free != FreeRotation::kAll || waypoint.find(key) == nullptr) continue;
    throw FileError(waypoint.key_spot(key), "\"" + std::string(key) +
                                                "\" says a rotation, and \"free_rotation: all\" "
                                                "holds none: leave one out");
  }
}

TrajectoryPoint read_point(const YamlNode& node, bool is_tool) {
  TrajectoryPoint point;
  if (const YamlNode* label = node.find("label")) point.label = label->text();
  if (is_tool) point.tool = read_pose(node);
  point.targets = targets_of(node, "joints");
  point.pose = text_of(node, "pose");
  point.speed = text_of(node, "speed");
  point.acceleration = text_of(node, "acceleration");
  if (const YamlNode* time = node.find("time")) point.time = quantity(*time, "s");
  point.velocities = targets_of(node, "velocities");
  point.accelerations = targets_of(node, "accelerations");
  point.tolerance = targets_of(node, "tolerance");
  point.max_acceleration = targets_of(node, "max_acceleration");
  point.interaction = read_interaction_settings(node);
  return point;
}

/// Times are for all waypoints or none, and what goes with them.
void check_times(const YamlNode& node, bool is_timed) {
  const bool has_time = node.find("time") != nullptr;
  if (has_time != is_timed) {
    throw node.error("\"time\" is for all waypoints of a trajectory, or for none");
  }
  for (const std::string_view key : {"speed", "acceleration", "max_acceleration"}) {
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

/// Refuses a list that some waypoints have and others don't.
void check_all_or_none(const std::vector<YamlNode>& waypoints, const std::string& key) {
  const bool first_has = waypoints.front().find(key) != nullptr;
  for (std::size_t k = 1; k < waypoints.size(); ++k) {
    const bool has = waypoints[k].find(key) != nullptr;
    if (has == first_has) continue;
    const std::string verb = has ? " has" : " has no";
    const std::string other = first_has ? "1 has them" : "1 has none";
    const std::string sentence =
        fmt::format("waypoint {}{} \"{}\", and waypoint {}: give them at all waypoints, or at none",
                    k + 1, verb, key, other);
    if (has) throw FileError(waypoints[k].key_spot(key), sentence);
    throw waypoints[k].error(sentence);
  }
}

/// Options of a timed trajectory.
void read_course(const YamlNode& node, TrajectoryStep& step) {
  const TrajectoryPoint& first = step.waypoints.front();
  for (const char* key : {"rounds_corners", "brakes_behind"}) {
    if (node.find(key) == nullptr || first.time) continue;
    throw FileError(node.key_spot(key),
                    "\"" + std::string(key) + "\" is for times: give \"time\" at each waypoint");
  }
  if (const YamlNode* rounds = node.find("rounds_corners")) step.rounds_corners = rounds->boolean();
  if (const YamlNode* brakes = node.find("brakes_behind")) step.brakes_behind = brakes->boolean();
  if (!step.rounds_corners) return;
  const std::string lines = "\"rounds_corners\" leads along straight lines to rest: ";
  if (step.brakes_behind) {
    throw FileError(node.key_spot("brakes_behind"), lines + "leave out \"brakes_behind\"");
  }
  if (!first.velocities.empty()) {
    throw FileError(node.key_spot("rounds_corners"), lines + "leave out \"velocities\"");
  }
}

}  // namespace

TrajectoryStep read_trajectory(const YamlNode& node) {
  TrajectoryStep step;
  const std::vector<YamlNode>& waypoints = node.at("waypoints").items();
  read_tool(node, step);
  for (const YamlNode& waypoint : waypoints) {
    check_kind(node, waypoint, step.arm.has_value());
    check_free(waypoint, step.free_rotation);
    check_times(waypoint, waypoints.front().find("time") != nullptr);
    step.waypoints.push_back(read_point(waypoint, step.arm.has_value()));
  }
  for (const char* key : {"velocities", "accelerations"}) check_all_or_none(waypoints, key);
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
  if (const YamlNode* execution = node.find("execution")) {
    parse(execution->text(), step.execution);  // the schema has checked the word
  }
  read_course(node, step);
  step.interaction = read_interaction_settings(node);
  if (const YamlNode* check = node.find("check_collisions")) {
    step.checks_collisions = check->boolean();
  }
  if (const YamlNode* wait = node.find("wait")) step.wait = wait->boolean();
  step.timeout = read_seconds(node, "timeout", step.timeout);
  return step;
}

}  // namespace jointrig::harness
