#include "control/motion/minimum_jerk.h"

#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

constexpr double kShortest = 1e-3;  // s: a path needs some time, even over no distance
constexpr double kLongest = 1e9;    // s: thirty years; the fifth power of more could overflow
constexpr int kSamples = 16;        // along the path, to find its peaks from a moving start
constexpr int kTries = 20;
constexpr double kStretch = 1.25;  // per try: 20 tries span a factor of 86 in duration

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

double MinimumJerk::strain(double v_max, double a_max) const noexcept {
  double most = 0.0;
  for (int i = 1; i < kSamples; ++i) {
    const MotionState s = at(duration_ * i / kSamples);
    most = std::max({most, std::abs(s.v) / v_max, std::abs(s.a) / a_max});
  }
  return most;
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
