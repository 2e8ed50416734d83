#pragma once
/// Equalities of a quadratic program, taken out of it before it is solved:
///
///     C x = c (k rows, n variables)   gives   x_B = t - Tᵀ y,  y = x_N
///
/// B are k variables that the equalities determine, N the n - k others. By Gauss and Jordan, row by
/// row: each row takes the variable with its largest entry. With x₀ of y = 0 the program in y has
///
///     Hessian   diag(h_N) + T diag(h_B) Tᵀ + V Vᵀ,   V = W_N - T W_B
///     gradient  (g + H x₀)_N - T (g + H x₀)_B
///     row a     a_N - T a_B
///
/// It is smaller by k in each direction, and the equalities hold to rounding whatever the solver
/// does. After construction nothing allocates, locks or throws. One thread at a time.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "control/wholebody/quadratic_program.h"

namespace jointrig {

class EqualityElimination {
 public:
  /// @param variables, rows, squares  the largest program
  EqualityElimination(int variables, int rows, int squares);

  /// Takes out all equalities.
  /// @param is_last  for each variable: if it stays, it comes after those that aren't, and it is
  ///                 determined by an equality only where no other variable can be (n)
  /// @return false if a row is too close to a sum of others: nothing is taken out then
  bool take(const QuadraticProgram& program, std::span<const std::uint8_t> is_last) noexcept;
  void take_none(const QuadraticProgram& program, std::span<const std::uint8_t> is_last) noexcept;

  [[nodiscard]] int taken() const noexcept { return static_cast<int>(determined_.size()); }
  /// Variables that stay: the size of y.
  [[nodiscard]] int size() const noexcept { return static_cast<int>(kept_.size()); }
  [[nodiscard]] int variable_at(int place) const noexcept { return kept_[at(place)]; }
  /// Place of a variable in y; negative for one that the equalities determine.
  [[nodiscard]] int place_of(int variable) const noexcept { return place_[at(variable)]; }

  /// The lower triangle of the Hessian in y. (n - k, n - k)
  void reduce_hessian(const QuadraticProgram& program,
                      Eigen::Ref<Eigen::MatrixXd> reduced) noexcept;
  void reduce_gradient(const QuadraticProgram& program,
                       Eigen::Ref<Eigen::VectorXd> reduced) noexcept;
  /// A row over x as one over y.
  void reduce(const Eigen::Ref<const Eigen::VectorXd>& row,
              Eigen::Ref<Eigen::VectorXd> reduced) const noexcept;
  /// The row that is 1 at one variable.
  void reduce_unit(int variable, Eigen::Ref<Eigen::VectorXd> reduced) const noexcept;
  /// x of y.
  void expand(const Eigen::Ref<const Eigen::VectorXd>& y,
              Eigen::Ref<Eigen::VectorXd> x) const noexcept;

 private:
  static std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  [[nodiscard]] int most_decided(int row, int variables,
                                 std::span<const std::uint8_t> is_last) const noexcept;
  void determine(int variable, int row, int rows, int variables) noexcept;
  void add_squares(int place, int terms, Eigen::Ref<Eigen::VectorXd> column) const noexcept;
  void arrange(int variables, std::span<const std::uint8_t> is_last) noexcept;

  Eigen::MatrixXd equalities_;   // Cᵀ (n, k), turned until B has the unit matrix
  Eigen::VectorXd wanted_;       // c, then t (k)
  Eigen::VectorXd lengths_;      // of the rows of C, as they are given
  Eigen::MatrixXd t_;            // T (n - k, k)
  Eigen::MatrixXd turned_;       // V, then T (n - k, r + k)
  Eigen::VectorXd weights_;      // of these columns: 1, then h_B (r + k)
  Eigen::VectorXd start_;        // x₀, then g + H x₀ (n)
  std::vector<int> determined_;  // B
  std::vector<int> kept_;        // N
  std::vector<int> place_;
};

}  // namespace jointrig
