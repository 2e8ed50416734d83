#include "hw/canopen/nmt.h"

namespace jointrig::canopen {

std::string_view to_string(NmtState state) noexcept {
  switch (state) {
    case NmtState::kInitialising:
      return "initialising";
    case NmtState::kStopped:
      return "stopped";
    case NmtState::kOperational:
      return "operational";
    case NmtState::kPreOperational:
      return "pre-operational";
  }
  return "?";
}

std::optional<NmtOrder> nmt_order_of(const can::Frame& frame) noexcept {
  if (frame.id != kNmtId || frame.extended || frame.remote || frame.size != 2) return std::nullopt;
  const auto command = static_cast<NmtCommand>(frame.data[0]);
  const std::uint8_t node = frame.data[1];
  switch (command) {
    case NmtCommand::kStart:
    case NmtCommand::kStop:
    case NmtCommand::kEnterPreOperational:
    case NmtCommand::kResetNode:
    case NmtCommand::kResetCommunication:
      if (node > kMaxNode) return std::nullopt;
      return NmtOrder{command, node};
  }
  return std::nullopt;
}

can::Frame frame_of(const NmtOrder& order) noexcept {
  const std::uint8_t bytes[] = {static_cast<std::uint8_t>(order.command), order.node};
  return can::data_frame(kNmtId, bytes);
}

std::optional<NmtState> heartbeat_state_of(const can::Frame& frame) noexcept {
  const bool is_one = !frame.extended && !frame.remote && frame.size == 1 &&
                      frame.id > kHeartbeatBase && frame.id <= kHeartbeatBase + kMaxNode;
  if (!is_one) return std::nullopt;
  const auto state = static_cast<NmtState>(frame.data[0] & 0x7F);
  switch (state) {
    case NmtState::kInitialising:
    case NmtState::kStopped:
    case NmtState::kOperational:
    case NmtState::kPreOperational:
      return state;
  }
  return std::nullopt;
}

can::Frame heartbeat_frame(std::uint8_t node, NmtState state) noexcept {
  const std::uint8_t bytes[] = {static_cast<std::uint8_t>(state)};
  return can::data_frame(kHeartbeatBase + node, bytes);
}

}  // namespace jointrig::canopen
