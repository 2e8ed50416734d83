#include "control/planning/singular_value.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

namespace jointrig {

// The root of the least eigenvalue of J Jᵀ.
double smallest_singular_value(const FrameKinematics& kinematics, std::size_t pair,
                               const std::array<double, 6>& weights) noexcept {
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  const Eigen::Matrix3d back = kinematics.pose(pair).rotation.transpose();
  std::array<Eigen::Index, 6> rows{};
  Eigen::Index size = 0;
  for (std::size_t axis = 0; axis < 6; ++axis) {
    if (!(weights[axis] > 0.0)) continue;
    rows[static_cast<std::size_t>(size++)] = static_cast<Eigen::Index>(axis);
  }
  Square square = Square::Zero(size, size);
  for (std::size_t k = 0; k < kinematics.joints().size(); ++k) {
    const Vector6 twist = turned(back, kinematics.column(pair, k));
    for (Eigen::Index i = 0; i < size; ++i) {
      for (Eigen::Index j = 0; j < size; ++j) {
        const Eigen::Index a = rows[static_cast<std::size_t>(i)];
        const Eigen::Index b = rows[static_cast<std::size_t>(j)];
        square(i, j) += weights[static_cast<std::size_t>(a)] * twist[a] *
                        weights[static_cast<std::size_t>(b)] * twist[b];
      }
    }
  }
  const Eigen::SelfAdjointEigenSolver<Square> solver(square, Eigen::EigenvaluesOnly);
  return std::sqrt(std::max(0.0, solver.eigenvalues()[0]));
}

}  // namespace jointrig
