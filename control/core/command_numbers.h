#pragma once
/// Builds a command from numbers and takes it apart again, by its fields (command_field.h). For
/// code that knows the kind only at run time: files, logs, sliders, wires.

#include <span>

#include "control/core/command.h"

namespace jointrig {

/// Returns a command of this kind with default fields.
Request blank_request(CommandKind kind) noexcept;

/// Sets the fields of the command itself. Returns false if there are too few numbers or too many.
bool fill_fields(Request& request, std::span<const double> numbers) noexcept;

/// Adds one joint, with its value if the command has values; joints come by rising index. Returns
/// false if the numbers don't fit or the command names no joints.
bool add_joint(Request& request, JointIndex joint, std::span<const double> numbers = {}) noexcept;

/// Sets the arm of a command for an arm.
void set_arm(Request& request, ArmIndex arm) noexcept;

/// Calls `visit(number)` for each number: the fields of the command, then its values, joint by
/// joint.
template <typename Visit>
void for_each_number_of(const Request& request, Visit&& visit) {
  std::visit(
      [&]<typename C>(const C& command) {
        const auto each = [&](const auto&, std::size_t, double number) { visit(number); };
        if constexpr (HasFields<C>) for_each_number(command, each);
        if constexpr (HasValues<C>) {
          for (const auto& value : command.values) for_each_number(value, each);
        }
      },
      request);
}

/// The number that a place of a Refusal refers to (control/safety/admission.h).
struct NumberInfo {
  const FieldInfo* field = nullptr;  ///< null: the kind has no such place
  std::size_t index = 0;             ///< index within the field
};
constexpr NumberInfo number_at(std::span<const FieldInfo> fields, std::size_t place) noexcept {
  for (const FieldInfo& field : fields) {
    if (place >= field.place && place < field.place + field.most) {
      return {&field, place - field.place};
    }
  }
  return {};
}

}  // namespace jointrig
