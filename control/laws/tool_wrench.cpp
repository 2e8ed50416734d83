#include "control/laws/tool_wrench.h"

#include "control/laws/cholesky.h"

namespace jointrig {
namespace {

/// 1 / |A⁻¹|, or a lower bound of it that is above kLeastFelt: |A⁻¹| ≤ trace(A⁻¹) = |L⁻¹|².
double mobility(const SixRoots& roots) noexcept {
  const double bound = 1.0 / roots.inverse.squaredNorm();
  return bound >= kLeastFelt ? bound : 1.0 / roots.whole_inverse().norm();
}

}  // namespace

Vector6 wrench_of_torques(const ArmJacobian& jacobian, const ArmVector& tau) noexcept {
  Matrix6 felt = jacobian.lazyProduct(jacobian.transpose());
  SixRoots roots;
  const double most = roots.take(felt) ? mobility(roots) : 0.0;
  if (most < kLeastFelt) {
    const double near = 1.0 - most / kLeastFelt;
    felt.diagonal().array() += kLeastFelt * near * near;
    if (!roots.take(felt)) return Vector6::Zero();  // contains NaN
  }
  const Vector6 half = roots.inverse.lazyProduct(jacobian.lazyProduct(tau));
  return roots.inverse.transpose().lazyProduct(half);
}

Vector6 moved_wrench(const Vector6& wrench, const Eigen::Vector3d& from,
                     const Eigen::Vector3d& to) noexcept {
  Vector6 moved = wrench;
  const Eigen::Vector3d force = wrench.head<3>();
  moved.tail<3>() += (from - to).cross(force);
  return moved;
}

Vector6 turned_wrench(const Vector6& wrench, const Eigen::Matrix3d& rotation) noexcept {
  Vector6 turned;
  turned.head<3>() = rotation * wrench.head<3>();
  turned.tail<3>() = rotation * wrench.tail<3>();
  return turned;
}

}  // namespace jointrig
