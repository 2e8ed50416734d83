// Motions to targets (online_motion.h) as the base of a reference.

#include <algorithm>
#include <cmath>

#include "control/motion/reference_generator.h"

namespace jointrig {

OnlineMotion::Draft ReferenceGenerator::draft(const OnlineWish& wish, const JointLimits& limits,
                                              double at_least,
                                              JerkProfile& profile) const noexcept {
  const MotionState now{.q = last_.q, .v = last_.v, .a = last_.a};
  return OnlineMotion::draft(now, wish, override_, limits, at_least, profile);
}

void ReferenceGenerator::go_to_target(const OnlineWish& wish, const JointLimits& limits,
                                      const JerkProfile& profile) noexcept {
  stop();
  at_ = {.q = last_.q, .v = last_.v, .a = last_.a};
  drift_q_ = drift_v_ = drift_a_ = 0.0;
  online_.begin(wish, override_, limits, profile);
  base_ = Base::kTarget;
}

void ReferenceGenerator::advance_to_target(double dt, const JointLimits& limits) noexcept {
  if (!online_.advance(override_, dt, limits, at_)) {
    stop();
    return;
  }
  // A start outside the soft limits that moves out stops there.
  const double kept =
      std::clamp(at_.q, std::min(soft_min(limits), last_.q), std::max(soft_max(limits), last_.q));
  if (std::abs(kept - at_.q) > 1e-8) at_.v = at_.a = 0.0;
  at_.q = kept;
  using End = OnlineMotion::End;
  lapsed_ = online_.end() == End::kLapsed;
  arrived_ = online_.end() == End::kAtGoal;
  if (arrived_ || online_.end() == End::kAtRest) base_ = Base::kStand;
}

}  // namespace jointrig
