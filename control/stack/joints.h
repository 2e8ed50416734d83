#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "control/joint/joint_control.h"

namespace jointrig {

/// All joints of the robot, for the parts of the stack; the stack owns them.
struct Joints {
  std::span<const JointSetup> setups;
  std::span<JointControl> controls;

  [[nodiscard]] std::size_t size() const noexcept { return controls.size(); }
};

/// The same, to look at.
struct ConstJoints {
  std::span<const JointSetup> setups;
  std::span<const JointControl> controls;

  [[nodiscard]] std::size_t size() const noexcept { return controls.size(); }
};

/// The joints that hold together.
class PartMates {
 public:
  explicit PartMates(const RobotConfig& config);

  /// The other joints of all parts of a joint.
  [[nodiscard]] std::span<const JointIndex> of(std::size_t joint) const noexcept {
    return mates_[joint];
  }

  /// Holds the joint and its mates (JointControl::hold). For the cycle.
  void hold(std::size_t joint, JointActivity why, Joints joints) const noexcept;

 private:
  std::vector<std::vector<JointIndex>> mates_;
};

}  // namespace jointrig
