#pragma once

namespace jointrig {

/// Position, velocity and acceleration of one joint. [rad, rad/s, rad/s² or m, m/s, m/s²]
struct MotionState {
  double q = 0.0;
  double v = 0.0;
  double a = 0.0;
};

/// The path of least jerk from a moving start to a standing goal:
///
///     q(t) = q0 + v0 t + a0 t²/2 + c3 t³ + c4 t⁴ + c5 t⁵,   0 ≤ t ≤ T
///
/// with q(T) = goal, q'(T) = q''(T) = 0. It minimises ∫ q'''² dt (Flash and Hogan 1985, "The
/// coordination of arm movements"). From rest to rest over a distance d its peaks are
///
///     |v| = 15/8 d/T  at T/2,        |a| = 10/√3 d/T²  at (1 ∓ 1/√3) T/2.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class MinimumJerk {
 public:
  /// Largest strain that counts as within limits: rounding.
  static constexpr double kWithin = 1.0 + 1e-9;

  MinimumJerk() noexcept = default;

  /// @param duration  T [s]; limited to 1 ms .. 1e9 s
  MinimumJerk(const MotionState& start, double goal, double duration) noexcept;

  /// The fastest path whose peaks stay within the limits. If a moving start allows none, the path
  /// that exceeds the limits least; its initial speed and acceleration count as allowed.
  /// @param v_max, a_max > 0
  static MinimumJerk within(const MotionState& start, double goal, double v_max,
                            double a_max) noexcept;

  [[nodiscard]] MotionState at(double t) const noexcept;  ///< before 0 the start, after T the goal
  [[nodiscard]] double duration() const noexcept { return duration_; }
  [[nodiscard]] double goal() const noexcept { return goal_; }

  /// Largest of |v|/v_max and |a|/a_max along the path; at most 1 is within the limits.
  [[nodiscard]] double strain(double v_max, double a_max) const noexcept;

  /// The lowest and the highest position along the path.
  struct Reach {
    double low = 0.0;
    double high = 0.0;
  };
  [[nodiscard]] Reach reach() const noexcept;

 private:
  double q0_ = 0.0, v0_ = 0.0, a0_ = 0.0;
  double c3_ = 0.0, c4_ = 0.0, c5_ = 0.0;
  double duration_ = 0.0;
  double goal_ = 0.0;
};

}  // namespace jointrig
