#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/core/asked_trajectory.h"
#include "control/core/joint_commands.h"
#include "control/core/snapshot.h"
#include "control/exchange/plan_pool.h"
#include "control/motion/joint_plan.h"
#include "control/planning/joint_trajectory.h"
#include "control/planning/plan_watch.h"

namespace jointrig::harness {

/// A plan that is being made elsewhere. Its end cancels it.
class PlanElsewhere {
 public:
  PlanElsewhere() = default;
  PlanElsewhere(const PlanElsewhere&) = delete;
  PlanElsewhere& operator=(const PlanElsewhere&) = delete;
  virtual ~PlanElsewhere() = default;

  /// The command that follows the plan, once; absent while it is being made. Where none was made
  /// its ticket is empty.
  /// @param remark  gets what the loop's refusal can't tell
  virtual std::optional<FollowPlan> take(std::string& remark) = 0;
};

/// Makes plans in the program that runs the robot, where that is another one.
class PlansElsewhere {
 public:
  PlansElsewhere() = default;
  PlansElsewhere(const PlansElsewhere&) = delete;
  PlansElsewhere& operator=(const PlansElsewhere&) = delete;
  virtual ~PlansElsewhere() = default;

  /// Begins to make a plan, and doesn't wait for it: a cycle goes on meanwhile.
  [[nodiscard]] virtual std::unique_ptr<PlanElsewhere> begin(const AskedTrajectory& asked) = 0;
};

/// A plan that is being made on another thread of this program. Its end cancels it, and doesn't
/// wait.
class PlanBeside {
 public:
  PlanBeside() = default;
  PlanBeside(const PlanBeside&) = delete;
  PlanBeside& operator=(const PlanBeside&) = delete;
  virtual ~PlanBeside() = default;

  /// The plan, once; absent while it is being made. Throws std::runtime_error with the sentence of
  /// what broke its making.
  virtual std::optional<JointPlan> take() = 0;
};

/// Makes plans on one other thread, one after the other, where robot time goes on meanwhile. Its
/// end waits for that thread, which reads what belongs to the scenario's steps: it comes before
/// theirs.
class PlansBeside {
 public:
  PlansBeside() = default;
  PlansBeside(const PlansBeside&) = delete;
  PlansBeside& operator=(const PlansBeside&) = delete;
  virtual ~PlansBeside() = default;

  /// @param make  called on the other thread
  [[nodiscard]] virtual std::unique_ptr<PlanBeside> begin(
      std::function<JointPlan(PlanWatch&)> make) = 0;
};

/// Hands plans over to the loop, and remembers them, so that another can go on from one.
class PlanDesk {
 public:
  /// @param pool  null: nothing can be handed over
  /// @param elsewhere  null: plans are made in this program; outlives the desk
  /// @param beside  null: plans are made between two cycles; ends before the runner
  explicit PlanDesk(JointPlanPool* pool, PlansElsewhere* elsewhere = nullptr,
                    PlansBeside* beside = nullptr)
      : pool_(pool), elsewhere_(elsewhere), beside_(beside) {}

  /// Null: plans are made in this program.
  [[nodiscard]] PlansElsewhere* elsewhere() const noexcept { return elsewhere_; }
  /// Null: plans are made between two cycles.
  [[nodiscard]] PlansBeside* beside() const noexcept { return beside_; }

  /// Where a plan begins: at rest at the joints' references, or at a point of the plan that some of
  /// these joints follow, or all, while no other leads the rest; that was handed over here.
  struct Start {
    TrajectoryStart state;  ///< of the joints, rising
    PlanTicket after;       ///< of the plan that it goes on from; empty: none
    double time = 0.0;      ///< of that plan [s]
  };
  /// Time from now on at which a plan is left for another [s]: time to plan and to send, between
  /// two cycles or by a program. A choice.
  static constexpr double kLead = 0.05;
  /// Likewise where time goes on meanwhile: with their check 500 waypoints of joints take up to
  /// half a second, and one of a tool 5 to 10 ms (docs/motion.md). Choices.
  [[nodiscard]] static double lead_for(const AskedTrajectory& asked) noexcept {
    constexpr double kOfWaypoint = 1.5e-3;
    constexpr double kOfToolWaypoint = 25e-3;
    if (asked.tool) {
      return 2.0 * kLead + kOfToolWaypoint * static_cast<double>(asked.tool->waypoints.size());
    }
    return kLead + kOfWaypoint * static_cast<double>(asked.waypoints.size());
  }

  /// @param goes_on  from a plan that is followed, if there is one that these joints can take over
  ///                 from: of none but them, and the only one
  [[nodiscard]] Start start(const Snapshot& snapshot, const JointSet& joints, bool goes_on,
                            double lead = kLead) const;

  /// Makes the command that follows a plan from its start. With a full pool its ticket is empty,
  /// and the loop refuses it.
  [[nodiscard]] FollowPlan hand_over(JointPlan plan, const Start& start, const JointSet& joints);

  /// Reason beyond the numbers of the failure of the last plan from here; empty: nothing.
  [[nodiscard]] const std::string& remark() const noexcept { return remark_; }

 private:
  struct Known {
    PlanTicket ticket;
    std::shared_ptr<const JointPlan> plan;
  };
  PlanTicket hand_over(JointPlan plan);
  [[nodiscard]] const Known* known(const PlanSnapshot& now) const;

  JointPlanPool* pool_;
  PlansElsewhere* elsewhere_;
  PlansBeside* beside_;
  std::string remark_;
  std::vector<Known> known_;
};

}  // namespace jointrig::harness
