#pragma once
/// Waypoints of a motion as a person records them: plain data.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "control/core/arm.h"
#include "control/core/arm_commands.h"
#include "control/core/free_rotation.h"
#include "control/core/plan_execution.h"
#include "control/core/robot_config.h"

namespace jointrig::gui {

inline constexpr std::size_t kToolLengths = 3;  ///< of a tool's six numbers; the rest are angles

/// One per joint of the robot, absent where nothing is said of it; empty: of none.
using JointNumbers = std::vector<std::optional<double>>;

/// Bounds of a tool's motion. Absent: the list's, then the arm's own.
struct MotionBounds {
  std::optional<double> linear_speed;             ///< [m/s]
  std::optional<double> linear_acceleration;      ///< [m/s²]
  std::optional<double> rotational_speed;         ///< [rad/s]
  std::optional<double> rotational_acceleration;  ///< [rad/s²]
  std::optional<double> corner_distance;          ///< [m]; 0, or absent everywhere: it stops there
  bool operator==(const MotionBounds&) const = default;
};

/// Where a tool goes (control/core/asked_trajectory.h). Absent: as at the waypoint before.
struct MotionPose {
  std::optional<std::array<double, 3>> position;     ///< in the list's frame [m]; or
  std::optional<std::array<double, 3>> by;           ///< from the waypoint before [m]
  std::optional<std::array<double, 4>> orientation;  ///< w x y z, in the list's frame; or
  std::optional<std::array<double, 3>> turn;  ///< rotation vector from the waypoint before [rad]
  MotionBounds own;                           ///< on the way to it
  [[nodiscard]] static MotionPose at(const ToolPose& pose) {
    return {pose.position, {}, pose.orientation, {}, {}};
  }
  bool operator==(const MotionPose&) const = default;
};

struct MotionWaypoint {
  std::string label;
  std::optional<MotionPose> tool;  ///< absent: joints are given
  /// [rad or m]; absent: as the waypoint before. With `tool` the posture that the arm's joints are
  /// to be near to.
  JointNumbers q;
  std::string pose;                    ///< of the robot's file, which says q; empty: none
  std::optional<double> speed;         ///< share of v_max on the way to it; absent: the list's
  std::optional<double> acceleration;  ///< likewise of a_max
  std::optional<double> time;          ///< from the start [s]: all waypoints have one, or none
  JointNumbers v;                      ///< with times [rad/s or m/s]
  JointNumbers a;                      ///< with v [rad/s² or m/s²]
  JointNumbers tolerance;              ///< how near to it a joint passes it [rad or m]
  JointNumbers a_max;                  ///< without times, on the way to it
  std::optional<SetInteractionControl> interaction;  ///< on the way to it and from there on
  bool operator==(const MotionWaypoint&) const = default;
};

/// All that a trajectory of a scenario can say (docs/motion.md). All waypoints are positions of
/// joints, or all are poses of one arm's tool.
struct MotionList {
  std::string name = "motion";
  ArmIndex arm = kNoArm;  ///< whose tool goes through poses; kNoArm: joints move
  std::vector<MotionWaypoint> waypoints;
  double speed = 0.3;           ///< share of v_max: a choice, as that of a sequence
  double acceleration = 0.5;    ///< share of a_max: a choice
  bool rounds_corners = false;  ///< with times, without v: as of AskedTrajectory
  bool brakes_behind = false;   ///< with times: likewise
  bool checks_collisions = true;
  PlanExecution execution = PlanExecution::kInverseDynamics;
  JointNumbers path_tolerance;  ///< how near a joint stays to its reference [rad or m]
  JointNumbers goal_tolerance;  ///< how near it has to come to the last waypoint
  double settling_time = 1.0;   ///< for that, after the end [s]
  /// Interaction control from its start on, for the arm whose joints all move.
  std::optional<SetInteractionControl> interaction;
  // For a tool.
  ToolFrame frame = ToolFrame::kBase;  ///< of its poses
  std::string endpoint;                ///< a site or a body that goes; empty: the arm's tool
  MotionBounds bounds;                 ///< of all its waypoints
  FreeRotation free_rotation = FreeRotation::kNone;  ///< that its path doesn't hold
  // For a scenario.
  bool replaces = false;          ///< goes on from the motion that its joints follow
  bool waits = true;              ///< the next step begins at its end
  std::optional<double> timeout;  ///< of that [s]; absent: of its length

  [[nodiscard]] bool is_of_tool() const noexcept { return arm != kNoArm; }
  /// False: orientations of its waypoints are kept, but not asked for.
  [[nodiscard]] bool holds_rotation() const noexcept { return free_rotation != FreeRotation::kAll; }
  [[nodiscard]] bool is_timed() const noexcept {
    return !waypoints.empty() && waypoints.front().time.has_value();
  }
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

/// True if both ask for the same motion: labels and names are for people, and what comes after it
/// for scenarios.
bool asks_the_same(const MotionList& a, const MotionList& b);

/// "frame world", "interaction control: impedance x y z, force rz": what a list says beside the
/// fields of the page.
std::vector<std::string> said_beside(const MotionList& list);
/// Likewise of a waypoint: "pose home", "accelerates by up to joint1 57.3 °/s²".
std::vector<std::string> said_beside(const MotionWaypoint& waypoint, const RobotConfig& config);

/// True if a place, or an orientation, is relative to the waypoint before.
[[nodiscard]] bool is_relative(const MotionPose& pose, bool in_place) noexcept;
/// x y z [m]; then roll, pitch, yaw, or where it is relative the rotation vector [rad].
std::array<double, 6> shown_numbers(const MotionPose& pose) noexcept;

/// Rounds to a hundredth of a millimetre and of a degree, as tidy() does for joints.
ToolPose tidy(const ToolPose& pose);

}  // namespace jointrig::gui
