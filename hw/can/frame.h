#pragma once
/// One frame of a CAN bus, classic (ISO 11898-1, up to 8 bytes) or FD (up to 64).

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
  std::uint8_t size = 0;         ///< bytes of `data`; of a remote frame: how many are asked for
  std::array<std::uint8_t, kMaxFdBytes> data{};

  [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept {
    return {data.data(), remote ? 0U : std::min<std::size_t>(size, kMaxFdBytes)};
  }

  friend bool operator==(const Frame& a, const Frame& b) noexcept {
    return a.id == b.id && a.extended == b.extended && a.remote == b.remote && a.fd == b.fd &&
           a.bit_rate_switch == b.bit_rate_switch && a.error_state == b.error_state &&
           a.size == b.size && std::ranges::equal(a.bytes(), b.bytes());
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

/// FD frames have 0..8, 12, 16, 20, 24, 32, 48 or 64 bytes.
[[nodiscard]] constexpr bool is_fd_size(std::size_t size) noexcept {
  return size <= 8 || size == 12 || size == 16 || size == 20 || size == 24 || size == 32 ||
         size == 48 || size == 64;
}

[[nodiscard]] constexpr bool valid(const Frame& frame) noexcept {
  if (frame.id > (frame.extended ? kMaxExtendedId : kMaxStandardId)) return false;
  if (frame.fd) return !frame.remote && is_fd_size(frame.size);
  return frame.size <= kMaxClassicBytes && !frame.bit_rate_switch && !frame.error_state;
}

}  // namespace jointrig::can
