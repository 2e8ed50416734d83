#include "control/laws/cartesian_impedance.h"

#include "control/laws/tool_error.h"

namespace jointrig {
Matrix6 turned(const Matrix6& matrix, const Eigen::Matrix3d& axes) noexcept {
  Matrix6 result;
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2; ++k) {
      result.block<3, 3>(3 * i, 3 * k) = axes * matrix.block<3, 3>(3 * i, 3 * k) * axes.transpose();
    }
  }
  return result;
}

ImpedanceOutput cartesian_impedance(const Matrix6& stiffness, const Matrix6& damping,
                                    const Vector6& error_max, const Eigen::Matrix3d& axes,
                                    const ToolState& tool, const Placement& target) noexcept {
  const Vector6 whole = turned(axes.transpose(), tool_error(target, tool.pose));
  const Vector6 error = whole.cwiseMin(error_max).cwiseMax(-error_max);

  ImpedanceOutput out;
  out.is_clipped = error != whole;
  out.error = turned(axes, error);
  out.spring = turned(axes, stiffness * error);
  out.damper = turned(axes, -(damping * turned(axes.transpose(), tool.twist)));
  return out;
}

ImpedanceOutput add_cartesian_impedance(const Matrix6& stiffness, const Matrix6& damping,
                                        const Vector6& error_max, const Eigen::Matrix3d& axes,
                                        const ToolState& tool, const Placement& target,
                                        ArmVector& tau_spring, ArmVector& tau_damping) noexcept {
  ImpedanceOutput out = cartesian_impedance(stiffness, damping, error_max, axes, tool, target);
  tau_spring.noalias() += tool.jacobian.transpose().lazyProduct(out.spring);
  tau_damping.noalias() += tool.jacobian.transpose().lazyProduct(out.damper);
  return out;
}

Vector6 shaped(const ToolInertia& felt, const Vector6& wanted, const Eigen::Matrix3d& axes,
               const Vector6& wrench) noexcept {
  const Vector6 acceleration = turned(axes, turned(axes.transpose(), wrench).cwiseQuotient(wanted));
  return felt.consistent_inverse() * acceleration;
}

ToolInertia shaped_inertia(const Vector6& wanted) noexcept {
  const ArmJacobian root = Matrix6(wanted.cwiseInverse().cwiseSqrt().asDiagonal());
  ToolInertia shape(0.0);
  shape.update(root, root);
  return shape;
}

}  // namespace jointrig
