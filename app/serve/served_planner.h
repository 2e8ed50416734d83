#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "app/planner/planner.h"
#include "control/core/asked_reach.h"
#include "control/exchange/snapshot_exchange.h"
#include "control/planning/asked_planner.h"
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
      : stack_(&stack), snapshots_(&snapshots), paths_(stack.config()), desk_(&stack.plans()) {}

  /// Plans from the references of the newest state, or from the plan that the joints follow. A
  /// plan that can't be made is handed over, too: the loop refuses it with its reason. With a
  /// report it isn't: the report has the reason.
  /// @param is_wanted  asked while the plan is made; false cancels it
  /// Throws remote::PlanDropped where it was cancelled, or superseded by a later one of any of the
  /// same joints: then nothing is handed over.
  [[nodiscard]] remote::PlannedMotion plan(const remote::Trajectory& trajectory,
                                           const std::function<bool()>& is_wanted);

  /// Joint positions that bring tools to poses, from where the robot is; nothing moves. Throws
  /// std::invalid_argument for what makes no sense.
  [[nodiscard]] ReachAnswer reach(const AskedReach& asked);

 private:
  using Start = harness::PlanDesk::Start;

  [[nodiscard]] JointPlan make(const remote::Trajectory& trajectory, const TrajectoryStart& start,
                               const Snapshot& now, PlanReport& report, PlanWatch& watch);
  [[nodiscard]] remote::PlannedMotion hand_over(JointPlan plan, const Start& start,
                                                const remote::Trajectory& trajectory);
  void take_back_unused();

  Stack* stack_;
  const SnapshotExchange* snapshots_;
  std::mutex mutex_;
  AskedPlanner paths_;             ///< its check() under mutex_, its plan() on the planner's thread
  harness::PlanDesk desk_;         ///< under mutex_
  std::deque<PlanTicket> handed_;  ///< under mutex_: the last ones
  Planner planner_;                ///< last: its thread uses the others
};

}  // namespace jointrig::app
