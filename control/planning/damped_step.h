#pragma once
/// One step of damped least squares within bounds:
///
///     minimize |J x + r|² + λ |x|²   subject to   low <= x <= high
///
///     J  (m, n)   column by column        r  (m)        x, low, high  (n), low <= 0 <= high
///
/// Without bounds x = -Jᵀ (J Jᵀ + λ I)⁻¹ r (Nakamura, Hanafusa 1986, "Inverse Kinematic Solutions
/// With Singularity Robustness"). A number beyond a bound is put there and left out, and the others
/// are solved for again, until none is beyond. That is exact where no number would come back from
/// its bound; elsewhere x is admissible, and for a large λ it points downhill.
///
/// After construction nothing allocates or throws. One thread at a time.

#include <cstddef>
#include <span>
#include <vector>

namespace jointrig {

class DampedStep {
 public:
  DampedStep(std::size_t rows, std::size_t columns);

  /// At most those that it was made for.
  void set_rows(std::size_t rows) noexcept { rows_ = rows; }

  /// @param damping  λ > 0
  void solve(std::span<const double> jacobian, std::span<const double> residual,
             std::span<const double> low, std::span<const double> high, double damping,
             std::span<double> x) noexcept;

 private:
  void add_columns(std::span<const double> jacobian) noexcept;
  [[nodiscard]] bool solve_free() noexcept;
  void fix(std::span<const double> column, double value) noexcept;

  std::size_t rows_;
  std::size_t columns_;
  std::vector<double> normal_;  ///< J Jᵀ + λ I of the free columns, lower triangle by rows
  std::vector<double> root_;    ///< L of normal_ = L Lᵀ, with 1 / L_ii on the diagonal
  std::vector<double> rest_;    ///< r with what the fixed columns give
  std::vector<double> y_;
  std::vector<char> fixed_;
};

}  // namespace jointrig
