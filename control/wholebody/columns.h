#pragma once
/// Products and triangular solutions, column by column: on vectors in place, so that nothing is
/// allocated and no temporary is needed. Matrices lie in memory column by column.

#include <Eigen/Core>

namespace jointrig {

/// y += M x
template <typename Matrix, typename In, typename Out>
void add_product(const Matrix& m, const In& x, Out&& y) noexcept {
  for (Eigen::Index c = 0; c < m.cols(); ++c) y += x[c] * m.col(c);
}

/// y = Mᵀ x
template <typename Matrix, typename In, typename Out>
void set_transposed_product(const Matrix& m, const In& x, Out&& y) noexcept {
  for (Eigen::Index c = 0; c < m.cols(); ++c) y[c] = m.col(c).dot(x);
}

/// y = R⁻¹ y, R upper triangular
template <typename Matrix, typename Vector>
void solve_upper(const Matrix& r, Vector&& y) noexcept {
  for (Eigen::Index i = r.cols() - 1; i >= 0; --i) {
    y[i] /= r(i, i);
    y.head(i) -= y[i] * r.col(i).head(i);
  }
}

/// y = R⁻ᵀ y, R upper triangular
template <typename Matrix, typename Vector>
void solve_upper_transposed(const Matrix& r, Vector&& y) noexcept {
  for (Eigen::Index i = 0; i < r.cols(); ++i) {
    y[i] = (y[i] - r.col(i).head(i).dot(y.head(i))) / r(i, i);
  }
}

}  // namespace jointrig
