#pragma once
/// Positions by which a model may be placed: finite, and within the reach of any robot.

#include <algorithm>
#include <cmath>

#include "control/core/robot_io.h"

namespace jointrig {

inline constexpr double kFarthest = 1e6;  ///< [rad or m]: a choice, beyond any robot

/// False for NaN, too.
inline bool is_sane(double position) noexcept { return std::abs(position) <= kFarthest; }

/// True for a position within reach and a quaternion that can be normalised.
inline bool is_sane(const BaseState& base) noexcept {
  double norm = 0.0;
  for (const double component : base.orientation) norm += component * component;
  return norm > 0.5 && norm < 2.0 &&
         std::all_of(base.position.begin(), base.position.end(),
                     [](double p) { return is_sane(p); });
}

}  // namespace jointrig
