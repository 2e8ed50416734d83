#pragma once
/// Network management: the four states of a node, and who may say what in them (CiA 301, 7.2.8).

#include <cstdint>
#include <optional>
#include <string_view>

#include "hw/can/frame.h"

namespace jointrig::canopen {

/// As a heartbeat carries it.
enum class NmtState : std::uint8_t {
  kInitialising = 0x00,  ///< also the boot-up message
  kStopped = 0x04,
  kOperational = 0x05,
  kPreOperational = 0x7F,
};

/// As the master's frame carries it.
enum class NmtCommand : std::uint8_t {
  kStart = 0x01,
  kStop = 0x02,
  kEnterPreOperational = 0x80,
  kResetNode = 0x81,
  kResetCommunication = 0x82,
};

inline constexpr std::uint32_t kNmtId = 0x000;
inline constexpr std::uint32_t kHeartbeatBase = 0x700;
inline constexpr std::uint8_t kAllNodes = 0;
inline constexpr std::uint8_t kMaxNode = 127;

/// Both resets lead to initialising, which a node leaves by itself: boot-up, then pre-operational.
/// While it is initialising a node hears nothing.
[[nodiscard]] constexpr NmtState after(NmtState state, NmtCommand command) noexcept {
  if (state == NmtState::kInitialising) return state;
  switch (command) {
    case NmtCommand::kStart:
      return NmtState::kOperational;
    case NmtCommand::kStop:
      return NmtState::kStopped;
    case NmtCommand::kEnterPreOperational:
      return NmtState::kPreOperational;
    case NmtCommand::kResetNode:
    case NmtCommand::kResetCommunication:
      return NmtState::kInitialising;
  }
  return state;
}

[[nodiscard]] constexpr bool sdo_allowed(NmtState state) noexcept {
  return state == NmtState::kPreOperational || state == NmtState::kOperational;
}
[[nodiscard]] constexpr bool pdo_allowed(NmtState state) noexcept {
  return state == NmtState::kOperational;
}
[[nodiscard]] constexpr bool sync_allowed(NmtState state) noexcept { return sdo_allowed(state); }
[[nodiscard]] constexpr bool emergency_allowed(NmtState state) noexcept {
  return sdo_allowed(state);
}

[[nodiscard]] std::string_view to_string(NmtState state) noexcept;

/// The order in a frame of 2 bytes with identifier 0; nothing if it is none of the five commands or
/// its node is above 127.
struct NmtOrder {
  NmtCommand command = NmtCommand::kStop;
  std::uint8_t node = kAllNodes;
};
[[nodiscard]] std::optional<NmtOrder> nmt_order_of(const can::Frame& frame) noexcept;
[[nodiscard]] can::Frame frame_of(const NmtOrder& order) noexcept;

/// The state a heartbeat tells; nothing if the byte is none (bit 7, the toggle bit of node
/// guarding, is left out).
[[nodiscard]] std::optional<NmtState> heartbeat_state_of(const can::Frame& frame) noexcept;
[[nodiscard]] can::Frame heartbeat_frame(std::uint8_t node, NmtState state) noexcept;

}  // namespace jointrig::canopen
