#pragma once

#include <span>

#include "control/core/interaction_command.h"
#include "control/safety/admission.h"

namespace jointrig {

/// The first gate of interaction control and hand guiding. A Refusal of these names no joint, and
/// the place of the number that it is about.

/// Numbers of set_interaction_control: none, or
///
///     axes, source of damping, frame    one of their words
///     stiffness            0 to the arm's cap
///     damping              0 to the arm's cap; a ratio 0 to kMaxDampingRatio
///     force                its size at most the cap; of a limit 0 or more
///     point                within a metre of the tool's origin per axis
///     orientation          a quaternion of length 1, to within a thousandth
///     flags                0 or 1
///     posture stiffness    none, or one for each joint, 0 to the cap
Refusal check_interaction(std::span<const double> numbers, const ArmConfig& arm) noexcept;

/// Time for which a cuff is grasped: 0 to kLongestGrasp.
inline constexpr double kLongestGrasp = 600.0;  ///< s, a choice: who guides longer says so again
Refusal check_cuff(double seconds) noexcept;

/// Six flags, and a ToolFrame.
Refusal check_free_axes(std::span<const double> numbers) noexcept;

}  // namespace jointrig
