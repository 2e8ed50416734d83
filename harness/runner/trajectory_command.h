#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/planning/joint_trajectory.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/binder.h"
#include "harness/runner/plan_desk.h"
#include "harness/runner/step_run.h"
#include "harness/runner/tool_waypoints.h"

namespace jointrig::harness {

/// The arm that a key `interaction` of a trajectory, or of one of its waypoints, is for: all of its
/// joints move. Throws FileError.
/// @param interaction  the key's setting
/// @param joints  that it moves
ArmIndex arm_of_interaction(const TrajectoryStep& step, const ArmSetting& interaction,
                            const JointSet& joints, const RobotConfig& config);

/// A trajectory of a scenario, bound to the robot's joints.
class BoundTrajectory {
 public:
  /// Throws FileError.
  /// @param may_be_unknown  a path of an endpoint that isn't there is refused by the loop
  BoundTrajectory(const TrajectoryStep& step, const Binder& binder, bool may_be_unknown = false);

  /// A plan that was handed over.
  struct Made {
    FollowPlan command;
    std::string remark;  ///< what the numbers of its failure can't tell; empty: nothing
  };
  /// Plans from the present references, or from the plan that the joints follow, and hands the plan
  /// over. Allocates: between two cycles, or beside the loop. A plan that can't be made is handed
  /// over, too: the loop refuses it by its reason.
  /// @returns absent while it is made on another thread, or where the robot's program is: call
  /// again in the next cycle. Throws std::runtime_error if its making broke.
  [[nodiscard]] std::optional<Made> make(const StepScene& scene);
  /// Cancels what is being made.
  void forget() noexcept {
    made_there_.reset();
    made_beside_.reset();
  }

  [[nodiscard]] const JointSet& joints() const noexcept { return joints_; }
  /// All that a planner is asked for, with the present values.
  [[nodiscard]] AskedTrajectory asked() const;
  /// A waypoint from 1, with its label: `2 ("over the bin")`.
  [[nodiscard]] std::string name_of(std::size_t waypoint) const;

 private:
  struct Point {
    std::vector<BoundTarget> targets;
    BoundValue speed{1.0};
    BoundValue acceleration{1.0};
    std::vector<BoundTarget> velocities;
    std::vector<BoundTarget> accelerations;
    std::vector<BoundTarget> tolerance;
    std::vector<BoundTarget> max_acceleration;
    double time = 0.0;
  };
  Point bound(const TrajectoryPoint& point, const TrajectoryStep& step, const Binder& binder);
  /// The point's values for all joints; `otherwise` where it names none.
  [[nodiscard]] std::vector<double> values(const std::vector<BoundTarget>& targets,
                                           std::vector<double> otherwise) const;

  [[nodiscard]] std::optional<Made> make_elsewhere(PlansElsewhere& elsewhere);
  [[nodiscard]] std::optional<Made> make_beside(const StepScene& scene, PlansBeside& beside);
  void bind_interactions(const TrajectoryStep& step, const Binder& binder);
  /// Those of the waypoints, with the present values.
  [[nodiscard]] std::vector<std::optional<SetInteractionControl>> interactions() const;
  [[nodiscard]] JointPlan plan(const AskedTrajectory& wanted, const TrajectoryStart& start,
                               const Snapshot& now, const RobotConfig& config,
                               PlanWatch* watch) const;
  [[nodiscard]] Made handed_over(const StepScene& scene, JointPlan plan,
                                 const PlanDesk::Start& start) const;

  std::unique_ptr<PlanElsewhere> made_there_;
  std::unique_ptr<PlanBeside> made_beside_;
  PlanDesk::Start begun_;                      ///< of the plan that is made beside
  std::optional<BoundToolWaypoints> tool_;     ///< in place of points_
  std::shared_ptr<PathCollision> collisions_;  ///< null: nothing is checked
  std::vector<Point> points_;
  std::vector<std::string> labels_;
  std::vector<std::optional<BoundArmCommand>> interactions_;  ///< of each waypoint
  JointSet joints_;
  std::vector<JointIndex> order_;  ///< its joints, rising
  std::vector<JointPlan::Tolerance> tolerances_;
  double settling_time_;
  bool is_timed_;
  bool has_velocities_;
  bool has_accelerations_;
  bool rounds_corners_;
  bool brakes_behind_;
  bool replaces_;
  PlanExecution execution_;
};

}  // namespace jointrig::harness
