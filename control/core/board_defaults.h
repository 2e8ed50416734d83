#pragma once

#include <algorithm>
#include <numbers>

#include "control/core/robot_config.h"

namespace jointrig {

/// Returns a board's configuration in which every setting of 0 is replaced by its derived value:
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

/// Gain a of a series elastic drive's torque loop (sim/board/deflection_loop.h). The loop raises
/// the motor's frequency on its spring from sqrt(k/J) to w, the frequency of deflection_bandwidth:
///
///     1 + a = max(1, J w² / k)
inline double deflection_gain(const BoardConfig& board) noexcept {
  const double w = 2 * std::numbers::pi * board.deflection_bandwidth_hz;
  return std::max(0.0, board.armature.value_or(0.0) * w * w / board.spring_stiffness - 1);
}

/// Part of the motor's inertia J that the joint feels. If the board controls the torque of a
/// spring, it is J / (1 + a): the loop moves the motor out of the way.
inline double felt_armature(const BoardConfig& board, double of_model) noexcept {
  const double inertia = board.armature.value_or(of_model);
  return board.spring_stiffness > 0 ? inertia / (1 + deflection_gain(board)) : inertia;
}

/// The same of a motor that turns before a spring; 0 of any other. A torque that is sent moves it
/// together with its joint, the spring's torque moves the joint alone.
inline double armature_before_spring(const BoardConfig& board) noexcept {
  return board.spring_stiffness > 0 ? felt_armature(board, 0.0) : 0.0;
}

}  // namespace jointrig
