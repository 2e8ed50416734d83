#include "control/laws/joint_torques.h"

#include <algorithm>
#include <cmath>

namespace jointrig {

double friction_torque(const FrictionConfig& friction, double v) noexcept {
  double slip = friction.coulomb;
  if (friction.stribeck != 0.0) {
    const double ratio = v / friction.stribeck_speed;
    slip += friction.stribeck * std::exp(-ratio * ratio);
  }
  return std::tanh(v / friction.sign_speed) * slip + friction.viscous * v;
}

double limit_torque(double q, double v, double low, double high, double margin, double k,
                    double d) noexcept {
  if (q < low + margin) return std::max(k * (low + margin - q) - d * std::min(v, 0.0), 0.0);
  if (q > high - margin) return std::min(k * (high - margin - q) - d * std::max(v, 0.0), 0.0);
  return 0.0;
}

}  // namespace jointrig
