#pragma once
/// The use of a joint in terms of a CiA 402 drive, and the drive's words about it.
/// Knows no robot: the joint's owner turns its own modes and statuses into these.

#include <cstdint>
#include <optional>

#include "hw/cia402/modes.h"
#include "hw/cia402/power_machine.h"

namespace jointrig::cia402 {

enum class DriveUse : std::uint8_t {
  kIdle,      ///< switched on, stage off, brake on if there is one
  kPosition,  ///< one target a cycle: point to point, direct and mixed are made by the stack
  kVelocity,
  kTorque,  ///< also compliance closed by the host
  kPwm,
  kHoming,
};

struct DriveWish {
  PowerState state = PowerState::kSwitchedOn;
  std::int8_t mode = mode::kNone;  ///< kNone: as it is
  friend bool operator==(const DriveWish&, const DriveWish&) = default;
};

/// Torque is the cyclic mode: profile torque (4) would ramp with 6087h.
[[nodiscard]] DriveWish wish_for(DriveUse use) noexcept;

/// Can the drive be used so? 6502h for the standard modes; PWM is a maker's mode.
[[nodiscard]] bool is_possible(DriveUse use, std::uint32_t supported_modes, bool has_pwm) noexcept;

/// A master's knowledge of a drive.
struct DriveFacts {
  bool configured = false;  ///< heard, operational, identity and settings verified
  bool latched = false;  ///< the master holds a fault of its own (communication, encoder, double)
  bool was_enabled = false;  ///< OPERATION ENABLED was seen since it was configured
  std::uint16_t statusword = 0;
  std::int8_t mode = mode::kNone;  ///< 6061h
};

enum class DriveStatus : std::uint8_t {
  kNotConfigured,
  kConfigured,   ///< never enabled since
  kIdle,         ///< was enabled, is off now
  kQuickStop,    ///< stopped; shown as idle with a flag
  kActive,       ///< follows its mode
  kCalibrating,  ///< homing runs
  kCalibrated,   ///< homing done, homing mode not left yet
  kFault,
};

/// A latched fault outranks everything, also a drive that somebody else has reset meanwhile.
[[nodiscard]] DriveStatus status_of(const DriveFacts& facts) noexcept;

}  // namespace jointrig::cia402
