#pragma once

#include "control/laws/arm_math.h"

namespace jointrig {

/// Error of a tool: p_target − p [m], then the rotation vector of R_target Rᵀ [rad], along the axes
/// of the frame of both poses.
///
/// The rotation vector is at most half a turn long. At half a turn both ways are equally long and
/// the axis has two signs; the function takes the axis whose first component other than 0 is
/// positive, so that equal poses give equal errors. It is continuous elsewhere; at half a turn its
/// sign changes, a step that error clipping bounds to twice the clip.
///
/// @param target, tool  rotations of determinant 1
Vector6 tool_error(const Placement& target, const Placement& tool) noexcept;

/// The rotation vector of R, of length 0 to π; the inverse of rotation_of().
Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& rotation) noexcept;

/// R = exp([w]×) (Rodrigues). [rad]
Eigen::Matrix3d rotation_of(const Eigen::Vector3d& vector) noexcept;

}  // namespace jointrig
