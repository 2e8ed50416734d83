#pragma once

#include <algorithm>

#include "control/core/faults.h"
#include "control/core/robot_config.h"

namespace jointrig {

/// Effect of the velocity envelope (stack/velocity_envelope.h) on a joint's torque, for the
/// snapshot.
struct EnvelopeNote {
  bool acts = false;
  Limit limit = Limit::kVelocity;
  double value = 0.0;
  double bound = 0.0;
};

/// The last check of a setpoint before it is sent, after the velocity envelope. No setpoint
/// bypasses it:
///
///     torque     |τ| ≤ tau_max, then |τ − τ_sent| ≤ tau_rate_max dt
///     position   q_min ≤ q ≤ q_max, then |q − q_sent| ≤ v_max dt
///     velocity   |v| ≤ v_max, and v no faster than a_max brakes at the position limits
///
/// with τ_sent [N·m or N] and q_sent [rad or m] as last sent.
///
/// A joint outside its range may return, but move no further out. The bounds of torque hold for the
/// sum of motor and board: a feed-forward beside a loop of the board (position, velocity,
/// impedance) is bounded by them with the board's own share, as far as the stack knows it. NaN
/// passes: the caller checks for finite numbers, last of all (JointControl::send()).
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle. A bound that
/// acts is added to `limited`.
class Limiter {
 public:
  /// Call while the joint is off: the next torque starts from `tau`, the next position from the
  /// measured one.
  void reset(double q, double tau) noexcept {
    last_tau_ = tau;
    last_q_ = q;
  }

  /// Applies ± tau_max and the rate to the torque of motor and board together.
  double feedforward(double tau, const JointLimits& limits, double dt,
                     ActingLimits& limited) noexcept;
  /// Call while a loop outside the stack makes the torque `tau`: the next torque starts from it.
  void start_from(double tau, const JointLimits& limits) noexcept;
  /// Result of feedforward(), without effect.
  [[nodiscard]] double within(double tau, const JointLimits& limits, double dt) const noexcept {
    const double step = limits.tau_rate_max * dt;
    return std::clamp(std::clamp(tau, -limits.tau_max, limits.tau_max), last_tau_ - step,
                      last_tau_ + step);
  }
  double position(double q_wanted, const JointLimits& limits, double dt,
                  ActingLimits& limited) noexcept;
  static double velocity(double v_wanted, double q, const JointLimits& limits, double dt,
                         ActingLimits& limited) noexcept;

  [[nodiscard]] double last_torque() const noexcept { return last_tau_; }

 private:
  double last_tau_ = 0.0;
  double last_q_ = 0.0;
};

}  // namespace jointrig
