#pragma once

#include <limits>
#include <vector>

#include "control/stack/joints.h"

namespace jointrig {

/// Motions to targets (motion/online_motion.h) of several joints: they reach them together. The
/// joint that needs longest sets the time; where another can't take just that long, the next
/// longer time that all can take. A joint for which no such motion is found, or none within the
/// soft limits, arrives earlier.
///
/// A motion that is cancelled slows down within its bounds, and those that arrive together slow
/// down along the path that they have in common:
///
///     straight from here on     q = q_now + e σ(t), the fastest stop of σ that all bounds allow
///     else                      q = q(τ), τ' = p from 1 to 0 (motion/pace_stop.h), the quickest of
///                               a few stops on which each joint keeps its bounds. Where there is
///                               none, as while a joint already brakes by all that it has, the
///                               joints go on, and it is looked for again in the next cycle
///
/// A way that would leave a soft limit is none of these: a joint that ends in motion then stops by
/// itself where it gets to its target.
///
/// The state of these motions lies in the joints. Functions are for the cycle unless they say
/// otherwise.
class JointTargets {
 public:
  /// Not for the cycle.
  explicit JointTargets(std::size_t joint_count);

  /// Checks a command, whose motions take() then begins.
  [[nodiscard]] Refusal examine(const SetJointTarget& command, ConstJoints joints) const noexcept;
  /// Right after examine() of the same command.
  /// @param group  number of the command; other than 0, and never used before
  void take(const SetJointTarget& command, std::uint64_t group, Joints joints) noexcept;

  /// Gives up the motions to targets of these joints, and of those that arrive with them.
  /// @return the joints named that have such a motion
  JointSet cancel(const JointSet& joints, Joints all) noexcept;

  /// Plans the motions anew for which override or limits are others than before, those that arrive
  /// together as one. Slows those down that are given up.
  void advance(Joints joints, double speed_override) noexcept;

 private:
  /// Durations that differ by less are equal [s].
  static constexpr double kSameTime = 1e-9;
  static constexpr double kNoBound = std::numeric_limits<double>::infinity();
  /// A joint with a shorter way has no direction: it keeps its own bounds [rad or m].
  static constexpr double kNoWay = 1e-7;

  /// Room for the joints of one command.
  struct Draft {
    std::vector<JointIndex> joints;
    std::vector<OnlineWish> wishes;
    std::vector<JerkProfile> profiles;
    std::vector<double> ways;            ///< from here, signed [rad or m]
    std::vector<OnlineMotion*> motions;  ///< of a cancel, in this cycle
    std::size_t count = 0;
  };
  void straighten(const SetJointTarget& command, ConstJoints joints) const noexcept;
  void synchronise(ConstJoints joints) const noexcept;
  double stretch(ConstJoints joints, double duration) const noexcept;
  void replan(std::uint64_t group, Joints joints) noexcept;
  void slow_down_given_up(Joints joints) noexcept;
  void gather_given_up(JointIndex first, Joints joints) noexcept;
  bool stop_on_line(Joints joints) noexcept;
  [[nodiscard]] double ways_ahead() noexcept;
  [[nodiscard]] bool is_line(std::size_t longest, double horizon) const noexcept;
  bool stop_on_path(Joints joints) noexcept;
  [[nodiscard]] PaceStop hardest_stop() const noexcept;
  [[nodiscard]] bool keeps_bounds(const PaceStop& stop, Joints joints) noexcept;

  mutable Draft draft_;         ///< outlives no command
  std::size_t looks_left_ = 0;  ///< in this cycle: states of joints looked at for a stop
};

}  // namespace jointrig
