#pragma once
/// A trajectory as a scenario, a script or a client asks for it, from wherever the robot is when it
/// is planned.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "control/core/arm.h"
#include "control/core/arm_commands.h"
#include "control/core/free_rotation.h"
#include "control/core/plan_execution.h"
#include "control/core/types.h"

namespace jointrig {

/// A waypoint of joints: one number for each, by rising index, in the units of their commands.
struct AskedWaypoint {
  std::vector<double> q{};    ///< NaN, where `nan_stays`: as in the point before
  double speed = 1.0;         ///< share of v_max
  double acceleration = 1.0;  ///< share of a_max
  double time = 0.0;          ///< from the start, where it has times [s]
  std::vector<double> v{};    ///< with times; empty: the spline's
  std::vector<double> a{};    ///< with v
  /// How near each joint has to be as it passes the waypoint, or comes to rest at the last one;
  /// 0: not watched. Empty: none is.
  std::vector<double> tolerance{};
  /// Without times: largest acceleration of each joint on the way to it, 0: that of its share.
  /// Empty: of all.
  std::vector<double> a_max{};
  /// Acts on the arm of the joints, on the way to it and from there on; absent: as it is.
  std::optional<SetInteractionControl> interaction{};
};

/// A waypoint of a tool. Absent: the place, or the orientation, of the point before; the arm's own
/// limits; the posture before.
struct ArmWaypoint {
  std::optional<std::array<double, 3>> position{};  ///< in the frame [m]; or
  std::optional<std::array<double, 3>> by{};        ///< from the point before, along its axes [m]
  std::optional<std::array<double, 4>> orientation{};  ///< w x y z, in the frame; or
  std::optional<std::array<double, 3>> turn{};      ///< rotation vector from the point before [rad]
  double corner_distance = 0.0;                     ///< [m]
  std::optional<double> linear_speed{};             ///< [m/s]
  std::optional<double> linear_acceleration{};      ///< [m/s²]
  std::optional<double> rotational_speed{};         ///< [rad/s]
  std::optional<double> rotational_acceleration{};  ///< [rad/s²]
  double speed_ratio = 1.0;                         ///< of v_max of the joints
  double acceleration_ratio = 1.0;                  ///< of a_max
  std::vector<double> posture{};    ///< of the arm's joints, NaN: that before; or empty
  std::vector<double> tolerance{};  ///< of the arm's joints, as of AskedWaypoint
  std::optional<SetInteractionControl> interaction{};  ///< likewise; the path says the arm
};

/// The path of an arm's tool: frame and endpoint as of ArmTrajectory.
struct AskedToolPath {
  ArmIndex arm = 0;
  ToolFrame frame = ToolFrame::kBase;
  std::string endpoint{};  ///< empty: the arm's tool
  std::vector<ArmWaypoint> waypoints{};
  /// Along the whole path. With `all` no waypoint has an orientation or a turn.
  FreeRotation free_rotation = FreeRotation::kNone;
};

struct AskedTrajectory {
  struct Tolerance {
    double path = 0.0;  ///< 0: not watched
    double goal = 0.0;
  };
  JointSet joints{};  ///< of a tool's path those of its arm
  std::vector<AskedWaypoint> waypoints{};
  std::optional<AskedToolPath> tool{};  ///< in place of waypoints
  bool has_times = false;               ///< otherwise as fast as the limits allow
  /// With times and without speeds: straight from waypoint to waypoint, past those at speed; each
  /// corner is rounded as closely as a_max allows (control/planning/joint_trajectory.h).
  bool rounds_corners = false;
  /// With times: the last waypoint may have a speed. Behind it the joints brake, unless another
  /// plan goes on from there.
  bool brakes_behind = false;
  bool nan_stays = false;
  bool goes_on = true;                  ///< from a plan that they follow, or some, if there is one
  std::vector<Tolerance> tolerances{};  ///< one for each joint; empty: none is watched
  double settling_time = 1.0;           ///< [s]
  PlanExecution execution = PlanExecution::kInverseDynamics;
  bool checks_collisions = true;
  /// A planner elsewhere tells the plan (control/core/plan_report.h), or that there is none, since
  /// it is refused.
  bool wants_report = false;
};

}  // namespace jointrig
