#pragma once
/// Default accelerations with which all joints can brake at the same time.

#include <Eigen/Core>
#include <vector>

#include "control/discovery/discovery.h"

namespace jointrig {

struct Survey;

/// Inertia between the controlled joints at the start pose, followers included, without the
/// motors' own: Cᵀ M C with the slopes C of the couplings, less the armature of each joint
/// [kg·m², kg·m or kg]. The survey is measured.
Eigen::MatrixXd inertia_between(const Survey& survey);

/// Torque of a motor when all joints brake at their acceleration_max at the start pose, whatever
/// way each of them turns: Σₖ |Mᵢₖ| aₖ, with M as in heed_braking() [N·m or N].
double braking_torque(const Discovery& found, JointIndex joint);

/// Lowers default accelerations until each motor can brake while all others brake, too, whatever
/// way each of them turns:
///
///     Σₖ |Mᵢₖ| aₖ ≤ s (τᵢ − |gᵢ|)      s = 0.8: the rest is for errors of the inertia (a choice)
///
/// M includes the motors (found.between, board.armature). Where a joint's sum is above, its largest
/// terms are cut to equal size: what a light wrist adds to its shoulder stays. None is lowered
/// below a hundredth of its default, and a motor whose weight leaves it nothing lowers none.
///
/// @param keeps  by joint: true if a file states its acceleration, which then stays. It counts with
/// at most three quarters of the room: a file that asks for more makes no other joint slow
void heed_braking(Discovery& found, const std::vector<bool>& keeps);

}  // namespace jointrig
