#include "control/motion/reference_generator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/core/square_root_gain.h"
#include "control/motion/braking.h"

namespace jointrig {
namespace {

/// Factor of a_max for a streamed reference and for a hold: the sender plans its samples, so they
/// are followed closely, yet a wrong sample, or silence, is no reason for a jolt (a choice).
constexpr double kBrisk = 4.0;

/// Fastest pole of a streamed reference [1/s]: a choice.
constexpr double kQuickest = 100.0;

/// Less than this beyond a limit is rounding [rad or m].
constexpr double kRounding = 1e-12;

}  // namespace

void ReferenceGenerator::start(double q, double v, Braking braking) noexcept {
  const double factor = override_;
  const MotionRoom room = room_;
  *this = ReferenceGenerator{};
  override_ = factor;
  room_ = room;
  at_.q = q;
  drift_v_ = v;
  brisk_ = braking == Braking::kBrisk;
  last_.q = q;
  last_.v = last_speed_ = v;
}

void ReferenceGenerator::fold_drift() noexcept {
  at_.q += drift_q_;
  drift_q_ = 0.0;
}

/// The present motion, in the seconds of a path at this pace.
MotionState ReferenceGenerator::path_start(double pace) const noexcept {
  MotionState start = at_;
  start.q += drift_q_;
  // While braking or at rest the path takes over the motion, but not the deceleration, which ends
  // with the drift.
  if (drift_command_ == 0.0) start.v += drift_v_;
  start.v /= pace;
  start.a /= pace * pace;
  return start;
}

/// A path begins at the speed override. If the joint is faster than the path's peak at that pace,
/// it begins at the joint's speed.
double ReferenceGenerator::start_pace(double speed) const noexcept {
  const double v = std::abs(path_start(1.0).v);
  return std::clamp(v / speed, override_, 1.0);
}

void ReferenceGenerator::follow(const MinimumJerk& path, double pace) noexcept {
  const MotionState start = path_start(1.0);
  at_ = start;
  pace_ = pace;
  drift_q_ = 0.0;
  if (drift_command_ == 0.0) drift_v_ = drift_a_ = 0.0;
  is_left_over_ = drift_command_ != 0.0;
  returns_to_goal_ = brakes_first_ = false;
  path_ = path;
  path_time_ = 0.0;
  given_up_ = {};
  base_ = Base::kPath;
}

/// On the way to its goal a reference in motion first goes on, the further the longer it takes, and
/// from some accelerations no path keeps a_max. A velocity beside the path is led by the limits
/// itself.
bool ReferenceGenerator::breaks_limits(const MinimumJerk& path,
                                       const JointLimits& limits) const noexcept {
  const MotionState start = path_start(1.0);
  if (drift_command_ != 0.0 || (start.v == 0.0 && start.a == 0.0)) return false;
  const MinimumJerk::Reach reach = path.reach();
  return reach.low < std::min({soft_min(limits), start.q, path.goal()}) - kRounding ||
         reach.high > std::max({soft_max(limits), start.q, path.goal()}) + kRounding ||
         path.strain(std::numeric_limits<double>::infinity(), limits.a_max) > MinimumJerk::kWithin;
}

/// In the seconds of a path.
double ReferenceGenerator::braking_time(const JointLimits& limits) const noexcept {
  return override_ * std::abs(path_start(1.0).v) / limits.a_max;
}

double ReferenceGenerator::braked_place(const JointLimits& limits) const noexcept {
  const MotionState start = path_start(1.0);
  return start.q + 0.5 * start.v * std::abs(start.v) / limits.a_max;
}

void ReferenceGenerator::brake_first(double goal, double duration) noexcept {
  stop();
  path_ = MinimumJerk({.q = at_.q, .v = 0.0, .a = 0.0}, goal, duration);
  rest_duration_ = duration;
  brakes_first_ = true;
  given_up_ = {};
  base_ = Base::kPath;
}

void ReferenceGenerator::go_on_from_rest(const JointLimits& limits) noexcept {
  const double goal = path_.goal();
  const double duration = rest_duration_;
  brakes_first_ = false;
  if (duration > 0.0)
    timed_move(goal, duration, limits);
  else
    move(goal, speed_, limits);
}

void ReferenceGenerator::move(double goal, double speed, const JointLimits& limits) noexcept {
  const double pace = start_pace(speed);
  speed_ = speed;
  const MinimumJerk path = MinimumJerk::within(path_start(pace), goal, speed, limits.a_max);
  if (breaks_limits(path, limits))
    brake_first(goal, 0.0);
  else
    follow(path, pace);
}

bool ReferenceGenerator::can_arrive(double goal, double duration,
                                    const JointLimits& limits) const noexcept {
  if (!(duration > 0.0)) return false;
  MinimumJerk path(path_start(start_pace(limits.v_max)), goal, duration);
  if (breaks_limits(path, limits)) {
    const double left = duration - braking_time(limits);
    if (!(left > 0.0)) return false;
    path = MinimumJerk({.q = braked_place(limits), .v = 0.0, .a = 0.0}, goal, left);
  }
  return path.strain(limits.v_max, limits.a_max) <= MinimumJerk::kWithin;
}

double ReferenceGenerator::shortest(double goal, const JointLimits& limits) const noexcept {
  const MotionState start = path_start(start_pace(limits.v_max));
  const MinimumJerk path = MinimumJerk::within(start, goal, limits.v_max, limits.a_max);
  if (!breaks_limits(path, limits)) return path.duration();
  const MotionState rest{.q = braked_place(limits), .v = 0.0, .a = 0.0};
  return braking_time(limits) +
         MinimumJerk::within(rest, goal, limits.v_max, limits.a_max).duration();
}

void ReferenceGenerator::timed_move(double goal, double duration,
                                    const JointLimits& limits) noexcept {
  const double pace = start_pace(limits.v_max);
  const MotionState start = path_start(pace);
  speed_ = limits.v_max;
  const bool is_in_time = can_arrive(goal, duration, limits);
  const MinimumJerk path = is_in_time
                               ? MinimumJerk(start, goal, duration)
                               : MinimumJerk::within(start, goal, limits.v_max, limits.a_max);
  if (breaks_limits(path, limits))
    brake_first(goal, is_in_time ? duration - braking_time(limits) : 0.0);
  else
    follow(path, pace);
}

void ReferenceGenerator::take_drift() noexcept {
  fold_drift();
  at_.v += drift_v_;
  at_.a = 0.0;
  drift_v_ = drift_a_ = drift_command_ = 0.0;
  brakes_first_ = false;
}

double ReferenceGenerator::within_reach(double sample, double from, double interval,
                                        const JointLimits& limits) noexcept {
  const double furthest = std::max(limits.step_max, limits.v_max * interval);
  const double inside =
      std::clamp(sample, std::min(soft_min(limits), at_.q), std::max(soft_max(limits), at_.q));
  const double near = std::clamp(inside, from - furthest, from + furthest);
  cut_.clear();
  if (inside != sample) cut_.add(Limit::kPosition, sample, inside);
  if (near != inside) cut_.add(Limit::kStep, std::abs(inside - from), furthest);
  return near;
}

void ReferenceGenerator::stream(double sample, double interval,
                                const JointLimits& limits) noexcept {
  if (base_ != Base::kStream) {
    take_drift();
    line_ = sample_ = at_.q;
  }
  sample_ = within_reach(sample, sample_, interval, limits);
  line_speed_ = std::abs(sample_ - line_) / interval;
  if (line_speed_ > limits.v_max) {  // a jump: no line leads there
    line_ = sample_;
    line_speed_ = 0.0;
  }
  base_ = Base::kStream;
}

void ReferenceGenerator::stream(const MotionState& sample, double interval,
                                const JointLimits& limits) noexcept {
  if (base_ != Base::kTrajectory) {
    take_drift();
    ahead_.q = at_.q;
  }
  const double a_max = kBrisk * limits.a_max;
  ahead_.q = within_reach(sample.q, ahead_.q, interval, limits);
  ahead_.v = std::clamp(sample.v, -limits.v_max, limits.v_max);
  ahead_.a = std::clamp(sample.a, -a_max, a_max);
  if (ahead_.v != sample.v) cut_.add(Limit::kVelocity, std::abs(sample.v), limits.v_max);
  if (ahead_.a != sample.a) cut_.add(Limit::kAcceleration, std::abs(sample.a), a_max);
  base_ = Base::kTrajectory;
}

void ReferenceGenerator::follow_plan(const MotionState& state) noexcept {
  if (base_ != Base::kPlan) {
    take_drift();
    cut_.clear();
    is_left_over_ = returns_to_goal_ = false;
  }
  ahead_ = state;
  has_plan_state_ = true;
  base_ = Base::kPlan;
}

void ReferenceGenerator::end_plan() noexcept {
  if (base_ != Base::kPlan) return;
  base_ = Base::kStand;
  has_plan_state_ = false;
}

void ReferenceGenerator::stop() noexcept {
  fold_drift();
  drift_v_ += at_.v;
  drift_command_ = 0.0;
  at_.v = at_.a = 0.0;
  base_ = Base::kStand;
  waits_for_others_ = true;
  brisk_ = is_left_over_ = returns_to_goal_ = brakes_first_ = false;
  cut_.clear();
}

double ReferenceGenerator::braking(const JointLimits& limits) const noexcept {
  const bool brakes = base_ == Base::kStand && drift_command_ == 0.0 && drift_v_ != 0.0;
  return brakes ? -std::copysign(limits.a_max * (brisk_ ? kBrisk : 1.0), drift_v_) : 0.0;
}

double ReferenceGenerator::heading() const noexcept {
  if (last_.v != 0.0) return last_.v;
  if (base_ == Base::kPath) return path_.goal() - at_.q;
  if (to_target())
    return online_.wish().target.is_velocity ? online_.wish().target.v : goal() - at_.q;
  if (base_ == Base::kStream) return sample_ - at_.q;
  if (base_ == Base::kTrajectory) return ahead_.q - at_.q;
  return drift_command_;
}

double ReferenceGenerator::way_left() const noexcept {
  if (base_ != Base::kPath || drift_v_ != 0.0 || drift_command_ != 0.0) {
    return std::numeric_limits<double>::infinity();
  }
  return std::abs(path_.goal() - at_.q);
}

void ReferenceGenerator::keep_near(double q, double window) noexcept {
  if (drift_v_ == 0.0) return;
  const double ahead = last_.q - q;
  const double excess = ahead - std::clamp(ahead, -window, window);
  if (excess * drift_v_ <= 0.0) return;  // the drift itself leads away
  drift_q_ -= excess;
  last_.q -= excess;
}

void ReferenceGenerator::come_in(double q, const JointLimits& limits) noexcept {
  if (!standing()) return;
  const double low = limits.q_min + 0.5 * limits.soft_margin;
  const double high = limits.q_max - 0.5 * limits.soft_margin;
  if (last_.q < low) drift_q_ += std::clamp(q, last_.q, low) - last_.q;
  if (last_.q > high) drift_q_ += std::clamp(q, high, last_.q) - last_.q;
}

void ReferenceGenerator::advance_base(double dt, const JointLimits& limits) noexcept {
  if (base_ == Base::kPlan && !has_plan_state_) stop();
  has_plan_state_ = false;
  switch (base_) {
    case Base::kStand:
      at_.v = at_.a = 0.0;
      break;
    case Base::kPath:
      if (!brakes_first_) advance_path(dt, limits);
      break;
    case Base::kStream:
      advance_stream(dt, limits);
      break;
    case Base::kTrajectory:
      advance_trajectory(dt, limits);
      break;
    case Base::kPlan:
      at_ = ahead_;
      break;
    case Base::kTarget:
      advance_to_target(dt, limits);
      break;
  }
}

/// The pace changes to the override in kOverrideTime, limited by
///
///     |p v(t + p dt) - v_now| <= a_max dt
///
/// with the path's own v(t); it stays constant while the path needs all of a_max.
double ReferenceGenerator::next_pace(double dt, double a_max) const noexcept {
  if (pace_ == override_) return pace_;
  const double most = dt / kOverrideTime;
  const double wanted = pace_ + std::clamp(override_ - pace_, -most, most);
  const double v = path_.at(path_time_ + wanted * dt).v;
  if (v == 0.0) return wanted;
  const double one = (at_.v - a_max * dt) / v;
  const double other = (at_.v + a_max * dt) / v;
  const double allowed = std::clamp(wanted, std::min(one, other), std::max(one, other));
  return wanted < pace_ ? std::min(std::max(allowed, wanted), pace_)
                        : std::max(std::min(allowed, wanted), pace_);
}

bool ReferenceGenerator::give_up(std::uint64_t group) noexcept {
  const bool drifts = drift_v_ != 0.0 || drift_command_ != 0.0;
  if (base_ != Base::kPath || brakes_first_ || returns_to_goal_ || drifts) return false;
  if (given_up_.group == 0) given_up_ = {.group = group, .pace = pace_};
  return true;
}

double ReferenceGenerator::least_share(double dt, double a_max) const noexcept {
  const GivenUp& now = given_up_;
  const double v = now.pace * path_.at(path_time_ + now.pace * now.share * dt).v;
  if (v == 0.0) return 0.0;
  const double least = std::min((at_.v - a_max * dt) / v, (at_.v + a_max * dt) / v);
  return std::clamp(least, 0.0, now.share);
}

double ReferenceGenerator::full_speed() const noexcept {
  return std::abs(given_up_.pace * path_.at(path_time_).v);
}

void ReferenceGenerator::advance_path(double dt, const JointLimits& limits) noexcept {
  const double before = pace_;
  const bool is_given_up = given_up_.group != 0;
  pace_ = is_given_up ? given_up_.pace * given_up_.share : next_pace(dt, limits.a_max);
  path_time_ += pace_ * dt;
  at_ = path_.at(path_time_);
  at_.a = at_.a * (pace_ * pace_) + at_.v * ((pace_ - before) / dt);
  at_.v *= pace_;
  if (path_time_ >= path_.duration() && !is_left_over_) {
    base_ = Base::kStand;
    arrived_ = !is_given_up;
  } else if (pace_ == 0.0) {
    base_ = Base::kStand;
    at_.v = 0.0;
  }
}

void ReferenceGenerator::advance_stream(double dt, const JointLimits& limits) noexcept {
  const double behind = line_ - at_.q;
  const double left = sample_ - line_;
  double line_v = std::copysign(line_speed_, left);
  const bool arrives = std::abs(left) <= line_speed_ * dt * (1.0 + 1e-9);
  if (arrives) {
    line_v = left / dt;
    line_ = sample_;
    line_speed_ = 0.0;
  } else {
    line_ += line_v * dt;
  }

  const double a_max = room_.a;
  const double most = room_.jerk * dt;
  const double fastest = limits.v_max * override_;
  const double lowest = -braking_speed_within(fastest, at_.q - soft_min(limits), a_max, dt);
  const double highest = braking_speed_within(fastest, soft_max(limits) - at_.q, a_max, dt);
  // The speed that reaches it in this cycle; from a place on the line that is the line's own.
  const double there = arrives && behind == 0.0 ? line_v : (line_ - at_.q) / dt;
  const double needed = (there - at_.v) / dt;
  const bool on_line = std::abs(there - line_v) <= 0.5 * most * dt;  // and can stay there
  const bool within = on_line && there >= lowest && there <= highest && std::abs(needed) <= a_max &&
                      std::abs(needed - at_.a) <= most;
  if (within) {
    at_ = {.q = line_, .v = there, .a = needed};
    return;
  }
  const double p = std::min(room_.jerk / (0.6 * a_max), kQuickest);
  double wanted = line_v + square_root_gain(behind, 0.25 * p, 0.6 * a_max);
  if (override_ < 1.0 && std::abs(wanted) > fastest) {
    limited_.add(Limit::kVelocity, wanted, std::copysign(fastest, wanted));
  }
  wanted = std::clamp(wanted, lowest, highest);
  const double a = std::clamp(square_root_gain(wanted - at_.v, p, 0.7 * room_.jerk), -a_max, a_max);
  at_.a += std::clamp(a - at_.a, -most, most);
  at_.v += at_.a * dt;
  at_.q += at_.v * dt;
}

void ReferenceGenerator::advance_trajectory(double dt, const JointLimits& limits) noexcept {
  const double a_max = kBrisk * limits.a_max;
  const double fastest = limits.v_max * override_;
  const double lowest = -braking_speed_within(fastest, at_.q - soft_min(limits), a_max, dt);
  const double highest = braking_speed_within(fastest, soft_max(limits) - at_.q, a_max, dt);
  const double there = (ahead_.q - at_.q) / dt;  // the speed that reaches it in this cycle
  if (override_ < 1.0 && std::abs(there) > fastest) {
    limited_.add(Limit::kVelocity, there, std::copysign(fastest, there));
  }
  // Over two cycles a smooth trajectory differs from a by the change of a in one cycle.
  const bool within =
      std::abs(there - at_.v) <= (a_max + std::abs(ahead_.a)) * dt && std::abs(ahead_.v) <= fastest;
  if (within && there >= lowest && there <= highest) {
    at_ = ahead_;
  } else {
    const double behind = ahead_.q - ahead_.v * dt - at_.q;
    const double wanted =
        std::clamp(ahead_.v + std::copysign(braking_speed(std::abs(behind), a_max, dt), behind),
                   lowest, highest);
    const double change = std::clamp(wanted - at_.v, -a_max * dt, a_max * dt);
    at_.v += change;
    at_.q += at_.v * dt;
    at_.a = change / dt;
  }

  const double v = std::clamp(ahead_.v + ahead_.a * dt, -limits.v_max, limits.v_max);
  ahead_.q += 0.5 * (ahead_.v + v) * dt;
  if (v != ahead_.v + ahead_.a * dt) ahead_.a = 0.0;
  ahead_.v = v;
}

void ReferenceGenerator::advance_drift(double dt, const JointLimits& limits) noexcept {
  const double a_max = limits.a_max * (brisk_ && drift_command_ == 0.0 ? kBrisk : 1.0);
  double wanted = drift_command_ * override_;

  // Brakes in time for the soft limits; a joint that stands outside may return. The sum ends at the
  // end of the present path, shifted by the drift.
  const double end = base_ == Base::kPath && !brakes_first_ ? path_.goal() : at_.q;
  // Above both speeds, rounding included, a bound changes nothing.
  const double fastest = (1.0 + kRounding) * std::max(std::abs(wanted), std::abs(drift_v_));
  const double highest =
      braking_speed_within(fastest, soft_max(limits) - std::max(at_.q, end) - drift_q_, a_max, dt);
  const double lowest =
      -braking_speed_within(fastest, std::min(at_.q, end) + drift_q_ - soft_min(limits), a_max, dt);
  if (wanted > highest || wanted < lowest) {
    const double rest = at_.q + drift_q_ + wanted * std::abs(wanted) / (2.0 * a_max);
    limited_.add(Limit::kPosition, rest, wanted > highest ? soft_max(limits) : soft_min(limits));
  }
  wanted = std::clamp(wanted, lowest, highest);

  const double most = a_max * dt;
  const double ramp = braking(limits) != 0.0 && waits_for_others_ ? room_.brake_share * most : most;
  double v = drift_v_ + std::clamp(wanted - drift_v_, -ramp, ramp);
  // The soft limits leave no time to wait for other joints.
  if (v > highest) v = std::max(highest, drift_v_ - most);
  if (v < lowest) v = std::min(lowest, drift_v_ + most);
  if (std::abs(wanted - drift_v_) > most * (1.0 + 1e-9) && drift_command_ != 0.0) {
    limited_.add(Limit::kAcceleration, std::abs(wanted - drift_v_) / dt, a_max);
  }
  if (base_ != Base::kStand) v = std::clamp(v, -limits.v_max, limits.v_max);
  // A speed that a cycle takes away as soon as the reference starts with it is a step of the
  // encoder: its acceleration, fed forward, would be a jolt.
  const bool is_noise = drift_a_ == 0.0 && v == 0.0;
  drift_a_ = is_noise ? 0.0 : (v - drift_v_) / dt;
  drift_v_ = v;
  drift_q_ += v * dt;
}

const JointReference& ReferenceGenerator::advance(double dt, const JointLimits& limits) noexcept {
  limited_ = cut_;
  arrived_ = lapsed_ = false;
  if (returns_to_goal_ && base_ == Base::kPath) {
    // From the reference as it was: a soft limit may have stopped the drift.
    at_ = {.q = last_.q, .v = last_.v, .a = last_.a};
    drift_q_ = drift_v_ = drift_a_ = 0.0;
    // A timed move, whose peak speed may be v_max, keeps the time that it has left if it can.
    const double left = path_.duration() - path_time_;
    if (speed_ == limits.v_max && can_arrive(path_.goal(), left, limits))
      timed_move(path_.goal(), left, limits);
    else
      move(path_.goal(), speed_, limits);
  }
  if (brakes_first_ && (drift_v_ == 0.0 || drift_command_ != 0.0)) go_on_from_rest(limits);
  advance_base(dt, limits);
  if (drift_v_ != 0.0 || drift_command_ != 0.0)
    advance_drift(dt, limits);
  else
    drift_a_ = 0.0;

  // Never further out than the soft limits, or than the present position outside them.
  const double q = at_.q + drift_q_;
  const double before = last_.q;
  const double kept =
      std::clamp(q, std::min(soft_min(limits), before), std::max(soft_max(limits), before));
  last_.q = kept;
  last_speed_ = (kept - before) / dt;
  last_.v = at_.v + drift_v_;
  last_.a = at_.a + drift_a_;
  if (std::abs(kept - q) > kRounding) {
    limited_.add(Limit::kPosition, q, kept);
    drift_q_ += kept - q;
    if (base_ != Base::kPath) drift_v_ = drift_command_ = 0.0;
    last_.v = last_speed_;
    last_.a = 0.0;
  }
  return last_;
}

}  // namespace jointrig
