#pragma once

#include <span>

#include "control/motion/joint_plan.h"

namespace jointrig {

/// The time of a plan that is followed: τ passes at a pace p ≤ 1, the plan's seconds per second of
/// the robot.
///
///     q = q(τ)        q' = p q_τ        q'' = p² q_ττ + (dp/dt) q_τ
///
/// The pace goes to the speed override within ReferenceGenerator::kOverrideTime, and to 0 as fast
/// as the joints can for a stop. In each cycle it changes no further than
///
///     |p' q_τ(τ + p' dt) − q'| ≤ a_max dt
///
/// allows for every joint, so that a stop slows down along the path. To keep the pace is always
/// allowed, as the plan itself keeps the bounds.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class PlanClock {
 public:
  PlanClock() noexcept = default;
  /// @param time  τ at the start [s]
  PlanClock(double time, double pace) noexcept : time_(time), pace_(pace) {}

  /// Moves on by one cycle.
  /// @param wanted  pace to go to; 0: stop
  /// @param a_max  one for each joint of the plan [rad/s² or m/s²]
  /// @param states  of its joints: in, those of the last cycle; out, those of this one
  void advance(const JointPlan& plan, double wanted, std::span<const double> a_max, double dt,
               std::span<MotionState> states) noexcept;

  /// Goes back by a plan's time: another plan goes on from there.
  void begin_at(double time) noexcept {
    time_ -= time;
    cursor_ = {};
  }

  [[nodiscard]] double time() const noexcept { return time_; }
  [[nodiscard]] double pace() const noexcept { return pace_; }
  [[nodiscard]] bool is_over(const JointPlan& plan) const noexcept {
    return time_ >= plan.duration();
  }

 private:
  [[nodiscard]] bool can_have(double pace, const JointPlan& plan, std::span<const double> a_max,
                              double dt, std::span<const MotionState> now) noexcept;

  double time_ = 0.0;
  double pace_ = 1.0;
  JointPlan::Cursor cursor_;
};

}  // namespace jointrig
