#include "control/laws/cholesky.h"

#include <cmath>

namespace jointrig {

SixRoots SixRoots::of_identity() noexcept {
  SixRoots roots;
  roots.l = roots.inverse = Matrix6::Identity();
  return roots;
}

bool SixRoots::take(const Matrix6& a) noexcept {
  l.setZero();
  inverse.setZero();
  // Unrolled: an arm's cycle does this several times, and the loops are shorter than their heads.
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) {
#pragma GCC unroll 6
    for (int k = 0; k <= i; ++k) {
      double rest = a(i, k);
#pragma GCC unroll 6
      for (int m = 0; m < k; ++m) rest -= l(i, m) * l(k, m);
      if (k < i) {
        l(i, k) = rest * inverse(k, k);
        continue;
      }
      if (!(rest > 0.0)) return false;
      l(i, i) = std::sqrt(rest);
      inverse(i, i) = 1.0 / l(i, i);
    }
#pragma GCC unroll 6
    for (int k = 0; k < i; ++k) {
      double sum = 0.0;
#pragma GCC unroll 6
      for (int m = k; m < i; ++m) sum += l(i, m) * inverse(m, k);
      inverse(i, k) = -sum * inverse(i, i);
    }
  }
  return true;
}

Matrix6 SixRoots::whole_inverse() const noexcept {
  return inverse.transpose().lazyProduct(inverse);
}

ArmRoot::ArmRoot(const ArmMatrix& a) noexcept : l_(a), inverse_(a.rows()) {
  const Eigen::Index n = l_.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    for (Eigen::Index m = 0; m < k; ++m) {
      for (Eigen::Index i = k; i < n; ++i) l_(i, k) -= l_(i, m) * l_(k, m);
    }
    inverse_[k] = 1.0 / std::sqrt(l_(k, k));
    for (Eigen::Index i = k; i < n; ++i) l_(i, k) *= inverse_[k];
  }
}

template <typename Rows>
void ArmRoot::solve_each(Rows& x) const noexcept {
  const Eigen::Index n = l_.rows();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index k = 0; k < i; ++k) x.col(i) -= l_(i, k) * x.col(k);
    x.col(i) *= inverse_[i];
  }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    for (Eigen::Index k = i + 1; k < n; ++k) x.col(i) -= l_(k, i) * x.col(k);
    x.col(i) *= inverse_[i];
  }
}

void ArmRoot::solve_rows(ArmJacobian& x) const noexcept { solve_each(x); }
void ArmRoot::solve_rows(ArmMatrix& x) const noexcept { solve_each(x); }

ArmVector ArmRoot::inverse_diagonal() const noexcept {
  const Eigen::Index n = l_.rows();
  ArmVector sums(n);
  ArmVector column(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    column[k] = inverse_[k];
    sums[k] = column[k] * column[k];
    for (Eigen::Index i = k + 1; i < n; ++i) {
      double rest = 0.0;
      for (Eigen::Index m = k; m < i; ++m) rest -= l_(i, m) * column[m];
      column[i] = rest * inverse_[i];
      sums[k] += column[i] * column[i];
    }
  }
  return sums;
}

void ArmRoot::solve(ArmVector& x) const noexcept {
  auto row = x.transpose();
  solve_each(row);
}

}  // namespace jointrig
