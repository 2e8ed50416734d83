#pragma once
/// Orientations that a tool may have where a rotation is left free (control/core/free_rotation.h):
///
///     R ∈ { R_g exp(θ [a]×) }      a  the free axis, along the goal's own axes
///
/// a is e_k for an axis of the tool, and R_gᵀ e_k for an axis of the frame of the goals, since
/// exp(θ [e_k]×) R_g = R_g exp(θ [R_gᵀ e_k]×).

#include <array>

#include "control/core/free_rotation.h"
#include "control/laws/arm_math.h"

namespace jointrig {

/// C: axes whose z is a, along the goal's own. The identity where no axis is free.
Eigen::Matrix3d held_axes(FreeRotation free, const Eigen::Matrix3d& goal) noexcept;

/// The one of the orientations that is nearest to `at`: the rotation from it to `at` has no part
/// about a. `at` itself where all are free.
Eigen::Matrix3d nearest_goal(FreeRotation free, const Eigen::Matrix3d& goal,
                             const Eigen::Matrix3d& at) noexcept;

/// Weights of a task (along, then about three axes) with 0 for what isn't held, its rotations about
/// the axes of held_axes().
std::array<double, 6> held_weights(FreeRotation free, std::array<double, 6> weights) noexcept;

}  // namespace jointrig
