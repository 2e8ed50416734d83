#pragma once
/// A served robot as text: prints of `jointrig inspect --connect`.

#include <string>

#include "remote/state_message.h"

namespace jointrig::app {

/// Tables of what the server tells: joints with limits and gains as the robot was opened with them,
/// boards, arms, grippers, poses, notes. Angles are in degrees and marked so; all else is SI. A
/// model and what is remarkable in it are known where the robot is served alone.
/// @param address  of the server, for people
/// @param holder   of the lease; empty: it is free
[[nodiscard]] std::string describe_served(const remote::RobotFacts& facts,
                                          const std::string& address, const std::string& holder);

}  // namespace jointrig::app
