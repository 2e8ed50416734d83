#pragma once
/// Modes and fault codes in words, for people.

#include <string_view>

#include "hw/moteus/registers.h"

namespace jointrig::moteus {

/// Register 00Fh. Others have no name here; a servo may send any.
enum class FaultCode : std::uint8_t {
  kNone = 0,
  kCalibration = 32,
  kMotorDriver = 33,
  kOverVoltage = 34,
  kEncoder = 35,
  kMotorNotConfigured = 36,
  kPwmCycleOverrun = 37,
  kOverTemperature = 38,
  kOutsideLimit = 39,
  kUnderVoltage = 40,
  kConfigChanged = 41,
  kThetaInvalid = 42,
  kPositionInvalid = 43,
  kDriverEnable = 44,
  kStopPositionDeprecated = 45,
  kTimingViolation = 46,
  kBemfFeedforwardNoAccel = 47,
  kInvalidLimits = 48,
  kPositionError = 49,
  kVelocityError = 50,
};

/// 96..103: what limits the output just now. Not a fault: the servo follows as far as it may.
[[nodiscard]] constexpr bool is_limit_notice(int code) noexcept {
  return code >= 96 && code <= 103;
}

/// "unknown" for a number that is none.
[[nodiscard]] std::string_view describe(Mode mode) noexcept;
/// The words for a fault code or a limit notice.
[[nodiscard]] std::string_view describe_fault(int code) noexcept;

}  // namespace jointrig::moteus
