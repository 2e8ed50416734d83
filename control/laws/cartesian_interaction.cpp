#include "control/laws/cartesian_interaction.h"

#include <algorithm>
#include <cmath>

#include "control/laws/tool_error.h"

namespace jointrig {
namespace {

/// J⁻ᵀ s for a rotation vector φ with dφ/dt = −J⁻¹ ω, with ω along fixed axes; if the axes turn
/// with the tool, J⁻¹ becomes its transpose.
Eigen::Vector3d as_torque(const Eigen::Vector3d& phi, const Eigen::Vector3d& s,
                          bool turns_with_tool) noexcept {
  const double angle = phi.norm();
  constexpr double kSmall = 1e-4;  // below it the series is exact to the last digit
  const double half = 0.5 * angle;
  const double c = angle < kSmall ? 1.0 / 12.0 : (1.0 - half / std::tan(half)) / (angle * angle);
  const double side = turns_with_tool ? 0.5 : -0.5;
  return s + side * phi.cross(s) + c * phi.cross(phi.cross(s));
}

struct Axis {
  double error;
  double spring = 0.0;
  double force = 0.0;
};

Axis along(const InteractionLaw& law, int i, double e, ArmLimits& limits) noexcept {
  const double f = law.force[i];
  Axis axis{e};
  switch (law.axes[static_cast<std::size_t>(i)]) {
    case InteractionAxis::kImpedance:
    case InteractionAxis::kImpedanceWithForceLimit:
      axis.error = std::clamp(e, -law.error_max[i], law.error_max[i]);
      if (axis.error != e) limits.set(ArmLimit::kError);
      axis.spring = law.stiffness[i] * axis.error;
      break;
    case InteractionAxis::kForce:
      axis.force = f;
      break;
    case InteractionAxis::kForceWithMotionLimit: {
      const double w = law.wall_stiffness[i];
      const double m = law.motion_max[i];
      axis.force = std::clamp(f, w * (e - m), w * (e + m));
      if (axis.force != f) limits.set(ArmLimit::kMotionLimit);
      break;
    }
  }
  if (law.axes[static_cast<std::size_t>(i)] == InteractionAxis::kImpedanceWithForceLimit &&
      std::abs(axis.spring) > f) {
    axis.spring = std::copysign(f, axis.spring);
    limits.set(ArmLimit::kForceLimit);
  }
  return axis;
}

/// The torque of the virtual wall about an axis.
double wall(const InteractionLaw& law, int i, double e) noexcept {
  const double beyond = std::abs(e) - law.rotation_max;
  return beyond > 0.0 ? std::copysign(law.wall_stiffness[i] * beyond, e) : 0.0;
}

/// Limits spring and damper to the force limits.
void keep_limits(const InteractionLaw& law, InteractionOutput& out) noexcept {
  for (int i = 0; i < 6; ++i) {
    if (law.axes[static_cast<std::size_t>(i)] != InteractionAxis::kImpedanceWithForceLimit) {
      continue;
    }
    const double f = law.force[i];
    const double wanted = out.spring[i] + out.damper[i];
    if (std::abs(wanted) > f) out.limits.set(ArmLimit::kForceLimit);
    out.spring[i] = std::clamp(out.spring[i], -f, f);
    out.damper[i] = std::clamp(wanted, -f, f) - out.spring[i];
  }
}

}  // namespace

Matrix6 uncoupled(const InteractionLaw& law) noexcept {
  Matrix6 damping = law.damping;
  for (int i = 0; i < 6; ++i) {
    if (law.axes[static_cast<std::size_t>(i)] == InteractionAxis::kImpedance) continue;
    const double own = damping(i, i);
    damping.row(i).setZero();
    damping.col(i).setZero();
    damping(i, i) = own;
  }
  return damping;
}

InteractionOutput interact(const InteractionLaw& law, const Eigen::Matrix3d& axes,
                           const ToolState& tool, const Placement& reference) noexcept {
  const Vector6 whole = turned(axes.transpose(), tool_error(reference, tool.pose));
  InteractionOutput out;
  if (law.springs_are_cut) out.limits.set(ArmLimit::kGain);
  out.damper = -(uncoupled(law) * turned(axes.transpose(), tool.twist));
  for (int i = 0; i < 6; ++i) {
    const Axis axis = along(law, i, whole[i], out.limits);
    out.error[i] = axis.error;
    out.spring[i] = axis.spring;
    out.force[i] = axis.force;
  }
  const Eigen::Vector3d phi = whole.tail<3>();
  Eigen::Vector3d push;
  for (int i = 0; i < 3; ++i) push[i] = wall(law, 3 + i, phi[i]);
  if (!push.isZero(0.0)) out.limits.set(ArmLimit::kRotationWall);
  const Eigen::Vector3d torque = out.spring.tail<3>();
  out.spring.tail<3>() = as_torque(phi, torque, law.turns_with_tool);
  if (law.turns_with_tool) {
    out.spring.tail<3>() += whole.head<3>().cross(out.spring.head<3>());
  }
  if (law.springs_are_cut) out.spring = law.share * out.spring;
  keep_limits(law, out);
  out.spring.tail<3>() += as_torque(phi, push, law.turns_with_tool);

  out.error = turned(axes, out.error);
  out.spring = turned(axes, out.spring);
  out.damper = turned(axes, out.damper);
  out.force = turned(axes, out.force);
  return out;
}

ArmJacobian moved_by(const ArmJacobian& rows, const Eigen::Vector3d& arm) noexcept {
  ArmJacobian moved = rows;
  for (Eigen::Index i = 0; i < rows.cols(); ++i) {
    const Eigen::Vector3d turn = rows.col(i).tail<3>();
    moved.col(i).head<3>() += turn.cross(arm);
  }
  return moved;
}

ToolState moved_to(const ToolState& tool, const Eigen::Vector3d& offset) noexcept {
  const Eigen::Vector3d arm = tool.pose.rotation * offset;
  const Eigen::Vector3d turn = tool.twist.tail<3>();
  ToolState moved{tool.pose, tool.twist, moved_by(tool.jacobian, arm)};
  moved.pose.position += arm;
  moved.twist.head<3>() += turn.cross(arm);
  return moved;
}

}  // namespace jointrig
