#pragma once
/// Largest distance between a joint over a modelled bus and the same joint in simulation.

#include <algorithm>

#include "app/boards/local_boards.h"
#include "control/core/robot_config.h"

namespace jointrig::testing {

inline constexpr double kStepsOfTheEncoder = 20.0;  ///< below

/// Over the bus each torque is rounded to a step of the wire, so between the two robots acts w with
/// |w| <= step / 2; their positions part by e, with
///
///     I e'' + kd e' + kp e = w
///
/// which for a loop that does not overshoot stays within |w| / kp, with kp of the softer of its two
/// laws, stiff and compliant. The encoder adds its own. In each run the position is rounded by half
/// a step Δ, in what is compared and in what the loop feeds back. And a step that comes a cycle
/// earlier in one of the runs is there a pulse of torque, by which the joint goes on
///
///     Δv / (ω e) = (2ζω + ω_o) Δ / (ω e) ≈ Δ
///
/// Some steps fall into the loop's memory 1 / ω, 17 cycles, those of the joints beside it too.
inline double resolution_of_the_wire(const JointConfig& joint) {
  const double torque_step = joint.limits.tau_max / app::LocalBoards::kTorqueSteps;
  const double kp = std::min(joint.gains.kp, joint.gains.stiffness);
  return 0.5 * torque_step / kp + kStepsOfTheEncoder * joint.board.encoder_step;
}

}  // namespace jointrig::testing
