#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace jointrig {

/// The cubic spline through points q_0 … q_n, twice differentiable everywhere:
///
///     q(s) = c0 + c1 x + c2 x² + c3 x³,  x = s − s_k,  on s_k ≤ s ≤ s_{k+1}
///
/// Its moments m_k = q''(s_k) solve one tridiagonal system (h_k = s_{k+1} − s_k):
///
///     h_{k−1} m_{k−1} + 2 (h_{k−1} + h_k) m_k + h_k m_{k+1} = 6 (d_k − d_{k−1}),
///     d_k = (q_{k+1} − q_k) / h_k
///
/// An end is natural, q'' = 0, or clamped, q' given (de Boor 1978, "A Practical Guide to Splines").
/// Outside the loop: it allocates.
class CubicSpline {
 public:
  static constexpr std::size_t kCoefficients = 4;

  /// Derivative at an end, one for each joint; nothing: natural.
  using End = std::optional<std::vector<double>>;

  /// @param points  [point][joint], at least two [rad or m]
  /// @param knots  s_k, strictly rising, one for each point
  CubicSpline(const std::vector<std::vector<double>>& points, std::vector<double> knots,
              const End& start = std::nullopt, const End& end = std::nullopt);

  /// Goes on with the pieces of another from its `first` on, which begins at this one's end. Where
  /// their derivatives agree the path has no step there.
  void append(const CubicSpline& other, std::size_t first);

  [[nodiscard]] const std::vector<double>& knots() const noexcept { return knots_; }
  [[nodiscard]] std::size_t pieces() const noexcept { return knots_.size() - 1; }
  [[nodiscard]] std::size_t joints() const noexcept { return joints_; }
  /// c0 … c3 of a joint on a piece.
  [[nodiscard]] const double* coefficients(std::size_t piece, std::size_t joint) const noexcept {
    return &coefficients_[(piece * joints_ + joint) * kCoefficients];
  }

 private:
  std::vector<double> knots_;
  std::size_t joints_;
  std::vector<double> coefficients_;  ///< [piece][joint][power]
};

/// Knots by the length of the chords: s_{k+1} − s_k = |q_{k+1} − q_k|, each joint's part divided by
/// its scale. With the largest speeds as scale a chord is a time.
std::vector<double> chord_knots(const std::vector<std::vector<double>>& points,
                                const std::vector<double>& scale);

}  // namespace jointrig
