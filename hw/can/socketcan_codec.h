#pragma once
/// Identifiers and frames as Linux has them (linux/can.h, linux/can/error.h): what a CAN_RAW socket
/// reads and writes, and what cannelloni puts on a network. Written out here, so that the codec can
/// be tested where the kernel has no CAN. Pure.

#include <cstdint>
#include <optional>
#include <span>

#include "hw/can/frame.h"
#include "hw/can/link_status.h"

namespace jointrig::can {

inline constexpr std::uint32_t kLinuxExtendedFlag = 0x8000'0000;
inline constexpr std::uint32_t kLinuxRemoteFlag = 0x4000'0000;
inline constexpr std::uint32_t kLinuxErrorFlag = 0x2000'0000;
inline constexpr std::uint8_t kLinuxFdBitRateSwitch = 0x01;
inline constexpr std::uint8_t kLinuxFdErrorState = 0x02;
inline constexpr std::uint8_t kLinuxFdFormat = 0x04;

inline constexpr std::size_t kLinuxFrameBytes = 16;    ///< sizeof(can_frame)
inline constexpr std::size_t kLinuxFdFrameBytes = 72;  ///< sizeof(canfd_frame)

/// Identifier with the flags above, as can_id has it.
[[nodiscard]] std::uint32_t linux_id(const Frame& frame) noexcept;

/// Identifier, `extended` and `remote` from a can_id. False for an error frame and for an 11-bit
/// identifier above 7FF.
[[nodiscard]] bool set_linux_id(std::uint32_t can_id, Frame& frame) noexcept;

/// A can_frame or canfd_frame in the machine's byte order. Returns kLinuxFrameBytes or
/// kLinuxFdFrameBytes; 0 where the frame is not valid() or `out` is too short.
[[nodiscard]] std::size_t encode_socketcan(const Frame& frame,
                                           std::span<std::uint8_t> out) noexcept;

/// Report of an error frame of the kernel.
struct BusReport {
  bool bus_state_known = false;
  BusState bus = BusState::kErrorActive;
  bool counters_known = false;
  std::uint16_t tx_errors = 0;
  std::uint16_t rx_errors = 0;
  bool overrun = false;       ///< the controller lost received frames
  bool error_on_bus = false;  ///< protocol error, no acknowledge, lost arbitration, time-out
};

struct SocketCanItem {
  enum class Kind : std::uint8_t { kGarbage, kFrame, kReport };
  Kind kind = Kind::kGarbage;
  Frame frame;
  BusReport report;
};

/// One read from the socket.
[[nodiscard]] SocketCanItem parse_socketcan(std::span<const std::uint8_t> bytes) noexcept;

}  // namespace jointrig::can
