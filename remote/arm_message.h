#pragma once
/// An arm, and what protects a robot, as messages and back.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "control/core/arm.h"
#include "control/core/enumeration.h"
#include "control/core/protection.h"
#include "remote/robot.pb.h"

namespace jointrig::remote {

using Doubles = google::protobuf::RepeatedField<double>;

template <std::size_t kSize>
void write_array(const std::array<double, kSize>& numbers, Doubles* field) {
  field->Add(numbers.begin(), numbers.end());
}
/// Leaves `numbers` alone where the message has another number of them.
template <std::size_t kSize>
void read_array(const Doubles& field, std::array<double, kSize>& numbers) {
  if (field.size() == static_cast<int>(kSize))
    std::copy(field.begin(), field.end(), numbers.begin());
}

template <typename Enum>
void read_bits(std::uint32_t bits, FewBits<Enum>& set) {
  set = std::bit_cast<FewBits<Enum>>(static_cast<std::uint16_t>(bits));
}
/// Leaves `word` alone where this version has no such word.
template <typename Enum>
void read_word(std::uint32_t index, Enum& word) {
  if (index < enum_words(Enum{}).size()) word = static_cast<Enum>(index);
}

/// @param joints  of the arm
void write_arm(const ArmSnapshot& arm, std::size_t joints, v1::Arm& message);
void read_arm(const v1::Arm& message, std::size_t joints, ArmSnapshot& arm);
void write_arm_settings(const ArmConfig& arm, v1::ArmSettings& message);
void read_arm_settings(const v1::ArmSettings& message, ArmConfig& arm);

void write_protection(const ProtectionSnapshot& now, v1::Protection& message);
void read_protection(const v1::Protection& message, ProtectionSnapshot& now);

}  // namespace jointrig::remote
