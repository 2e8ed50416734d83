#pragma once

#include <cmath>
#include <limits>

namespace jointrig {

/// A pace that goes from 1 to 0: the seconds of a path per second of the robot while a motion slows
/// down along its path.
///
///     t in     0 … t_1      t_1 … t_1 + t_2      the rest, as long as the first
///     p''      −j           0                    j
///     p'       to −peak     −peak                to 0          peak = min(a, √j)
///
/// With no bound on the jerk p' steps. By symmetry the path goes on by half of the duration.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
struct PaceStop {
  double a = 1.0;                                         ///< bound of |p'|, > 0 [1/s]
  double jerk = std::numeric_limits<double>::infinity();  ///< of |p''|, > 0; infinite: none [1/s²]

  struct State {
    double time = 0.0;  ///< of the path, from the beginning of the stop [s]
    double pace = 1.0;
    double rate = 0.0;  ///< p' [1/s]
    double bend = 0.0;  ///< p'' [1/s²]
  };

  [[nodiscard]] double peak() const noexcept { return std::fmin(a, std::sqrt(jerk)); }
  /// t_1 [s]
  [[nodiscard]] double ramp() const noexcept { return std::isinf(jerk) ? 0.0 : peak() / jerk; }
  [[nodiscard]] double duration() const noexcept { return 1.0 / peak() + ramp(); }

  /// @param t  since it began; after its end it stands [s]
  [[nodiscard]] State at(double t) const noexcept {
    const double whole = duration();
    const double first = ramp();
    if (t >= whole) return {0.5 * whole, 0.0, 0.0, 0.0};
    if (t < first) {
      return {t - jerk * t * t * t / 6.0, 1.0 - 0.5 * jerk * t * t, -jerk * t, -jerk};
    }
    if (t < whole - first) {
      const double s = t - first;
      const double then = 1.0 - 0.5 * peak() * first;
      const double time = first - peak() * first * first / 6.0;
      return {time + s * (then - 0.5 * peak() * s), then - peak() * s, -peak(), 0.0};
    }
    const double left = whole - t;
    return {0.5 * whole - jerk * left * left * left / 6.0, 0.5 * jerk * left * left, -jerk * left,
            jerk};
  }

  bool operator==(const PaceStop&) const = default;
};

}  // namespace jointrig
