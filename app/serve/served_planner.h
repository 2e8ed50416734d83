#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "app/planner/planner.h"
#include "control/exchange/snapshot_exchange.h"
#include "control/planning/arm_trajectory.h"
#include "control/planning/kinematic_tree.h"
#include "control/planning/path_collision.h"
#include "control/stack/stack.h"
#include "harness/runner/plan_desk.h"
#include "remote/trajectory.h"

namespace jointrig::app {

/// Plans for clients, as a Sim does for its script, on a thread of its own. Any thread may ask, and
/// waits for its plan.
class ServedPlanner {
 public:
  /// Plans that wait for their command: older ones are taken back, so that a client that asks for
  /// plans and follows none leaves places in the pool. A choice.
  static constexpr std::size_t kWaiting = 6;

  /// Both outlive the planner.
  ServedPlanner(Stack& stack, const SnapshotExchange& snapshots)
      : stack_(&stack), snapshots_(&snapshots), desk_(&stack.plans()) {}

  /// Plans from the references of the newest state, or from the plan that the same joints follow. A
  /// plan that can't be made is handed over, too: the loop refuses it with its reason. With a
  /// report it isn't: the report has the reason.
  /// @param is_wanted  asked while the plan is made; false cancels it
  /// Throws remote::PlanDropped where it was cancelled, or superseded by a later one of any of the
  /// same joints: then nothing is handed over.
  [[nodiscard]] remote::PlannedMotion plan(const remote::Trajectory& trajectory,
                                           const std::function<bool()>& is_wanted);

 private:
  using Start = harness::PlanDesk::Start;

  /// Null: a motion of joints. Throws std::invalid_argument for an endpoint that isn't there.
  [[nodiscard]] std::shared_ptr<ArmTrajectory> tool_of(const remote::Trajectory& trajectory);
  [[nodiscard]] JointPlan make(const remote::Trajectory& trajectory, ArmTrajectory* tool,
                               const TrajectoryStart& start, const Snapshot& now,
                               PlanReport& report, PlanWatch& watch);
  [[nodiscard]] JointPlan checked(JointPlan plan, const std::vector<JointIndex>& moved,
                                  const Snapshot& now, PlanReport& report, PlanWatch& watch);
  [[nodiscard]] remote::PlannedMotion hand_over(JointPlan plan, const Start& start,
                                                const remote::Trajectory& trajectory);
  void take_back_unused();

  Stack* stack_;
  const SnapshotExchange* snapshots_;
  std::unique_ptr<PathCollision> collisions_;  ///< the planner's thread alone; made when needed
  std::mutex mutex_;
  std::optional<KinematicTree> tree_;  ///< under mutex_; made when needed
  harness::PlanDesk desk_;             ///< under mutex_
  std::deque<PlanTicket> handed_;      ///< under mutex_: the last ones
  Planner planner_;                    ///< last: its thread uses the others
};

}  // namespace jointrig::app
