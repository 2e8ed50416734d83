#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/planner/planner.h"
#include "control/core/snapshot.h"
#include "harness/runner/plan_desk.h"

namespace jointrig {

/// A motion of some joints by a plan, which is made when it begins.
struct QueuedMotion {
  using Start = harness::PlanDesk::Start;

  JointSet joints;
  JointMode mode = JointMode::kPosition;  ///< in which it is followed
  /// @param lead  time from now until the start [s]
  std::function<JointPlan(const Start&, double lead)> make;
  double duration = 0.0;
  std::vector<double> goal;  ///< of the joints, rising
  bool replaces = false;     ///< begins in the midst of the plan that these joints follow

  /// In place of `make`: has the plan made on the planner's thread when its turn comes.
  std::function<app::Planner::Job(const Start&, const Snapshot&)> ask{};
  double planning_lead = 0.0;  ///< of one that replaces: time for its making [s]
  app::Planner::Job job{};     ///< what was asked for
  Start from{};                ///< where that begins
  double begin = 0.0;          ///< clock() of that, where it begins in motion [s]
  /// Told the plan that was asked for, and the clock() at which it begins [s].
  std::function<void(const JointPlan&, double begin)> begins{};
};

/// Motions that wait for their turn, in order; those of different joints don't wait for one
/// another.
class MotionQueue {
 public:
  /// @param waits  for plans that are asked for, so that time stands still while they are made
  MotionQueue(JointPlanPool* plans, bool waits) : desk_(plans), waits_(waits) {}

  void push(QueuedMotion motion) { waiting_.push_back(std::move(motion)); }
  /// Forgets what moves any of these joints, and what is followed: the joints take another command.
  void clear(const JointSet& joints);
  /// Forgets what waits.
  void clear_waiting(const JointSet& joints);

  struct Ending {
    std::vector<double> goal;  ///< of the joints, rising
    double arrival = 0.0;      ///< clock() [s]
  };
  /// The loop has refused the last plan that was handed over for these joints: they go on with the
  /// one before, and what waits is forgotten.
  /// @return  the end of that one; none: none is followed
  std::optional<Ending> take_back(const JointSet& joints);
  /// Motions that wait for any of these joints.
  [[nodiscard]] std::size_t waiting(std::span<const JointIndex> joints) const;

  /// Commands for the motions whose turn it is. Throws std::runtime_error where a plan that was
  /// asked for could not be made at all; that motion is forgotten.
  [[nodiscard]] std::vector<FollowPlan> commands(const Snapshot& now);

  /// Share of the making of a plan for any of these joints; none: none is being made.
  [[nodiscard]] std::optional<double> planning(const JointSet& joints) const;
  [[nodiscard]] bool is_busy(const JointSet& joints, const Snapshot& now) const;
  /// Where a motion of these joints would begin now.
  [[nodiscard]] QueuedMotion::Start start(const Snapshot& now, const JointSet& joints,
                                          bool goes_on) const {
    return desk_.start(now, joints, goes_on);
  }
  /// Of the last plan handed over.
  [[nodiscard]] const std::string& remark() const noexcept { return desk_.remark(); }

 private:
  /// The last plan that was handed over for these joints.
  struct Followed {
    JointSet joints;
    PlanTicket ticket;
    double duration = 0.0;
    std::vector<double> goal;
    bool was_seen = false;                     ///< in a snapshot
    double arrival = 0.0;                      ///< clock() [s]
    std::shared_ptr<const Followed> before{};  ///< in the midst of which it begins
  };
  struct Turn {
    QueuedMotion::Start start;
    double lead = 0.0;
  };
  void look_at(const Snapshot& now);
  /// Its plan was to begin in the midst of one that has ended, or has passed that point.
  [[nodiscard]] static bool comes_late(const QueuedMotion& motion, const Snapshot& now);
  [[nodiscard]] std::optional<Turn> turn_of(const QueuedMotion& motion, const Snapshot& now) const;
  /// Where the motion begins in the midst of the plan before it.
  [[nodiscard]] Turn joined(const QueuedMotion& motion, const PlanSnapshot& plan,
                            const Snapshot& now) const;
  std::optional<JointPlan> made(QueuedMotion& motion, const Turn& turn, const Snapshot& now) const;

  harness::PlanDesk desk_;
  bool waits_;
  std::deque<QueuedMotion> waiting_;
  std::vector<Followed> followed_;
};

/// True if a plan may begin: each joint is in the mode, its motor on, its reference at rest.
[[nodiscard]] bool stands_in_position(const JointSet& joints, const Snapshot& now,
                                      JointMode mode = JointMode::kPosition);

}  // namespace jointrig
