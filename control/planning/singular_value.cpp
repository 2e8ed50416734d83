#include "control/planning/singular_value.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "control/planning/held_rotation.h"

namespace jointrig {
namespace {

/// Choices: singular postures have no volume, so that one of some shows the rank.
constexpr int kPostures = 8;
/// Share of the largest eigenvalue: rounding is 1e-16 of it, a row that is driven far above.
constexpr double kDriven = 1e-12;

double share_of(std::mt19937& random) {
  return static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
}

/// Eigenvalues of a symmetric matrix, rising.
template <typename Square>
auto eigenvalues_of(const Square& square) noexcept {
  return Eigen::SelfAdjointEigenSolver<Square>(square, Eigen::EigenvaluesOnly).eigenvalues().eval();
}

template <typename Square>
std::size_t rank_of(const Square& square) noexcept {
  const auto found = eigenvalues_of(square);
  std::size_t rank = 0;
  for (Eigen::Index i = 0; i < found.size(); ++i) {
    if (found[i] > kDriven * found[found.size() - 1]) ++rank;
  }
  return rank;
}

}  // namespace

SingularValue::SingularValue(FrameKinematics& kinematics, std::size_t pair,
                             const std::array<double, 6>& weights, FreeRotation free,
                             std::span<const JointRange> ranges, const Eigen::Matrix3d& axes)
    : pair_(pair), weights_(weights), free_(free) {
  for (std::size_t axis = 0; axis < 6; ++axis) {
    if (weights_[axis] > 0.0) rows_[row_count_++] = axis;
  }
  const std::vector<JointIndex>& joints = kinematics.joints();
  const auto last = std::max_element(joints.begin(), joints.end());
  std::vector<double> q(last == joints.end() ? 0 : std::size_t{*last} + 1);
  std::mt19937 random(1);  // fixed: equal arms have equal ranks
  const auto size = static_cast<Eigen::Index>(row_count_);
  Square all = Square::Zero(size, size);
  for (int i = 0; i < kPostures && rank_ < row_count_; ++i) {
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const double low = std::isfinite(ranges[k].low) ? ranges[k].low : -M_PI;
      const double high = std::isfinite(ranges[k].high) ? ranges[k].high : M_PI;
      q[joints[k]] = low + share_of(random) * (high - low);
    }
    kinematics.update(q);
    kinematics.update_jacobians();
    const Square here = square(kinematics, axes);
    rank_ = std::max(rank_, rank_of(here));
    all += here;
  }
  reached_ = row_count_ == 0 ? 0 : rank_of(all);
}

SingularValue::Square SingularValue::square(const FrameKinematics& kinematics,
                                            const Eigen::Matrix3d& axes) const noexcept {
  const Eigen::Matrix3d& pose = kinematics.pose(pair_).rotation;
  Eigen::Matrix3d back = pose.transpose();
  if (is_axis(free_)) back = (pose * held_axes(free_, axes * pose)).transpose();
  const auto size = static_cast<Eigen::Index>(row_count_);
  Square square = Square::Zero(size, size);
  for (std::size_t k = 0; k < kinematics.joints().size(); ++k) {
    const Vector6 twist = turned(back, kinematics.column(pair_, k));
    for (Eigen::Index i = 0; i < size; ++i) {
      for (Eigen::Index j = 0; j < size; ++j) {
        const std::size_t a = rows_[static_cast<std::size_t>(i)];
        const std::size_t b = rows_[static_cast<std::size_t>(j)];
        square(i, j) += weights_[a] * twist[static_cast<Eigen::Index>(a)] * weights_[b] *
                        twist[static_cast<Eigen::Index>(b)];
      }
    }
  }
  return square;
}

// The root of an eigenvalue of J Jᵀ.
double SingularValue::at(const FrameKinematics& kinematics,
                         const Eigen::Matrix3d& axes) const noexcept {
  if (rank_ == 0) return 0.0;
  const auto found = eigenvalues_of(square(kinematics, axes));
  return std::sqrt(std::max(0.0, found[static_cast<Eigen::Index>(row_count_ - rank_)]));
}

}  // namespace jointrig
