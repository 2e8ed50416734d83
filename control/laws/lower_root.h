#pragma once
/// Cholesky factor of a positive definite matrix of any size, A = L Lᵀ, in room that its owner has.
/// For the cycle.

#include <Eigen/Core>
#include <cmath>

namespace jointrig {

/// Puts L into the place of the lower triangle of A, (n, n), in the first n rows and columns.
/// Columns of joints on different branches are 0 and cost nothing.
inline void take_root(Eigen::MatrixXd& a, Eigen::Index n) noexcept {
  for (Eigen::Index k = 0; k < n; ++k) {
    for (Eigen::Index m = 0; m < k; ++m) {
      const double f = a(k, m);
      if (f == 0.0) continue;
      for (Eigen::Index i = k; i < n; ++i) a(i, k) -= a(i, m) * f;
    }
    const double inverse = 1.0 / std::sqrt(a(k, k));
    for (Eigen::Index i = k; i < n; ++i) a(i, k) *= inverse;
  }
}

/// L⁻¹ x in place.
inline void solve_root(const Eigen::MatrixXd& root, Eigen::Index n, double* x) noexcept {
  for (Eigen::Index k = 0; k < n; ++k) {
    x[k] /= root(k, k);
    for (Eigen::Index i = k + 1; i < n; ++i) x[i] -= root(i, k) * x[k];
  }
}

/// L⁻ᵀ x in place.
inline void solve_root_transposed(const Eigen::MatrixXd& root, Eigen::Index n, double* x) noexcept {
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    const Eigen::Index below = n - 1 - k;
    const Eigen::Map<const Eigen::VectorXd> rest(x + k + 1, below);
    x[k] = (x[k] - root.col(k).segment(k + 1, below).dot(rest)) / root(k, k);
  }
}

}  // namespace jointrig
