#pragma once

#include <memory>
#include <vector>

#include "app/robot/filters.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/core/types.h"

namespace jointrig {

/// Limits that are narrower than those of the robot's file, for what a program asks for.
class NarrowedLimits {
 public:
  struct Range {
    double low = 0.0;   ///< of references [rad or m]
    double high = 0.0;  ///< likewise
  };
  struct Limits {
    Range range;
    double speed = 0.0;         ///< [rad/s or m/s]
    double acceleration = 0.0;  ///< [rad/s² or m/s²]
  };

  /// Bounds of what is asked for at once, in both directions.
  struct Greatest {
    double speed = 0.0;   ///< [rad/s or m/s]
    double torque = 0.0;  ///< [N·m or N]
  };

  NarrowedLimits() = default;
  /// @param opened  outlives it
  explicit NarrowedLimits(const RobotConfig& opened);

  /// The robot with these limits, for checks and plans, also on another thread: a change makes
  /// another.
  [[nodiscard]] const std::shared_ptr<const RobotConfig>& robot() const noexcept { return robot_; }
  /// Where references of a joint may be.
  [[nodiscard]] const Range& range(JointIndex joint) const noexcept { return ranges_[joint]; }
  [[nodiscard]] const Greatest& greatest(JointIndex joint) const noexcept {
    return greatest_[joint];
  }
  [[nodiscard]] Limits limits(JointIndex joint) const;
  /// Joints whose range is narrower than the file's.
  [[nodiscard]] const JointSet& narrowed() const noexcept { return narrowed_; }
  /// Limits of the file.
  [[nodiscard]] Limits opened(JointIndex joint) const;

  /// @param limits  one for each joint, within those of the file
  void set(const std::vector<JointIndex>& joints, const std::vector<Limits>& limits);

  /// Takes up an arm of the program's own.
  void add_arm(const ArmConfig& arm);

  /// Keeps what is commanded at once within the ranges: a position is clamped; a velocity is at
  /// most one from which the joint comes to rest there at half of its acceleration,
  ///
  ///     v <= braking_speed(high - q - 2 dt v₁, a_max/2)        v₁, q: of its reference
  ///
  /// as a command acts two cycles later. Outside its range a joint goes no further out.
  /// @param values  of all joints; those of `joints` are commanded
  void keep(FilterOn on, const JointSet& joints, const Snapshot& now, double dt,
            std::vector<double>& values) const;

 private:
  const RobotConfig* opened_ = nullptr;
  std::shared_ptr<const RobotConfig> robot_;
  std::vector<Range> ranges_;       ///< by joint
  std::vector<Greatest> greatest_;  ///< likewise
  JointSet narrowed_;
};

}  // namespace jointrig
