#pragma once
/// Vectors and matrices of an arm: room for kMaxArmJoints inside, so that nothing allocates.

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "control/core/arm.h"

namespace jointrig {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using ArmVector =
    Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, static_cast<int>(kMaxArmJoints), 1>;
/// J (6, n): linear rows [m/rad or 1], then angular.
using ArmJacobian =
    Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, static_cast<int>(kMaxArmJoints)>;
/// M (n, n) [kg·m², kg]
using ArmMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor,
                                static_cast<int>(kMaxArmJoints), static_cast<int>(kMaxArmJoints)>;

/// X_BT: where the tool T is in frame B.
struct Placement {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();      ///< of T's origin in B [m]
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  ///< columns: T's axes in B
};

/// Six numbers along axes F as six along the frame that F's axes, the columns of `axes`, are given
/// in; by the transpose the other way.
inline Vector6 turned(const Eigen::Matrix3d& axes, const Vector6& six) noexcept {
  Vector6 result;
  result.head<3>() = axes * six.head<3>();
  result.tail<3>() = axes * six.tail<3>();
  return result;
}

/// x = (L Lᵀ)⁻¹ x, of the lower triangle. Eigen's own way may take memory from the heap, as far as
/// the analyzer can see.
inline void solve(const ArmMatrix& lower, ArmVector& x) noexcept {
  const Eigen::Index n = x.size();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index k = 0; k < i; ++k) x[i] -= lower(i, k) * x[k];
    x[i] /= lower(i, i);
  }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    for (Eigen::Index k = i + 1; k < n; ++k) x[i] -= lower(k, i) * x[k];
    x[i] /= lower(i, i);
  }
}

}  // namespace jointrig
