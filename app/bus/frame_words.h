#pragma once
/// One frame of a CANopen bus in words. Identifiers follow the predefined connection set, PDOs the
/// driver's mapping (hw/driver/drive_setup.h): PDOs of a drive with another mapping are shown as
/// bytes if they don't fit. Pure.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hw/can/frame.h"
#include "hw/canopen/device_description.h"

namespace jointrig::app {

enum class FrameKind : std::uint8_t {
  kNmt,
  kSync,
  kEmergency,
  kTpdo,  ///< sent by a node
  kRpdo,  ///< sent to it
  kSdoAnswer,
  kSdoRequest,
  kHeartbeat,  ///< boot-ups among them
  kOther,
};
inline constexpr std::size_t kFrameKinds = 9;
[[nodiscard]] std::string_view to_string(FrameKind kind) noexcept;

struct FrameRole {
  FrameKind kind = FrameKind::kOther;
  std::uint8_t node = 0;    ///< from or to; 0: none, or all
  std::uint8_t number = 0;  ///< of a PDO, from 1
  friend bool operator==(const FrameRole&, const FrameRole&) = default;
};
[[nodiscard]] FrameRole role_of(const can::Frame& frame) noexcept;

/// Values of a drive's first two TPDOs, if their length is the configured one.
struct StateReport {
  std::uint16_t statusword = 0;
  std::int8_t mode = 0;
  std::int32_t position = 0;
};
struct MotionReport {
  std::int32_t velocity = 0;
  std::int16_t torque = 0;
  std::uint16_t error_code = 0;
};
[[nodiscard]] std::optional<StateReport> state_report_of(const can::Frame& frame) noexcept;
[[nodiscard]] std::optional<MotionReport> motion_report_of(const can::Frame& frame) noexcept;

/// "operation enabled, target reached"; the bit pattern if it is no known state.
[[nodiscard]] std::string statusword_in_words(std::uint16_t statusword);

/// @param objects  for the names in SDO frames
[[nodiscard]] std::string in_words(const can::Frame& frame,
                                   const canopen::DeviceDescription& objects);

}  // namespace jointrig::app
