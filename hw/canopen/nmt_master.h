#pragma once
/// The master's side of network management: orders to nodes, and whether the nodes then do as
/// ordered. It acts on nothing by itself: no node is started or reset because it came back.

#include <array>
#include <cstdint>
#include <optional>

#include "hw/canopen/heartbeat.h"

namespace jointrig::canopen {

struct NmtEvent {
  HeartbeatEvent what;
  /// The boot-up follows an order to reset, the state is the one last ordered. A second boot-up
  /// after one order is not ordered: the node fell over, or two nodes share the number. A state
  /// not ordered: somebody else manages the network too, or the node acts on an error.
  bool ordered = false;
};

class NmtMaster {
 public:
  /// @param node  1..127, or kAllNodes; others are left alone
  void order(NmtCommand command, std::uint8_t node, FrameQueue& out) noexcept;

  void watch(std::uint8_t node, std::uint16_t allowed_silence_ms) noexcept {
    heartbeats_.watch(node, allowed_silence_ms);
  }
  bool receive(const can::Frame& frame, std::int64_t now) noexcept {
    return heartbeats_.receive(frame, now);
  }
  void poll(std::int64_t now) noexcept { heartbeats_.poll(now); }

  [[nodiscard]] std::optional<NmtEvent> next_event() noexcept;
  [[nodiscard]] std::uint64_t dropped_events() noexcept { return heartbeats_.events().dropped(); }
  [[nodiscard]] const NodeHealth& node(std::uint8_t node) const noexcept {
    return heartbeats_.node(node);
  }

 private:
  struct Ordered {
    NmtState state = NmtState::kPreOperational;  // where a node goes by itself
    bool reset = false;                          // and no boot-up came since
  };
  void note(NmtCommand command, Ordered& node) const noexcept;

  HeartbeatConsumer heartbeats_;
  std::array<Ordered, kMaxNode + 1> ordered_{};
};

}  // namespace jointrig::canopen
