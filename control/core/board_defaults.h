#pragma once

#include <algorithm>

#include "control/core/robot_config.h"

namespace jointrig {

/// A board's configuration with every "0: derived" worked out, for all who calculate with it:
///
///     torque_constant  tau_max / 10 A                (a choice: a mid-size drive)
///     current_max_A    1.2 tau_max / torque_constant
///     supply_V         48 V (the usual bus of joint drives), or what tau_max at 1.5 v_max needs:
///                      1.5 kt v_max + R tau_max / kt
inline BoardConfig with_defaults(BoardConfig board, const JointLimits& limits) noexcept {
  if (!(board.torque_constant > 0)) board.torque_constant = limits.tau_max / 10.0;
  const double kt = board.torque_constant;
  if (!(board.current_max_A > 0)) board.current_max_A = 1.2 * limits.tau_max / kt;
  if (!(board.supply_V > 0)) {
    const double needed = 1.5 * kt * limits.v_max + board.resistance_ohm * limits.tau_max / kt;
    board.supply_V = std::max(48.0, needed);
  }
  return board;
}

}  // namespace jointrig
