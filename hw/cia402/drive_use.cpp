#include "hw/cia402/drive_use.h"

namespace jointrig::cia402 {

DriveWish wish_for(DriveUse use) noexcept {
  constexpr auto kEnabled = PowerState::kOperationEnabled;
  switch (use) {
    case DriveUse::kIdle:
      return {PowerState::kSwitchedOn, mode::kNone};
    case DriveUse::kPosition:
      return {kEnabled, mode::kCyclicPosition};
    case DriveUse::kVelocity:
      return {kEnabled, mode::kCyclicVelocity};
    case DriveUse::kTorque:
      return {kEnabled, mode::kCyclicTorque};
    case DriveUse::kPwm:
      return {kEnabled, mode::kVendorPwm};
    case DriveUse::kHoming:
      return {kEnabled, mode::kHoming};
  }
  return {};
}

bool is_possible(DriveUse use, std::uint32_t supported_modes, bool has_pwm) noexcept {
  if (use == DriveUse::kIdle) return true;
  if (use == DriveUse::kPwm) return has_pwm;
  return is_offered(supported_modes, wish_for(use).mode);
}

namespace {

DriveStatus enabled_status(const DriveFacts& facts) noexcept {
  if (facts.mode != mode::kHoming) return DriveStatus::kActive;
  const auto homing = homing_of(facts.statusword);
  if (homing == Homing::kDone) return DriveStatus::kCalibrated;
  const bool runs = homing == Homing::kRunning || homing == Homing::kAttainedMoving;
  return runs ? DriveStatus::kCalibrating : DriveStatus::kActive;
}

}  // namespace

DriveStatus status_of(const DriveFacts& facts) noexcept {
  if (facts.latched) return DriveStatus::kFault;
  if (!facts.configured) return DriveStatus::kNotConfigured;
  const auto state = state_of(facts.statusword);
  if (!state) return DriveStatus::kNotConfigured;
  switch (*state) {
    case PowerState::kFault:
    case PowerState::kFaultReactionActive:
      return DriveStatus::kFault;
    case PowerState::kNotReadyToSwitchOn:
      return DriveStatus::kNotConfigured;
    case PowerState::kQuickStopActive:
      return DriveStatus::kQuickStop;
    case PowerState::kOperationEnabled:
      return enabled_status(facts);
    default:
      return facts.was_enabled ? DriveStatus::kIdle : DriveStatus::kConfigured;
  }
}

}  // namespace jointrig::cia402
