#pragma once

#include <cmath>

namespace jointrig {

/// x times p, and beyond a/p² the root law of braking at the constant rate a:
///
///     p x                                 |x| ≤ a / p²
///     sgn(x) √(2 a (|x| − a / (2 p²)))    else
///
/// Value and slope are continuous where both meet.
inline double square_root_gain(double x, double p, double a) noexcept {
  const double size = std::abs(x);
  if (size * p * p <= a) return p * x;
  return std::copysign(std::sqrt(2.0 * a * (size - 0.5 * a / (p * p))), x);
}

}  // namespace jointrig
