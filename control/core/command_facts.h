#pragma once
/// Facts about a kind of command, for code that knows the kind only at run time. Apart from
/// command.h, since the tables of all fields cost every file that reads them a second of compile
/// time.

#include <span>

#include "control/core/command.h"

namespace jointrig {

constexpr bool is_for_arm(CommandKind kind) noexcept {
  bool is = false;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { is = IsForArm<C>; });
  return is;
}
constexpr bool is_streamed(CommandKind kind) noexcept {
  bool is = false;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { is = is_streamed<C>(); });
  return is;
}
constexpr bool starts_motion(CommandKind kind) noexcept {
  bool starts = false;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { starts = starts_motion<C>(); });
  return starts;
}
/// Joint modes in which a command of this kind is accepted.
constexpr ModeSet modes_of(CommandKind kind) noexcept {
  ModeSet modes;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { modes = C::kModes; });
  return modes;
}

namespace detail {
template <typename C>
inline constexpr auto kInfos = field_infos<C>();
template <typename C>
constexpr std::span<const FieldInfo> infos() noexcept {
  if constexpr (HasFields<C>) return kInfos<C>;
  return {};
}
}  // namespace detail

/// Fields of the command itself.
constexpr std::span<const FieldInfo> fields_of(CommandKind kind) noexcept {
  std::span<const FieldInfo> fields;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { fields = detail::infos<C>(); });
  return fields;
}
/// Fields of the command's value for each joint; empty if it has no values.
constexpr std::span<const FieldInfo> value_fields_of(CommandKind kind) noexcept {
  std::span<const FieldInfo> fields;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) {
    if constexpr (HasValues<C>) fields = detail::infos<typename C::Value>();
  });
  return fields;
}

}  // namespace jointrig
