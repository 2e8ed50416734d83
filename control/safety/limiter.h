#pragma once

#include <algorithm>

#include "control/core/faults.h"
#include "control/core/robot_config.h"

namespace jointrig {

/// The last check of a setpoint before it is sent: limits, then rates relative to the setpoint last
/// sent, then finite. Nothing bypasses it.
///
/// Torque is bounded by an envelope that stops the joint in time, whatever the law wants:
///
///     tau ≤ g + f + b v_hi + I dv_hi/dt + kd (v_hi − v) − kp max(q − q_stop, 0)
///     v_hi(q)  = min(v_max, √(2 a_max (q_stop − q)))
///     dv_hi/dt = −a_max v / v_hi while v_hi < v_max, else 0
///     q_stop   = q_max − soft_margin / 2
///
/// with the joint's own friction f and damping b, and likewise from below. The envelope ends at the
/// middle of the soft margin. References end at the soft limit, so it does not act on them; the
/// overshoot while a torque falls at its rate stays within the hard limit. Far from the limits the
/// envelope has no effect if kd v_max exceeds the torque limit. A light joint of small bandwidth,
/// as a Sawyer's wrist on its springs, gets at most kd v_max more than its holding torque: 2.1 of 9
/// N·m. After the envelope come ± tau_max and ± tau_rate_max dt from the torque last sent.
///
/// The feed-forward that a board adds to its own loop (beside position, velocity or impedance) is
/// bounded by ± tau_max and the rate alone: the envelope would fight the board's loop. For an
/// impedance these bounds apply to the board's sum.
///
/// Positions are kept inside the hard limits and within v_max dt of the position last sent;
/// velocities within ± v_max and the same envelope in q.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
/// Effect of the velocity envelope on a joint's torque, for the snapshot.
struct EnvelopeNote {
  bool acts = false;
  Limit limit = Limit::kVelocity;
  double value = 0.0;
  double bound = 0.0;
};

class Limiter {
 public:
  /// Call while the joint is off: the next torque starts from `tau`, the next position from the
  /// measured one.
  void reset(double q, double tau) noexcept {
    last_tau_ = tau;
    last_q_ = q;
  }

  /// Applies ± tau_max and the rate.
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
