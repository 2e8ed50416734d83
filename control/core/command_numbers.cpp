#include "control/core/command_numbers.h"

namespace jointrig {

Request blank_request(CommandKind kind) noexcept {
  Request request;
  with_command_type(kind, [&]<typename C>(std::type_identity<C>) { request.emplace<C>(); });
  return request;
}

bool fill_fields(Request& request, std::span<const double> numbers) noexcept {
  return std::visit(
      [&]<typename C>(C& command) {
        if constexpr (HasFields<C>) return fill_from(command, numbers);
        return numbers.empty();
      },
      request);
}

bool add_joint(Request& request, JointIndex joint, std::span<const double> numbers) noexcept {
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

void set_arm(Request& request, ArmIndex arm) noexcept {
  std::visit(
      [&]<typename C>(C& command) {
        if constexpr (IsForArm<C>) command.arm = arm;
      },
      request);
}

}  // namespace jointrig
