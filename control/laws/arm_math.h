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

/// X_BT: pose of the tool T in frame B.
struct Placement {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();      ///< of T's origin in B [m]
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  ///< columns: T's axes in B
};

/// Transforms six numbers along the axes F to the frame in which the columns of `axes`, F's axes,
/// are given; the transpose transforms back.
Vector6 turned(const Eigen::Matrix3d& axes, const Vector6& six) noexcept;

}  // namespace jointrig
