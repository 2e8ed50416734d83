#pragma once
/// A command made from numbers, and taken apart into them, by its fields (command_field.h): for
/// those who know its kind at run time alone, as a file, a log, a slider or a wire does.

#include <span>

#include "control/core/command.h"

namespace jointrig {

/// Sets the fields of the command itself. False where there are too few numbers or too many.
inline bool fill_fields(Request& request, std::span<const double> numbers) noexcept {
  return std::visit(
      [&]<typename C>(C& command) {
        if constexpr (HasFields<C>) return fill_from(command, numbers);
        return numbers.empty();
      },
      request);
}

/// Names one more joint, with its value where the command has values; joints come by rising index.
/// False where the numbers don't fit, or the command names no joints.
inline bool add_joint(Request& request, JointIndex joint,
                      std::span<const double> numbers = {}) noexcept {
  return std::visit(
      [&]<typename C>(C& command) {
        if constexpr (NamesJoints<C>) {
          command.joints.set(joint);
          if constexpr (HasValues<C>) {
            typename C::Value value;
            const bool fits = fill_from(value, numbers);
            command.values.push_back(value);
            return fits;
          }
          return numbers.empty();
        }
        return false;
      },
      request);
}

/// For an arm: which one.
inline void set_arm(Request& request, ArmIndex arm) noexcept {
  std::visit(
      [&]<typename C>(C& command) {
        if constexpr (IsForArm<C>) command.arm = arm;
      },
      request);
}

/// Calls `visit(number)` for each: of its own fields, then of its values, joint by joint.
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

/// The number that a place of a Refusal speaks of (control/safety/admission.h).
struct NumberInfo {
  const FieldInfo* field = nullptr;  ///< null: the kind has no such place
  std::size_t index = 0;             ///< within the field
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
