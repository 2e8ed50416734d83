#pragma once

#include <cmath>

namespace jointrig {

/// The present speed from which braking at a_max, from the next cycle on, ends exactly at
/// `distance`. The cycles' steps are v dt, (v − a dt) dt, (v − 2 a dt) dt, …; with m = v / (a dt)
/// and n = ⌊m⌋ they add up to
///
///     S(m) = (n + 1) (m − n/2) a dt²
///
/// whose inverse is n = ⌊(√(1 + 8 s) − 1) / 2⌋, m = s / (n + 1) + n/2 with s = S / (a dt²). Since
/// S(m) − m = S(m − 1), the speed of the next cycle is a dt lower: no step is left at the end, as
/// the continuous √(2 a distance) leaves one. Within a last cycle's reach it is distance / dt.
///
/// @param distance  to the position of rest; 0 or less gives speed 0 [rad or m]
/// @return [rad/s or m/s], ≥ 0
inline double braking_speed(double distance, double a_max, double dt) noexcept {
  if (!(distance > 0.0)) return 0.0;
  if (std::isinf(distance)) return distance;
  const double s = distance / (a_max * dt * dt);
  const double n = std::floor((std::sqrt(1.0 + 8.0 * s) - 1.0) / 2.0);
  return (s / (n + 1.0) + n / 2.0) * a_max * dt;
}

}  // namespace jointrig
