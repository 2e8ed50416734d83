#pragma once
/// First-order lags of a joint's board and of the filters behind it. For set-up and the cycle.

#include <cmath>
#include <numbers>

#include "control/core/robot_config.h"

namespace jointrig {

/// Time constant of a first-order lag of f Hz, 1/(2πf); 0 where there is none (f = 0) [s].
inline double lag_of(double hz) noexcept {
  return hz > 0.0 ? 1.0 / (2.0 * std::numbers::pi * hz) : 0.0;
}

/// Share that a new sample has behind a filter of f Hz, 1 − e^(−2πf dt); 1 where there is none.
inline double share_behind(double hz, double dt) noexcept {
  return hz > 0.0 ? -std::expm1(-2.0 * std::numbers::pi * hz * dt) : 1.0;
}

/// Between a torque that is sent and the one that acts: torque loop and spring [s].
inline double torque_lag(const BoardConfig& board) noexcept {
  double time = lag_of(board.torque_bandwidth_hz);
  if (board.spring_stiffness > 0.0) time += lag_of(board.deflection_bandwidth_hz);
  return time;
}

}  // namespace jointrig
