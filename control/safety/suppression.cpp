#include "control/safety/suppression.h"

#include <algorithm>

namespace jointrig {

bool Suppression::take(std::size_t joint, Suppressible what, std::uint16_t sender) noexcept {
  double& left = joints_[joint].left[static_cast<std::size_t>(what)];
  const bool is_new = left <= 0.0;
  left = kSuppressionTime;
  by_[static_cast<std::size_t>(what)] = sender;
  acts_ = true;
  return is_new;
}

FewBits<Suppressible> Suppression::suppressed(std::size_t joint) const noexcept {
  FewBits<Suppressible> bits;
  if (!acts_) return bits;
  for (const Suppressible what : kAllSuppressible) bits.set(what, is_suppressed(joint, what));
  return bits;
}

Suppression::Outcome Suppression::advance(double dt) noexcept {
  Outcome outcome;
  if (!acts_) return outcome;
  acts_ = false;
  for (const Suppressible what : kAllSuppressible) {
    const auto row = static_cast<std::size_t>(what);
    bool is_on = false;
    left_[row] = 0.0;
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      Joint& joint = joints_[i];
      if (joint.left[row] > 0.0) outcome.joint[row] = static_cast<JointIndex>(i);
      // The message counts for the cycle that takes it: half a cycle of tolerance for rounding.
      joint.left[row] = joint.left[row] > 0.5 * dt ? joint.left[row] - dt : 0.0;
      if (joint.left[row] < 0.5 * dt) joint.left[row] = 0.0;
      const double step = joint.left[row] > 0.0 ? dt / kBlendTime : -dt / kBlendTime;
      joint.gone[row] = std::clamp(joint.gone[row] + step, 0.0, 1.0);
      is_on = is_on || joint.left[row] > 0.0;
      left_[row] = std::max(left_[row], joint.left[row]);
      acts_ = acts_ || is_on || joint.gone[row] > 0.0;
    }
    if (!is_on && lasts_[row] > 0.0) {
      outcome.ended.set(what);
      outcome.lasted[row] = lasts_[row];
    }
    lasts_[row] = is_on ? lasts_[row] + dt : 0.0;
  }
  return outcome;
}

}  // namespace jointrig
