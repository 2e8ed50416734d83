#pragma once
/// Names of a command's numbers, for logs and messages: "goal", "stiffness.x".

#include <span>
#include <string>

#include "control/core/command.h"

namespace jointrig::harness {

/// Name of each number of a command's own fields, by place.
std::span<const std::string> number_names(CommandKind kind);
/// Name of each number of a joint's value.
std::span<const std::string> value_names(CommandKind kind);

/// " along x" to " about z", or which one of a list it is; empty for a number without an axis.
std::string axis_words(const FieldInfo& field, std::size_t index);

}  // namespace jointrig::harness
