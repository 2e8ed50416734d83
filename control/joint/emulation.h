#pragma once

#include <optional>

#include "control/core/capabilities.h"
#include "control/core/robot_config.h"

namespace jointrig {

/// Which drive mode of a board serves a mode of the joint: where the board takes torque the laws of
/// the stack close the loop, unless the robot file gives the loop to the board; what a board lacks
/// is completed from what it has.
///
///                        board takes torque   only position           only velocity
///     position, direct   torque (stiff law)   position                velocity, p-loop of the
///     stack velocity, mixed    torque (stiff law)   position, integrated    velocity
///     ... compliant      torque               impedance, if it has it; else not possible
///     torque, cartesian  torque               not possible            not possible
///     openloop           duty, if it has it; else not possible
///     idle               off; a board that can't be turned off holds its position
///
/// nullopt where it can't be done.
/// @param has  usable_modes() of the board
/// Not for the cycle: the stack keeps a table.
std::optional<DriveMode> drive_for(const DriveModes& has, const JointConfig& joint,
                                   ControlMode mode, InteractionMode interaction) noexcept;

}  // namespace jointrig
