#include "control/safety/limiter.h"

#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

/// Fastest speed at a distance from a limit from which a_max still brakes in time.
double allowed_speed(double distance, const JointLimits& limits) noexcept {
  return std::min(limits.v_max, std::sqrt(2.0 * limits.a_max * std::max(distance, 0.0)));
}

/// Clamps, and notes which limit acted. NaN passes here: it is caught by the caller's finite check.
double clamp_noting(double value, double low, double high, Limit limit,
                    LimitNotices& limited) noexcept {
  if (value > high) {
    limited.add(limit);
    return high;
  }
  if (value < low) {
    limited.add(limit);
    return low;
  }
  return value;
}

}  // namespace

double Limiter::torque(double tau, double q, double v, double gravity, const JointConfig& joint,
                       double dt, LimitNotices& limited) noexcept {
  const JointLimits& limits = joint.limits;
  const JointGains& gains = joint.gains;
  const double above = q - limits.q_max;
  const double below = limits.q_min - q;
  const double v_hi = allowed_speed(-above, limits);
  const double v_lo = -allowed_speed(-below, limits);
  const double highest = gravity + gains.friction + gains.viscous * v_hi + gains.kd * (v_hi - v) -
                         gains.kp * std::max(above, 0.0);
  const double lowest = gravity - gains.friction + gains.viscous * v_lo + gains.kd * (v_lo - v) +
                        gains.kp * std::max(below, 0.0);

  tau = clamp_noting(tau, -HUGE_VAL, highest,
                     v_hi < limits.v_max ? Limit::kPosition : Limit::kVelocity, limited);
  tau = clamp_noting(tau, lowest, HUGE_VAL,
                     -v_lo < limits.v_max ? Limit::kPosition : Limit::kVelocity, limited);
  tau = clamp_noting(tau, -limits.tau_max, limits.tau_max, Limit::kTorque, limited);
  const double step = limits.tau_rate_max * dt;
  tau = clamp_noting(tau, last_tau_ - step, last_tau_ + step, Limit::kTorqueRate, limited);
  if (std::isfinite(tau)) last_tau_ = tau;
  return tau;
}

double Limiter::position(double q_wanted, const JointLimits& limits, double dt,
                         LimitNotices& limited) noexcept {
  // A joint that stands outside its range may come back, at v_max, but go no further out.
  double q = clamp_noting(q_wanted, std::min(limits.q_min, last_q_),
                          std::max(limits.q_max, last_q_), Limit::kPosition, limited);
  const double step = limits.v_max * dt;
  q = clamp_noting(q, last_q_ - step, last_q_ + step, Limit::kVelocity, limited);
  if (std::isfinite(q)) last_q_ = q;
  return q;
}

double Limiter::velocity(double v_wanted, double q, const JointLimits& limits,
                         LimitNotices& limited) noexcept {
  const double v = clamp_noting(v_wanted, -limits.v_max, limits.v_max, Limit::kVelocity, limited);
  return clamp_noting(v, -allowed_speed(q - limits.q_min, limits),
                      allowed_speed(limits.q_max - q, limits), Limit::kPosition, limited);
}

}  // namespace jointrig
