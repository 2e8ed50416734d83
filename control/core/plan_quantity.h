#pragma once

#include "control/core/enumeration.h"

namespace jointrig {

/// Quantity of the number for which a plan was refused (motion/joint_plan.h): `detail` of the
/// refusal's event. That of interaction control is `interaction` plus the place of its number from
/// 1 (command_field.h), or `interaction` itself for a number of posture stiffnesses.
#define JOINTRIG_PLAN_QUANTITIES(X)                      \
  X(kNone, "none")                                       \
  X(kCount, "count") /* of values: one for each joint */ \
  X(kPosition, "position")                               \
  X(kVelocity, "velocity")                               \
  X(kAcceleration, "acceleration")                       \
  X(kTime, "time")                                       \
  X(kSpeedRatio, "speed_ratio")                          \
  X(kAccelerationRatio, "acceleration_ratio")            \
  X(kLinearSpeed, "linear_speed")                        \
  X(kLinearAcceleration, "linear_acceleration")          \
  X(kRotationalSpeed, "rotational_speed")                \
  X(kRotationalAcceleration, "rotational_acceleration")  \
  X(kCornerDistance, "corner_distance")                  \
  X(kPose, "pose")                                       \
  X(kTolerance, "tolerance")                             \
  X(kLargestAcceleration, "largest_acceleration")        \
  X(kVelocities, "velocities") /* number of values */    \
  X(kAccelerations, "accelerations")                     \
  X(kInteraction, "interaction")
JOINTRIG_ENUM(PlanQuantity, JOINTRIG_PLAN_QUANTITIES)

}  // namespace jointrig
