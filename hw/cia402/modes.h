#pragma once
/// Modes of operation (6060h, shown in 6061h, offered in 6502h) and what homing shows.

#include <cstdint>
#include <optional>
#include <string_view>

namespace jointrig::cia402 {

/// Codes of 6060h and 6061h; -128..-1 are the maker's.
namespace mode {
inline constexpr std::int8_t kVendorPwm = -1;  ///< of the project's own boards: 2020h:1 is the duty
inline constexpr std::int8_t kNone = 0;        ///< as a wish: no change
inline constexpr std::int8_t kProfilePosition = 1;
inline constexpr std::int8_t kVelocity = 2;
inline constexpr std::int8_t kProfileVelocity = 3;
inline constexpr std::int8_t kProfileTorque = 4;
inline constexpr std::int8_t kHoming = 6;
inline constexpr std::int8_t kInterpolatedPosition = 7;
inline constexpr std::int8_t kCyclicPosition = 8;
inline constexpr std::int8_t kCyclicVelocity = 9;
inline constexpr std::int8_t kCyclicTorque = 10;
}  // namespace mode

/// "cyclic synchronous position (8)"'s words without the number; "a maker's mode" below 0, "an
/// unknown mode" for the rest.
[[nodiscard]] std::string_view mode_in_words(std::int8_t code) noexcept;

/// The bit of 6502h that offers a mode: bit 0 is mode 1. 0 for a maker's mode, which has no agreed
/// one.
[[nodiscard]] constexpr std::uint32_t offer_of(std::int8_t code) noexcept {
  return code >= 1 && code <= 16 ? 1U << (code - 1) : 0U;
}

[[nodiscard]] constexpr bool is_offered(std::uint32_t supported_modes, std::int8_t code) noexcept {
  return (supported_modes & offer_of(code)) != 0;
}

[[nodiscard]] constexpr bool is_cyclic(std::int8_t code) noexcept {
  return code == mode::kCyclicPosition || code == mode::kCyclicVelocity ||
         code == mode::kCyclicTorque;
}

/// Does bit 8 of the controlword (halt) stop it? The cyclic modes have no halt.
[[nodiscard]] constexpr bool has_halt(std::int8_t code) noexcept {
  return code == mode::kProfilePosition || code == mode::kProfileVelocity ||
         code == mode::kProfileTorque || code == mode::kHoming;
}

/// Bits 13, 12, 10 of the statusword in homing mode.
enum class Homing : std::uint8_t {
  kRunning,         ///< 000
  kNotStarted,      ///< 001; also interrupted
  kAttainedMoving,  ///< 010
  kDone,            ///< 011
  kErrorMoving,     ///< 100
  kErrorStanding,   ///< 101
};

[[nodiscard]] std::string_view to_string(Homing homing) noexcept;
/// Nothing for 110 and 111.
[[nodiscard]] std::optional<Homing> homing_of(std::uint16_t statusword) noexcept;
[[nodiscard]] std::uint16_t status_bits(Homing homing) noexcept;

}  // namespace jointrig::cia402
