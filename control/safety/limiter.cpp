#include "control/safety/limiter.h"

#include <algorithm>
#include <cmath>

#include "control/motion/braking.h"

namespace jointrig {
namespace {

/// Fastest speed at a distance from a limit from which a_max still brakes in time.
double allowed_speed(double distance, const JointLimits& limits, double dt) noexcept {
  return braking_speed_within(limits.v_max, distance, limits.a_max, dt);
}

/// Clamps, and records the limit that acted. NaN passes: the caller checks for finite numbers.
double clamp_noting(double value, double low, double high, Limit limit,
                    ActingLimits& limited) noexcept {
  if (value > high) {
    limited.add(limit, value, high);
    return high;
  }
  if (value < low) {
    limited.add(limit, value, low);
    return low;
  }
  return value;
}

}  // namespace

void Limiter::start_from(double tau, const JointLimits& limits) noexcept {
  if (std::isfinite(tau)) last_tau_ = std::clamp(tau, -limits.tau_max, limits.tau_max);
}

double Limiter::feedforward(double tau, const JointLimits& limits, double dt,
                            ActingLimits& limited) noexcept {
  tau = clamp_noting(tau, -limits.tau_max, limits.tau_max, Limit::kTorque, limited);
  const double step = limits.tau_rate_max * dt;
  tau = clamp_noting(tau, last_tau_ - step, last_tau_ + step, Limit::kTorqueRate, limited);
  if (std::isfinite(tau)) last_tau_ = tau;
  return tau;
}

double Limiter::position(double q_wanted, const JointLimits& limits, double dt,
                         ActingLimits& limited) noexcept {
  // A joint outside its range may return, at v_max, but move no further out.
  double q = clamp_noting(q_wanted, std::min(limits.q_min, last_q_),
                          std::max(limits.q_max, last_q_), Limit::kPosition, limited);
  const double step = limits.v_max * dt;
  const double wanted = q;
  if (q > last_q_ + step) q = last_q_ + step;
  if (q < last_q_ - step) q = last_q_ - step;
  if (q != wanted && std::isfinite(q)) {
    limited.add(Limit::kVelocity, (wanted - last_q_) / dt,
                std::copysign(limits.v_max, wanted - last_q_));
  }
  if (std::isfinite(q)) last_q_ = q;
  return q;
}

double Limiter::velocity(double v_wanted, double q, const JointLimits& limits, double dt,
                         ActingLimits& limited) noexcept {
  double v = clamp_noting(v_wanted, -limits.v_max, limits.v_max, Limit::kVelocity, limited);
  const double v_hi = allowed_speed(limits.q_max - q, limits, dt);
  const double v_lo = -allowed_speed(q - limits.q_min, limits, dt);
  if (v > v_hi) {
    v = v_hi;
    limited.add(Limit::kPosition, q, limits.q_max);
  }
  if (v < v_lo) {
    v = v_lo;
    limited.add(Limit::kPosition, q, limits.q_min);
  }
  return v;
}

}  // namespace jointrig
