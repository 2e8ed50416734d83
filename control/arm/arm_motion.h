#pragma once

#include <span>
#include <vector>

#include "control/arm/arm_setup.h"
#include "control/joint/joint_control.h"
#include "control/laws/cartesian_impedance.h"
#include "control/laws/tool_inertia.h"

namespace jointrig {

/// Torque on a joint that no motor makes (laws/momentum_observer.h).
struct ExternalTorque {
  double tau = 0.0;       ///< [N·m or N]
  bool is_known = false;  ///< `tau` was computed
  /// The motor's torque is known, so that the external torque can be computed on demand.
  bool knows_motor = false;
};

/// The model's matrices of all joints, computed once a cycle for all arms.
struct ArmWorkspace {
  explicit ArmWorkspace(std::size_t joint_count);
  FrameJacobian jacobian;                       ///< (6, n)
  Eigen::MatrixXd inertia;                      ///< (n, n)
  std::span<const ExternalTorque> external;     ///< by joint of the robot
  std::span<const JointControl::Guard> guards;  ///< by joint of the robot
  ArmForces forces;  ///< sensed forces of the arm that is computed now, without the external ones
};

/// Joints and tool of an arm in one cycle, in the arm's base frame.
struct ArmMotion {
  ArmVector q;
  ArmVector v;
  FramePose base;  ///< pose of the base in the world
  ToolState tool;
  ArmMatrix inertia;        ///< M, with the load; this and all below set by weigh_arm()
  ArmJacobian mass_solved;  ///< (M⁻¹ Jᵀ)ᵀ
  ToolInertia felt;
  ArmVector joint_felt;  ///< by joint, with the others free: 1/(M⁻¹)ᵢᵢ [kg·m² or kg]

  /// The axes of a frame, as columns in the base frame.
  [[nodiscard]] Eigen::Matrix3d axes_of(ToolFrame frame) const noexcept;
};

ArmMotion observe_arm(const ArmSetup& setup, RobotModel& model,
                      std::span<const JointControl> joints, ArmWorkspace& workspace) noexcept;

/// The motion of a tool that is fixed to the present one, in its place.
/// @param offset  pose of the new tool in the frame of the present one
/// Call before weigh_arm().
void move_tool(const Placement& offset, ArmMotion& motion) noexcept;

/// X_AC = X_AB X_BC
Placement product(const Placement& first, const Placement& second) noexcept;
/// X_AC = X_BA⁻¹ X_BC
Placement between(const Placement& first, const Placement& second) noexcept;

/// Computes masses at the tool: M of the arm's joints, which the model gives with the load, M⁻¹ Jᵀ,
/// and Λ.
void weigh_arm(const ArmSetup& setup, const ArmWorkspace& workspace, ArmMotion& motion) noexcept;

/// The pose as plain data, with w ≥ 0.
ToolPose as_plain(const Placement& pose) noexcept;
Six as_plain(const Vector6& six) noexcept;
Vector6 as_vector(const Six& six) noexcept;
/// A pose from x y z, and w x y z of a quaternion.
Placement as_pose(const std::array<double, 3>& position,
                  const std::array<double, 4>& orientation) noexcept;

}  // namespace jointrig
