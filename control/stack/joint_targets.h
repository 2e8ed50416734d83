#pragma once

#include <vector>

#include "control/stack/joints.h"

namespace jointrig {

/// Motions to targets (motion/online_motion.h) of several joints: they reach them together. The
/// joint that needs longest sets the time; where another can't take just that long, the next
/// longer time that all can take. A joint for which no such motion is found, or none within the
/// soft limits, arrives earlier.
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

  /// Plans the motions anew for which override or limits are others than before, those that arrive
  /// together as one.
  void advance(Joints joints, double speed_override) noexcept;

 private:
  /// Room for the joints of one command.
  struct Draft {
    std::vector<JointIndex> joints;
    std::vector<OnlineWish> wishes;
    std::vector<JerkProfile> profiles;
    std::size_t count = 0;
  };
  void synchronise(ConstJoints joints) const noexcept;
  double stretch(ConstJoints joints, double duration) const noexcept;
  void replan(std::uint64_t group, Joints joints) noexcept;

  mutable Draft draft_;  ///< outlives no command
};

}  // namespace jointrig
