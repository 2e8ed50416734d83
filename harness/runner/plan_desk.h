#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "control/core/snapshot.h"
#include "control/exchange/plan_pool.h"
#include "control/motion/joint_plan.h"

namespace jointrig::harness {

/// Hands plans over to the loop, and remembers them, so that another can go on from one.
class PlanDesk {
 public:
  /// @param pool  null: nothing can be handed over
  explicit PlanDesk(JointPlanPool* pool) : pool_(pool) {}

  /// Returns the plan's ticket; an empty one if the pool is full.
  PlanTicket hand_over(JointPlan plan);

  /// A point of a plan that is followed, from which another one can go on.
  struct Branch {
    PlanTicket ticket;
    double time = 0.0;                ///< of that plan [s]
    std::vector<MotionState> states;  ///< of its joints, by the plan at pace 1
  };
  /// The plan that exactly these joints follow, `lead` seconds from now. An empty ticket: none that
  /// was handed over here.
  [[nodiscard]] Branch branch(const Snapshot& snapshot, const JointSet& joints, double lead) const;

 private:
  struct Known {
    PlanTicket ticket;
    std::shared_ptr<const JointPlan> plan;
  };

  JointPlanPool* pool_;
  std::vector<Known> known_;
};

}  // namespace jointrig::harness
