#include "control/model/default_gains.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jointrig {

double stiff_bandwidth_hz(double period, int delay_cycles) noexcept {
  const double sample_to_action = period * (1 + delay_cycles);
  return kStiffHz * std::min(1.0, kFastLoop / sample_to_action);
}

double rate_limited_bandwidth_hz(double inertia, double torque_rate_max, double v_max) noexcept {
  constexpr double kMargin = 1.5;
  const double jolt = 0.5 * v_max;
  return std::sqrt(kMargin * torque_rate_max / (2.0 * inertia * jolt)) /
         (2.0 * std::numbers::pi);
}

JointGains default_gains(double inertia, double stiff_hz) noexcept {
  const double w = 2.0 * std::numbers::pi * stiff_hz;
  const double w_compliant = std::min(2.0 * std::numbers::pi * kCompliantHz, 0.5 * w);
  JointGains gains;
  gains.inertia = inertia;
  gains.kp = inertia * w * w;
  gains.kd = 2.0 * kStiffDamping * inertia * w;
  gains.ki = gains.kp * kIntegralFraction * w;
  gains.stiffness = inertia * w_compliant * w_compliant;
  gains.damping = 2.0 * kCompliantDamping * inertia * w_compliant;
  return gains;
}

}  // namespace jointrig
