#pragma once

#include <cstdint>

#include "control/core/robot_config.h"
#include "control/motion/jerk_profile.h"
#include "control/motion/pace_stop.h"

namespace jointrig {

/// Wish for a motion to a target: as it was asked for, at a speed override of 1.
struct OnlineWish {
  MotionTarget target;
  TargetBounds bounds;
  /// Time for which a target that ends in motion goes on after it is reached [s].
  double patience = 0.0;
  /// Same number for all joints that arrive together; 0: alone.
  std::uint64_t group = 0;
  /// It is cancelled: it slows down as soon as it can, and has no goal any more.
  bool is_given_up = false;
};

/// Motion of one joint to a target from any state, replaced in any cycle. Its bounds of
/// acceleration and jerk hold at all times, also where one motion replaces another. The speed
/// override s and the joint's present limits act at once,
///
///     |v| ≤ s min(v, v_max)      |a| ≤ min(a, a_max)      v_target = s v
///
/// by a motion from the present state within the new bounds.
///
/// A target that ends in motion, a velocity or a position with a velocity, goes on with it for its
/// patience, then slows down to rest; before a soft limit it comes to rest there. One that is given
/// up has no patience left; how it slows down before it gets there is decided for all joints that
/// arrive together (stack/joint_targets.h).
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class OnlineMotion {
 public:
  enum class End : std::uint8_t { kNone, kAtGoal, kAtRest, kLapsed };

  /// Result of draft().
  struct Draft {
    bool is_found = false;  ///< there is a profile
    double reach = 0.0;     ///< position that it needs
    double limit = 0.0;     ///< the nearest that the soft limits allow; `reach` if they allow that
    [[nodiscard]] bool is_kept() const noexcept { return is_found && reach == limit; }
  };
  /// The profile to the target of a wish from a state. A profile that ends in motion has to be able
  /// to come to rest behind its target.
  static Draft draft(const MotionState& start, const OnlineWish& wish, double override_factor,
                     const JointLimits& limits, double at_least, JerkProfile& profile) noexcept;

  /// Begins with a profile of draft() that is kept.
  void begin(const OnlineWish& wish, double override_factor, const JointLimits& limits,
             const JerkProfile& profile) noexcept;

  /// Moves on by a cycle from `at`. False if it has to be given up: no motion keeps the limits.
  bool advance(double override_factor, double dt, const JointLimits& limits,
               MotionState& at) noexcept;

  /// Result of the last cycle: the goal was reached, it came to rest elsewhere, or its patience
  /// ended and it slows down.
  [[nodiscard]] End end() const noexcept { return end_; }
  [[nodiscard]] const OnlineWish& wish() const noexcept { return wish_; }
  /// True if it ends at rest at a position.
  [[nodiscard]] bool has_goal() const noexcept {
    return !wish_.target.is_velocity && wish_.target.v == 0.0 && !wish_.is_given_up;
  }
  /// True if override or limits are others than those that it was planned for.
  [[nodiscard]] bool is_outdated(double override_factor, const JointLimits& limits) const noexcept;
  /// True while it comes to rest before its target, or behind it.
  [[nodiscard]] bool comes_to_rest() const noexcept { return comes_to_rest_; }
  [[nodiscard]] double time_left() const noexcept { return profile_.duration() - time_; }
  /// Bounds that it was planned for.
  [[nodiscard]] const TargetBounds& bounds() const noexcept { return bounds_; }
  /// The state, and the jerk, `t` seconds from now [s].
  [[nodiscard]] MotionState ahead(double t) const noexcept { return profile_.at(time_ + t); }
  [[nodiscard]] double jerk_ahead(double t) const noexcept { return profile_.jerk(time_ + t); }
  /// The first change of the jerk after that.
  [[nodiscard]] double next_change(double t) const noexcept {
    return profile_.next_change(time_ + t) - time_;
  }

  /// Gives the target up; it slows down by one of the next two.
  void give_up() noexcept { wish_.is_given_up = true; }
  /// Slows down by this profile to rest, which begins at the present state.
  void come_to_rest(const JerkProfile& stop) noexcept;
  /// Slows down along its profile by a pace τ' = p:
  ///
  ///     q(τ)        q' = p q_τ        q'' = p² q_ττ + p' q_τ
  ///
  /// Override and limits act on it no more.
  void slow_down(const PaceStop& stop) noexcept;

 private:
  void keep_soft_limits(double dt, const JointLimits& limits, const MotionState& at) noexcept;
  void advance_pace(double dt, MotionState& at) noexcept;
  bool rest_at(double q, const MotionState& at) noexcept;

  OnlineWish wish_;
  JerkProfile profile_;
  TargetBounds bounds_;         ///< that it was planned for
  MotionTarget target_;         ///< likewise
  double time_ = 0.0;           ///< since the profile began [s]
  double lasted_ = 0.0;         ///< since the target was reached [s]
  PaceStop stop_;               ///< while it slows down along its profile
  double slowed_ = 0.0;         ///< since it does so [s]
  bool slows_ = false;          ///< it does so
  bool comes_to_rest_ = false;  ///< at a soft limit, given up, or since its patience has ended
  End end_ = End::kNone;
};

}  // namespace jointrig
