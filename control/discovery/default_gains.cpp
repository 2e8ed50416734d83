#include "control/discovery/default_gains.h"

#include <algorithm>
#include <numbers>

namespace jointrig {

double stiff_bandwidth_hz(double period, int delay_cycles) noexcept {
  const double sample_to_action = period * (1 + delay_cycles);
  return kStiffHz * std::min(1.0, kFastLoop / sample_to_action);
}

JointGains default_gains(const JointLoad& load, double stiff_hz) noexcept {
  const double w = 2.0 * std::numbers::pi * stiff_hz;
  const double w_compliant = std::min(2.0 * std::numbers::pi * kCompliantHz, 0.5 * w);
  const double i = load.inertia;
  JointGains gains;
  gains.inertia = i;
  gains.kp = i * w * w + load.viscous * w;
  gains.kd = 2.0 * i * w;
  gains.ki = gains.kp * w * std::min(kIntegralFraction, 0.5 * i / load.inertia_high);
  gains.stiffness = i * w_compliant * w_compliant + load.viscous * w_compliant;
  gains.damping = 2.0 * i * w_compliant;
  gains.viscous = load.viscous;
  return gains;
}

}  // namespace jointrig
