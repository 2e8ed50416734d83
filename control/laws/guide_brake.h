#pragma once

#include "control/laws/arm_math.h"

namespace jointrig {

/// Brake of an arm that a hand guides:
///
///     tau = − α M v − d v − c σ(s v / c),   σ(x) = x / √(1 + x²)
///
///     α M v    damping by the inertia that is there: without a hand each motion of the arm falls
///              with e^(−α t), whatever its pose and joint, and none swings
///     d v      damping of each joint alone
///     c σ      a friction: it takes up what the model is wrong by, so that the arm creeps where it
///              would fall, and grows no further with the hand's speed
///
/// Each part takes energy alone, τᵀ v ≤ 0. s is as steep as the loop can bear: the largest
/// eigenvalue of M⁻¹ diag(s) stays below kBearable / T. A first-order loop with delay T doesn't
/// overshoot below 1/e, and is stable below π/2. The eigenvalue is bounded by rows (Gershgorin).
///
/// Plain data. All functions are for the cycle.
struct GuideBrake {
  /// Speed at which the friction is 0.7 of c, where the loop can bear it: a choice [rad/s or m/s]
  static constexpr double kCreep = 0.03;
  /// Largest damping rate times the loop's delay.
  static constexpr double kBearable = 0.5;

  double rate = 0.0;     ///< α [1/s]
  double damping = 0.0;  ///< d [N·m·s/rad or N·s/m]
  ArmVector friction;    ///< c, by joint [N·m or N]
  ArmVector slope;       ///< s, by joint; set by fit() [N·m·s/rad or N·s/m]

  /// Sets s.
  /// @param inertia  M (n, n)
  /// @param loop_time  T, from a motion to the torque that answers it [s]
  void fit(const ArmMatrix& inertia, double loop_time) noexcept;

  /// c σ(s v / c) / v of one joint [N·m·s/rad or N·s/m]
  [[nodiscard]] double secant(Eigen::Index joint, double v) const noexcept;

  /// @param v  (n) [rad/s or m/s]
  /// @return tau (n) [N·m or N]
  [[nodiscard]] ArmVector torque(const ArmMatrix& inertia, const ArmVector& v) const noexcept;
};

}  // namespace jointrig
