#pragma once
/// Largest distance between a joint over a modelled bus and the same joint in simulation.

#include <algorithm>

#include "app/boards/local_boards.h"
#include "control/core/robot_config.h"

namespace jointrig::testing {

/// Over the bus each torque is rounded to a step of the wire, so between the two robots acts w with
/// |w| <= step / 2; their positions part by e, with
///
///     I e'' + kd e' + kp e = w
///
/// which for a loop that does not overshoot stays within |w| / kp. The encoder adds its own: in
/// each run the position is rounded by half a step, in what is compared and in what the loop feeds
/// back through kp and through kd, each of which passes no more than it gets: three steps in all.
/// With kp of the softer of its two laws, stiff and compliant.
inline double resolution_of_the_wire(const JointConfig& joint) {
  const double torque_step = joint.limits.tau_max / app::LocalBoards::kTorqueSteps;
  const double kp = std::min(joint.gains.kp, joint.gains.stiffness);
  return 0.5 * torque_step / kp + 3.0 * joint.board.encoder_step;
}

}  // namespace jointrig::testing
