#pragma once

#include "control/laws/arm_math.h"

namespace jointrig {

/// How fast a target may move.
struct ToolSpeeds {
  double linear = 0.0;                ///< [m/s]
  double linear_acceleration = 0.0;   ///< [m/s²]
  double angular = 0.0;               ///< [rad/s]
  double angular_acceleration = 0.0;  ///< [rad/s²]
};

/// The target of a tool on its way to the goal, so that a goal however far is no jolt: position and
/// rotation each go the straight way (the shorter turn), at a bounded speed that changes at a
/// bounded rate, and come to rest on the goal. A new goal bends the way from where it is.
///
/// Streamed samples are the sender's own plan: they are followed at once up to the speeds, without
/// the bound on acceleration.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class ToolGovernor {
 public:
  /// At rest at `pose`, with no goal.
  void start(const Placement& pose) noexcept;
  /// Goes to `goal`, and comes to rest there.
  void go_to(const Placement& goal) noexcept;
  /// Follows a sample of a stream.
  void follow(const Placement& sample) noexcept;
  /// Brakes where it is.
  void stop() noexcept;

  /// The target one cycle later.
  /// @return whether a speed was cut
  bool advance(const ToolSpeeds& speeds, double dt) noexcept;

  [[nodiscard]] const Placement& target() const noexcept { return at_; }
  [[nodiscard]] const Placement& goal() const noexcept { return goal_; }
  [[nodiscard]] bool moving() const noexcept { return moving_; }

 private:
  enum class Way : std::uint8_t { kGoal, kStream, kStop };

  Placement at_;
  Placement goal_;
  Eigen::Vector3d v_ = Eigen::Vector3d::Zero();  // of the target [m/s]
  Eigen::Vector3d w_ = Eigen::Vector3d::Zero();  // [rad/s]
  Way way_ = Way::kGoal;
  bool moving_ = false;
};

}  // namespace jointrig
