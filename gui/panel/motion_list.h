#pragma once
/// Waypoints of a motion as a person records them: plain data.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "control/core/arm.h"
#include "control/core/plan_execution.h"
#include "control/core/robot_config.h"

namespace jointrig::gui {

struct MotionWaypoint {
  std::string label;
  std::optional<ToolPose> tool;  ///< in the arm's base frame; absent: joints are given
  /// One per joint of the robot [rad or m]; absent: as the waypoint before. With `tool` the posture
  /// that the arm's joints are to be near to.
  std::vector<std::optional<double>> q;
  std::optional<double> speed;  ///< share of v_max on the way to it; absent: the list's
  bool operator==(const MotionWaypoint&) const = default;
};

/// All waypoints are positions of joints, or all are poses of one arm's tool.
struct MotionList {
  std::string name = "motion";
  ArmIndex arm = kNoArm;  ///< whose tool goes through poses; kNoArm: joints move
  std::vector<MotionWaypoint> waypoints;
  double speed = 0.3;         ///< share of v_max: a choice, as that of a sequence
  double acceleration = 0.5;  ///< share of a_max: a choice
  bool checks_collisions = true;
  PlanExecution execution = PlanExecution::kInverseDynamics;
  /// How near hinges [rad] and slides [m] have to come to the last waypoint; 0: not watched.
  std::array<double, 2> goal_tolerance{};
  // Of a tool.
  double corner_distance = 0.0;            ///< [m]; 0: it stops at each waypoint
  std::optional<double> linear_speed;      ///< [m/s]; absent: the arm's own
  std::optional<double> rotational_speed;  ///< [rad/s]

  [[nodiscard]] bool is_of_tool() const noexcept { return arm != kNoArm; }
  bool operator==(const MotionList&) const = default;
};

/// A list whose plan was sent to the robot.
struct SentMotion {
  std::uint64_t number = 0;  ///< of the command
  MotionList list;
  bool goes_on = false;  ///< from the one before, without a stop
};

/// Joints that a list moves.
JointSet joints_of(const MotionList& list, const RobotConfig& config);

/// True if both ask for the same motion: labels and names are for people.
bool asks_the_same(const MotionList& a, const MotionList& b);

/// Rounds to a hundredth of a millimetre and of a degree, as tidy() does for joints.
ToolPose tidy(const ToolPose& pose);

}  // namespace jointrig::gui
