#pragma once
/// Places of a robot's virtual boards: by the drives of its robot.yaml, or by the plan in this
/// program.

#include <cstdint>
#include <vector>

#include "app/boards/virtual_robot.h"

namespace jointrig::app {

/// The seat of every joint, from its `drive`; of another backend's joint, on no bus. Throws
/// std::invalid_argument if the values give no units.
[[nodiscard]] std::vector<VirtualSeat> seats_of(const RobotConfig& robot,
                                                std::uint32_t boards_token);

/// The seats of the sensors that have a node, from `device`.
[[nodiscard]] std::vector<VirtualSensorSeat> sensor_seats_of(const RobotConfig& robot,
                                                             std::uint32_t boards_token);

}  // namespace jointrig::app
