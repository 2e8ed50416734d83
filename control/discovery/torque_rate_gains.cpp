#include "control/discovery/torque_rate_gains.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jointrig {

double rate_limited_bandwidth_hz(double inertia, double torque_rate_max, double v_max) noexcept {
  constexpr double kMargin = 1.5;
  const double jolt = 0.5 * v_max;
  return std::sqrt(kMargin * torque_rate_max / (2.0 * inertia * jolt)) / (2.0 * std::numbers::pi);
}

bool heed_torque_rate(JointConfig& joint) noexcept {
  JointGains& g = joint.gains;
  if (!(g.inertia > 0.0) || !(g.kp > 0.0)) return false;
  const double now = g.kd / (2.0 * g.inertia);
  const double then =
      2.0 * std::numbers::pi *
      rate_limited_bandwidth_hz(g.inertia, joint.limits.tau_rate_max, joint.limits.v_max);
  if (!(then < now)) return false;
  const double kp = g.inertia * then * then + g.viscous * then;
  g.ki *= kp / g.kp * then / now;
  g.kp = kp;
  g.kd = 2.0 * g.inertia * then;
  // Compliant stays softer than stiff: at most half its bandwidth.
  const double compliant = std::min(g.damping / (2.0 * g.inertia), 0.5 * then);
  g.stiffness = std::min(g.stiffness, g.inertia * compliant * compliant + g.viscous * compliant);
  g.damping = 2.0 * g.inertia * compliant;
  return true;
}

}  // namespace jointrig
