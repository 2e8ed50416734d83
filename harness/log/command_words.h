#pragma once
/// The names of a command's numbers, as logs and messages show them: "goal", "stiffness.x".

#include <span>
#include <string>

#include "control/core/command.h"

namespace jointrig::harness {

/// Of each number that a command of this kind can have of its own, by place.
std::span<const std::string> number_names(CommandKind kind);
/// Of each number of its value for a joint.
std::span<const std::string> value_names(CommandKind kind);

/// " along x" to " about z"; empty of a number that has no axis.
std::string_view axis_words(const FieldInfo& field, std::size_t index) noexcept;

}  // namespace jointrig::harness
