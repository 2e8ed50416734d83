#pragma once
/// Commands out of numbers, and what stands in them.

#include <array>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <variant>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"

namespace jointrig::testing {

/// Throws where it is another command.
template <typename C>
const C& as(const Command& command) {
  return std::get<C>(command.request);
}
template <typename C>
bool is(const Command& command) {
  return std::holds_alternative<C>(command.request);
}

/// One value for each joint, the same or not.
template <typename Value>
PerJoint<Value> per_joint(std::initializer_list<Value> values) {
  PerJoint<Value> list;
  for (const Value& value : values) list.push_back(value);
  return list;
}

/// Numbers in the order of the command's places.
inline Request arm_request(CommandKind kind, std::span<const double> numbers, ArmIndex arm = 0) {
  Request request = blank_request(kind);
  set_arm(request, arm);
  if (!fill_fields(request, numbers)) throw std::logic_error("another count of numbers");
  return request;
}
inline Request arm_request(CommandKind kind, std::initializer_list<double> numbers,
                           ArmIndex arm = 0) {
  return arm_request(kind, std::span(numbers.begin(), numbers.size()), arm);
}

/// For one joint; the first number of its value, the others are 0.
inline Request joint_request(CommandKind kind, JointIndex joint, double first) {
  std::array<double, 8> numbers{first};
  std::size_t count = 0;
  for (const FieldInfo& field : value_fields_of(kind)) count += field.most;
  Request request = blank_request(kind);
  if (!add_joint(request, joint, std::span(numbers).first(count))) {
    throw std::logic_error("a command without values");
  }
  return request;
}

}  // namespace jointrig::testing
