#pragma once
/// Joints that a check may ask at the same time, since none of them feels another: a robot of many
/// joints is checked limb beside limb.

#include <vector>

#include "app/check/checked_joint.h"
#include "control/discovery/discovery.h"
#include "control/planning/path_collision.h"

namespace jointrig::app {

/// Sets CheckedJoint::group. Joints of a group
///
///     carry none of each other              M_ij(q) = 0 in several poses
///     are tied to none                      by an equality, or by the limits of a tendon
///     disturb each other little when free   |A_ij| at most a tenth of √(A_ii A_jj), A = M⁻¹
///     meet nothing                          each alone with the others at the ends of their ways,
///                                           and all together on straight lines
///
/// Joints without a way are grouped, too: they are pushed and loaded.
///
/// @param joints     checked_joints() of `found`; all of the robot
/// @param collision  of the same robot
/// Throws ModelError.
void form_groups(const Discovery& found, PathCollision& collision,
                 std::vector<CheckedJoint>& joints);

}  // namespace jointrig::app
