#include "harness/log/command_words.h"

#include <fmt/core.h>

#include <array>
#include <vector>

#include "control/core/command_facts.h"
#include "control/core/tool_axes.h"

namespace jointrig::harness {
namespace {

constexpr std::size_t kNoAxis = 6;

/// Three axes of a part that only turns (BodyTrajectory).
bool is_turn(const FieldInfo& field) noexcept {
  return field.most == 3 && (field.range == Range::kTaskWeight || field.range == Range::kFlag);
}

/// Axis of six numbers, or of the diagonal of a 6×6 matrix; of a point the first three.
std::size_t axis_of(const FieldInfo& field, std::size_t index) noexcept {
  const bool is_six = field.range != Range::kPostureStiffness &&
                      field.range != Range::kLoadInertia && field.range != Range::kWaypoints &&
                      field.range != Range::kUserAcceleration;
  if (!is_six || field.most == 1 || field.most == 4) return kNoAxis;
  if (is_turn(field)) return index + 3;
  return index < 6 ? index : index / 7;
}

std::string name_of(const FieldInfo& field, std::size_t index) {
  std::string name(field.name);
  constexpr std::array<std::string_view, 4> kQuaternion{"w", "x", "y", "z"};
  if (field.most == 1) return name;
  if (field.most == 4) return name + "." + std::string(kQuaternion[index]);
  if (field.range == Range::kLoadInertia) return name + "." + std::string(kMomentNames[index]);
  if (is_turn(field)) return name + "." + std::string(kToolAxisNames[index + 3]);
  if (field.most <= 6) return name + "." + std::string(kToolAxisNames[index]);
  return fmt::format("{}.{}", name, index);
}

using Names = std::array<std::vector<std::string>, kAllCommandKind.size()>;

template <typename FieldsOf>
Names all_names(FieldsOf&& fields_of_kind) {
  Names all;
  for (const CommandKind kind : kAllCommandKind) {
    for (const FieldInfo& field : fields_of_kind(kind)) {
      for (std::size_t i = 0; i < field.most; ++i) {
        all[static_cast<std::size_t>(kind)].push_back(name_of(field, i));
      }
    }
  }
  return all;
}

}  // namespace

std::span<const std::string> number_names(CommandKind kind) {
  static const Names kNames = all_names([](CommandKind k) { return fields_of(k); });
  return kNames[static_cast<std::size_t>(kind)];
}

std::span<const std::string> value_names(CommandKind kind) {
  static const Names kNames = all_names([](CommandKind k) { return value_fields_of(k); });
  return kNames[static_cast<std::size_t>(kind)];
}

std::string axis_words(const FieldInfo& field, std::size_t index) {
  constexpr std::array<std::string_view, kNoAxis + 1> kWords{
      " along x", " along y", " along z", " about x", " about y", " about z", ""};
  if (field.range == Range::kUserAcceleration) return fmt::format(" of joint {}", index + 1);
  if (field.range == Range::kWaypoints) return fmt::format(" number {}", index + 1);
  return std::string(kWords[axis_of(field, index)]);
}

}  // namespace jointrig::harness
