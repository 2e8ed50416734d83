#pragma once
/// A trajectory of an arm's tool in the words of a scenario or of Python: poses absolute or
/// relative, in the frame that was chosen, from where the robot is.

#include <string>
#include <vector>

#include "control/core/asked_trajectory.h"
#include "control/core/snapshot.h"
#include "control/planning/tool_trajectory.h"

namespace jointrig {

class ArmTrajectory {
 public:
  /// @param frame  of poses: the arm's base, the world, or the tool itself at the point before (for
  ///               `by` and `turn`; poses count in the base)
  /// @param endpoint  a site or a body that goes along the path; empty: the arm's tool
  /// @param free  along the path, x y z of the frame (with `tool`: of the base)
  /// Throws ModelError with the nearest name for an endpoint that isn't there.
  ArmTrajectory(const RobotConfig& robot, const KinematicTree& tree, ArmIndex arm, ToolFrame frame,
                const std::string& endpoint = {}, FreeRotation free = FreeRotation::kNone);

  /// Joints of the arm, rising.
  [[nodiscard]] const std::vector<JointIndex>& joints() const noexcept { return joints_; }

  /// @param watch  as of ToolTrajectory::plan
  /// @param start  of the arm's joints; empty: at rest at their references
  JointPlan plan(const Snapshot& now, const std::vector<ArmWaypoint>& waypoints,
                 PlanWatch* watch = nullptr, const TrajectoryStart& start = {});

 private:
  ToolLimits most_;
  std::vector<JointIndex> joints_;
  ToolTrajectory trajectory_;
  ArmIndex arm_;
  ToolFrame frame_;
  bool has_endpoint_;
  bool floats_;
};

/// Sentence with the nearest name for an endpoint that isn't there; empty for one that is, or for
/// the arm's tool.
[[nodiscard]] std::string why_no_endpoint(const KinematicTree& tree, const std::string& endpoint);

/// A plan that is refused since its endpoint isn't there: on the way to waypoint 1.
[[nodiscard]] JointPlan plan_without_endpoint(std::string sentence);

/// Where a waypoint is, from the point before it; NaN where its orientation isn't of length 1.
Placement pose_after(const Placement& before, const ArmWaypoint& to, ToolFrame frame);

/// The robot where a plan begins: the references of the joints that it moves, the measured
/// positions of the others.
RobotState state_for_plan(const Snapshot& now, const std::vector<JointIndex>& moved);

}  // namespace jointrig
