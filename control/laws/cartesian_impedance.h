#pragma once

#include "control/laws/arm_math.h"
#include "control/laws/tool_inertia.h"

namespace jointrig {

/// A tool in one cycle, along the axes of one frame.
struct ToolState {
  Placement pose;
  Vector6 twist = Vector6::Zero();  ///< V = J v [m/s, rad/s]
  ArmJacobian jacobian;             ///< J (6, n)
};

/// Results of the impedance in this cycle, along the axes of the tool's state.
struct ImpedanceOutput {
  Vector6 error;            ///< e, after clipping [m, rad]
  Vector6 spring;           ///< K e [N, N·m]
  Vector6 damper;           ///< −D V [N, N·m]
  bool is_clipped = false;  ///< a component of e was beyond error_max
};

/// Adds the joint torques that pull the tool towards a target pose:
///
///     tau_spring += Jᵀ K e          tau_damping += −Jᵀ D V
///
///     e  (6)     tool_error(target, tool), clipped to ± error_max per axis
///     V  (6)     twist of the tool
///     K  (6, 6)  stiffness [N/m, N/rad, N·m/rad]; D (6, 6) damping [N·s/m, N·s/rad, N·m·s/rad]
///
/// J, e and V are along the axes of the frame in which `tool` and `target` are given; K, D and
/// error_max along the axes of a frame F, which are the columns of `axes` in that frame (identity:
/// the same frame). Below error_max a static wrench F moves the tool by F/K. The arm's own inertia
/// is unchanged: stiffness control, not inertia shaping (Salisbury 1980, "Active stiffness control
/// of a manipulator in Cartesian coordinates").
///
/// @param axes         columns: F's axes
/// @param tau_spring   (n) [N·m or N]; added to, never overwritten; likewise tau_damping
///
/// For the cycle. Gains are checked on their way into the stack (control/safety/arm_admission.h).
ImpedanceOutput add_cartesian_impedance(const Matrix6& stiffness, const Matrix6& damping,
                                        const Vector6& error_max, const Eigen::Matrix3d& axes,
                                        const ToolState& tool, const Placement& target,
                                        ArmVector& tau_spring, ArmVector& tau_damping) noexcept;

/// Spring and damper on the tool alone, without joints.
ImpedanceOutput cartesian_impedance(const Matrix6& stiffness, const Matrix6& damping,
                                    const Vector6& error_max, const Eigen::Matrix3d& axes,
                                    const ToolState& tool, const Placement& target) noexcept;

/// Transforms A (6, 6) along the axes F to the frame in which `axes` is given: R A Rᵀ, by blocks.
Matrix6 turned(const Matrix6& matrix, const Eigen::Matrix3d& axes) noexcept;

/// Inertia shaping: the wrench with which the tool answers `wrench` as if its inertia were
/// `wanted`,
///
///     F = Λ R Λ_d⁻¹ Rᵀ w        so that Λ_d a = w along the axes of F, each by itself
///
/// for a tool on which nothing else acts. A force from outside acts on the tool's own inertia: at
/// rest it moves the tool by Λ_d Λ⁻¹ K⁻¹ times the force, not by K⁻¹. Near singularities the wrench
/// fades out (ToolInertia::consistent_inverse). (Khatib 1987.)
///
/// @param wanted  Λ_d along F's axes, above 0 [kg, kg·m²]
/// @param axes    columns: F's axes in the frame of `wrench`
Vector6 shaped(const ToolInertia& felt, const Vector6& wanted, const Eigen::Matrix3d& axes,
               const Vector6& wrench) noexcept;

/// Λ_d as the inertia of a tool, along F's axes.
ToolInertia shaped_inertia(const Vector6& wanted) noexcept;

}  // namespace jointrig
