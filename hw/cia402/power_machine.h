#pragma once
/// The power machine of a CiA 402 drive: its states, the commands that a controlword (6040h) gives,
/// and the statusword (6041h) that shows it. Two tables: what a command does to a drive, and which
/// command leads a master from the state it sees to the state it wants. No bus in it: CANopen and
/// EtherCAT drives share it.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jointrig::cia402 {

enum class PowerState : std::uint8_t {
  kNotReadyToSwitchOn,   ///< starting
  kSwitchOnDisabled,     ///< no power, no permission
  kReadyToSwitchOn,      ///< power may come
  kSwitchedOn,           ///< power is there, the stage is off
  kOperationEnabled,     ///< the stage is on, the mode's target is followed
  kQuickStopActive,      ///< stopping, or stopped and held
  kFaultReactionActive,  ///< stopping because of a fault
  kFault,                ///< off; left by a fault reset only
};
inline constexpr std::array kAllPowerStates{
    PowerState::kNotReadyToSwitchOn,  PowerState::kSwitchOnDisabled,
    PowerState::kReadyToSwitchOn,     PowerState::kSwitchedOn,
    PowerState::kOperationEnabled,    PowerState::kQuickStopActive,
    PowerState::kFaultReactionActive, PowerState::kFault};

/// Commands in bits 7, 3, 2, 1, 0 of a controlword; every word says one of these. "Disable
/// operation" has the bits of "switch on": which it is depends on the state.
enum class Command : std::uint8_t {
  kShutdown,         ///< 0xx110
  kSwitchOn,         ///< 00111, and disable operation
  kEnableOperation,  ///< 01111
  kDisableVoltage,   ///< 0xx0x
  kQuickStop,        ///< 0x01x
  kFaultReset,       ///< bit 7; only its rising edge counts
};
inline constexpr std::array kAllCommands{Command::kShutdown,        Command::kSwitchOn,
                                         Command::kEnableOperation, Command::kDisableVoltage,
                                         Command::kQuickStop,       Command::kFaultReset};

/// A fault stands: its reaction runs, or is over.
[[nodiscard]] constexpr bool is_fault(PowerState state) noexcept {
  return state == PowerState::kFaultReactionActive || state == PowerState::kFault;
}

[[nodiscard]] std::string_view to_string(PowerState state) noexcept;
[[nodiscard]] std::string_view to_string(Command command) noexcept;

/// Bits of the controlword.
namespace control {
inline constexpr std::uint16_t kModeSpecific4 = 1U << 4;
inline constexpr std::uint16_t kModeSpecific5 = 1U << 5;
inline constexpr std::uint16_t kModeSpecific6 = 1U << 6;
inline constexpr std::uint16_t kFaultReset = 1U << 7;
inline constexpr std::uint16_t kHalt = 1U << 8;
inline constexpr std::uint16_t kModeSpecific9 = 1U << 9;
inline constexpr std::uint16_t kCommandBits = 0x008F;
}  // namespace control

/// Bits of the statusword, besides those of the state.
namespace status {
inline constexpr std::uint16_t kVoltageEnabled = 1U << 4;
inline constexpr std::uint16_t kWarning = 1U << 7;
inline constexpr std::uint16_t kRemote = 1U << 9;
inline constexpr std::uint16_t kTargetReached = 1U << 10;
inline constexpr std::uint16_t kInternalLimit = 1U << 11;
inline constexpr std::uint16_t kModeSpecific12 = 1U << 12;
inline constexpr std::uint16_t kModeSpecific13 = 1U << 13;
}  // namespace status

/// Nothing for the bit patterns that are none of the eight states.
[[nodiscard]] std::optional<PowerState> state_of(std::uint16_t statusword) noexcept;
/// The bits of the statusword that show a state; the others zero.
[[nodiscard]] std::uint16_t status_bits(PowerState state) noexcept;

[[nodiscard]] Command command_of(std::uint16_t controlword) noexcept;
/// The controlword that gives a command; the bits that are not the command's stay as they were
/// (mode specific ones and halt).
[[nodiscard]] std::uint16_t controlword_for(Command command, std::uint16_t before) noexcept;

struct Transition {
  std::uint8_t number = 0;  ///< as in CiA 402-2, figure 4
  PowerState to = PowerState::kNotReadyToSwitchOn;
  friend bool operator==(const Transition&, const Transition&) = default;
};

/// The drive's table: what a command does in a state, if anything.
///
/// Enable operation in READY TO SWITCH ON is 3; the next look at the same word then is 4. 16 is
/// only for drives whose quick stop option code (605Ah) is 5..8. The automatic transitions 0, 1,
/// 13, 14 (and 12 of 605Ah = 1..4) are no commands.
[[nodiscard]] std::optional<Transition> transition(PowerState state, Command command) noexcept;

struct Step {
  enum class Kind : std::uint8_t {
    kThere,  ///< the state seen is the one wanted
    kSend,   ///< give this command
    kWait,   ///< the drive moves on by itself
    kStuck,  ///< no command leads there: a fault is left by an explicit reset only, and a quick
             ///< stop is entered from OPERATION ENABLED only
  };
  Kind kind = Kind::kWait;
  Command command = Command::kDisableVoltage;  ///< of kSend
  friend bool operator==(const Step&, const Step&) = default;
};

/// The master's table: the next step on the shortest way. It never leaves a fault and never passes
/// through OPERATION ENABLED on the way to another state.
[[nodiscard]] Step step_towards(PowerState wanted, PowerState seen) noexcept;

}  // namespace jointrig::cia402
