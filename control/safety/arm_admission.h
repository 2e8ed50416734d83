#pragma once

#include <array>

#include "control/core/command.h"
#include "control/core/robot_config.h"
#include "control/safety/admission.h"

namespace jointrig {

/// Admission of commands for an arm whose shape check_shape() accepted. A Refusal from here names
/// no joint, but the place of the refused number.

/// Accepts a quaternion of length 1 to within a thousandth, and a position within `reach` of
/// `shoulder`, both in the arm's base frame [m].
Refusal check_tool_target(const ToolTargetFields& target, const std::array<double, 3>& shoulder,
                          double reach) noexcept;

/// Largest damping ratio: a choice. Beyond it a tool only creeps.
inline constexpr double kMaxDampingRatio = 2.0;

/// Checks each number against the range of its field, with the arm's caps. Beside that:
///
///     gains as a matrix      symmetric to a millionth of its largest entry, no eigenvalue below 0,
///                            no diagonal entry above its cap
///     set_arm_term           a term that can be switched
///     drive_tool             the size of either velocity against speed_max and rotation_speed_max
///     set_tool_inertia       six zeros: not shaped
///     set_payload            an inertia that a rigid body of this mass can have (core/load.h)
///     interaction control    no check where it is off; damping and ratio where they are used; for
///     an
///                            axis with a force limit a force of 0 or more; posture stiffness for
///                            none or each of the arm's joints
Refusal check_arm(const SetToolStiffness& command, const ArmConfig& arm) noexcept;
Refusal check_arm(const SetToolDamping& command, const ArmConfig& arm) noexcept;
Refusal check_arm(const SetArmTerm& command, const ArmConfig& arm) noexcept;
Refusal check_arm(const SetPayload& command, const ArmConfig& arm) noexcept;
Refusal check_arm(const SetTool& command, const ArmConfig& arm) noexcept;
Refusal check_arm(const SetToolInertia& command, const ArmConfig& arm) noexcept;
Refusal check_arm(const SetInteractionControl& command, const ArmConfig& arm) noexcept;
Refusal check_arm(const SetCuff& command, const ArmConfig& arm) noexcept;
Refusal check_arm(const DriveTool& command, const ArmConfig& arm) noexcept;

/// The interval of a range for one arm; nothing if the range has none.
/// @param axis  0 to 5
std::optional<Interval> interval_of(Range range, std::size_t axis, const ArmConfig& arm) noexcept;

}  // namespace jointrig
