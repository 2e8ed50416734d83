#pragma once
/// Default stiffness of an arm's tool, from the inertia that the tool feels.

#include <Eigen/Core>

#include "control/core/robot_config.h"

namespace jointrig {

/// Natural frequency of a tool on its default spring: a choice, as the joints' kCompliantHz.
inline constexpr double kToolHz = 2.0;

/// Stiffness along each axis:
///
///     kᵢ = mᵢ ω²,   mᵢ = 1/(J M⁻¹ Jᵀ)ᵢᵢ,   ω = 2π kToolHz,   leastᵢ ≤ kᵢ ≤ mostᵢ
///
/// mᵢ is the inertia that a push along the axis feels while the others are free. The mean of the
/// modes' λ (K x = λ Λ x), which is the trace of J M⁻¹ Jᵀ K over 6, is ω² then. In a direction in
/// which the joints can't move the tool kᵢ is mostᵢ, or leastᵢ if that is more.
///
/// @param mobility  J M⁻¹ Jᵀ along the axes of the stiffness (6, 6) [1/kg, 1/(kg·m), 1/(kg·m²)]
/// @param least     a floor, below which a tool sags and sticks by its friction; where it is above
///                  `most`, it is `most`
Six stiffness_by_inertia(const Eigen::Matrix<double, 6, 6>& mobility, const Six& least,
                         const Six& most);

/// Gives an arm that stiffness, from the robot's inertia in its start pose with the arm's load,
/// between its present stiffness, or less if a joint's whole torque holds less than that at 20 mm
/// or 0.05 rad, and its stiffness_max. An arm whose tool or base the model lacks keeps its own: the
/// stack says what is wrong with it. For start-up. Throws ModelError.
void set_stiffness_by_inertia(const RobotConfig& robot, ArmConfig& arm);

}  // namespace jointrig
