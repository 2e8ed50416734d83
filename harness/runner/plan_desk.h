#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "control/core/asked_trajectory.h"
#include "control/core/joint_commands.h"
#include "control/core/snapshot.h"
#include "control/exchange/plan_pool.h"
#include "control/motion/joint_plan.h"
#include "control/planning/joint_trajectory.h"

namespace jointrig::harness {

/// Makes plans in the program that runs the robot, where that is another one.
class PlansElsewhere {
 public:
  PlansElsewhere() = default;
  PlansElsewhere(const PlansElsewhere&) = delete;
  PlansElsewhere& operator=(const PlansElsewhere&) = delete;
  virtual ~PlansElsewhere() = default;

  /// Makes the command that follows a plan; where none was made its ticket is empty.
  /// @param remark  gets what the loop's refusal can't tell
  virtual FollowPlan plan(const AskedTrajectory& asked, std::string& remark) = 0;
};

/// Hands plans over to the loop, and remembers them, so that another can go on from one.
class PlanDesk {
 public:
  /// @param pool  null: nothing can be handed over
  /// @param elsewhere  null: plans are made here; outlives the desk
  explicit PlanDesk(JointPlanPool* pool, PlansElsewhere* elsewhere = nullptr)
      : pool_(pool), elsewhere_(elsewhere) {}

  [[nodiscard]] bool is_elsewhere() const noexcept { return elsewhere_ != nullptr; }
  /// Where is_elsewhere().
  [[nodiscard]] FollowPlan ask(const AskedTrajectory& asked) {
    remark_.clear();
    return elsewhere_->plan(asked, remark_);
  }

  /// Where a plan begins: at rest at the joints' references, or at a point of the plan that exactly
  /// these joints follow and that was handed over here.
  struct Start {
    TrajectoryStart state;
    PlanTicket after;   ///< of the plan that it goes on from; empty: none
    double time = 0.0;  ///< of that plan [s]
  };
  /// Time from now on at which a plan is left for another [s]: time to plan and to send, between
  /// two cycles or by a program. A choice.
  static constexpr double kLead = 0.05;
  /// Likewise where time goes on meanwhile: 500 waypoints take up to half a second with their
  /// check. A choice.
  [[nodiscard]] static double lead_for(const AskedTrajectory& asked) noexcept {
    constexpr double kOfWaypoint = 1.5e-3;
    return kLead + kOfWaypoint * static_cast<double>(asked.waypoints.size());
  }

  /// @param goes_on  from a plan that is followed, if there is one
  [[nodiscard]] Start start(const Snapshot& snapshot, const JointSet& joints, bool goes_on,
                            double lead = kLead) const;

  /// Makes the command that follows a plan from its start. With a full pool its ticket is empty,
  /// and the loop refuses it.
  [[nodiscard]] FollowPlan hand_over(JointPlan plan, const Start& start, const JointSet& joints);

  /// Reason beyond the numbers of the last plan's failure; empty: nothing.
  [[nodiscard]] const std::string& remark() const noexcept { return remark_; }

 private:
  PlanTicket hand_over(JointPlan plan);

  struct Known {
    PlanTicket ticket;
    std::shared_ptr<const JointPlan> plan;
  };

  JointPlanPool* pool_;
  PlansElsewhere* elsewhere_;
  std::string remark_;
  std::vector<Known> known_;
};

}  // namespace jointrig::harness
