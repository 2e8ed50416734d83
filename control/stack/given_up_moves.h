#pragma once

#include <cstdint>

#include "control/core/types.h"
#include "control/stack/joints.h"

namespace jointrig {

/// Moves that are cancelled: their joints slow down along the path that they have in common, since
/// the pace of each is multiplied by the same share f.
///
///     q(τ),  τ' = f p     f from 1 to 0, as fast as no joint exceeds its a_max, beside what its
///                         path takes of it; f' changes by what the motors' torque rates follow
///
/// Functions are for the cycle. The state lies in the joints.

/// Gives the moves of these joints up.
/// @param group  number of the command; other than 0, and never used before
/// @return  the joints that slow down so; the others have no move, or one beside a velocity
JointSet give_up_moves(const JointSet& joints, std::uint64_t group, Joints all) noexcept;

/// One cycle of all of them, before the joints' own.
void slow_down_moves(Joints joints, double dt) noexcept;

}  // namespace jointrig
