#pragma once
/// Events as sentences: for the log, the console and the report.

#include <string>
#include <string_view>

#include "control/core/event.h"
#include "control/core/robot_config.h"

namespace jointrig::harness {

/// Returns a sentence with the joint, the event, value and limit with units, and the remedy:
///
///     elbow: rejected velocity (wrong_mode): the joint is in position, which takes no velocity;
///     ask for velocity or mixed first [panel #12]
///
/// One line. An event without a joint begins with "robot".
/// @param sender  sender of the answered command; empty: unknown
std::string sentence(const Event& event, const RobotConfig& config, std::string_view sender = {});

}  // namespace jointrig::harness
