#include "control/motion/minimum_jerk.h"

#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

constexpr double kShortest = 1e-3;  // s: a path needs some time, even over no distance
constexpr double kLongest = 1e9;    // s: thirty years; the fifth power of more could overflow
constexpr int kTries = 20;
constexpr double kStretch = 1.25;  // per try: 20 tries span a factor of 86 in duration

/// Calls `visit` with the real roots of a + b x + c x² that lie in 0 < x < end.
template <typename Visit>
void for_roots(double a, double b, double c, double end, Visit&& visit) noexcept {
  const double square = b * b - 4.0 * a * c;
  if (square < 0.0) return;
  const double half = -0.5 * (b + std::copysign(std::sqrt(square), b));  // without cancellation
  for (const double x : {half / c, a / half}) {
    if (x > 0.0 && x < end) visit(x);  // neither is true of the NaN of 0 / 0
  }
}

}  // namespace

MinimumJerk::MinimumJerk(const MotionState& start, double goal, double duration) noexcept
    : q0_(start.q),
      v0_(start.v),
      a0_(start.a),
      duration_(std::clamp(duration, kShortest, kLongest)),
      goal_(goal) {
  const double t = duration_;
  const double d = goal - (q0_ + v0_ * t + 0.5 * a0_ * t * t);  // distance for the three free terms
  const double dv = -(v0_ + a0_ * t);
  const double da = -a0_;
  c3_ = (10.0 * d - 4.0 * dv * t + 0.5 * da * t * t) / (t * t * t);
  c4_ = (-15.0 * d + 7.0 * dv * t - da * t * t) / (t * t * t * t);
  c5_ = (6.0 * d - 3.0 * dv * t + 0.5 * da * t * t) / (t * t * t * t * t);
}

MotionState MinimumJerk::at(double t) const noexcept {
  if (t >= duration_) return {goal_, 0.0, 0.0};
  if (t <= 0.0) return {q0_, v0_, a0_};
  MotionState s;
  s.q = q0_ + t * (v0_ + t * (0.5 * a0_ + t * (c3_ + t * (c4_ + t * c5_))));
  s.v = v0_ + t * (a0_ + t * (3.0 * c3_ + t * (4.0 * c4_ + t * 5.0 * c5_)));
  s.a = a0_ + t * (6.0 * c3_ + t * (12.0 * c4_ + t * 20.0 * c5_));
  return s;
}

// At the end v has a double root and a a single one. Without them both are quadratics, whose roots
// are the places of the extremes of q and of v. With x = T − t, p the jerk and l the fourth
// derivative at the end, and c5,
//
//     q = goal − p x³/6 + l x⁴/24 − c5 x⁵
//     v = x² (p/2 − l x/6 + 5 c5 x²)      a = −x (p − l x/2 + 20 c5 x²)      j = p − l x + 60 c5 x²

double MinimumJerk::strain(double v_max, double a_max) const noexcept {
  const double t = duration_;
  const double p = 6.0 * c3_ + t * (24.0 * c4_ + t * 60.0 * c5_);
  const double l = 24.0 * c4_ + t * 120.0 * c5_;
  double most = std::max(std::abs(v0_) / v_max, std::abs(a0_) / a_max);
  for_roots(p, -0.5 * l, 20.0 * c5_, t, [&](double x) {
    most = std::max(most, std::abs(x * x * (0.5 * p + x * (5.0 * c5_ * x - l / 6.0))) / v_max);
  });
  for_roots(p, -l, 60.0 * c5_, t, [&](double x) {
    most = std::max(most, std::abs(x * (p + x * (20.0 * c5_ * x - 0.5 * l))) / a_max);
  });
  return most;
}

MinimumJerk::Reach MinimumJerk::reach() const noexcept {
  const double t = duration_;
  const double p = 6.0 * c3_ + t * (24.0 * c4_ + t * 60.0 * c5_);
  const double l = 24.0 * c4_ + t * 120.0 * c5_;
  Reach reach{std::min(q0_, goal_), std::max(q0_, goal_)};
  for_roots(0.5 * p, -l / 6.0, 5.0 * c5_, t, [&](double x) {
    const double q = goal_ - x * x * x * (p / 6.0 + x * (c5_ * x - l / 24.0));
    reach = {std::min(reach.low, q), std::max(reach.high, q)};
  });
  return reach;
}

MinimumJerk MinimumJerk::within(const MotionState& start, double goal, double v_max,
                                double a_max) noexcept {
  // Its start counts as allowed, since a longer path can't reduce it.
  v_max = std::max(v_max, std::abs(start.v));
  a_max = std::max(a_max, std::abs(start.a));

  // From rest the peaks are known; they give a lower bound of the duration for every other start.
  const double distance = std::abs(goal - start.q);
  double duration = std::max({15.0 / 8.0 * distance / v_max,
                              std::sqrt(10.0 / std::sqrt(3.0) * distance / a_max), kShortest});
  if (start.v == 0.0 && start.a == 0.0) return {start, goal, duration};

  duration = std::max(duration, std::abs(start.v) / a_max);
  MinimumJerk best(start, goal, duration);
  double least = best.strain(v_max, a_max);
  for (int i = 0; i < kTries && least > kWithin; ++i) {
    duration *= kStretch;
    const MinimumJerk candidate(start, goal, duration);
    const double strain = candidate.strain(v_max, a_max);
    if (strain < least) {
      least = strain;
      best = candidate;
    }
  }
  return best;
}

}  // namespace jointrig
