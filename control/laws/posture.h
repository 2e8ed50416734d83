#pragma once

#include "control/laws/arm_math.h"
#include "control/laws/loop_bounds.h"
#include "control/laws/tool_inertia.h"

namespace jointrig {

/// The posture of an arm: springs in the joints.
struct PostureGains {
  ArmVector stiffness;      ///< k (n) [N·m/rad or N/m]
  ArmVector damping;        ///< d (n) [N·m·s/rad or N·s/m]
  double torque_max = 0.0;  ///< for each joint, before the projector [N·m or N]
};

/// The gains that the loop carries on the inertia there is, joint by joint: of a joint that feels I
///
///     k ≤ ω² I / 2,   d ≤ δ I / 2
///
/// with ω², δ of the bounds; a half, since joints that move each other add up (the largest
/// eigenvalue of M⁻¹ diag(d) is at most the sum of dᵢ (M⁻¹)ᵢᵢ).
/// @param felt  1/(M⁻¹)ᵢᵢ (n) [kg·m² or kg]
PostureGains within(const LoopBounds& bounds, const ArmVector& felt, PostureGains gains) noexcept;

/// Adds the torques that pull the joints to a posture, projected so that the tool is not affected:
///
///     tau += N t,   t = k (q_target − q) − d v, clipped to ± torque_max per joint
///
///     none                     N = 1
///     kinematic                N = 1 − Jᵀ (J Jᵀ)⁻¹ J          no wrench at a tool that is held
///     dynamically consistent   N = 1 − Jᵀ Λ J M⁻¹             no acceleration of a tool that is
///     free
///
/// Near a singularity both inverses fade out (ToolInertia::consistent_inverse, with J Jᵀ in place
/// of A for the kinematic one).
///
/// @param mass_solved  M⁻¹ Jᵀ, as (6, n): its transpose
/// @param inertia  of the same J and M
/// @param tau  (n) [N·m or N]; added to, never overwritten
/// @return true if a torque was clipped
bool add_posture(const PostureGains& gains, Projector projector, const ArmVector& q_target,
                 const ArmVector& q, const ArmVector& v, const ArmJacobian& jacobian,
                 const ArmJacobian& mass_solved, const ToolInertia& inertia,
                 ArmVector& tau) noexcept;

}  // namespace jointrig
