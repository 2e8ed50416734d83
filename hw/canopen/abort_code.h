#pragma once
/// Why an SDO transfer was refused or given up (CiA 301, 7.2.4.3.17). Either side may abort.

#include <array>
#include <cstdint>
#include <string_view>

namespace jointrig::canopen {

enum class AbortCode : std::uint32_t {
  kNone = 0,
  kToggle = 0x0503'0000,
  kTimeOut = 0x0504'0000,
  kCommand = 0x0504'0001,
  kOutOfMemory = 0x0504'0005,
  kUnsupportedAccess = 0x0601'0000,
  kWriteOnly = 0x0601'0001,
  kReadOnly = 0x0601'0002,
  kNoObject = 0x0602'0000,
  kNotMappable = 0x0604'0041,
  kMappingTooLong = 0x0604'0042,
  kParameterIncompatible = 0x0604'0043,
  kDeviceIncompatible = 0x0604'0047,
  kHardware = 0x0606'0000,
  kLength = 0x0607'0010,
  kTooLong = 0x0607'0012,
  kTooShort = 0x0607'0013,
  kNoSubIndex = 0x0609'0011,
  kValue = 0x0609'0030,
  kValueTooHigh = 0x0609'0031,
  kValueTooLow = 0x0609'0032,
  kMaximumBelowMinimum = 0x0609'0036,
  kNoSdoConnection = 0x060A'0023,
  kGeneral = 0x0800'0000,
  kCannotStore = 0x0800'0020,
  kLocalControl = 0x0800'0021,
  kDeviceState = 0x0800'0022,
  kNoDictionary = 0x0800'0023,
  kNoData = 0x0800'0024,
};

inline constexpr std::array kAllAbortCodes{
    AbortCode::kToggle,
    AbortCode::kTimeOut,
    AbortCode::kCommand,
    AbortCode::kOutOfMemory,
    AbortCode::kUnsupportedAccess,
    AbortCode::kWriteOnly,
    AbortCode::kReadOnly,
    AbortCode::kNoObject,
    AbortCode::kNotMappable,
    AbortCode::kMappingTooLong,
    AbortCode::kParameterIncompatible,
    AbortCode::kDeviceIncompatible,
    AbortCode::kHardware,
    AbortCode::kLength,
    AbortCode::kTooLong,
    AbortCode::kTooShort,
    AbortCode::kNoSubIndex,
    AbortCode::kValue,
    AbortCode::kValueTooHigh,
    AbortCode::kValueTooLow,
    AbortCode::kMaximumBelowMinimum,
    AbortCode::kNoSdoConnection,
    AbortCode::kGeneral,
    AbortCode::kCannotStore,
    AbortCode::kLocalControl,
    AbortCode::kDeviceState,
    AbortCode::kNoDictionary,
    AbortCode::kNoData,
};

/// "the object is read-only"; codes that are not listed above come as "an unlisted reason".
[[nodiscard]] std::string_view in_words(AbortCode code) noexcept;

}  // namespace jointrig::canopen
