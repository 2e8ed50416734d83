#pragma once
/// Words for messages to a robot on feet (core/body_commands.h). Used in harness/log alone.

#include <string>

#include "control/core/event.h"

namespace jointrig::harness {

/// `message 3 has started: 2 s`
std::string message_words(const Event& event);

/// Why a message was refused, for the reasons that only messages have, and for a number of its
/// rows; empty for any other.
std::string why_no_message(const Event& event);

}  // namespace jointrig::harness
