#pragma once

#include "control/core/enumeration.h"

namespace jointrig {

/// How joints in mode position follow a plan by their stiff law; e = q_ref − q:
///
///     inverse_dynamics  position, speed and acceleration: the torque that this needs is fed
///                       forward, by the dynamics of all joints
///     position          position and speed: the feedback alone makes the acceleration
///     velocity          a speed alone, v_ref + k e with k = 10/s, or the joint's own kp/kd where
///                       that is less (laws/servo_law.h); its integral waits
///
/// The mode stays position. Once the plan is over, its settling time included, the joints hold its
/// last reference by position, and a motion without a plan is led as by inverse_dynamics.
///
/// Boards that close the loop of the position or the speed themselves get the same setpoints in
/// each case; a compliant joint is led by its impedance, and in mode cartesian by its arm.
#define JOINTRIG_PLAN_EXECUTIONS(X)       \
  X(kInverseDynamics, "inverse_dynamics") \
  X(kPosition, "position")                \
  X(kVelocity, "velocity")
JOINTRIG_ENUM(PlanExecution, JOINTRIG_PLAN_EXECUTIONS)

}  // namespace jointrig
