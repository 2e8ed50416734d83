#include "control/motion/jerk_profile.h"

#include <algorithm>
#include <cmath>
#include <ruckig/ruckig.hpp>

namespace jointrig {
namespace {

MotionState moved(const MotionState& from, double jerk, double t) noexcept {
  return {.q = from.q + t * (from.v + t * (from.a / 2.0 + t * jerk / 6.0)),
          .v = from.v + t * (from.a + t * jerk / 2.0),
          .a = from.a + t * jerk};
}

ruckig::InputParameter<1> input_of(const MotionState& start, const MotionTarget& target,
                                   const TargetBounds& bounds, double at_least) noexcept {
  ruckig::InputParameter<1> input;
  input.control_interface =
      target.is_velocity ? ruckig::ControlInterface::Velocity : ruckig::ControlInterface::Position;
  input.current_position[0] = start.q;
  input.current_velocity[0] = start.v;
  input.current_acceleration[0] = std::isinf(bounds.jerk) ? 0.0 : start.a;
  input.target_position[0] = target.q;
  input.target_velocity[0] = target.v;
  input.target_acceleration[0] = 0.0;
  input.max_velocity[0] = bounds.v;
  input.max_acceleration[0] = bounds.a;
  input.max_jerk[0] = bounds.jerk;
  if (at_least > 0.0) input.minimum_duration = at_least;
  return input;
}

}  // namespace

/// Adds the fastest motion from the end to a target.
bool JerkProfile::append(const MotionTarget& target, const TargetBounds& bounds,
                         double at_least) noexcept {
  ruckig::Ruckig<1> solver;
  ruckig::Trajectory<1> found;
  const MotionState start = end_;
  if (solver.calculate(input_of(start, target, bounds, at_least), found) != ruckig::Working) {
    return false;
  }
  const ruckig::Profile profile = found.get_profiles()[0][0];
  const auto add = [&](double lasts, const MotionState& state, double jerk) {
    if (!(lasts > 0.0) || count_ == kMost) return;
    phases_[count_++] = {.begin = duration_, .state = state, .jerk = jerk};
    duration_ += lasts;
  };
  const std::size_t first = count_;
  const ruckig::BrakeProfile& brake = profile.brake;
  for (std::size_t i = 0; brake.duration > 0.0 && i < brake.t.size(); ++i) {
    const double jerk = std::isinf(bounds.jerk) ? 0.0 : brake.j[i];
    add(brake.t[i], {.q = brake.p[i], .v = brake.v[i], .a = brake.a[i]}, jerk);
  }
  for (std::size_t i = 0; i < profile.t.size(); ++i) {
    add(profile.t[i], {.q = profile.p[i], .v = profile.v[i], .a = profile.a[i]}, profile.j[i]);
  }
  end_ = {.q = target.is_velocity ? profile.p.back() : target.q, .v = target.v, .a = 0.0};
  measure(first);
  return true;
}

/// Where its velocity is 0 in a phase, beside the ends. Ruckig's own extrema are no use: those of a
/// target velocity count a position that it has never written.
void JerkProfile::measure(std::size_t first) noexcept {
  const auto see = [&](double q) {
    lowest_ = std::min(lowest_, q);
    highest_ = std::max(highest_, q);
  };
  see(end_.q);
  for (std::size_t i = first; i < count_; ++i) {
    const Phase& phase = phases_[i];
    const double lasts = (i + 1 < count_ ? phases_[i + 1].begin : duration_) - phase.begin;
    const auto [q, v, a] = phase.state;
    see(q);
    const double root = std::sqrt(std::max(a * a - 2.0 * phase.jerk * v, 0.0));
    for (const double sum : {-a + root, -a - root}) {
      const double t = phase.jerk != 0.0 ? sum / phase.jerk : -v / a;
      if (t > 0.0 && t < lasts) see(moved(phase.state, phase.jerk, t).q);
    }
  }
}

bool JerkProfile::plan(const MotionState& start, const MotionTarget& target,
                       const TargetBounds& bounds, double at_least) noexcept {
  JerkProfile made;
  made.end_ = start;
  made.lowest_ = made.highest_ = start.q;
  JerkProfile slowed = made;
  const bool is_found = made.append(target, bounds, at_least);
  // Ruckig brakes with all of the deceleration until the speed is allowed, and so below it.
  const double peak = start.v + start.a * std::abs(start.a) / (2.0 * bounds.jerk);
  if (!target.is_velocity && std::abs(peak) > bounds.v) {
    const MotionTarget fastest{.is_velocity = true, .q = 0.0, .v = std::copysign(bounds.v, peak)};
    const bool is_slowed =
        slowed.append(fastest, bounds, 0.0) &&
        slowed.append(target, bounds, std::max(at_least - slowed.duration(), 0.0));
    if (is_slowed && (!is_found || slowed.duration() < made.duration())) {
      *this = slowed;
      return true;
    }
  }
  if (is_found) *this = made;
  return is_found;
}

std::size_t JerkProfile::phase_at(double t) const noexcept {
  std::size_t i = 0;
  while (i + 1 < count_ && phases_[i + 1].begin <= t) ++i;
  return i;
}

MotionState JerkProfile::at(double t) const noexcept {
  if (t >= duration_) {
    return {.q = end_.q + (t - duration_) * end_.v, .v = end_.v, .a = 0.0};
  }
  const Phase& phase = phases_[phase_at(t)];
  return moved(phase.state, phase.jerk, t - phase.begin);
}

double JerkProfile::jerk(double t) const noexcept {
  return t >= duration_ ? 0.0 : phases_[phase_at(t)].jerk;
}

double JerkProfile::next_change(double t) const noexcept {
  if (t >= duration_) return std::numeric_limits<double>::infinity();
  const std::size_t next = phase_at(t) + 1;
  return next < count_ ? phases_[next].begin : duration_;
}

JerkProfile JerkProfile::scaled(double q0, double factor) const noexcept {
  const auto state = [&](const MotionState& s) -> MotionState {
    return {.q = q0 + factor * s.q, .v = factor * s.v, .a = factor * s.a};
  };
  JerkProfile made = *this;
  for (std::size_t i = 0; i < count_; ++i) {
    made.phases_[i].state = state(phases_[i].state);
    made.phases_[i].jerk = factor * phases_[i].jerk;
  }
  made.end_ = state(end_);
  const auto [low, high] = std::minmax({q0 + factor * lowest_, q0 + factor * highest_});
  made.lowest_ = low;
  made.highest_ = high;
  return made;
}

}  // namespace jointrig
