#pragma once
/// A dense quadratic program, whose objective is a sum of squares:
///
///     min ½ xᵀ H x + gᵀ x   so that   low ≤ x ≤ high,   row_low ≤ A x ≤ row_high
///
///     H = diag(h) + W Wᵀ (n, n)  positive definite
///     W (n, r)  one column for each row of a least-squares objective, times the root of its weight
///     A (m, n)  rows with row_low = row_high are equalities

#include <Eigen/Core>

namespace jointrig {

struct QuadraticProgram {
  using Matrix = Eigen::Ref<const Eigen::MatrixXd>;
  using Vector = Eigen::Ref<const Eigen::VectorXd>;

  Vector diagonal;  ///< h
  Matrix squares;   ///< W
  Vector gradient;  ///< g
  Vector low;       ///< -infinity where there is none
  Vector high;
  Matrix rows_transposed;  ///< Aᵀ (n, m): one column for each row
  Vector row_low;
  Vector row_high;
};

}  // namespace jointrig
