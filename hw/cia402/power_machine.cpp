#include "hw/cia402/power_machine.h"

namespace jointrig::cia402 {

namespace {

struct StateBits {
  PowerState state;
  std::uint16_t mask;
  std::uint16_t bits;
  std::string_view name;
};

constexpr StateBits kStates[] = {
    {PowerState::kNotReadyToSwitchOn, 0x004F, 0x0000, "NOT READY TO SWITCH ON"},
    {PowerState::kSwitchOnDisabled, 0x004F, 0x0040, "SWITCH ON DISABLED"},
    {PowerState::kReadyToSwitchOn, 0x006F, 0x0021, "READY TO SWITCH ON"},
    {PowerState::kSwitchedOn, 0x006F, 0x0023, "SWITCHED ON"},
    {PowerState::kOperationEnabled, 0x006F, 0x0027, "OPERATION ENABLED"},
    {PowerState::kQuickStopActive, 0x006F, 0x0007, "QUICK STOP ACTIVE"},
    {PowerState::kFaultReactionActive, 0x004F, 0x000F, "FAULT REACTION ACTIVE"},
    {PowerState::kFault, 0x004F, 0x0008, "FAULT"},
};

constexpr auto kDisabled = PowerState::kSwitchOnDisabled;
constexpr auto kReady = PowerState::kReadyToSwitchOn;
constexpr auto kOn = PowerState::kSwitchedOn;
constexpr auto kEnabled = PowerState::kOperationEnabled;
constexpr auto kStopping = PowerState::kQuickStopActive;

struct CommandRow {
  PowerState from = PowerState::kNotReadyToSwitchOn;
  Command command = Command::kDisableVoltage;
  Transition transition;
};

constexpr CommandRow kTransitions[] = {
    {kDisabled, Command::kShutdown, {2, kReady}},
    {kReady, Command::kSwitchOn, {3, kOn}},
    {kReady, Command::kEnableOperation, {3, kOn}},
    {kReady, Command::kDisableVoltage, {7, kDisabled}},
    {kReady, Command::kQuickStop, {7, kDisabled}},
    {kOn, Command::kEnableOperation, {4, kEnabled}},
    {kOn, Command::kShutdown, {6, kReady}},
    {kOn, Command::kDisableVoltage, {10, kDisabled}},
    {kOn, Command::kQuickStop, {10, kDisabled}},
    {kEnabled, Command::kSwitchOn, {5, kOn}},
    {kEnabled, Command::kShutdown, {8, kReady}},
    {kEnabled, Command::kDisableVoltage, {9, kDisabled}},
    {kEnabled, Command::kQuickStop, {11, kStopping}},
    {kStopping, Command::kDisableVoltage, {12, kDisabled}},
    {kStopping, Command::kEnableOperation, {16, kEnabled}},
    {PowerState::kFault, Command::kFaultReset, {15, kDisabled}},
};

struct WayRow {
  PowerState wanted;
  PowerState seen;
  Command command;
};

constexpr WayRow kWays[] = {
    {kDisabled, kReady, Command::kDisableVoltage},
    {kDisabled, kOn, Command::kDisableVoltage},
    {kDisabled, kEnabled, Command::kDisableVoltage},
    {kDisabled, kStopping, Command::kDisableVoltage},
    {kReady, kDisabled, Command::kShutdown},
    {kReady, kOn, Command::kShutdown},
    {kReady, kEnabled, Command::kShutdown},
    {kReady, kStopping, Command::kDisableVoltage},
    {kOn, kDisabled, Command::kShutdown},
    {kOn, kReady, Command::kSwitchOn},
    {kOn, kEnabled, Command::kSwitchOn},
    {kOn, kStopping, Command::kDisableVoltage},
    {kEnabled, kDisabled, Command::kShutdown},
    {kEnabled, kReady, Command::kSwitchOn},
    {kEnabled, kOn, Command::kEnableOperation},
    {kEnabled, kStopping, Command::kEnableOperation},
    {kStopping, kEnabled, Command::kQuickStop},
};

}  // namespace

std::string_view to_string(PowerState state) noexcept {
  for (const StateBits& each : kStates) {
    if (each.state == state) return each.name;
  }
  return "?";
}

std::string_view to_string(Command command) noexcept {
  switch (command) {
    case Command::kShutdown:
      return "shutdown";
    case Command::kSwitchOn:
      return "switch on";
    case Command::kEnableOperation:
      return "enable operation";
    case Command::kDisableVoltage:
      return "disable voltage";
    case Command::kQuickStop:
      return "quick stop";
    case Command::kFaultReset:
      return "fault reset";
  }
  return "?";
}

std::optional<PowerState> state_of(std::uint16_t statusword) noexcept {
  for (const StateBits& each : kStates) {
    if ((statusword & each.mask) == each.bits) return each.state;
  }
  return std::nullopt;
}

std::uint16_t status_bits(PowerState state) noexcept {
  for (const StateBits& each : kStates) {
    if (each.state == state) return each.bits;
  }
  return 0;
}

Command command_of(std::uint16_t controlword) noexcept {
  constexpr std::uint16_t kSwitchOnBit = 1U << 0;
  constexpr std::uint16_t kVoltageBit = 1U << 1;
  constexpr std::uint16_t kNoQuickStopBit = 1U << 2;
  constexpr std::uint16_t kEnableBit = 1U << 3;
  if ((controlword & control::kFaultReset) != 0) return Command::kFaultReset;
  if ((controlword & kVoltageBit) == 0) return Command::kDisableVoltage;
  if ((controlword & kNoQuickStopBit) == 0) return Command::kQuickStop;
  if ((controlword & kSwitchOnBit) == 0) return Command::kShutdown;
  return (controlword & kEnableBit) != 0 ? Command::kEnableOperation : Command::kSwitchOn;
}

std::uint16_t controlword_for(Command command, std::uint16_t before) noexcept {
  const auto kept = static_cast<std::uint16_t>(before & ~control::kCommandBits);
  switch (command) {
    case Command::kShutdown:
      return kept | 0x0006;
    case Command::kSwitchOn:
      return kept | 0x0007;
    case Command::kEnableOperation:
      return kept | 0x000F;
    case Command::kDisableVoltage:
      return kept;
    case Command::kQuickStop:
      return kept | 0x0002;
    case Command::kFaultReset:
      return kept | control::kFaultReset;
  }
  return kept;
}

std::optional<Transition> transition(PowerState state, Command command) noexcept {
  for (const CommandRow& row : kTransitions) {
    if (row.from == state && row.command == command) return row.transition;
  }
  return std::nullopt;
}

Step step_towards(PowerState wanted, PowerState seen) noexcept {
  if (wanted == seen) return {Step::Kind::kThere};
  // The way out of these two is the drive's own.
  if (seen == PowerState::kNotReadyToSwitchOn || seen == PowerState::kFaultReactionActive) {
    return {Step::Kind::kWait};
  }
  for (const WayRow& row : kWays) {
    if (row.wanted == wanted && row.seen == seen) return {Step::Kind::kSend, row.command};
  }
  return {Step::Kind::kStuck};
}

}  // namespace jointrig::cia402
