#include "control/laws/tool_wrench.h"

#include <cmath>

namespace jointrig {
namespace {

/// L of A = L Lᵀ, of a matrix with no eigenvalue below 0; a pivot that vanishes counts as `least`.
Matrix6 root_of(const Matrix6& a, double least) noexcept {
  Matrix6 l = Matrix6::Zero();
  for (int k = 0; k < 6; ++k) {
    double pivot = a(k, k);
    for (int j = 0; j < k; ++j) pivot -= l(k, j) * l(k, j);
    l(k, k) = std::sqrt(std::max(pivot, least));
    for (int i = k + 1; i < 6; ++i) {
      double entry = a(i, k);
      for (int j = 0; j < k; ++j) entry -= l(i, j) * l(k, j);
      l(i, k) = entry / l(k, k);
    }
  }
  return l;
}

Vector6 solved(const Matrix6& root, Vector6 x) noexcept {
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= root(i, k) * x[k];
    x[i] /= root(i, i);
  }
  for (int i = 5; i >= 0; --i) {
    for (int k = i + 1; k < 6; ++k) x[i] -= root(k, i) * x[k];
    x[i] /= root(i, i);
  }
  return x;
}

/// 1 / |A⁻¹|, A = L Lᵀ.
double mobility(const Matrix6& root) noexcept {
  double sum = 0.0;
  for (int i = 0; i < 6; ++i) sum += solved(root, Vector6::Unit(i)).squaredNorm();
  return 1.0 / std::sqrt(sum);
}

}  // namespace

Vector6 wrench_of_torques(const ArmJacobian& jacobian, const ArmVector& tau) noexcept {
  constexpr double kLeastPivot = 1e-12;  // far below what counts
  Matrix6 felt = jacobian.lazyProduct(jacobian.transpose());
  const Vector6 pulled = jacobian.lazyProduct(tau);
  Matrix6 root = root_of(felt, kLeastPivot);
  const double most = mobility(root);
  if (most < kLeastFelt) {
    const double near = 1.0 - most / kLeastFelt;
    felt.diagonal().array() += kLeastFelt * near * near;
    root = root_of(felt, kLeastPivot);
  }
  return solved(root, pulled);
}

}  // namespace jointrig
