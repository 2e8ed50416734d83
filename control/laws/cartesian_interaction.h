#pragma once

#include <limits>

#include "control/laws/cartesian_impedance.h"

namespace jointrig {

/// What is controlled along and about the axes of the interaction frame F (InteractionAxis).
struct InteractionLaw {
  std::array<InteractionAxis, 6> axes{};
  Vector6 stiffness = Vector6::Zero();       ///< k [N/m, N·m/rad]
  Matrix6 damping = Matrix6::Zero();         ///< D, symmetric, none of its eigenvalues below 0
  Vector6 force = Vector6::Zero();           ///< f: asked for, or the size of the limit [N, N·m]
  Vector6 motion_max = Vector6::Zero();      ///< m [m, rad]
  Vector6 wall_stiffness = Vector6::Zero();  ///< w: of motion limits and wall [N/m, N·m/rad]
  Vector6 error_max = Vector6::Zero();       ///< that the springs see [m, rad]
  double rotation_max = std::numeric_limits<double>::infinity();  ///< wall about each axis [rad]
  bool turns_with_tool = false;  ///< F's axes stand still in the tool, else in the base
};

/// What it gave this cycle, at F's origin, along the axes that the tool's state is given in.
struct InteractionOutput {
  Vector6 error;   ///< e, clipped where a spring sees it [m, rad]
  Vector6 spring;  ///< [N, N·m]
  Vector6 damper;  ///< [N, N·m]
  Vector6 force;   ///< of axes under force control [N, N·m]
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
/// A motion limit takes the force back over its last f/w, so that the tool comes to rest on it, at
/// a way m from the reference; beyond it pushes back. A rotation beyond rotation_max about an axis
/// is pushed back with w, beside what the axis does else: the virtual wall.
///
/// D couples axes only where neither is limited or under force control: each of those loses what
/// couples it. With that every damper takes energy, also one cut by a limit.
///
/// Springs have a potential, ½ k e² where nothing is clipped, so that the tool takes no more out of
/// them than it put in, whatever way it went: of springs about axes the torque is J⁻ᵀ s, with s
/// their torques axis by axis and J⁻¹ what turns an angular velocity into the change of the
/// rotation vector (equal to s where the tool is turned about one axis alone); where F turns with
/// the tool a spring's force F_s pulls at the reference, e_p × F_s. A limit of torque that acts
/// about one axis while the tool is turned about others, too, is kept to, and the potential is not.
///
/// @param axes       columns: F's axes in the frame that `tool` and `reference` are given in
/// @param tool       at F's origin: pose, twist, Jacobian
/// @param reference  likewise
///
/// (Hogan 1985, "Impedance control"; ranges, defaults and modes: Rethink Robotics, "Arm Control
/// Systems", interaction control.) For the cycle.
InteractionOutput interact(const InteractionLaw& law, const Eigen::Matrix3d& axes,
                           const ToolState& tool, const Placement& reference) noexcept;

/// The energy in the springs [J]: what interact() has a potential of, with nothing clipped.
double spring_energy(const InteractionLaw& law, const Eigen::Matrix3d& axes, const Placement& tool,
                     const Placement& reference) noexcept;

/// J, or (M⁻¹ Jᵀ)ᵀ, of another point of the tool.
/// @param arm  from the old point to the new, along the axes of the rows [m]
ArmJacobian moved_by(const ArmJacobian& rows, const Eigen::Vector3d& arm) noexcept;

/// A tool's state at another of its points.
/// @param offset  of the point in the tool frame [m]
ToolState moved_to(const ToolState& tool, const Eigen::Vector3d& offset) noexcept;

}  // namespace jointrig
