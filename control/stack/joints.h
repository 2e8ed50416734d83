#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "control/joint/joint_control.h"

namespace jointrig {

/// All joints of the robot, as the parts of the stack see them; they belong to the stack.
struct Joints {
  std::span<const JointSetup> setups;
  std::span<JointControl> controls;

  [[nodiscard]] std::size_t size() const noexcept { return controls.size(); }
};

/// Which joints hold together.
class PartMates {
 public:
  explicit PartMates(const RobotConfig& config);

  /// Of a joint: the others of all its parts.
  [[nodiscard]] std::span<const JointIndex> of(std::size_t joint) const noexcept {
    return mates_[joint];
  }

  /// The joint and its mates hold (JointControl::hold). For the cycle.
  void hold(std::size_t joint, JointActivity why, Joints joints) const noexcept;

 private:
  std::vector<std::vector<JointIndex>> mates_;
};

}  // namespace jointrig
