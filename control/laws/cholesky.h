#pragma once
/// Cholesky factors of positive definite matrices of an arm, A = L Lᵀ, without repeated divisions
/// and without the heap. (Golub, Van Loan 2013, "Matrix Computations", 4.2.) For the cycle.

#include "control/laws/arm_math.h"

namespace jointrig {

/// L and L⁻¹ of A = L Lᵀ, (6, 6).
struct SixRoots {
  Matrix6 l;
  Matrix6 inverse;

  SixRoots() noexcept = default;  // take() sets them
  static SixRoots of_identity() noexcept;

  /// Factors A, of which it reads the lower triangle. Returns false if A isn't positive definite;
  /// the other functions are then invalid.
  [[nodiscard]] bool take(const Matrix6& a) noexcept;

  /// A⁻¹
  [[nodiscard]] Matrix6 whole_inverse() const noexcept;
};

/// L of the inertia of an arm's joints. L contains NaN if the matrix isn't positive definite, which
/// no inertia is.
class ArmRoot {
 public:
  /// @param a  (n, n), of which the lower triangle is read
  explicit ArmRoot(const ArmMatrix& a) noexcept;

  /// Solves A⁻¹ x in place, for each row of x: (rows, n)
  void solve_rows(ArmJacobian& x) const noexcept;
  void solve_rows(ArmMatrix& x) const noexcept;

  /// (A⁻¹)ᵢᵢ: the squares of the columns of L⁻¹.
  [[nodiscard]] ArmVector inverse_diagonal() const noexcept;

  /// Solves A⁻¹ x in place.
  void solve(ArmVector& x) const noexcept;

 private:
  template <typename Rows>
  void solve_each(Rows& x) const noexcept;

  ArmMatrix l_;        // with its diagonal
  ArmVector inverse_;  // 1 / Lᵢᵢ
};

}  // namespace jointrig
