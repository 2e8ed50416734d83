#pragma once
/// The inertia that a joint's motor feels.

#include <mujoco/mujoco.h>

#include <vector>

namespace jointrig {

/// For each degree of freedom the torque per acceleration of a motor that drives it while all
/// others are free to move, 1/(M⁻¹)ᵢᵢ, at data.qpos [kg·m² or kg].
///
/// Equality constraints are taken as rigid. With A = J M⁻¹ Jᵀ over their Jacobian J, the inverse
/// inertia of the motions that they allow is M⁻¹ - M⁻¹ Jᵀ A⁺ J M⁻¹ (Gauss's principle), so that a
/// motor feels the inertia of its followers. A degree of freedom that the constraints hold still
/// (more than kHeldStill times heavier than without them) gets its unconstrained value.
///
/// Calls mj_forward; for start-up.
std::vector<double> felt_inertia(const mjModel& model, mjData& data);

/// A choice: gear trains of published grippers add up to about ten times.
inline constexpr double kHeldStill = 1e4;

}  // namespace jointrig
