#pragma once
/// Why a command was refused, as a part of its event's sentence (event_text.h).

#include <string>

#include "control/core/event.h"
#include "control/core/robot_config.h"

namespace jointrig::harness {

/// @param joint  of the event; null: none
std::string why_rejected(const Event& event, const JointConfig* joint);

}  // namespace jointrig::harness
