#pragma once

#include <Eigen/Core>

namespace jointrig {

/// Frame of the messages: on the ground in the middle of the soles where the controller began; x
/// the way that the soles look, z up.
struct Stance {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();    ///< in the world [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< columns, in the world
};

}  // namespace jointrig
