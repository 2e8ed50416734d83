#pragma once
/// Numbers in frames: CANopen is little endian everywhere (CiA 301, 7.1.4).

#include <cstddef>
#include <cstdint>
#include <span>

namespace jointrig::canopen {

/// The number in the first `size` bytes (0..8), the others taken as zero.
[[nodiscard]] constexpr std::uint64_t load_little_endian(std::span<const std::uint8_t> bytes,
                                                         std::size_t size) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size && i < bytes.size() && i < 8; ++i) {
    value |= std::uint64_t{bytes[i]} << (8 * i);
  }
  return value;
}

/// The lowest `size` bytes (0..8) of a number.
constexpr void store_little_endian(std::span<std::uint8_t> bytes, std::uint64_t value,
                                   std::size_t size) noexcept {
  for (std::size_t i = 0; i < size && i < bytes.size() && i < 8; ++i) {
    bytes[i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

}  // namespace jointrig::canopen
