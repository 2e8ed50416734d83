#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "control/motion/minimum_jerk.h"

namespace jointrig {

/// Bounds of a motion to a target, each on both sides of 0.
struct TargetBounds {
  double v = 0.0;                                         ///< [rad/s or m/s]
  double a = 0.0;                                         ///< [rad/s² or m/s²]
  double jerk = std::numeric_limits<double>::infinity();  ///< infinite: none [rad/s³ or m/s³]
  bool operator==(const TargetBounds&) const = default;
};

/// A state to reach: a position with a velocity there, or a velocity alone. The acceleration there
/// is 0.
struct MotionTarget {
  bool is_velocity = false;
  double q = 0.0;  ///< [rad or m]
  double v = 0.0;  ///< [rad/s or m/s]
  bool operator==(const MotionTarget&) const = default;
};

/// The fastest motion of one joint from any state to a target within |v|, |a| and |da/dt|, by
/// Ruckig (Berscheid and Kröger 2021, "Jerk-limited real-time trajectory generation with arbitrary
/// target states"): phases of constant jerk,
///
///     q(t) = q_k + v_k τ + a_k τ²/2 + j_k τ³/6,   τ = t − t_k
///
/// A start faster than the bound is first slowed down to it, if that takes less time than Ruckig's
/// own way, which brakes to less than the bound. Without a bound on the
/// jerk they are phases of constant acceleration, and the start's is given up. At the end it is at
/// the target, and goes on with the target's velocity.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class JerkProfile {
 public:
  /// Plans it.
  /// @param at_least  it takes this long or longer [s]; 0: as short as possible
  /// @return false if there is none, or the numbers don't allow to find it; then it stays as it was
  bool plan(const MotionState& start, const MotionTarget& target, const TargetBounds& bounds,
            double at_least = 0.0) noexcept;

  [[nodiscard]] double duration() const noexcept { return duration_; }
  [[nodiscard]] MotionState at(double t) const noexcept;
  [[nodiscard]] double jerk(double t) const noexcept;
  /// Time of the first change of its jerk after t, the end for one; infinite behind that.
  [[nodiscard]] double next_change(double t) const noexcept;
  /// The same in other units, from another place: q0 + factor q.
  [[nodiscard]] JerkProfile scaled(double q0, double factor) const noexcept;
  [[nodiscard]] const MotionState& end() const noexcept { return end_; }
  /// Positions between which it stays until its end.
  [[nodiscard]] double lowest() const noexcept { return lowest_; }
  [[nodiscard]] double highest() const noexcept { return highest_; }

 private:
  struct Phase {
    double begin = 0.0;  ///< [s]
    MotionState state;   ///< at its begin
    double jerk = 0.0;
  };
  [[nodiscard]] std::size_t phase_at(double t) const noexcept;
  bool append(const MotionTarget& target, const TargetBounds& bounds, double at_least) noexcept;
  void measure(std::size_t first) noexcept;
  static constexpr std::size_t kMost = 18;  ///< nine of each motion of Ruckig's

  std::array<Phase, kMost> phases_{};
  std::size_t count_ = 0;
  double duration_ = 0.0;
  MotionState end_;
  double lowest_ = 0.0;
  double highest_ = 0.0;
};

}  // namespace jointrig
