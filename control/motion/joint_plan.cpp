#include "control/motion/joint_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jointrig {
namespace {

/// Steps to the next interval before a search: at 1 kHz a cycle passes one or two.
constexpr std::size_t kSteps = 4;

/// Moves `i` to the last element whose key is not above `x`, without the very last element.
template <typename Key>
std::size_t interval_at(std::size_t i, std::size_t count, double x, Key&& key) noexcept {
  if (count < 2) return 0;
  const std::size_t last = count - 2;
  i = std::min(i, last);
  for (std::size_t step = 0; step < kSteps; ++step) {
    if (i < last && key(i + 1) <= x) {
      ++i;
    } else if (i > 0 && key(i) > x) {
      --i;
    } else {
      return i;
    }
  }
  std::size_t low = 0;
  std::size_t high = last;
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (key(middle) <= x) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

void widen(PlanExtent& extent, const MotionState& state, std::uint16_t waypoint) noexcept {
  if (state.q < extent.q_min) extent.q_min = state.q, extent.q_min_at = waypoint;
  if (state.q > extent.q_max) extent.q_max = state.q, extent.q_max_at = waypoint;
  if (std::abs(state.v) > extent.v_max)
    extent.v_max = std::abs(state.v), extent.v_max_at = waypoint;
  if (std::abs(state.a) > extent.a_max)
    extent.a_max = std::abs(state.a), extent.a_max_at = waypoint;
}

/// State over time at s, with speed s' and acceleration s''.
MotionState over_time(const MotionState& path, double speed, double accel) noexcept {
  return {path.q, path.v * speed, path.a * speed * speed + path.v * accel};
}

}  // namespace

JointPlan::JointPlan(std::vector<JointIndex> joints, std::vector<double> knots,
                     std::vector<double> coefficients, std::vector<Instant> timing,
                     std::vector<double> waypoints)
    : joints_(std::move(joints)),
      knots_(std::move(knots)),
      coefficients_(std::move(coefficients)),
      timing_(std::move(timing)),
      waypoints_(std::move(waypoints)) {
  measure();
}

MotionState JointPlan::path(std::size_t piece, std::size_t j, double s) const noexcept {
  const double* c = &coefficients_[(piece * joints_.size() + j) * kCoefficients];
  const double x = s - knots_[piece];
  MotionState d;
  d.q = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
  d.v = c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * (4.0 * c[4] + x * 5.0 * c[5])));
  d.a = 2.0 * c[2] + x * (6.0 * c[3] + x * (12.0 * c[4] + x * 20.0 * c[5]));
  return d;
}

void JointPlan::at(double t, Cursor& cursor, std::span<MotionState> states) const noexcept {
  t = std::max(t, 0.0);
  const bool is_over = t >= timing_.back().t;
  cursor.instant =
      interval_at(cursor.instant, timing_.size(), t, [&](std::size_t i) { return timing_[i].t; });
  const Instant& begin = is_over ? timing_.back() : timing_[cursor.instant];
  const double passed = is_over ? 0.0 : t - begin.t;
  const double speed = begin.speed + begin.accel * passed;
  const double s = std::clamp(begin.s + passed * (begin.speed + 0.5 * begin.accel * passed),
                              knots_.front(), knots_.back());
  cursor.piece =
      interval_at(cursor.piece, knots_.size(), s, [&](std::size_t i) { return knots_[i]; });
  for (std::size_t j = 0; j < joints_.size() && j < states.size(); ++j) {
    const MotionState d = path(cursor.piece, j, s);
    states[j] = is_over ? MotionState{d.q, 0.0, 0.0} : over_time(d, speed, begin.accel);
  }
}

/// At both ends and in the middle of each interval; the bounds hold in between by the planners'
/// constraints.
void JointPlan::measure() {
  extents_.resize(joints_.size());
  std::size_t piece = 0;
  std::size_t waypoint = 0;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    extents_[j].q_min = extents_[j].q_max = path(0, j, knots_.front()).q;
  }
  for (std::size_t i = 0; i + 1 < timing_.size(); ++i) {
    const Instant& begin = timing_[i];
    const double length = timing_[i + 1].t - begin.t;
    while (waypoint + 1 < waypoints_.size() && waypoints_[waypoint] <= begin.t) ++waypoint;
    const auto number = static_cast<std::uint16_t>(waypoint + 1);
    // An interval lies within a piece.
    const double middle = begin.s + 0.5 * length * (begin.speed + 0.25 * begin.accel * length);
    piece = interval_at(piece, knots_.size(), middle, [&](std::size_t k) { return knots_[k]; });
    constexpr int kParts = 2;
    for (int part = 0; part <= kParts; ++part) {
      const double x = length * part / kParts;
      const double s = begin.s + x * (begin.speed + 0.5 * begin.accel * x);
      const double speed = begin.speed + begin.accel * x;
      for (std::size_t j = 0; j < joints_.size(); ++j) {
        widen(extents_[j], over_time(path(piece, j, s), speed, begin.accel), number);
      }
    }
  }
}

}  // namespace jointrig
