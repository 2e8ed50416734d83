#pragma once

#include <Eigen/Core>
#include <span>

#include "control/wholebody/core.h"

namespace jointrig {

/// Frame of the messages: on the ground in the middle of the soles where the controller began; x
/// the way that the soles look, z up.
struct Stance {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();    ///< in the world [m]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< columns, in the world
};

/// The stance that soles have in the pose of a model.
Stance stance_of(const FloatingModel& model, std::span<const ContactSetup> soles) noexcept;

}  // namespace jointrig
