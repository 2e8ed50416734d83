#pragma once
/// One frame of a CAN bus, classic (ISO 11898-1, up to 8 bytes) or FD (up to 64); or a piece of
/// what goes over a serial line, up to 64 bytes as they are.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace jointrig::can {

inline constexpr std::size_t kMaxClassicBytes = 8;
inline constexpr std::size_t kMaxFdBytes = 64;
inline constexpr std::uint32_t kMaxStandardId = 0x7FF;
inline constexpr std::uint32_t kMaxExtendedId = 0x1FFF'FFFF;

/// Plain data, no more than the wire carries. A frame is valid where valid() says so; whoever
/// takes one from outside asks before using it.
struct Frame {
  std::uint32_t id = 0;  ///< 11 bits, 29 where `extended`
  bool extended = false;
  bool remote = false;           ///< asks for a frame; carries no data (classic only)
  bool fd = false;               ///< CAN FD: up to 64 bytes, no remote frames
  bool bit_rate_switch = false;  ///< FD: the data phase runs at the second bit rate
  bool error_state = false;      ///< FD: the sender is error passive
  bool serial = false;           ///< bytes of a serial line; the identifier isn't sent
  std::uint8_t size = 0;         ///< bytes of `data`; of a remote frame: how many are asked for
  std::array<std::uint8_t, kMaxFdBytes> data{};

  [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept {
    return {data.data(), remote ? 0U : std::min<std::size_t>(size, kMaxFdBytes)};
  }

  friend bool operator==(const Frame& a, const Frame& b) noexcept {
    return a.id == b.id && a.extended == b.extended && a.remote == b.remote && a.fd == b.fd &&
           a.bit_rate_switch == b.bit_rate_switch && a.error_state == b.error_state &&
           a.serial == b.serial && a.size == b.size && std::ranges::equal(a.bytes(), b.bytes());
  }
};

/// A classic data frame with an 11-bit identifier. Bytes past the eighth are left out.
[[nodiscard]] constexpr Frame data_frame(std::uint32_t id,
                                         std::span<const std::uint8_t> bytes) noexcept {
  Frame frame;
  frame.id = id & kMaxStandardId;
  frame.size = static_cast<std::uint8_t>(std::min(bytes.size(), kMaxClassicBytes));
  for (std::size_t i = 0; i < frame.size; ++i) frame.data[i] = bytes[i];
  return frame;
}

/// Bytes of an FD frame by its data length code; classic frames have the first nine.
inline constexpr std::array<std::uint8_t, 16> kFdSizes{0, 1,  2,  3,  4,  5,  6,  7,
                                                       8, 12, 16, 20, 24, 32, 48, 64};

/// The least data length code that holds `size` bytes; 15 for more than any frame holds.
[[nodiscard]] constexpr std::uint8_t dlc_of(std::size_t size) noexcept {
  std::uint8_t dlc = 0;
  while (dlc < 15 && kFdSizes[dlc] < size) ++dlc;
  return dlc;
}

/// FD frames have 0..8, 12, 16, 20, 24, 32, 48 or 64 bytes.
[[nodiscard]] constexpr bool is_fd_size(std::size_t size) noexcept {
  return kFdSizes[dlc_of(size)] == size;
}

[[nodiscard]] constexpr bool valid(const Frame& frame) noexcept {
  if (frame.id > (frame.extended ? kMaxExtendedId : kMaxStandardId)) return false;
  if (frame.serial) return !frame.fd && !frame.remote && frame.size <= kMaxFdBytes;
  if (frame.fd) return !frame.remote && is_fd_size(frame.size);
  return frame.size <= kMaxClassicBytes && !frame.bit_rate_switch && !frame.error_state;
}

/// Decides which of several nodes that start at once sends: the arbitration field as it stands on
/// the wire, first bit highest. The least number wins: the lower identifier; of one base
/// identifier a standard data frame before a standard remote frame before an extended frame.
[[nodiscard]] constexpr std::uint32_t arbitration_key(const Frame& frame) noexcept {
  const std::uint32_t remote = frame.remote ? 1 : 0;
  if (!frame.extended) return frame.id << 21 | remote << 20;
  const std::uint32_t base = frame.id >> 18;
  const std::uint32_t rest = frame.id & 0x3'FFFF;
  const std::uint32_t substitute_and_extension_bits = 0b11U << 19;
  return base << 21 | substitute_and_extension_bits | rest << 1 | remote;
}

}  // namespace jointrig::can
