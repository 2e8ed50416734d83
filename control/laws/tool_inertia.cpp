#include "control/laws/tool_inertia.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace jointrig {

namespace {

/// L and L⁻¹ of A = L Lᵀ; false: A isn't positive definite.
bool factorise(const Matrix6& a, Matrix6& l, Matrix6& inverse) noexcept {
  l.setZero();
  inverse.setZero();
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k <= i; ++k) {
      double rest = a(i, k);
      for (int m = 0; m < k; ++m) rest -= l(i, m) * l(k, m);
      if (k < i) {
        l(i, k) = rest * inverse(k, k);
        continue;
      }
      if (!(rest > 0.0)) return false;
      l(i, i) = std::sqrt(rest);
      inverse(i, i) = 1.0 / l(i, i);
    }
    for (int k = 0; k < i; ++k) {
      double sum = 0.0;
      for (int m = k; m < i; ++m) sum += l(i, m) * inverse(m, k);
      inverse(i, k) = -sum * inverse(i, i);
    }
  }
  return true;
}

}  // namespace

void ToolInertia::update(const ArmJacobian& jacobian, const ArmJacobian& mass_solved) noexcept {
  mobility_.noalias() = jacobian.lazyProduct(mass_solved.transpose());
  mobility_ = (0.5 * (mobility_ + mobility_.transpose())).eval();
  // trace(Λ) = |L⁻¹|²
  is_regular_ =
      factorise(mobility_, root_, root_inverse_) && root_inverse_.squaredNorm() * floor_ <= 1.0;
  if (is_regular_) return;
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(mobility_);
  vectors_ = solver.eigenvectors();
  values_ = solver.eigenvalues();
}

double ToolInertia::least_mobility() const noexcept {
  if (!is_regular_) return values_[0];
  return Eigen::SelfAdjointEigenSolver<Matrix6>(mobility_, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

Matrix6 ToolInertia::inertia() const noexcept {
  if (is_regular_) return root_inverse_.transpose() * root_inverse_;
  return vectors_ * values_.cwiseMax(floor_).cwiseInverse().asDiagonal() * vectors_.transpose();
}

Matrix6 ToolInertia::consistent_inverse() const noexcept {
  if (is_regular_) return inertia();
  Vector6 inverse;
  for (int i = 0; i < 6; ++i) {
    const double a = values_[i] > 0.0 ? values_[i] : 0.0;
    inverse[i] = a >= floor_ ? 1.0 / a : a / (floor_ * floor_);
  }
  return vectors_ * inverse.asDiagonal() * vectors_.transpose();
}

Matrix6 ToolInertia::damping(const Matrix6& stiffness, double ratio) const noexcept {
  // With A = L Lᵀ and Lᵀ K L = V diag(λ) Vᵀ the modes are Q = L V.
  Matrix6 l = root_;
  Matrix6 l_inverse = root_inverse_;
  if (!is_regular_) {
    const Vector6 root = values_.cwiseMax(floor_).cwiseSqrt();
    l = vectors_ * root.asDiagonal();
    l_inverse = root.cwiseInverse().asDiagonal() * vectors_.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Matrix6> modes(l.transpose() * stiffness * l);
  const Matrix6 q_inverse = modes.eigenvectors().transpose() * l_inverse;
  const Vector6 frequencies = modes.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return 2.0 * ratio * (q_inverse.transpose() * frequencies.asDiagonal() * q_inverse);
}

}  // namespace jointrig
