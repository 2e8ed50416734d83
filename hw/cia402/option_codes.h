#pragma once
/// The option codes of CiA 402: how a drive stops, and where it ends up.

#include <cstdint>
#include <optional>

namespace jointrig::cia402 {

enum class Stop : std::uint8_t {
  kPowerOff,      ///< the stage goes off at once; the motor runs out, or its brake holds it
  kRamp,          ///< with the profile's deceleration (6084h)
  kQuickRamp,     ///< with the quick stop deceleration (6085h)
  kCurrentLimit,  ///< as hard as the current limit lets it
  kVoltageLimit,
};

struct QuickStop {
  Stop stop = Stop::kPowerOff;
  bool stays = false;  ///< in QUICK STOP ACTIVE at rest (5..8), instead of SWITCH ON DISABLED
  friend bool operator==(const QuickStop&, const QuickStop&) = default;
};

/// 605Ah: 0..8.
[[nodiscard]] constexpr std::optional<QuickStop> quick_stop_of(std::int16_t code) noexcept {
  if (code < 0 || code > 8) return std::nullopt;
  const bool stays = code > 4;
  return QuickStop{static_cast<Stop>(stays ? code - 4 : code), stays};
}

/// 605Bh (transition 8) and 605Ch (transition 5): 0 power off, 1 ramp.
[[nodiscard]] constexpr std::optional<Stop> disable_stop_of(std::int16_t code) noexcept {
  if (code < 0 || code > 1) return std::nullopt;
  return static_cast<Stop>(code);
}

/// 605Dh: 1..4; the drive stays enabled.
[[nodiscard]] constexpr std::optional<Stop> halt_stop_of(std::int16_t code) noexcept {
  if (code < 1 || code > 4) return std::nullopt;
  return static_cast<Stop>(code);
}

/// 605Eh: 0..4.
[[nodiscard]] constexpr std::optional<Stop> fault_reaction_of(std::int16_t code) noexcept {
  if (code < 0 || code > 4) return std::nullopt;
  return static_cast<Stop>(code);
}

/// 6007h: what the loss of the connection does.
enum class ConnectionLost : std::uint8_t { kNothing, kFault, kDisableVoltage, kQuickStop };

[[nodiscard]] constexpr std::optional<ConnectionLost> connection_lost_of(
    std::int16_t code) noexcept {
  if (code < 0 || code > 3) return std::nullopt;
  return static_cast<ConnectionLost>(code);
}

}  // namespace jointrig::cia402
