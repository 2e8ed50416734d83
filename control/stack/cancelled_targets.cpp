// Motions to targets that are given up: how they slow down (joint_targets.h).

#include <algorithm>
#include <cmath>

#include "control/stack/joint_targets.h"

namespace jointrig {
namespace {

/// No further from a straight line than this it is one [rad or m]: ten times the rounding of
/// Ruckig's profiles.
constexpr double kOnLine = 1e-10;

/// Beyond a soft limit by less is rounding [rad or m]: as of online_motion.cpp.
constexpr double kAtLimit = 1e-8;

/// Places at which a way ahead is compared with a line: a choice, twice the phases of a profile
/// from rest to rest.
constexpr std::size_t kPlacesOnLine = 16;

/// So often a stop along a path is looked at: a choice. In between a jerk bulges by less than the
/// room that is left free (kRoom) [s].
constexpr double kLookEach = 0.002;
constexpr double kFewestLooks = 32.0;
constexpr double kRoom = 0.02;
constexpr double kAtBound = 1e-9;

/// Behind a change of the jerk, whatever its time was rounded to [s].
constexpr double kJustBehind = 1e-9;

/// Each stop that is tried is so much softer than the one before, and so many are: choices.
constexpr double kSofterEach = 0.85;
constexpr int kStopsTried = 12;

/// Most states of joints that are looked at in a cycle: a choice, some 0.2 ms.
constexpr std::size_t kMostLooks = 4096;

/// A motion that ends at a velocity is followed so far behind its target to see where it leads [s].
constexpr double kBehind = 1.0;

struct SoftRange {
  double low = 0.0;
  double high = 0.0;
};
/// Outside of it a joint moves no further out than it is.
SoftRange soft_range(const JointLimits& limits, double q) noexcept {
  return {std::min(soft_min(limits), q) - kAtLimit, std::max(soft_max(limits), q) + kAtLimit};
}

/// Two neighbouring times of a stop.
struct Look {
  PaceStop::State before{};
  PaceStop::State now{};
};

/// One place of a path with the pace before and after, and the path's jerk on both sides:
///
///     |p² q_ττ + p' q_τ| ≤ a        |p³ q_τττ + 3 p p' q_ττ + p'' q_τ| ≤ j
bool keeps_bounds_at(const Look& look, const MotionState& on, double jerk_before, double jerk_after,
                     const TargetBounds& bounds) noexcept {
  const auto [least, most] = std::minmax(jerk_before, jerk_after);
  const double one = look.before.bend * on.v;
  const double other = look.now.bend * on.v;
  for (const PaceStop::State& at : {look.before, look.now}) {
    const double p = at.pace;
    // No room is left free at the full pace, where the path itself may be at its bounds.
    const double share = (1.0 - std::min(kRoom, 1.0 - p)) * (1.0 + kAtBound);
    if (!(std::abs(p * p * on.a + at.rate * on.v) <= bounds.a * share)) return false;
    if (std::isinf(bounds.jerk)) continue;
    const double middle = 3.0 * p * at.rate * on.a;
    const double cube = p * p * p;
    if (!(cube * least + middle + std::min(one, other) >= -bounds.jerk * share)) return false;
    if (!(cube * most + middle + std::max(one, other) <= bounds.jerk * share)) return false;
  }
  return true;
}

/// At the end of a look, and wherever the path changes its jerk on the way to it.
bool keeps_bounds_in(const Look& look, const OnlineMotion& online) noexcept {
  double jerk = online.jerk_ahead(look.before.time);
  double change = online.next_change(look.before.time);
  while (change < look.now.time) {
    const double behind = change + kJustBehind;
    const double next = online.jerk_ahead(behind);
    if (!keeps_bounds_at(look, online.ahead(change), jerk, next, online.bounds())) return false;
    jerk = next;
    change = online.next_change(behind);
  }
  return keeps_bounds_at(look, online.ahead(look.now.time), jerk, jerk, online.bounds());
}

}  // namespace

JointSet JointTargets::cancel(const JointSet& joints, Joints all) noexcept {
  JointSet led;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const OnlineMotion* online = all.controls[i].online();
    if (!joints.test(i) || online == nullptr) continue;
    led.set(i);
    const std::uint64_t group = online->wish().group;
    for (std::size_t k = 0; k < all.size(); ++k) {
      OnlineMotion* other = all.controls[k].online();
      if (other == nullptr || other->wish().group != group) continue;
      if (k == i || group != 0) other->give_up();
    }
  }
  return led;
}

void JointTargets::slow_down_given_up(Joints joints) noexcept {
  looks_left_ = kMostLooks;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    gather_given_up(static_cast<JointIndex>(i), joints);
    if (draft_.count > 0 && !stop_on_line(joints)) stop_on_path(joints);
  }
}

/// The joints that arrive together with this one, the first of them, and are yet to slow down.
void JointTargets::gather_given_up(JointIndex first, Joints joints) noexcept {
  draft_.count = 0;
  const auto waiting = [&](std::size_t i) -> OnlineMotion* {
    OnlineMotion* online = joints.controls[i].online();
    const bool waits = online != nullptr && online->wish().is_given_up && !online->comes_to_rest();
    return waits ? online : nullptr;
  };
  const OnlineMotion* one = waiting(first);
  if (one == nullptr) return;
  const std::uint64_t group = one->wish().group;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    OnlineMotion* online = waiting(i);
    if (online == nullptr || online->wish().group != group) continue;
    if (group != 0 && i < first) {  // looked at with that one
      draft_.count = 0;
      return;
    }
    if (group == 0 && i != first) continue;
    draft_.motions[draft_.count] = online;
    draft_.joints[draft_.count++] = static_cast<JointIndex>(i);
  }
}

/// Where each joint still goes, as far ahead as is known. Returns how far that is [s].
double JointTargets::ways_ahead() noexcept {
  double horizon = 0.0;
  for (std::size_t k = 0; k < draft_.count; ++k) {
    const OnlineMotion& online = *draft_.motions[k];
    const bool ends_at_rest = !online.wish().target.is_velocity && online.wish().target.v == 0.0;
    const double left = std::max(online.time_left(), 0.0);
    horizon = std::max(horizon, ends_at_rest ? left : left + kBehind);
  }
  for (std::size_t k = 0; k < draft_.count; ++k) {
    const OnlineMotion& online = *draft_.motions[k];
    draft_.ways[k] = online.ahead(horizon).q - online.ahead(0.0).q;
  }
  if (draft_.count == 1) draft_.ways[0] = 1.0;  // a joint alone is on its line, wherever it goes
  return horizon;
}

bool JointTargets::is_line(std::size_t longest, double horizon) const noexcept {
  const OnlineMotion& lead = *draft_.motions[longest];
  for (std::size_t place = 1; place < kPlacesOnLine; ++place) {
    const double t = horizon * static_cast<double>(place) / kPlacesOnLine;
    const double share = lead.ahead(t).q - lead.ahead(0.0).q;
    for (std::size_t k = 0; k < draft_.count; ++k) {
      const OnlineMotion& online = *draft_.motions[k];
      const double on_line = online.ahead(0.0).q + share * draft_.ways[k];
      if (!(std::abs(online.ahead(t).q - on_line) <= kOnLine)) return false;
    }
  }
  return true;
}

/// True if the joints slow down on a straight line, or are there. Ways are in those of the longest.
bool JointTargets::stop_on_line(Joints joints) noexcept {
  const double horizon = ways_ahead();
  std::size_t longest = 0;
  for (std::size_t k = 0; k < draft_.count; ++k) {
    if (std::abs(draft_.ways[k]) > std::abs(draft_.ways[longest])) longest = k;
  }
  const double way = draft_.ways[longest];
  if (horizon <= 0.0) return true;
  if (std::abs(way) < kNoWay) return false;
  for (std::size_t k = 0; k < draft_.count; ++k) draft_.ways[k] /= way;
  if (!is_line(longest, horizon)) return false;
  TargetBounds shares{kNoBound, kNoBound, kNoBound};
  for (std::size_t k = 0; k < draft_.count; ++k) {
    const double size = std::abs(draft_.ways[k]);
    const TargetBounds& bounds = draft_.motions[k]->bounds();
    shares.v = std::min(shares.v, bounds.v / size);
    shares.a = std::min(shares.a, bounds.a / size);
    shares.jerk = std::min(shares.jerk, bounds.jerk / size);
  }
  const MotionState now = draft_.motions[longest]->ahead(0.0);
  constexpr MotionTarget kRest{.is_velocity = true, .q = 0.0, .v = 0.0};
  JerkProfile stop;
  if (!stop.plan({.q = 0.0, .v = now.v, .a = now.a}, kRest, shares)) return false;
  for (std::size_t k = 0; k < draft_.count; ++k) {
    const JointIndex i = draft_.joints[k];
    const double q = draft_.motions[k]->ahead(0.0).q;
    const JerkProfile own = stop.scaled(q, draft_.ways[k]);
    const SoftRange range = soft_range(joints.setups[i].config.limits, q);
    if (own.lowest() < range.low || own.highest() > range.high) return false;
  }
  for (std::size_t k = 0; k < draft_.count; ++k) {
    OnlineMotion& online = *draft_.motions[k];
    online.come_to_rest(stop.scaled(online.ahead(0.0).q, draft_.ways[k]));
  }
  return true;
}

/// As hard as the present speeds and accelerations alone would allow:
///
///     |p' q_τ| ≤ a        |p'' q_τ| ≤ j        |4 p' q_ττ| ≤ j
PaceStop JointTargets::hardest_stop() const noexcept {
  PaceStop stop{kNoBound, kNoBound};
  bool is_bounded = false;
  for (std::size_t k = 0; k < draft_.count; ++k) {
    const OnlineMotion& online = *draft_.motions[k];
    const MotionState now = online.ahead(0.0);
    const TargetBounds& bounds = online.bounds();
    stop.a = std::min(stop.a, bounds.a / std::abs(now.v));
    stop.a = std::min(stop.a, 0.25 * bounds.jerk / std::abs(now.a));
    stop.jerk = std::min(stop.jerk, bounds.jerk / std::abs(now.v));
    is_bounded = is_bounded || !std::isinf(bounds.jerk);
  }
  // A shorter ramp would pass between two looks.
  if (is_bounded) stop.jerk = std::min(stop.jerk, 16.0 * stop.a * stop.a);
  return stop;
}

bool JointTargets::keeps_bounds(const PaceStop& stop, Joints joints) noexcept {
  const double duration = stop.duration();
  const double first = stop.ramp();
  const double step = duration / std::max(std::ceil(duration / kLookEach), kFewestLooks);
  // Close together where no room is left free: a joint about to turn round may pass its bound
  // there.
  double ahead = step / 128.0;
  Look look{.before = stop.at(0.0)};
  for (double t = 0.0;;) {
    look.now = stop.at(t);
    for (std::size_t k = 0; k < draft_.count; ++k) {
      if (looks_left_ == 0) return false;
      --looks_left_;
      const JointIndex i = draft_.joints[k];
      const OnlineMotion& online = *draft_.motions[k];
      const double q = online.ahead(look.now.time).q;
      const SoftRange range = soft_range(joints.setups[i].config.limits, online.ahead(0.0).q);
      if (q < range.low || q > range.high || !keeps_bounds_in(look, online)) return false;
    }
    if (t >= duration) return true;
    look.before = look.now;
    // No look passes a change of the pace's own jerk.
    const double change = t < first ? first : t < duration - first ? duration - first : duration;
    t = std::min(t + ahead, change);
    ahead = std::min(2.0 * ahead, step);
  }
}

/// A stop that would go on for longer than the motion itself takes to its end is none.
bool JointTargets::stop_on_path(Joints joints) noexcept {
  double left = 0.0;
  for (std::size_t k = 0; k < draft_.count; ++k) {
    const OnlineMotion& online = *draft_.motions[k];
    const bool ends_in_motion = online.wish().target.is_velocity || online.wish().target.v != 0.0;
    left = std::max(left, ends_in_motion ? kNoBound : online.time_left());
  }
  PaceStop stop = hardest_stop();
  for (int k = 0; k < kStopsTried; ++k) {
    const bool is_usable =
        std::isfinite(stop.a) && stop.a > 0.0 && stop.jerk > 0.0 && stop.duration() < left;
    if (is_usable && keeps_bounds(stop, joints)) {
      for (std::size_t j = 0; j < draft_.count; ++j) {
        draft_.motions[j]->slow_down(stop);
      }
      return true;
    }
    stop.a *= kSofterEach;
    stop.jerk *= kSofterEach * kSofterEach;
  }
  return false;
}

}  // namespace jointrig
