#pragma once
/// The step `target`, and its command.

#include <vector>

#include "harness/runner/binder.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// Reads the step. Throws FileError: neither goals nor velocities.
TargetStep read_target(const YamlNode& node);

/// set_joint_target, bound to a robot.
class BoundJointTarget {
 public:
  /// Throws FileError.
  BoundJointTarget(const TargetStep& step, const Binder& binder);

  [[nodiscard]] const JointSet& joints() const noexcept { return blank_.joints; }
  /// True if it does not end at rest at its goals.
  [[nodiscard]] bool ends_in_motion() const noexcept { return ends_in_motion_; }
  /// With its present values.
  [[nodiscard]] Request make() const;

 private:
  std::vector<BoundTarget> targets_;
  std::vector<BoundValue> velocities_, speeds_, accelerations_, jerks_;
  SetJointTarget blank_;  ///< joints and words
  bool ends_in_motion_ = false;
};

}  // namespace jointrig::harness
