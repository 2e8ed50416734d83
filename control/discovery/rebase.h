#pragma once
/// Default settings that depend on other settings of a robot file.

#include "control/discovery/discovery.h"

namespace jointrig {

/// Computes the defaults of `found` again, for the settings of `told`: the same robot with the
/// settings of its files applied. Apply the files to the result once more, so that their settings
/// win.
///
///     limits  soft margin from range and start; a_max, step_max from v_max; a_max also from
///             what lets all joints brake together (braking_room.h); torque rate from tau_max
///     gains   from `inertia`, or the inertia with board.armature in the place of the model's (of
///             a motor behind a spring: what its torque loop leaves, felt_armature()); from
///             board.viscous, board.friction; lowered to what torque rate and v_max of `told` can
///             bear (torque_rate_gains.h)
///
/// An armature on top of a joint's own adds to what the motor feels exactly: with e the joint's
/// unit vector, 1 / ((M + δ e eᵀ)⁻¹)ᵢᵢ = 1 / (M⁻¹)ᵢᵢ + δ (Sherman and Morrison).
///
/// Origins and findings on torque limits then apply to `told`. Throws ModelError.
void rebase_defaults(Discovery& found, const RobotConfig& told);

}  // namespace jointrig
