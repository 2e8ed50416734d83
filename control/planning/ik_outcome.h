#pragma once
/// Words of inverse kinematics for files that need no Eigen.

#include "control/core/enumeration.h"

namespace jointrig {

class KinematicTree;  // kinematic_tree.h

/// Result of inverse kinematics.
///
///     solved        every frame is at its goal, within the tolerances
///     joint_limits  joint positions exist, but beyond a joint's limits
///     out_of_reach  none were found, with the joints' limits left out of account, too
///     not_finite    a goal or a start isn't a number
#define JOINTRIG_IK_OUTCOMES(X)   \
  X(kSolved, "solved")            \
  X(kJointLimits, "joint_limits") \
  X(kOutOfReach, "out_of_reach")  \
  X(kNotFinite, "not_finite")
JOINTRIG_ENUM(IkOutcome, JOINTRIG_IK_OUTCOMES)

}  // namespace jointrig
