#pragma once

#include <algorithm>
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

/// min(fastest, braking_speed()), to the bit. Far from the end, where most cycles are, without its
/// root and its divisions: S(m) ≤ (m² + m)/2 + 1/8 < (m + 1)²/2, so that a distance of at least
/// (fastest + a dt)² / 2a lets it be the fastest.
///
/// @param fastest  ≥ 0 [rad/s or m/s]
inline double braking_speed_within(double fastest, double distance, double a_max,
                                   double dt) noexcept {
  const double next = fastest + a_max * dt;
  if (2.0 * a_max * distance >= next * next) return fastest;
  return std::min(fastest, braking_speed(distance, a_max, dt));
}

}  // namespace jointrig
