#pragma once

#include <limits>

namespace jointrig {

/// Gains that a loop with delay carries. A spring k and a damper d on the inertia m, which answer
/// by a time T late, give with ω² = k/m, δ = d/m
///
///     s² + (δ s + ω²) e^(−s T) = 0
///
/// With a ratio of 0.7 its roots have a damping ratio of 0.54 at ω T = 0.4, 0.31 at 0.5, 0.15 at
/// 0.6 and 0.04 at 0.7; on an inertia a fifth lighter than the model's 0.39, 0.19, 0.05 and none. A
/// damper alone is at 0.23 for δ T = 1, and unstable from π/2. The bounds are the last that is
/// stable, so that a stiffness that was asked for is exact up to there: 0.55 and 1. (A spring of 20
/// N·m/rad needs 0.5 g·m² at one cycle of delay, more than the last joint of some models has.) A
/// stiffness beyond comes down to half of them, with the margin of ω T = 0.39 (ToolInertia::cut).
struct LoopBounds {
  double stiffness = std::numeric_limits<double>::infinity();  ///< most ω² [1/s²]
  double damping = std::numeric_limits<double>::infinity();    ///< most δ [1/s]
};

/// @param loop_time  T: from a motion to the torque that answers it [s]
constexpr LoopBounds loop_bounds(double loop_time) noexcept {
  constexpr double kFrequencyShare = 0.55;  // ω T
  constexpr double kRateShare = 1.0;        // δ T
  const double w = kFrequencyShare / loop_time;
  return {w * w, kRateShare / loop_time};
}

}  // namespace jointrig
