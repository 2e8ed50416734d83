#pragma once

#include "control/core/command.h"
#include "control/safety/admission.h"

namespace jointrig {

/// Admission of an obstacle whose shape check_shape() accepted: a name of printable characters of
/// ASCII, sizes, position, velocity and time within the ranges of obstacle.h, a quaternion of
/// length 1 to within a thousandth, and an arm that exists where the frame is one of an arm. A
/// Refusal from here names no joint, but the place of the refused number.
Refusal check_obstacle(const SetObstacle& command, std::size_t arm_count) noexcept;

}  // namespace jointrig
