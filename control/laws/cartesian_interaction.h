#pragma once

#include <limits>

#include "control/laws/cartesian_impedance.h"

namespace jointrig {

/// Control of the axes of the interaction frame F (InteractionAxis).
struct InteractionLaw {
  std::array<InteractionAxis, 6> axes{};
  Vector6 stiffness = Vector6::Zero();   ///< k [N/m, N·m/rad]
  Matrix6 damping = Matrix6::Zero();     ///< D, symmetric, none of its eigenvalues below 0
  Vector6 force = Vector6::Zero();       ///< f: asked for, or size of the limit [N, N·m]
  Vector6 motion_max = Vector6::Zero();  ///< m [m, rad]
  /// W: stiffness of motion limits and wall [N/m, N·m/rad]
  Vector6 wall_stiffness = Vector6::Zero();
  Vector6 error_max = Vector6::Zero();  ///< clip of the springs' error [m, rad]
  double rotation_max = std::numeric_limits<double>::infinity();  ///< wall about each axis [rad]
  /// Factor on the torques of the springs, where the loop carries less than their stiffness
  /// (ToolInertia::cut).
  Matrix6 share = Matrix6::Identity();
  bool springs_are_cut = false;
  bool turns_with_tool = false;  ///< true: F's axes are fixed in the tool, else in the base
};

/// Results of this cycle, at F's origin, along the axes in which the tool's state is given.
struct InteractionOutput {
  Vector6 error;   ///< e, clipped where a spring uses it [m, rad]
  Vector6 spring;  ///< [N, N·m]
  Vector6 damper;  ///< [N, N·m]
  Vector6 force;   ///< force on axes under force control [N, N·m]
  ArmLimits limits;
};

/// The wrench of interaction control at the tool. Axis by axis of F, with e = tool_error() along
/// F's axes, of a reference and the tool, both taken at F's origin:
///
///     impedance                    spring  k clip(e, ± error_max)
///     impedance_with_force_limit   the same within ± f; with the damper within ± f
///     force                        force   f
///     force_with_motion_limit      force   clip(f, w (e − m), w (e + m))
///     all                          damper  −(D V)_i
///
/// A motion limit reduces the force over its last f/w, so that the tool comes to rest at the
/// distance m from the reference; beyond it the limit pushes back. A rotation beyond rotation_max
/// about an axis is pushed back with w, in addition to the axis's own law: the virtual wall.
///
/// D couples two axes only if neither is limited or under force control; otherwise their coupling
/// is left out. So every damper dissipates energy, also one that a limit cuts. Where the loop can't
/// carry a gain on the inertia that is there, springs get `share` times their wrench, and D is
/// taken as it is; then neither has the potential, or the separate axes, that are told here.
///
/// The springs have a potential, ½ k e² where nothing is clipped, so that the tool gets no more
/// energy out of them than it put in, on any path. The torque of springs about axes is J⁻ᵀ s: s are
/// their torques axis by axis, and J⁻¹ maps an angular velocity to the rate of the rotation vector
/// (J⁻ᵀ s = s where the tool is turned about one axis alone). If F turns with the tool, a spring's
/// force F_s adds the torque e_p × F_s. If a torque limit acts about one axis while the tool is
/// turned about others, too, the limit holds and the potential does not.
///
/// @param axes  columns: F's axes in the frame of `tool` and `reference`
/// @param tool  at F's origin: pose, twist, Jacobian
/// @param reference  at F's origin
///
/// (Hogan 1985, "Impedance control"; ranges, defaults and modes: Rethink Robotics, "Arm Control
/// Systems", interaction control.) For the cycle.
InteractionOutput interact(const InteractionLaw& law, const Eigen::Matrix3d& axes,
                           const ToolState& tool, const Placement& reference) noexcept;

/// D without the coupling of axes that are limited or under force control.
Matrix6 uncoupled(const InteractionLaw& law) noexcept;

/// Moves J, or (M⁻¹ Jᵀ)ᵀ, to another point of the tool.
/// @param arm  from the old point to the new, along the axes of the rows [m]
ArmJacobian moved_by(const ArmJacobian& rows, const Eigen::Vector3d& arm) noexcept;

/// A tool's state at another point.
/// @param offset  position of the point in the tool frame [m]
ToolState moved_to(const ToolState& tool, const Eigen::Vector3d& offset) noexcept;

}  // namespace jointrig
