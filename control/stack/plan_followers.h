#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "control/core/command.h"
#include "control/core/plan.h"
#include "control/core/snapshot.h"
#include "control/exchange/plan_pool.h"
#include "control/motion/plan_clock.h"
#include "control/stack/event_reporter.h"
#include "control/stack/joints.h"

namespace jointrig {

/// Follows plans: gives the joints of each their reference, cycle by cycle.
///
///     follows   the path time passes at the speed override
///     stops     along the path: by the command stop, outside a tolerance, or since one of its
///               joints has left it; the others come to rest together
///     settles   at the end, until the joints are within the goal tolerances
///
/// In mode cartesian the joints' references lead the tool of their arm (ArmControl), and the plan
/// begins near the joints instead of at their references.
///
/// A plan that names another as its predecessor takes over at a time of that one, without a stop:
/// at its end at the latest, and one for a later time is refused. One that never takes over, since
/// its predecessor stops or another replaces it, is told as ended with it. It has all joints of its
/// predecessor, and may have more that rest and that no other plan leads: those are led from its
/// acceptance on, and rest where it begins until it does. One of them that leaves before ends both.
///
/// Functions are for the cycle unless they say otherwise.
class PlanFollowers {
 public:
  /// Plans made and not yet followed, followed, and not yet freed: a choice.
  static constexpr std::size_t kPlans = 32;
  /// Distance between a plan's start and the reference that counts as none [rad or m, and 1/s]: far
  /// below any encoder's step, far above rounding.
  static constexpr double kStartTolerance = 1e-6;
  /// The same in mode cartesian, where the joints are wherever their tool has been pushed: as far
  /// as a push takes them while a plan is made [rad or m]. A choice.
  static constexpr double kNearStart = 0.1;

  /// A plan in the loop's hands, and who asked for it.
  struct Held {
    const JointPlan* plan = nullptr;
    PlanTicket ticket;
    std::uint64_t number = 0;
    std::uint16_t sender = 0;
  };
  enum class Phase : std::uint8_t { kFree, kFollows, kStops, kSettles };
  struct Follower {
    Held now;
    Held next;
    PlanClock clock;
    JointSet joints;       ///< that are on their plan: those that wait for the next one, too
    double took = 0.0;     ///< time since the start [s]
    double settled = 0.0;  ///< time since the end of the path [s]
    std::uint32_t waypoint = 0;
    std::uint32_t interactions = 0;         ///< of the plan's, those that were handed out
    std::uint32_t number = 0;               ///< of the plan, among those that were followed
    PlanChange end = PlanChange::kStopped;  ///< why it stops
    Phase phase = Phase::kFree;
  };

  /// State that is saved and restored by assignment, with the plans that it follows.
  struct State {
    std::array<Follower, kMaxPlans> followers;
    std::uint32_t followed = 0;
    std::vector<std::shared_ptr<const JointPlan>> plans;
  };

  PlanFollowers() : pool_(std::make_shared<JointPlanPool>(kPlans)) {}

  /// Takes plans from another pool. Before the first cycle.
  void share(std::shared_ptr<JointPlanPool> pool) { pool_ = std::move(pool); }
  [[nodiscard]] JointPlanPool& pool() noexcept { return *pool_; }

  /// Takes the plan of a command, if it is one for a plan: before it is examined.
  void receive(const Request& request) noexcept;
  /// Examines the plan that was received.
  [[nodiscard]] Refusal examine(const FollowPlan& command, ConstJoints joints) const noexcept;
  /// Interaction controls of the plan that was received.
  [[nodiscard]] std::span<const JointPlan::Interaction> interactions() const noexcept {
    if (received_.plan == nullptr) return {};
    return received_.plan->interactions;
  }
  /// Joints of the plan from which the one that was received goes on; none: it begins at rest.
  [[nodiscard]] JointSet led_already() const noexcept;
  /// Gives the plan back that was received, if there is one: the command was refused.
  void refuse() noexcept;
  /// Follows the plan that was received.
  void take(const FollowPlan& command, std::uint16_t sender, std::uint64_t number, Joints joints,
            EventReporter& events) noexcept;

  /// The joints' plans slow down along their paths.
  void stop(const JointSet& joints) noexcept;

  /// One cycle of all plans: before the joints' own.
  /// @param stopped  by collision avoidance, in this cycle
  void advance(Joints joints, const JointSet& stopped, double speed_override, double dt,
               EventReporter& events) noexcept;
  /// Hands out the interaction controls whose places the plans have passed, once each: after
  /// advance().
  /// @param take  called with each; throws nothing
  template <typename Take>
  void hand_interactions(Take&& take) noexcept {
    for (Follower& f : followers_) {
      if (f.phase == Phase::kFree) continue;
      const std::vector<JointPlan::Interaction>& all = f.now.plan->interactions;
      while (f.interactions < all.size() && all[f.interactions].after <= f.waypoint) {
        take(all[f.interactions++].control);
      }
    }
  }
  void publish(FixedVector<PlanSnapshot, kMaxPlans>& plans) const noexcept;

  /// A copy. Allocates: not for the cycle.
  [[nodiscard]] State state() const;
  void restore(const State& state);

 private:
  void follow(Follower& f, Joints joints, double speed_override, double dt,
              EventReporter& events) noexcept;
  void wait_behind(Follower& f, const Held& held, Joints joints, EventReporter& events) noexcept;
  void make_way(const JointSet& joints, EventReporter& events) noexcept;
  static void begin(const JointPlan& plan, const JointSet& which, Joints joints) noexcept;
  void drop_next(Follower& f, Joints joints) noexcept;
  void look_at_joints(Follower& f, Joints joints, const JointSet& stopped,
                      EventReporter& events) noexcept;
  void brake(Follower& f, PlanChange why, Joints joints) noexcept;
  void watch_path(Follower& f, Joints joints, EventReporter& events) noexcept;
  void watch_waypoint(Follower& f, Joints joints, EventReporter& events) noexcept;
  void pass_waypoints(Follower& f, Joints joints, EventReporter& events) noexcept;
  void settle(Follower& f, Joints joints, double dt, EventReporter& events) noexcept;
  void take_over(Follower& f, double dt, EventReporter& events) noexcept;
  void release(Follower& f, Joints joints) noexcept;
  void give_back(Held& held) noexcept;
  [[nodiscard]] static bool is_predecessor(const Follower& f, const JointPlan& plan) noexcept;
  [[nodiscard]] const Follower* predecessor(const JointPlan& plan) const noexcept;
  [[nodiscard]] PlanFailure failure(const FollowPlan& command, ConstJoints joints) const noexcept;

  std::shared_ptr<JointPlanPool> pool_;
  Held received_;
  std::array<Follower, kMaxPlans> followers_;
  std::uint32_t followed_ = 0;  ///< plans so far
  /// Keeps restored plans: their pool may have freed them.
  std::vector<std::shared_ptr<const JointPlan>> kept_;
};

}  // namespace jointrig
