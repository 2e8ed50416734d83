#include "control/laws/cartesian_impedance.h"

#include "control/laws/tool_error.h"

namespace jointrig {
namespace {

/// Six numbers along F as six along the frame of `axes`.
Vector6 outwards(const Eigen::Matrix3d& axes, const Vector6& inside) noexcept {
  Vector6 outside;
  outside.head<3>() = axes * inside.head<3>();
  outside.tail<3>() = axes * inside.tail<3>();
  return outside;
}

Vector6 inwards(const Eigen::Matrix3d& axes, const Vector6& outside) noexcept {
  Vector6 inside;
  inside.head<3>() = axes.transpose() * outside.head<3>();
  inside.tail<3>() = axes.transpose() * outside.tail<3>();
  return inside;
}

}  // namespace

Matrix6 turned(const Matrix6& matrix, const Eigen::Matrix3d& axes) noexcept {
  Matrix6 result;
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 2; ++k) {
      result.block<3, 3>(3 * i, 3 * k) = axes * matrix.block<3, 3>(3 * i, 3 * k) * axes.transpose();
    }
  }
  return result;
}

ImpedanceOutput add_cartesian_impedance(const Matrix6& stiffness, const Matrix6& damping,
                                        const Vector6& error_max, const Eigen::Matrix3d& axes,
                                        const ToolState& tool, const Placement& target,
                                        ArmVector& tau_spring, ArmVector& tau_damping) noexcept {
  const Vector6 whole = inwards(axes, tool_error(target, tool.pose));
  const Vector6 error = whole.cwiseMin(error_max).cwiseMax(-error_max);

  ImpedanceOutput out;
  out.is_clipped = error != whole;
  out.error = outwards(axes, error);
  out.spring = outwards(axes, stiffness * error);
  out.damper = outwards(axes, -(damping * inwards(axes, tool.twist)));
  tau_spring.noalias() += tool.jacobian.transpose().lazyProduct(out.spring);
  tau_damping.noalias() += tool.jacobian.transpose().lazyProduct(out.damper);
  return out;
}

}  // namespace jointrig
