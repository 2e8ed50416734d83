#pragma once

#include "control/core/arm_commands.h"
#include "control/planning/cartesian_drive.h"
#include "control/safety/admission.h"

namespace jointrig {

/// Refuses a velocity of a tool whose rotations its joints can't hold, with a bit for each free
/// rotation beside which they can. For the cycle, too.
Refusal why_not_held(const CartesianDrive& drive, const DriveTool& command) noexcept;

}  // namespace jointrig
