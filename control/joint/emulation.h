#pragma once

#include <optional>

#include "control/core/capabilities.h"
#include "control/core/robot_config.h"

namespace jointrig {

/// Selects the board's drive mode for a mode of the joint. If the board takes torque, the laws of
/// the stack close the loop, unless robot.yaml gives the loop to the board. A missing drive mode is
/// emulated by another one.
///
///                        board takes torque   only position           only velocity
///     position, direct   torque (stiff law)   position                velocity, p-loop of the
///     stack velocity, mixed    torque (stiff law)   position, integrated    velocity
///     ... compliant      torque               impedance, if it has it; else not possible
///     torque, cartesian  torque               not possible            not possible
///     openloop           duty, if it has it; else not possible
///     idle               off; a board that can't be turned off holds its position
///
/// Returns nullopt if no drive mode serves.
/// @param has  usable_modes() of the board Not for the cycle: the stack keeps a table.
std::optional<DriveMode> drive_for(const DriveModes& has, const JointConfig& joint,
                                   ControlMode mode, InteractionMode interaction) noexcept;

}  // namespace jointrig
