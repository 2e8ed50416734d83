#pragma once
/// The step `message`: a message to a robot on feet, by the fields of its command
/// (core/body_commands.h).

#include "control/core/command.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/binder.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// Throws FileError: a field that the message doesn't have, a word that isn't one of its words.
MessageStep read_message(const YamlNode& node);

/// Its fields, in their order, with their names.
YamlNode message_node(const MessageStep& step);

/// The step that sends this message, which is one. Throws std::invalid_argument with a sentence: it
/// has no words for it.
MessageStep message_step_of(const Request& message, const RobotConfig& config);

/// Throws FileError: no hand of that name.
Request message_of(const MessageStep& step, const Binder& binder);

}  // namespace jointrig::harness
