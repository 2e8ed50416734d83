#include "hw/canopen/nmt_master.h"

namespace jointrig::canopen {

void NmtMaster::order(NmtCommand command, std::uint8_t node, FrameQueue& out) noexcept {
  if (node > kMaxNode) return;
  out.push(frame_of(NmtOrder{command, node}));
  if (node != kAllNodes) return note(command, ordered_[node]);
  for (Ordered& each : ordered_) note(command, each);
}

void NmtMaster::note(NmtCommand command, Ordered& node) const noexcept {
  const NmtState next = after(NmtState::kPreOperational, command);
  node.reset = next == NmtState::kInitialising;
  node.state = node.reset ? NmtState::kPreOperational : next;
}

std::optional<NmtEvent> NmtMaster::next_event() noexcept {
  const auto event = heartbeats_.events().pop();
  if (!event) return std::nullopt;
  Ordered& ordered = ordered_[event->node];
  if (event->kind != HeartbeatEvent::Kind::kBootUp) {
    return NmtEvent{*event, event->state == ordered.state};
  }
  const bool was_ordered = ordered.reset;
  ordered = Ordered{};
  return NmtEvent{*event, was_ordered};
}

}  // namespace jointrig::canopen
