#pragma once
/// Products and triangular solutions, column by column: on vectors in place, so that nothing is
/// allocated and no temporary is needed. Matrices lie in memory column by column.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

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

/// The lower triangle of M becomes L of M = L Lᵀ, four columns at a time. False if M isn't positive
/// definite.
template <typename Matrix>
bool factor_lower(Matrix& m) noexcept {
  constexpr Eigen::Index kWidth = 4;
  const Eigen::Index n = m.cols();
  for (Eigen::Index first = 0; first < n; first += kWidth) {
    const Eigen::Index end = std::min(first + kWidth, n);
    for (Eigen::Index k = first; k < end; ++k) {
      if (!(m(k, k) > 0.0)) return false;
      m.col(k).tail(n - k) /= std::sqrt(m(k, k));
      for (Eigen::Index c = k + 1; c < end; ++c) {
        m.col(c).tail(n - c) -= m(c, k) * m.col(k).tail(n - c);
      }
    }
    for (Eigen::Index c = end; c < n; ++c) {
      const Eigen::Index rest = n - c;
      m.col(c).tail(rest) -= m(c, first) * m.col(first).tail(rest) +
                             m(c, first + 1) * m.col(first + 1).tail(rest) +
                             m(c, first + 2) * m.col(first + 2).tail(rest) +
                             m(c, first + 3) * m.col(first + 3).tail(rest);
    }
  }
  return true;
}

/// y = L⁻¹ y, L lower triangular
/// @param first  entries of y before this one are 0
template <typename Matrix, typename Vector>
void solve_lower(const Matrix& l, Vector&& y, Eigen::Index first = 0) noexcept {
  const Eigen::Index n = l.cols();
  for (Eigen::Index i = first; i < n; ++i) {
    const Eigen::Index below = n - i - 1;
    y[i] /= l(i, i);
    y.tail(below) -= y[i] * l.col(i).tail(below);
  }
}

/// y = L⁻ᵀ y, L lower triangular, four entries at a time
template <typename Matrix, typename Vector>
void solve_lower_transposed(const Matrix& l, Vector&& y) noexcept {
  Eigen::Index end = l.cols();
  for (; end >= 4; end -= 4) {
    const Eigen::Index first = end - 4;
    const Eigen::Index below = l.cols() - end;
    for (Eigen::Index i = first; i < end; ++i) y[i] -= l.col(i).tail(below).dot(y.tail(below));
    for (Eigen::Index i = end - 1; i >= first; --i) {
      for (Eigen::Index m = i + 1; m < end; ++m) y[i] -= l(m, i) * y[m];
      y[i] /= l(i, i);
    }
  }
  for (Eigen::Index i = end - 1; i >= 0; --i) {
    const Eigen::Index below = l.cols() - i - 1;
    y[i] = (y[i] - l.col(i).tail(below).dot(y.tail(below))) / l(i, i);
  }
}

/// y = L⁻ᵀ L⁻¹ y, L lower triangular
template <typename Matrix, typename Vector>
void solve_factored(const Matrix& l, Vector&& y) noexcept {
  solve_lower(l, y);
  for (Eigen::Index i = l.cols() - 1; i >= 0; --i) {
    const Eigen::Index below = l.cols() - i - 1;
    y[i] = (y[i] - l.col(i).tail(below).dot(y.tail(below))) / l(i, i);
  }
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
