#include "gui/panel/motion_list.h"

#include <fmt/core.h>

#include <cmath>

#include "gui/panel/quantity.h"
#include "gui/panel/tool_angles.h"

namespace jointrig::gui {
namespace {

std::string acceleration_text(double value, bool slide) {
  const QuantityUnit unit = shown_unit(JointQuantity::kVelocity, slide);
  return fmt::format("{:.{}f} {}²", unit.per_si * value, unit.decimals, unit.text);
}

/// "within joint1 1.0 °, joint2 2.0 °"
template <typename Show>
void add_joints(std::vector<std::string>& lines, std::string_view what, const JointNumbers& numbers,
                const RobotConfig& config, Show&& show_one) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i]) continue;
    text += (text.empty() ? " " : ", ") + config.joints[i].name + " " +
            show_one(*numbers[i], config.joints[i].slide);
  }
  if (!text.empty()) lines.push_back(std::string(what) + text);
}

void add_accelerations(std::vector<std::string>& lines, const MotionBounds& bounds) {
  if (bounds.linear_acceleration) {
    lines.push_back("tool accelerates by up to " +
                    acceleration_text(*bounds.linear_acceleration, true));
  }
  if (bounds.rotational_acceleration) {
    lines.push_back("turning accelerates by up to " +
                    acceleration_text(*bounds.rotational_acceleration, false));
  }
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
  if (list.free_rotation != FreeRotation::kNone) {
    lines.push_back("free rotation " + std::string(to_string(list.free_rotation)));
  }
  add_accelerations(lines, list.bounds);
  if (list.interaction) lines.push_back(interaction_text(*list.interaction));
  if (list.replaces) lines.emplace_back("in a scenario: goes on from what its joints follow");
  if (!list.waits) lines.emplace_back("in a scenario: the next step doesn't wait for its end");
  return lines;
}

std::vector<std::string> said_beside(const MotionWaypoint& waypoint, const RobotConfig& config) {
  std::vector<std::string> lines;
  const auto position = [](double value, bool slide) {
    return show(value, JointQuantity::kPosition, slide);
  };
  if (!waypoint.pose.empty()) lines.push_back("pose " + waypoint.pose);
  if (waypoint.acceleration) {
    lines.push_back("acceleration " + show(*waypoint.acceleration, JointQuantity::kDuty, false));
  }
  add_joints(lines, "passed within", waypoint.tolerance, config, position);
  add_joints(lines, "accelerates by", waypoint.a, config, acceleration_text);
  add_joints(lines, "accelerates by up to", waypoint.a_max, config, acceleration_text);
  if (!waypoint.tool) return lines;
  const MotionBounds& own = waypoint.tool->own;
  const auto speed = [&](const char* what, const std::optional<double>& most, bool slide) {
    if (most) lines.push_back(what + show(*most, JointQuantity::kVelocity, slide));
  };
  speed("tool up to ", own.linear_speed, true);
  speed("turning up to ", own.rotational_speed, false);
  add_accelerations(lines, own);
  if (own.corner_distance) lines.push_back("corner " + position(*own.corner_distance, true));
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
