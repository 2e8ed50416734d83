#pragma once
/// Position and speed of a joint whose encoder has coarse steps, by the torques that act on it.

#include <algorithm>
#include <cmath>

namespace jointrig {

/// A step Δ of the encoder reads as a speed of Δ/dt for a cycle. A low-pass that hides it is too
/// slow for the loop. This observer moves on by the acceleration a that the model expects, and
/// learns from a reading only what it can tell: that the joint is within half a step of it.
///
///     q⁻ = q + v dt + a dt²/2                  v⁻ = v + a dt
///     e  = (q_read − q⁻) beyond ± Δ/2          0 within the step
///     q  = q⁻ + (1 − p²) e                     v  = v⁻ + (1 − p)² e / dt
///     p  = e^{−ω u dt},   u = 1 + 2 (|e|/Δ − 1) within 1 … 7
///
/// Both poles of the linear observer (Δ = 0, u = 1) are at p. An error of more than a step comes
/// from no step, but from a push: it counts for more. An acceleration that is wrong by δ leaves
/// the speed wrong by at most 2 δ / ω; to be within what the board's own speed can tell, it is kept
/// within Δ/dt of it, also where a joint meets a wall whose torque nobody knows yet.
///
/// Plain data: copied, saved and restored as it is. For the cycle.
class SpeedObserver {
 public:
  SpeedObserver() = default;

  /// ω [rad/s]: a choice. Three times the frequency of the fastest servo, and five times that of
  /// its load observer, which learns from this speed.
  static constexpr double kGain = 170.0;

  /// Starts from a reading [rad, rad/s or m, m/s].
  void restart(double q, double v) noexcept { *this = {q, v}; }
  [[nodiscard]] bool runs() const noexcept { return runs_; }

  /// Takes the acceleration that is expected until the next reading [rad/s² or m/s²].
  void expect(double a) noexcept { a_ = a; }

  /// Moves on by a cycle, without a reading.
  void advance(double dt) noexcept {
    q_ += (v_ + 0.5 * a_ * dt) * dt;
    v_ += a_ * dt;
    seen_ = q_;
  }

  /// Corrects by a reading, after advance().
  /// @param q_read  in steps of `step` [rad or m]
  /// @param v_read  speed by the board [rad/s or m/s]
  void correct(double q_read, double v_read, double step, double dt) noexcept {
    const double off = q_read - q_;
    const double e = off - std::clamp(off, -0.5 * step, 0.5 * step);
    const double urgency =
        std::clamp(1.0 + kUrgency * (std::abs(e) / step - 1.0), 1.0, kMostUrgent);
    const double p = std::exp(-kGain * urgency * dt);
    q_ += (1.0 - p * p) * e;
    v_ += (1.0 - p) * (1.0 - p) * e / dt;
    v_ = std::clamp(v_, v_read - step / dt, v_read + step / dt);
    seen_ = std::clamp(q_, q_read - 0.5 * step, q_read + 0.5 * step);
  }

  /// Within half a step of the last reading [rad or m]
  [[nodiscard]] double q() const noexcept { return seen_; }
  [[nodiscard]] double v() const noexcept { return v_; }  ///< [rad/s or m/s]

 private:
  static constexpr double kUrgency = 2.0;  // choices: more of it lets toggling arms sway
  static constexpr double kMostUrgent = 7.0;

  SpeedObserver(double q, double v) noexcept : q_(q), v_(v), seen_(q), runs_(true) {}

  double q_ = 0.0;
  double v_ = 0.0;
  double a_ = 0.0;
  double seen_ = 0.0;
  bool runs_ = false;
};

}  // namespace jointrig
