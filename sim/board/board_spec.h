#pragma once
/// Constants of a simulated board: its configuration with every "0: derived" replaced by a value.

#include "control/core/robot_config.h"

namespace jointrig::sim {

struct BoardSpec {
  BoardConfig board;             ///< without any 0 for a derived value
  JointLimits limits;            ///< the board knows q_min, q_max, v_max, tau_max of them
  BrakeConfig brake;             ///< of the joint, that this board switches
  JointGains gains;              ///< kp, ki, kd of its own loops (local_loops.h)
  double encoder_noise = 0.0;    ///< standard deviation [rad or m]
  double period = 0.001;         ///< period of its loop [s]
  double switch_margin = 0.0;    ///< limit switches stand this far outside q_min, q_max [rad or m]
  double calibration_way = 0.0;  ///< distance that it moves to pass two reference marks [rad or m]

  [[nodiscard]] bool has_spring() const noexcept { return board.spring_stiffness > 0; }
  /// Inertia that the motor turns: its own if behind a spring, else all that it feels.
  [[nodiscard]] double motor_inertia() const noexcept {
    return has_spring() ? board.armature.value_or(0.0) : gains.inertia;
  }
};

/// Derives the values that a joint's configuration leaves open:
///
///     the motor        control/core/board_defaults.h
///     gains            without kp: that of 10 Hz, critically damped, on gains.inertia
///     switch_margin    0.05 or a tenth of the range, whichever is less
///     calibration_way  likewise
///
/// A joint without calibration has an absolute encoder: calibration_offset is then without effect.
/// Throws std::invalid_argument if a value is invalid (the sentence names joint and value).
BoardSpec make_board_spec(const JointConfig& joint, const PlantConfig& plant, double period);

}  // namespace jointrig::sim
