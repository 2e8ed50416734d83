#pragma once
/// Short names of the power states, for tables.

#include "hw/cia402/power_machine.h"

namespace jointrig::cia402 {

inline constexpr auto kNotReady = PowerState::kNotReadyToSwitchOn;
inline constexpr auto kDisabled = PowerState::kSwitchOnDisabled;
inline constexpr auto kReady = PowerState::kReadyToSwitchOn;
inline constexpr auto kOn = PowerState::kSwitchedOn;
inline constexpr auto kEnabled = PowerState::kOperationEnabled;
inline constexpr auto kStopping = PowerState::kQuickStopActive;
inline constexpr auto kReaction = PowerState::kFaultReactionActive;
inline constexpr auto kFault = PowerState::kFault;

}  // namespace jointrig::cia402
