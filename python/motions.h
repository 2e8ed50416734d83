#pragma once
/// Motions that are planned in this process, as a caller gives them.

#include <string>
#include <vector>

#include "control/core/arm.h"
#include "control/core/robot_config.h"
#include "control/motion/joint_plan.h"
#include "control/planning/arm_trajectory.h"
#include "control/planning/joint_trajectory.h"

namespace jointrig::python {

/// A motion of some joints through waypoints.
struct Trajectory {
  JointSet joints;  ///< values below are by rising index
  std::vector<JointWaypoint> waypoints;
  std::vector<TimedWaypoint> points;               ///< instead of waypoints: with times
  std::vector<JointPlan::Tolerance> tolerances{};  ///< by joint; empty: none is watched
  double settling_time = 1.0;                      ///< [s]
  bool checks_collisions = true;
};

/// A motion of an arm's tool through poses.
struct ToolMotion {
  ArmIndex arm = 0;
  ToolFrame frame = ToolFrame::kBase;
  std::string endpoint;  ///< empty: the arm's tool
  std::vector<ArmWaypoint> waypoints;
  std::vector<JointPlan::Tolerance> tolerances{};  ///< by joint of the arm, rising
  double settling_time = 1.0;                      ///< [s]
  bool checks_collisions = true;
};

}  // namespace jointrig::python
