#pragma once

#include "control/core/faults.h"
#include "control/core/robot_config.h"

namespace jointrig {

/// The last word on a setpoint before it is sent: limits, then rates against what was really sent,
/// then finite. Nothing bypasses it.
///
/// Torque is kept under an envelope that stops the joint in time, whatever the law wants:
///
///     tau ≤ g + f + b v_hi + I dv_hi/dt + kd (v_hi − v) − kp max(q − q_stop, 0)
///     v_hi(q)  = min(v_max, √(2 a_max (q_stop − q)))
///     dv_hi/dt = −a_max v / v_hi while v_hi < v_max, else 0
///     q_stop   = q_max − soft_margin / 2
///
/// with f and b what the joint itself puts up against motion, and likewise from below. It aims at
/// the middle of the soft margin: references, which end at the soft limit, don't feel it, and what
/// a torque overshoots while it is taken back at its rate still lies within the hard limit. Far
/// from the limits it lies far above the torque limit and does nothing, where kd v_max does: a
/// light joint of small bandwidth, as a Sawyer's wrist on its springs, gets no more than kd v_max
/// above what holds it, 2.1 of 9 N·m. After it come ± tau_max and ± tau_rate_max dt from the torque
/// last sent.
///
/// What a board is told to add to a loop of its own (feed-forward beside position, velocity or
/// impedance) comes under ± tau_max and the rate alone: the envelope would fight the board's loop.
/// Of an impedance it is the sum that the board makes which they hold for.
///
/// Positions are kept inside the hard limits and within v_max dt of the position last sent;
/// velocities within ± v_max and the same envelope in q.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class Limiter {
 public:
  /// The joint is off: the next torque starts from `tau`, the next position from the measured one.
  void reset(double q, double tau) noexcept {
    last_tau_ = tau;
    last_q_ = q;
  }

  /// @param gravity  torque that holds the joint [N·m or N]
  double torque(double tau, double q, double v, double gravity, const JointConfig& joint, double dt,
                ActingLimits& limited) noexcept;
  /// ± tau_max and the rate, no envelope.
  double feedforward(double tau, const JointLimits& limits, double dt,
                     ActingLimits& limited) noexcept;
  /// The joint makes this torque, by a loop that isn't the stack's: the next one starts from it.
  void start_from(double tau, const JointLimits& limits) noexcept;
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
