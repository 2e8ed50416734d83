#pragma once

#include "control/core/enumeration.h"

namespace jointrig {

/// Rotation of a tool that its goals leave free, for an arm that can't hold all three, or for a
/// tool that needn't (a glass is taken from any side):
///
///     none       all three are held
///     x, y, z    about that axis of the frame of the goals: the arm's base or the world
///
///     tool_x, tool_y, tool_z    about that axis of the tool
///
///     all        the position alone counts
#define JOINTRIG_FREE_ROTATIONS(X) \
  X(kNone, "none")                 \
  X(kX, "x")                       \
  X(kY, "y")                       \
  X(kZ, "z")                       \
  X(kToolX, "tool_x")              \
  X(kToolY, "tool_y")              \
  X(kToolZ, "tool_z")              \
  X(kAll, "all")
JOINTRIG_ENUM(FreeRotation, JOINTRIG_FREE_ROTATIONS)

/// One axis is free, the other two rotations are held.
constexpr bool is_axis(FreeRotation free) noexcept {
  return free != FreeRotation::kNone && free != FreeRotation::kAll;
}

}  // namespace jointrig
