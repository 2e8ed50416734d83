#include "control/laws/tool_inertia.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace jointrig {

void ToolInertia::update(const ArmJacobian& jacobian, const ArmJacobian& mass_solved) noexcept {
  mobility_.noalias() = jacobian.lazyProduct(mass_solved.transpose());
  mobility_ = (0.5 * (mobility_ + mobility_.transpose())).eval();
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(mobility_);
  vectors_ = solver.eigenvectors();
  values_ = solver.eigenvalues();
}

Matrix6 ToolInertia::inertia() const noexcept {
  return vectors_ * values_.cwiseMax(floor_).cwiseInverse().asDiagonal() * vectors_.transpose();
}

Matrix6 ToolInertia::consistent_inverse() const noexcept {
  Vector6 inverse;
  for (int i = 0; i < 6; ++i) {
    const double a = values_[i] > 0.0 ? values_[i] : 0.0;
    inverse[i] = a >= floor_ ? 1.0 / a : a / (floor_ * floor_);
  }
  return vectors_ * inverse.asDiagonal() * vectors_.transpose();
}

Matrix6 ToolInertia::damping(const Matrix6& stiffness, double ratio) const noexcept {
  // With A = L Lᵀ and Lᵀ K L = V diag(λ) Vᵀ the modes are Q = L V.
  const Vector6 root = values_.cwiseMax(floor_).cwiseSqrt();
  const Matrix6 l = vectors_ * root.asDiagonal();
  const Matrix6 l_inverse = root.cwiseInverse().asDiagonal() * vectors_.transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix6> modes(l.transpose() * stiffness * l);
  const Matrix6 q_inverse = modes.eigenvectors().transpose() * l_inverse;
  const Vector6 frequencies = modes.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return 2.0 * ratio * (q_inverse.transpose() * frequencies.asDiagonal() * q_inverse);
}

}  // namespace jointrig
