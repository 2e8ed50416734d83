#pragma once
/// Services of a robot for viewers: the lease, stop, and the commands by their definition.

#include <cstdint>
#include <string>

#include "control/core/command.h"
#include "control/core/robot_config.h"
#include "remote/viewer_protocol.h"

namespace jointrig::remote {

// By their numbers; those of commands follow.
inline constexpr std::uint32_t kStopService = 1;
inline constexpr std::uint32_t kTakeService = 2;
inline constexpr std::uint32_t kTakeOverService = 3;
inline constexpr std::uint32_t kReleaseService = 4;
inline constexpr std::uint32_t kSaveService = 5;

/// True if the robot has the service: one for each command that it can take, but stop, streams and
/// follow_plan, and the five above.
[[nodiscard]] bool has_service(std::uint32_t service, const RobotConfig& robot);

/// Message that tells a viewer of all services, with their definitions in ros2msg.
[[nodiscard]] std::string advertise_services(const RobotConfig& robot);

/// Command of a call. Throws std::invalid_argument with a sentence: cut off, a name that the robot
/// doesn't have, too many values. Ranges are the loop's to judge.
[[nodiscard]] Request command_of(const ServiceWish& wish, const RobotConfig& robot);

}  // namespace jointrig::remote
