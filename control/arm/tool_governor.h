#pragma once

#include "control/laws/arm_math.h"

namespace jointrig {

/// Bounds on a target's speed and acceleration.
struct ToolSpeeds {
  double linear = 0.0;                ///< [m/s]
  double linear_acceleration = 0.0;   ///< [m/s²]
  double angular = 0.0;               ///< [rad/s]
  double angular_acceleration = 0.0;  ///< [rad/s²]
};

/// Moves the target of a tool to its goal without a jolt, however far the goal is. Position and
/// rotation each go the straight way (the shorter turn), at a bounded speed that changes at a
/// bounded rate, and come to rest at the goal. A new goal bends the path from the present target.
///
/// Streamed samples are a path that the sender generated: the target follows them at once up to the
/// speed limits, without the bound on acceleration.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class ToolGovernor {
 public:
  /// Sets the target to rest at `pose`, with no goal.
  void start(const Placement& pose) noexcept;
  /// Moves to `goal` and comes to rest there.
  void go_to(const Placement& goal) noexcept;
  /// Follows a sample of a stream.
  void follow(const Placement& sample) noexcept;
  /// Brakes the target.
  void stop() noexcept;

  /// The frame of target and goal has moved. The target stays where it is in the world, no faster
  /// in its frame than `most`, and goes to `goal` from wherever that leaves it.
  /// @param change  pose of the frame before in the present one
  /// @param goal  in the present frame
  /// @return true if it was too slow
  bool carry(const Placement& change, const Placement& goal, const ToolSpeeds& most,
             double dt) noexcept;

  /// Moves the target by one cycle.
  /// @return true if a speed was limited
  bool advance(const ToolSpeeds& speeds, double dt) noexcept;

  [[nodiscard]] const Placement& target() const noexcept { return at_; }
  [[nodiscard]] const Placement& goal() const noexcept { return goal_; }
  [[nodiscard]] bool moving() const noexcept { return moving_; }

 private:
  enum class Way : std::uint8_t { kGoal, kStream, kStop };

  Placement at_;
  Placement goal_;
  Eigen::Vector3d v_ = Eigen::Vector3d::Zero();  // speed of the target [m/s]
  Eigen::Vector3d w_ = Eigen::Vector3d::Zero();  // [rad/s]
  Way way_ = Way::kGoal;
  bool moving_ = false;
};

}  // namespace jointrig
