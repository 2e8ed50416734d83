#pragma once

#include "control/laws/arm_math.h"
#include "control/laws/guide_brake.h"

namespace jointrig {

/// Predicts the motion of each joint of an arm at rest, when its holding torque ends and a torque
/// stays unbalanced:
///
///     M v' = u' − b v + brake(M, v),   v(0) = 0,   u' = sign(u) max(|u| − F_c, 0)
///
/// with M as it is at the start: a prediction for the first moments, not a simulation. Solved in
/// steps, exact without damping.
///
/// @param inertia  M (n, n)
/// @param imbalance  u (n): torque that will act minus the present holding torque [N·m or N]
/// @param friction  F_c and b, Coulomb and viscous part of each joint's own friction
/// @param brake  fitted (GuideBrake)
/// @return (n) [rad or m]
ArmVector predict_drift(const ArmMatrix& inertia, const ArmVector& imbalance,
                        const std::vector<FrictionConfig>& friction, const GuideBrake& brake,
                        double seconds) noexcept;

}  // namespace jointrig
