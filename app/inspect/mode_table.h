#pragma once

#include <string>
#include <vector>

#include "control/core/capabilities.h"
#include "control/core/robot_config.h"

namespace jointrig::app {

/// A table: each mode, by groups of joints whose boards are alike.
///
///     native      the board closes that loop itself: `drive_modes` has the mode's own
///     by WORD     emulated: the stack closes the loop, on the board's drive mode WORD
///     no: WHY     impossible, and what is missing
///
/// By the boards that robot.yaml describes (control/joint/emulation.h); a real drive says at start
/// what it has, and is refused where that differs. A robot whose parts have backends of their own
/// has a row that tells them.
///
/// @param kinematic_boards  of the robot's joints, as backend kinematic describes them
[[nodiscard]] std::string mode_table(const RobotConfig& robot,
                                     const std::vector<JointCapabilities>& kinematic_boards);

/// Likewise a table of the calls of jointrig::Robot (app/robot/robot.h), on the robot's own backend
/// and on kinematic.
///
///     planned, WORD   the stack makes the path, and the loop below is closed as WORD tells
///
/// @param kinematic_boards  as above
[[nodiscard]] std::string call_table(const RobotConfig& robot,
                                     const std::vector<JointCapabilities>& kinematic_boards);

}  // namespace jointrig::app
