#include "control/motion/online_motion.h"

#include <algorithm>
#include <cmath>

#include "control/motion/reference_generator.h"

namespace jointrig {
namespace {

/// Less than this beyond a soft limit is rounding [rad or m]: Ruckig's own precision.
constexpr double kPrecision = 1e-8;

TargetBounds bounds_now(const OnlineWish& wish, double factor, const JointLimits& limits) noexcept {
  return {.v = factor * std::min(wish.bounds.v, limits.v_max),
          .a = std::min(wish.bounds.a, limits.a_max),
          .jerk = wish.bounds.jerk};
}

MotionTarget target_now(const OnlineWish& wish, double factor,
                        const TargetBounds& bounds) noexcept {
  MotionTarget target = wish.target;
  target.v = std::clamp(factor * target.v, -bounds.v, bounds.v);
  return target;
}

/// The speed limit outranks the jerk: an acceleration that would take a joint beyond it before the
/// jerk can end it is given up.
MotionState within_speed(MotionState start, const TargetBounds& bounds, double v_max) noexcept {
  const double peak = start.v + start.a * std::abs(start.a) / (2.0 * bounds.jerk);
  if (start.a * start.v > 0.0 && std::abs(peak) > v_max) start.a = 0.0;
  return start;
}

/// The position furthest beyond the soft limits, and the nearest that they allow. Outside of them
/// a joint moves no further out than it is.
OnlineMotion::Draft judged(double lowest, double highest, double q,
                           const JointLimits& limits) noexcept {
  const double low = std::min(soft_min(limits), q) - kPrecision;
  const double high = std::max(soft_max(limits), q) + kPrecision;
  if (highest > high) return {.is_found = true, .reach = highest, .limit = high};
  if (lowest < low) return {.is_found = true, .reach = lowest, .limit = low};
  return {.is_found = true};
}

constexpr MotionTarget kRest{.is_velocity = true, .q = 0.0, .v = 0.0};

}  // namespace

OnlineMotion::Draft OnlineMotion::draft(const MotionState& start, const OnlineWish& wish,
                                        double override_factor, const JointLimits& limits,
                                        double at_least, JerkProfile& profile) noexcept {
  const TargetBounds bounds = bounds_now(wish, override_factor, limits);
  const MotionState from = within_speed(start, bounds, limits.v_max);
  JerkProfile made;
  if (!made.plan(from, target_now(wish, override_factor, bounds), bounds, at_least)) return {};
  profile = made;
  // A velocity is kept for a while, and the soft limits with it (keep_soft_limits()).
  if (wish.target.is_velocity) return {.is_found = true};
  const Draft way = judged(made.lowest(), made.highest(), start.q, limits);
  JerkProfile stop;
  if (!way.is_kept() || made.end().v == 0.0) return way;
  if (!stop.plan(made.end(), kRest, bounds)) return {};
  return judged(stop.lowest(), stop.highest(), start.q, limits);
}

void OnlineMotion::begin(const OnlineWish& wish, double override_factor, const JointLimits& limits,
                         const JerkProfile& profile) noexcept {
  const bool goes_on = wish.group != 0 && wish.group == wish_.group;  // at another override
  if (!goes_on) lasted_ = 0.0;
  wish_ = wish;
  profile_ = profile;
  bounds_ = bounds_now(wish, override_factor, limits);
  target_ = target_now(wish, override_factor, bounds_);
  time_ = 0.0;
  comes_to_rest_ = slows_ = false;
  end_ = End::kNone;
}

void OnlineMotion::come_to_rest(const JerkProfile& stop) noexcept {
  profile_ = stop;
  time_ = 0.0;
  comes_to_rest_ = true;
  slows_ = false;
}

void OnlineMotion::slow_down(const PaceStop& stop) noexcept {
  stop_ = stop;
  slowed_ = 0.0;
  slows_ = comes_to_rest_ = true;
}

void OnlineMotion::advance_pace(double dt, MotionState& at) noexcept {
  slowed_ += dt;
  const PaceStop::State now = stop_.at(slowed_);
  const MotionState on = profile_.at(time_ + now.time);
  at = {.q = on.q, .v = now.pace * on.v, .a = now.pace * now.pace * on.a + now.rate * on.v};
  if (slowed_ >= stop_.duration()) end_ = End::kAtRest;
}

bool OnlineMotion::is_outdated(double override_factor, const JointLimits& limits) const noexcept {
  return !comes_to_rest_ && bounds_now(wish_, override_factor, limits) != bounds_;
}

bool OnlineMotion::rest_at(double q, const MotionState& at) noexcept {
  const MotionTarget rest{.is_velocity = false, .q = q, .v = 0.0};
  if (!profile_.plan(at, rest, bounds_)) return false;
  time_ = 0.0;
  comes_to_rest_ = true;
  return true;
}

/// While it ends in motion, it can be brought to rest before the soft limits after each cycle.
void OnlineMotion::keep_soft_limits(double dt, const JointLimits& limits,
                                    const MotionState& at) noexcept {
  const MotionState next = profile_.at(time_ + dt);
  JerkProfile stop;
  if (!stop.plan(next, kRest, bounds_)) return;
  const double low = soft_min(limits);
  const double high = soft_max(limits);
  if (stop.highest() > high && next.v > 0.0 && at.q <= high) rest_at(high, at);
  if (stop.lowest() < low && next.v < 0.0 && at.q >= low) rest_at(low, at);
}

bool OnlineMotion::advance(double override_factor, double dt, const JointLimits& limits,
                           MotionState& at) noexcept {
  end_ = End::kNone;
  if (slows_) {
    advance_pace(dt, at);
    return true;
  }
  if (is_outdated(override_factor, limits)) {
    JerkProfile next;
    if (!draft(at, wish_, override_factor, limits, 0.0, next).is_kept()) return false;
    const double lasted = lasted_;
    begin(OnlineWish(wish_), override_factor, limits, next);
    lasted_ = lasted;
  }
  if (!comes_to_rest_ && target_.v != 0.0) {
    const bool is_there = wish_.is_given_up && lasted_ > 0.0;
    if (is_there || lasted_ >= wish_.patience) {
      JerkProfile stop;
      if (!stop.plan(at, kRest, bounds_)) return false;
      come_to_rest(stop);
      if (!is_there) end_ = End::kLapsed;
    } else {
      keep_soft_limits(dt, limits, at);
    }
  }
  time_ += dt;
  at = profile_.at(time_);
  if (time_ < profile_.duration()) return true;
  lasted_ += dt;
  if (comes_to_rest_ || target_.v == 0.0) {
    end_ = comes_to_rest_ || !has_goal() ? End::kAtRest : End::kAtGoal;
  }
  return true;
}

}  // namespace jointrig
