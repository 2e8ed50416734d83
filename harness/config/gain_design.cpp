#include "harness/config/gain_design.h"

#include <cmath>
#include <numbers>

namespace jointrig::harness {
namespace {

// The positive root of I w^2 + b w = k, in a form without cancellation.
double frequency(double inertia, double viscous, double k) {
  const double root = viscous + std::sqrt(viscous * viscous + 4.0 * inertia * k);
  return root > 0.0 ? 2.0 * k / root : 0.0;
}

// The stiff law in frequency and damping ratio.
struct Design {
  double w = 0.0;
  double damping_ratio = 1.0;  // for a joint that had no gains
  double integral = 0.0;

  explicit Design(const JointGains& gains) : w(frequency(gains.inertia, gains.viscous, gains.kp)) {
    if (!(w > 0.0)) return;
    damping_ratio = 0.5 * gains.kd / (gains.inertia * w);
    integral = gains.ki / (gains.kp * w);
  }

  void apply(JointGains& gains) const {
    gains.kp = gains.inertia * w * w + gains.viscous * w;
    gains.kd = 2.0 * damping_ratio * gains.inertia * w;
    gains.ki = gains.kp * w * integral;
  }
};

}  // namespace

void change_inertia(JointConfig& joint, double inertia) {
  JointGains& gains = joint.gains;
  if (inertia == gains.inertia) return;
  if (!(gains.inertia > 0.0)) {
    gains.inertia = inertia;
    return;
  }
  const Design stiff(gains);
  const double w = frequency(gains.inertia, gains.viscous, gains.stiffness);
  gains.damping *= inertia / gains.inertia;
  gains.stiffness = inertia * w * w + gains.viscous * w;
  gains.inertia = inertia;
  stiff.apply(gains);
}

void change_bandwidth(JointConfig& joint, double bandwidth_hz) {
  Design stiff(joint.gains);
  stiff.w = 2.0 * std::numbers::pi * bandwidth_hz;
  stiff.apply(joint.gains);
  joint.gains.bandwidth_hz = bandwidth_hz;
}

void change_damping_ratio(JointConfig& joint, double damping_ratio) {
  const Design stiff(joint.gains);
  joint.gains.kd = 2.0 * damping_ratio * joint.gains.inertia * stiff.w;
  joint.gains.damping_ratio = damping_ratio;
}

}  // namespace jointrig::harness
