#include "control/motion/reference_generator.h"

#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

/// Fastest speed towards a limit `distance` away from which a_max still brakes in time.
double braking_speed(double distance, double a_max) noexcept {
  return std::sqrt(2.0 * a_max * std::max(distance, 0.0));
}

}  // namespace

void ReferenceGenerator::start(double q, double v) noexcept {
  *this = ReferenceGenerator{};
  at_.q = q;
  drift_v_ = v;
  last_.q = q;
  last_.v = v;
}

void ReferenceGenerator::fold_drift() noexcept {
  at_.q += drift_q_;
  drift_q_ = 0.0;
}

void ReferenceGenerator::move(double goal, double speed, const JointLimits& limits) noexcept {
  fold_drift();
  if (drift_command_ == 0.0) {  // braking, or standing: the path takes the motion over
    at_.v += drift_v_;          // but not the deceleration, which ends with the drift
    drift_v_ = drift_a_ = 0.0;
  }
  path_ = MinimumJerk::within(at_, goal, speed, limits.a_max);
  path_time_ = 0.0;
  base_ = Base::kPath;
}

void ReferenceGenerator::stream(double sample, double interval,
                                const JointLimits& limits) noexcept {
  fold_drift();
  drift_v_ = drift_a_ = drift_command_ = 0.0;
  at_.a = 0.0;

  const double furthest = std::max(limits.step_max, limits.v_max * interval);
  const double from = base_ == Base::kStream ? sample_ : at_.q;
  const double inside =
      std::clamp(sample, std::min(soft_min(limits), at_.q), std::max(soft_max(limits), at_.q));
  const double near = std::clamp(inside, from - furthest, from + furthest);
  cut_ = {};
  if (inside != sample) cut_.add(Limit::kPosition);
  if (near != inside) cut_.add(Limit::kStep);
  sample_ = near;
  sample_speed_ = std::min(std::abs(sample_ - at_.q) / interval, limits.v_max);
  base_ = Base::kStream;
}

void ReferenceGenerator::stop() noexcept {
  fold_drift();
  drift_v_ += at_.v;
  drift_command_ = 0.0;
  at_.v = at_.a = 0.0;
  base_ = Base::kStand;
  cut_ = {};
}

void ReferenceGenerator::keep_near(double q, double window) noexcept {
  if (drift_v_ == 0.0) return;
  const double ahead = last_.q - q;
  const double excess = ahead - std::clamp(ahead, -window, window);
  if (excess * drift_v_ <= 0.0) return;  // the drift itself is what leads away
  drift_q_ -= excess;
  last_.q -= excess;
}

void ReferenceGenerator::advance_base(double dt) noexcept {
  switch (base_) {
    case Base::kStand:
      at_.v = at_.a = 0.0;
      break;
    case Base::kPath:
      path_time_ += dt;
      at_ = path_.at(path_time_);
      if (path_time_ >= path_.duration()) {
        base_ = Base::kStand;
        arrived_ = true;
      }
      break;
    case Base::kStream: {
      const double left = sample_ - at_.q;
      if (std::abs(left) <= sample_speed_ * dt * (1.0 + 1e-9)) {
        at_.v = left / dt;
        at_.q = sample_;
        sample_speed_ = 0.0;
      } else {
        at_.v = std::copysign(sample_speed_, left);
        at_.q += at_.v * dt;
      }
      at_.a = 0.0;
      break;
    }
  }
}

void ReferenceGenerator::advance_drift(double dt, const JointLimits& limits) noexcept {
  const double most = limits.a_max * dt;
  double wanted = drift_command_;

  // Brake in time for the soft limits; a joint that stands outside may come back.
  const double q = at_.q + drift_q_;
  const double highest = braking_speed(soft_max(limits) - q, limits.a_max);
  const double lowest = -braking_speed(q - soft_min(limits), limits.a_max);
  if (wanted > highest || wanted < lowest) limited_.add(Limit::kPosition);
  wanted = std::clamp(wanted, lowest, highest);

  double v = drift_v_ + std::clamp(wanted - drift_v_, -most, most);
  if (v != drift_command_ && drift_command_ != 0.0) limited_.add(Limit::kAcceleration);
  if (base_ != Base::kStand) v = std::clamp(v, -limits.v_max, limits.v_max);
  drift_a_ = (v - drift_v_) / dt;
  drift_v_ = v;
  drift_q_ += v * dt;
}

JointReference ReferenceGenerator::advance(double dt, const JointLimits& limits) noexcept {
  limited_ = cut_;
  arrived_ = false;
  advance_base(dt);
  if (drift_v_ != 0.0 || drift_command_ != 0.0)
    advance_drift(dt, limits);
  else
    drift_a_ = 0.0;

  // Never further out than the soft limits, or than where it already stands outside them.
  const double q = at_.q + drift_q_;
  const double kept =
      std::clamp(q, std::min(soft_min(limits), last_.q), std::max(soft_max(limits), last_.q));
  JointReference next;
  next.q = kept;
  next.v = at_.v + drift_v_;
  next.a = at_.a + drift_a_;
  if (kept != q) {
    limited_.add(Limit::kPosition);
    drift_q_ += kept - q;
    if (base_ != Base::kPath) drift_v_ = drift_command_ = 0.0;
    next.v = (kept - last_.q) / dt;
    next.a = 0.0;
  }
  last_ = next;
  return next;
}

}  // namespace jointrig
