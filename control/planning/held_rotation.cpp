#include "control/planning/held_rotation.h"

#include <algorithm>
#include <cmath>

namespace jointrig {
namespace {

/// a; unused without a free axis.
Eigen::Vector3d free_axis(FreeRotation free, const Eigen::Matrix3d& goal) noexcept {
  switch (free) {
    case FreeRotation::kX:
      return goal.row(0);
    case FreeRotation::kY:
      return goal.row(1);
    case FreeRotation::kZ:
      return goal.row(2);
    case FreeRotation::kToolX:
      return Eigen::Vector3d::UnitX();
    case FreeRotation::kToolY:
      return Eigen::Vector3d::UnitY();
    default:
      return Eigen::Vector3d::UnitZ();
  }
}

}  // namespace

Eigen::Matrix3d held_axes(FreeRotation free, const Eigen::Matrix3d& goal) noexcept {
  if (!is_axis(free)) return Eigen::Matrix3d::Identity();
  const Eigen::Vector3d a = free_axis(free, goal);
  Eigen::Index flattest = 0;
  a.cwiseAbs().minCoeff(&flattest);
  Eigen::Matrix3d axes;
  axes.col(2) = a;
  axes.col(0) = a.cross(Eigen::Vector3d::Unit(flattest)).normalized();
  axes.col(1) = a.cross(axes.col(0));
  return axes;
}

// θ is where the trace of exp(−θ [a]×) R_gᵀ R is largest: aᵀQa + cos θ (tr Q − aᵀQa) + sin θ a·w
// with Q = R_gᵀ R and w the vector of Q − Qᵀ.
Eigen::Matrix3d nearest_goal(FreeRotation free, const Eigen::Matrix3d& goal,
                             const Eigen::Matrix3d& at) noexcept {
  if (free == FreeRotation::kNone) return goal;
  if (free == FreeRotation::kAll) return at;
  const Eigen::Vector3d a = free_axis(free, goal);
  const Eigen::Matrix3d q = goal.transpose() * at;
  const Eigen::Vector3d w(q(2, 1) - q(1, 2), q(0, 2) - q(2, 0), q(1, 0) - q(0, 1));
  const double angle = std::atan2(a.dot(w), q.trace() - a.dot(q * a));
  return goal * Eigen::AngleAxisd(angle, a).toRotationMatrix();
}

std::array<double, 6> held_weights(FreeRotation free, std::array<double, 6> weights) noexcept {
  if (is_axis(free)) weights[5] = 0.0;
  if (free == FreeRotation::kAll) std::fill(weights.begin() + 3, weights.end(), 0.0);
  return weights;
}

}  // namespace jointrig
