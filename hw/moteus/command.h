#pragma once
/// A host's frame to a servo in a cycle: the command and the query.
///
/// The mode register comes first in a frame, and everything of a command that isn't written is at
/// the servo's default, not as it was.

#include <array>
#include <limits>
#include <optional>

#include "hw/moteus/codec.h"

namespace jointrig::moteus {

/// Mode 10. The servo's law, all at its output:
///
///     torque = kp kp_scale (p − position) + kd kd_scale (velocity − v) + ∫ + feedforward,
///              at most ±max_torque
///
/// where the wanted p moves on at `velocity` from the instant at which the command came.
struct PositionCommand {
  static constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

  double position = kUnset;  ///< [rev]; NaN: goes on from where it is
  double velocity = 0;       ///< [rev/s]
  double feedforward = 0;    ///< [N·m]
  double kp_scale = 1;
  double kd_scale = 1;
  double ilimit_scale = 1;
  double max_torque = kUnset;  ///< [N·m]; NaN: as the servo is set
  double timeout = 0;          ///< [s] until mode 11; 0: as the servo is set, NaN: never
};

/// @param resolution  of positions, velocities and torques
/// @return            false if it did not fit
bool put_position(FrameWriter& frame, const PositionCommand& command,
                  Resolution resolution) noexcept;

/// Mode 0: the stage off; also clears a fault or a time-out.
bool put_stop(FrameWriter& frame) noexcept;

/// Mode 8: a voltage across the motor [V], turned with it by the servo. No watchdog: it stays until
/// the next command.
bool put_q_voltage(FrameWriter& frame, double volts) noexcept;

/// Pins of a connector that may be inputs: bits 0 to 4 of its register, A to E.
inline constexpr unsigned kAuxPins = 5;

/// Inputs in the order of their numbers: pins A to E of aux 1, then A to C of aux 2.
[[nodiscard]] constexpr std::uint8_t inputs_of(unsigned aux1, unsigned aux2) noexcept {
  constexpr unsigned kPins = (1U << kAuxPins) - 1U;
  return static_cast<std::uint8_t>((aux1 & kPins) | aux2 << kAuxPins);
}
/// And back: what the register of aux 1 or 2 says.
[[nodiscard]] constexpr unsigned aux1_of(std::uint8_t inputs) noexcept {
  return inputs & ((1U << kAuxPins) - 1U);
}
[[nodiscard]] constexpr unsigned aux2_of(std::uint8_t inputs) noexcept {
  return static_cast<unsigned>(inputs) >> kAuxPins;
}

/// Asks for what ServoReport has.
/// @param inputs  the digital inputs, too
bool put_query(FrameWriter& frame, Resolution resolution, bool inputs = false) noexcept;

/// Bytes of the frame that answers it.
[[nodiscard]] std::uint8_t report_size(Resolution resolution, bool inputs = false) noexcept;

struct ServoReport {
  Mode mode = Mode::kStopped;
  double position = 0;                 ///< [rev]
  double velocity = 0;                 ///< [rev/s]
  double torque = 0;                   ///< [N·m]
  double voltage_V = 0;                ///< of the supply
  double temperature_C = 0;            ///< of the servo's board
  int fault = 0;                       ///< words.h
  std::optional<std::uint8_t> inputs;  ///< inputs_of(), where they were asked for
};

/// Nothing if the bytes are malformed, or not all of it is in them, or the position is no number.
[[nodiscard]] std::optional<ServoReport> report_of(std::span<const std::uint8_t> bytes) noexcept;

/// Identity of a servo.
struct Identity {
  std::uint32_t model = 0;
  std::uint32_t firmware = 0;      ///< 010304h is 1.3.4
  std::uint32_t register_map = 0;  ///< which meaning the registers have
  std::array<std::uint32_t, 3> serial{};
  int home_state = 0;         ///< position counts from: 0 anywhere, 1 the rotor, 2 the output
  bool tells_inputs = false;  ///< it was asked for them, too, and has them
};

/// The map that this library speaks.
inline constexpr std::uint32_t kRegisterMap = 5;

/// @param inputs  does it tell its digital inputs?
bool put_identity_query(FrameWriter& frame, bool inputs = false) noexcept;
[[nodiscard]] std::optional<Identity> identity_of(std::span<const std::uint8_t> bytes) noexcept;

}  // namespace jointrig::moteus
