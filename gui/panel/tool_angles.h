#pragma once
/// A tool's pose as people type it.

#include <array>

#include "control/core/arm.h"

namespace jointrig::gui {

/// x y z [m], then roll, pitch, yaw [rad]: R = Rz(yaw) Ry(pitch) Rx(roll). Pitch is within a
/// quarter turn; at a quarter turn roll and yaw turn about the same axis, and roll is 0.
using ToolNumbers = std::array<double, 6>;

ToolNumbers as_numbers(const ToolPose& pose) noexcept;
ToolPose as_pose(const ToolNumbers& numbers) noexcept;

}  // namespace jointrig::gui
