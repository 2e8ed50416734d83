#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "control/core/asked_trajectory.h"
#include "control/core/snapshot.h"
#include "control/planning/joint_trajectory.h"
#include "control/planning/kinematic_tree.h"
#include "control/planning/path_collision.h"
#include "control/planning/plan_watch.h"

namespace jointrig {

/// Told on the way to a plan, for those who show it.
struct PlanTold {
  std::function<void(const JointPlan&)> path{};  ///< that can be followed, before its check
  std::function<void(const PathCollision::Meeting&)> meeting{};
};

/// Makes plans of a robot for what is asked of it: the path, whether bodies meet on it, and what is
/// watched on the way. The same for a scenario's connection, a script and a program.
///
/// check() and tree() are for who asks, plan() for the thread that plans: one at a time of each. A
/// plan is made after the check of what it is made of. Allocates: outside the loop.
class AskedPlanner {
 public:
  /// @param robot  outlives it
  explicit AskedPlanner(const RobotConfig& robot) : robot_(&robot) {}

  /// Throws std::invalid_argument for an orientation where all rotations are free, and where the
  /// model of a tool's path can't be loaded.
  void check(const AskedTrajectory& asked);
  /// After check(): the plan of a path whose endpoint isn't there, which is refused with the
  /// nearest name as its remark; absent for any other. plan() gives the same.
  [[nodiscard]] std::optional<JointPlan> without_endpoint(const AskedTrajectory& asked) const;
  /// The robot's kinematics, loaded when first needed. Throws ModelError.
  [[nodiscard]] const KinematicTree& tree();

  /// A plan that can't be made has a failure() with joint, waypoint, value and limit.
  /// @param now    poses of the other joints, of the base and of obstacles
  /// @param watch  told how far it is; null: nobody watches. Throws PlanCancelled by it
  /// @param narrowed  the robot with narrower limits; null: its own
  [[nodiscard]] JointPlan plan(const AskedTrajectory& asked, const TrajectoryStart& start,
                               const Snapshot& now, PlanWatch* watch = nullptr,
                               const PlanTold& told = {}, const RobotConfig* narrowed = nullptr);

 private:
  [[nodiscard]] JointPlan checked(JointPlan plan, const AskedTrajectory& asked, const Snapshot& now,
                                  PlanWatch* watch, const PlanTold& told);
  [[nodiscard]] JointPlan path_of(const AskedTrajectory& asked, const TrajectoryStart& start,
                                  const Snapshot& now, PlanWatch* watch, const RobotConfig& robot);

  const RobotConfig* robot_;
  std::optional<KinematicTree> tree_;          ///< written by who asks, before the first plan
  std::unique_ptr<PathCollision> collisions_;  ///< the planning thread alone; made when needed
};

}  // namespace jointrig
