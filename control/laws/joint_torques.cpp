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
  if (slip == 0.0) return friction.viscous * v;
  return std::tanh(v / friction.sign_speed) * slip + friction.viscous * v;
}

double limit_torque(double q, double v, double low, double high,
                    const LimitSpring& spring) noexcept {
  const auto push = [&](double depth, double inward) {
    const double share = std::min(depth / spring.margin, 1.0);
    return std::clamp(spring.stiffness * depth - spring.damping * inward * share, 0.0,
                      spring.torque_max);
  };
  if (q < low + spring.margin) return push(low + spring.margin - q, v);
  if (q > high - spring.margin) return -push(q - high + spring.margin, -v);
  return 0.0;
}

double into_limit(double pull, double q, double low, double high, double margin) noexcept {
  const double depth = pull < 0.0 ? low + margin - q : q - high + margin;
  return std::clamp(depth / margin, 0.0, 1.0) * pull;
}

}  // namespace jointrig
