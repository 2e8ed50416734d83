#pragma once
/// Facts about a kind of command, for code that knows the kind only at run time.

#include <span>

#include "control/core/command.h"

namespace jointrig {

bool is_for_arm(CommandKind kind) noexcept;
bool is_streamed(CommandKind kind) noexcept;
bool starts_motion(CommandKind kind) noexcept;
/// Joint modes in which a command of this kind is accepted.
ModeSet modes_of(CommandKind kind) noexcept;

/// Fields of the command itself.
std::span<const FieldInfo> fields_of(CommandKind kind) noexcept;
/// Fields of the command's value for each joint; empty if it has no values.
std::span<const FieldInfo> value_fields_of(CommandKind kind) noexcept;

}  // namespace jointrig
