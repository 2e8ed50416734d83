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

/// The milestone behind which a motion brakes, where none goes on from there.
struct PassedEnd {
  JointSet joints;          ///< of the motion
  std::vector<double> q;    ///< of the joints, rising [rad or m]
  std::vector<double> v;    ///< [rad/s or m/s]
  double brakes_for = 0.0;  ///< from there to rest, at a speed override of 1 [s]
};

/// End that is expected of a joint after all that was asked for.
struct ExpectedEnd {
  std::optional<double> goal{};               ///< of its reference [rad or m]
  double arrival = 0.0;                       ///< clock() [s]; infinite: not before a plan is made
  bool is_known = true;                       ///< false: a plan that isn't made yet tells the goal
  std::shared_ptr<const PassedEnd> passed{};  ///< null: at rest at the goal
  double passes_at = 0.0;                     ///< clock() at `passed` [s]
};

/// The milestone that these joints pass at the end of all that was asked for, if another motion of
/// theirs can still go on from there; else null.
std::shared_ptr<const PassedEnd> passed_end(const JointSet& joints,
                                            std::span<const ExpectedEnd> ends, double clock);
/// That of a plan, likewise; null: it ends at its last milestone.
std::shared_ptr<const PassedEnd> passed_end(const JointPlan& plan);

/// A motion of some joints, by a plan that is made when its turn comes, or by a command from rest.
struct QueuedMotion {
  using Start = harness::PlanDesk::Start;

  JointSet joints;
  JointMode mode = JointMode::kPosition;  ///< in which it is followed
  bool replaces = false;     ///< begins in the midst of the plan that some of them follow, or all
  bool is_appended = false;  ///< begins where the motion before ends

  /// Has the plan made on the planner's thread.
  /// @param begin  clock() at which it will begin [s]
  std::function<app::Planner::Job(const Start&, const Snapshot&, double begin)> ask{};
  /// Time for its making, where time goes on meanwhile and it begins in the midst of another, or at
  /// a clock's time [s].
  double planning_lead = 0.0;
  /// Its waypoints' times are a clock's: the start is kept to where time goes on.
  bool keeps_time = false;
  /// Told the plan, and the clock() at which it begins [s].
  std::function<void(const JointPlan&, double begin)> begins{};
  /// In place of `ask`: sends the command.
  std::function<void()> send{};

  std::vector<double> goal{};                 ///< of the joints, rising; empty: the plan tells
  std::optional<double> duration{};           ///< none: the plan tells [s]
  std::shared_ptr<const PassedEnd> passed{};  ///< null: it ends at rest at its goal

  app::Planner::Job job{};  ///< what was asked for
  Start from{};             ///< where that begins
  double begin = 0.0;       ///< clock() of that; before, where it isn't appended, a forecast [s]
};

/// Motions that wait for their turn, in order; those of different joints don't wait for one
/// another.
class MotionQueue {
 public:
  /// @param waits   for plans that are asked for, so that time stands still while they are made
  /// @param period  of the robot's cycles [s]
  MotionQueue(JointPlanPool* plans, bool waits, double period = 1e-3)
      : desk_(plans), waits_(waits), period_(period) {}

  void push(QueuedMotion motion) { waiting_.push_back(std::move(motion)); }
  /// Forgets what moves any of these joints, and what is followed: the joints take another command.
  void clear(const JointSet& joints);
  /// Forgets what waits.
  void clear_waiting(const JointSet& joints);

  struct Ending {
    JointSet joints;
    std::vector<double> goal;  ///< of the joints, rising
    double arrival = 0.0;      ///< clock() [s]
  };
  /// The loop has refused the last plan that was handed over for these joints: they go on with the
  /// one before, and what waits is forgotten.
  /// @return  the end of that one; none: none is followed
  std::optional<Ending> take_back(const JointSet& joints);
  [[nodiscard]] bool has_waiting() const noexcept { return !waiting_.empty(); }
  /// Motions that wait for any of these joints.
  [[nodiscard]] std::size_t waiting(const JointSet& joints) const;
  /// Turns what is expected of each joint after the commands that are out into what is expected
  /// after the motions that wait, too.
  void foretell(const Snapshot& now, std::span<ExpectedEnd> ends) const;
  /// Number of the plan among those that were handed over here, from 1; 0: none of them.
  [[nodiscard]] std::uint32_t number_of(const PlanSnapshot& plan) const;

  /// Commands for the motions whose turn it is; sends those that are commands themselves. Throws
  /// std::runtime_error where a plan that was asked for could not be made at all; that motion is
  /// forgotten.
  /// @param commanded  joints that have a command in this cycle, whose motion isn't seen yet
  [[nodiscard]] std::vector<FollowPlan> commands(const Snapshot& now,
                                                 const JointSet& commanded = {});

  /// Share of the making of a plan for any of these joints; none: none is being made.
  [[nodiscard]] std::optional<double> planning(const JointSet& joints) const;
  [[nodiscard]] bool is_busy(const JointSet& joints, const Snapshot& now) const;
  /// True if no plan that was handed over for any of these joints leads others, too.
  [[nodiscard]] bool has_all_of(const JointSet& joints) const;
  /// Joints that rest until a plan of theirs takes over from one of fewer joints.
  [[nodiscard]] JointSet joining(const Snapshot& now) const;
  /// Where a motion of these joints would begin now.
  [[nodiscard]] QueuedMotion::Start start(const Snapshot& now, const JointSet& joints,
                                          bool goes_on) const {
    return desk_.start(now, joints, goes_on);
  }
  /// Remark on the last plan handed over.
  [[nodiscard]] const std::string& remark() const noexcept { return desk_.remark(); }

 private:
  /// The last plan that was handed over for these joints.
  struct Followed {
    JointSet joints;
    PlanTicket ticket;
    double duration = 0.0;
    std::vector<double> goal;
    std::uint32_t number = 0;
    bool was_seen = false;  ///< in a snapshot
    double arrival = 0.0;   ///< clock() [s]
    std::shared_ptr<const PassedEnd> passed{};
    std::shared_ptr<const Followed> before{};  ///< in the midst of which it begins
  };
  struct Turn {
    QueuedMotion::Start start;
    double lead = 0.0;
  };
  void look_at(const Snapshot& now);
  /// Its plan was to begin at a point of another, or of time, that has passed.
  [[nodiscard]] bool comes_late(const QueuedMotion& motion, const Snapshot& now) const;
  [[nodiscard]] std::optional<Turn> turn_of(const QueuedMotion& motion, const Snapshot& now) const;
  [[nodiscard]] std::optional<Turn> turn_behind(const QueuedMotion& motion, const Followed& before,
                                                const Snapshot& now) const;
  std::optional<JointPlan> made(QueuedMotion& motion, const Turn& turn, const Snapshot& now) const;
  [[nodiscard]] FollowPlan hand_over(const QueuedMotion& motion, const Turn& turn, JointPlan plan,
                                     const Snapshot& now);

  harness::PlanDesk desk_;
  bool waits_;
  double period_;
  std::uint32_t number_ = 0;  ///< of the last plan
  std::deque<QueuedMotion> waiting_;
  std::vector<Followed> followed_;
};

/// True if a plan may begin: each joint is in the mode, its motor on, its reference at rest.
[[nodiscard]] bool stands_in_position(const JointSet& joints, const Snapshot& now,
                                      JointMode mode = JointMode::kPosition);

}  // namespace jointrig
