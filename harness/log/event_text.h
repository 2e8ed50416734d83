#pragma once
/// Events as sentences: for the log, the console and the report.

#include <string>
#include <string_view>

#include "control/core/event.h"
#include "control/core/robot_config.h"

namespace jointrig::harness {

/// What happened, to which joint, with value against limit and their units, and what to do:
///
///     elbow: rejected velocity (wrong_mode): the joint is in position, which takes no velocity;
///     ask for velocity or mixed first [panel #12]
///
/// One line. An event of no joint begins with "robot".
/// @param sender  name of who sent the command answered; empty: not known
std::string sentence(const Event& event, const RobotConfig& config, std::string_view sender = {});

}  // namespace jointrig::harness
