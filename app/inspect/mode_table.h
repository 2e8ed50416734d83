#pragma once

#include <string>

#include "control/core/robot_config.h"

namespace jointrig::app {

/// A table: each mode, by groups of joints whose boards are alike.
///
///     native      the board closes that loop itself: `drive_modes` has the mode's own
///     by WORD     emulated: the stack closes the loop, on the board's drive mode WORD
///     no: WHY     impossible, and what is missing
///
/// By the boards that robot.yaml describes (control/joint/emulation.h); a real drive says at start
/// what it has, and is refused where that differs.
[[nodiscard]] std::string mode_table(const RobotConfig& robot);

}  // namespace jointrig::app
