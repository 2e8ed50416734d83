#pragma once

#include <deque>
#include <memory>
#include <mutex>

#include "control/exchange/snapshot_exchange.h"
#include "control/planning/path_collision.h"
#include "control/stack/stack.h"
#include "harness/runner/plan_desk.h"
#include "remote/trajectory.h"

namespace jointrig::app {

/// Plans for clients, as a Sim does for its script. Any thread; one at a time, the others wait.
class ServedPlanner {
 public:
  /// Plans that wait for their command: older ones are taken back, so that a client that asks for
  /// plans and follows none leaves places in the pool. A choice.
  static constexpr std::size_t kWaiting = 6;

  /// Both outlive the planner.
  ServedPlanner(Stack& stack, const SnapshotExchange& snapshots)
      : stack_(&stack), snapshots_(&snapshots), desk_(&stack.plans()) {}

  /// Plans from the references of the newest state, or from the plan that the same joints follow. A
  /// plan that can't be made is handed over, too: the loop refuses it with its reason.
  [[nodiscard]] remote::PlannedMotion plan(const remote::Trajectory& trajectory);

 private:
  [[nodiscard]] JointPlan checked(JointPlan plan, const Snapshot& now,
                                  const TrajectoryJoints& moved);
  void take_back_unused();

  Stack* stack_;
  const SnapshotExchange* snapshots_;
  std::mutex mutex_;
  harness::PlanDesk desk_;
  std::unique_ptr<PathCollision> collisions_;  ///< made when first needed
  std::deque<PlanTicket> handed_;              ///< the last ones
};

}  // namespace jointrig::app
