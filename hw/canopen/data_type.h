#pragma once
/// Types of objects, by the codes that EDS files and mapping entries use (CiA 301, 7.4.7).

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jointrig::canopen {

enum class DataType : std::uint16_t {
  kBoolean = 0x01,
  kInteger8 = 0x02,
  kInteger16 = 0x03,
  kInteger32 = 0x04,
  kUnsigned8 = 0x05,
  kUnsigned16 = 0x06,
  kUnsigned32 = 0x07,
  kReal32 = 0x08,
  kVisibleString = 0x09,
  kOctetString = 0x0A,
  kDomain = 0x0F,
  kReal64 = 0x11,
  kInteger64 = 0x15,
  kUnsigned64 = 0x1B,
};

/// Bytes of a value; 0 of a type whose values differ in length, and of a code that is none of ours.
[[nodiscard]] constexpr std::size_t size_of(DataType type) noexcept {
  switch (type) {
    case DataType::kBoolean:
    case DataType::kInteger8:
    case DataType::kUnsigned8:
      return 1;
    case DataType::kInteger16:
    case DataType::kUnsigned16:
      return 2;
    case DataType::kInteger32:
    case DataType::kUnsigned32:
    case DataType::kReal32:
      return 4;
    case DataType::kReal64:
    case DataType::kInteger64:
    case DataType::kUnsigned64:
      return 8;
    case DataType::kVisibleString:
    case DataType::kOctetString:
    case DataType::kDomain:
      return 0;
  }
  return 0;
}

[[nodiscard]] constexpr bool is_signed(DataType type) noexcept {
  return type == DataType::kInteger8 || type == DataType::kInteger16 ||
         type == DataType::kInteger32 || type == DataType::kInteger64;
}

[[nodiscard]] constexpr bool is_real(DataType type) noexcept {
  return type == DataType::kReal32 || type == DataType::kReal64;
}

[[nodiscard]] constexpr bool is_integer(DataType type) noexcept {
  return size_of(type) != 0 && !is_real(type);
}

/// The low bytes of a number as its type reads them: -1 as INTEGER8 comes as 0xFF and is -1 again.
[[nodiscard]] constexpr std::int64_t as_integer(DataType type, std::uint64_t bits) noexcept {
  const std::size_t size = size_of(type);
  if (size == 0 || size == 8) return static_cast<std::int64_t>(bits);
  const std::uint64_t mask = (std::uint64_t{1} << (8 * size)) - 1;
  const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
  bits &= mask;
  if (is_signed(type) && (bits & sign) != 0) bits |= ~mask;
  return static_cast<std::int64_t>(bits);
}

/// "UNSIGNED32"; "?" for a code that is none of ours.
[[nodiscard]] std::string_view to_string(DataType type) noexcept;

}  // namespace jointrig::canopen
