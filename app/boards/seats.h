#pragma once
/// Where the virtual boards of a robot stand: as its robot.yaml has its drives, or as the plan in
/// this program arranges them.

#include <cstdint>
#include <vector>

#include "app/boards/virtual_robot.h"

namespace jointrig::app {

/// The seat of every joint, by its `drive`. Throws std::invalid_argument where facts make no units.
[[nodiscard]] std::vector<VirtualSeat> seats_of(const RobotConfig& robot,
                                                std::uint32_t boards_token);

}  // namespace jointrig::app
