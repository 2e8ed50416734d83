#include "control/core/command_facts.h"

namespace jointrig {
namespace {
template <typename C>
inline constexpr auto kInfos = field_infos<C>();
template <typename C>
constexpr std::span<const FieldInfo> infos() noexcept {
  if constexpr (HasFields<C>) return kInfos<C>;
  return {};
}
}  // namespace

bool is_for_arm(CommandKind kind) noexcept {
  bool is = false;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { is = IsForArm<C>; });
  return is;
}

bool is_streamed(CommandKind kind) noexcept {
  bool is = false;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { is = is_streamed<C>(); });
  return is;
}

bool starts_motion(CommandKind kind) noexcept {
  bool starts = false;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { starts = starts_motion<C>(); });
  return starts;
}

ModeSet modes_of(CommandKind kind) noexcept {
  ModeSet modes;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { modes = C::kModes; });
  return modes;
}

std::span<const FieldInfo> fields_of(CommandKind kind) noexcept {
  std::span<const FieldInfo> fields;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { fields = infos<C>(); });
  return fields;
}

std::span<const FieldInfo> value_fields_of(CommandKind kind) noexcept {
  std::span<const FieldInfo> fields;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) {
    if constexpr (HasValues<C>) fields = infos<typename C::Value>();
  });
  return fields;
}

}  // namespace jointrig
