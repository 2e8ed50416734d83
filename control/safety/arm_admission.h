#pragma once

#include <span>

#include "control/core/command.h"
#include "control/safety/admission.h"

namespace jointrig {

/// The first gate of commands for an arm. A Refusal of these names no joint.

/// Shape of a command for an arm: an arm that there is, as many numbers as its kind takes, all
/// finite.
Refusal check_arm_shape(const Command& command, std::size_t arm_count) noexcept;

/// A quaternion that is one, to within a thousandth of its length; a position within `reach` of
/// `shoulder`, both in the arm's base frame [m].
Refusal check_tool_target(std::span<const double> numbers, const std::array<double, 3>& shoulder,
                          double reach) noexcept;

/// Six numbers on a diagonal, or a matrix of 36: symmetric to a millionth of its largest entry,
/// no eigenvalue below 0, no diagonal entry above its cap.
Refusal check_tool_gains(std::span<const double> numbers, const Six& most) noexcept;

/// Damping: likewise, or one number that is a ratio from 0 to kMaxDampingRatio.
inline constexpr double kMaxDampingRatio = 2.0;  ///< a choice: beyond, a tool only creeps
Refusal check_tool_damping(std::span<const double> numbers, const Six& most) noexcept;

/// A term that can be switched, and 0 or 1.
Refusal check_arm_term(std::span<const double> numbers) noexcept;

/// Six inertias between `least` and `most`, or six zeros: not shaped.
Refusal check_tool_inertia(std::span<const double> numbers, const Six& least,
                           const Six& most) noexcept;

/// A mass from 0 to `most` [kg], its centre within a metre of the tool's origin per axis.
Refusal check_payload(std::span<const double> numbers, double most) noexcept;

}  // namespace jointrig
