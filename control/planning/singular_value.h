#pragma once

#include <array>

#include "control/planning/frame_kinematics.h"

namespace jointrig {

/// Smallest singular value of the Jacobian of a pair at the last update_jacobians(), its rows along
/// the tool's own axes and times `weights` [1, m/rad]: of the tool's twist per joint speed, in the
/// direction that asks for the most of the joints. 0: singular. Rows of weight 0 are left out.
/// Allocates nothing.
double smallest_singular_value(const FrameKinematics& kinematics, std::size_t pair,
                               const std::array<double, 6>& weights) noexcept;

}  // namespace jointrig
