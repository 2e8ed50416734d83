#include "gui/panel/motion_list.h"

#include <fmt/core.h>

#include <cmath>

#include "gui/panel/quantity.h"
#include "gui/panel/tool_angles.h"

namespace jointrig::gui {
namespace {

/// "accelerates by joint1 1.0 °/s², joint2 2.0 °/s²"
void add_joints(std::vector<std::string>& lines, std::string_view what, const JointNumbers& numbers,
                const RobotConfig& config) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i]) continue;
    text += (text.empty() ? " " : ", ") + config.joints[i].name + " " +
            show(*numbers[i], JointQuantity::kAcceleration, config.joints[i].slide);
  }
  if (!text.empty()) lines.push_back(std::string(what) + text);
}

std::string interaction_text(const SetInteractionControl& interaction) {
  if (!interaction.active) return "interaction control goes off";
  constexpr std::array<const char*, 6> kAxes{"x", "y", "z", "rx", "ry", "rz"};
  std::string text = "interaction control:";
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    text += fmt::format("{} {} {}", i == 0 ? "" : ",", kAxes[i], to_string(interaction.axes[i]));
  }
  return text;
}

}  // namespace

JointSet joints_of(const MotionList& list, const RobotConfig& config) {
  if (list.arm < config.arms.size()) return joints_of(config.arms[list.arm]);
  JointSet joints;
  for (const MotionWaypoint& waypoint : list.waypoints) {
    for (std::size_t i = 0; i < waypoint.q.size(); ++i) {
      if (waypoint.q[i]) joints.set(i);
    }
  }
  return joints;
}

bool asks_the_same(const MotionList& a, const MotionList& b) {
  const auto without_words = [](MotionList list) {
    list.name.clear();
    list.replaces = false;
    list.waits = true;
    list.timeout.reset();
    for (MotionWaypoint& waypoint : list.waypoints) {
      waypoint.label.clear();
      waypoint.pose.clear();
    }
    return list;
  };
  return without_words(a) == without_words(b);
}

std::vector<std::string> said_beside(const MotionList& list) {
  std::vector<std::string> lines;
  if (list.frame != ToolFrame::kBase) {
    lines.push_back("frame " + std::string(to_string(list.frame)));
  }
  if (!list.endpoint.empty()) lines.push_back("endpoint " + list.endpoint);
  if (list.interaction) lines.push_back(interaction_text(*list.interaction));
  return lines;
}

std::vector<std::string> said_beside(const MotionWaypoint& waypoint, const RobotConfig& config) {
  std::vector<std::string> lines;
  if (!waypoint.pose.empty()) lines.push_back("pose " + waypoint.pose);
  add_joints(lines, "accelerates by", waypoint.a, config);
  add_joints(lines, "accelerates by up to", waypoint.a_max, config);
  if (waypoint.interaction) lines.push_back(interaction_text(*waypoint.interaction));
  return lines;
}

bool is_relative(const MotionPose& pose, bool in_place) noexcept {
  return in_place ? !pose.position : !pose.orientation;
}

std::array<double, 6> shown_numbers(const MotionPose& pose) noexcept {
  ToolPose absolute;
  absolute.position = pose.position.value_or(pose.by.value_or(std::array<double, 3>{}));
  if (pose.orientation) absolute.orientation = *pose.orientation;
  ToolNumbers numbers = as_numbers(absolute);
  for (std::size_t i = kToolLengths; i < numbers.size() && !pose.orientation; ++i) {
    numbers[i] = pose.turn ? (*pose.turn)[i - kToolLengths] : 0.0;
  }
  return numbers;
}

ToolPose tidy(const ToolPose& pose) {
  ToolNumbers numbers = as_numbers(pose);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double per_si = 100.0 * shown_unit(JointQuantity::kPosition, i < kToolLengths).per_si;
    numbers[i] = std::round(numbers[i] * per_si) / per_si;
  }
  return as_pose(numbers);
}

}  // namespace jointrig::gui
