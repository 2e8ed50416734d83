#include "hw/can/stepped_bus.h"

#include <algorithm>
#include <array>

namespace jointrig::can {

void SteppedBus::step(TimeNs limit) {
  if (limit < now_) return;
  const TimeNs next = std::min(bus_.next_event(), participants_.next_wake());
  now_ = std::min(limit, std::max(now_, next));
  bus_.advance(now_);
  participants_.call_all(now_);
  // Frames sent just now contend from now on.
  bus_.advance(now_);
}

void SteppedBus::run_until(TimeNs time) {
  while (now_ < time) step(time);
}

SteppedTransport::SteppedTransport(SteppedBus& bus, const std::string& name)
    : bus_(bus), name_(name), node_(bus.bus().attach(name)) {}

std::size_t SteppedTransport::send(std::span<const Frame> frames) noexcept {
  std::size_t handed_over = 0;
  std::size_t i = 0;
  for (; i < frames.size() && error_ == LinkError::kNone; ++i) {
    const auto result = bus_.bus().send(node_, frames[i], bus_.now());
    if (result == VirtualBus::SendResult::kUnsupported) {
      ++counters_.tx_unsupported;
    } else if (result == VirtualBus::SendResult::kQueued) {
      ++handed_over;
    } else {
      break;
    }
  }
  counters_.sent += handed_over;
  counters_.tx_refused += frames.size() - i;
  return handed_over;
}

std::size_t SteppedTransport::receive(std::span<ReceivedFrame> into, TimeNs deadline) noexcept {
  std::array<Delivery, 1> delivery;
  std::size_t count = 0;
  while (error_ == LinkError::kNone && count < into.size()) {
    if (bus_.bus().receive(node_, delivery) == 1) {
      into[count++] = {delivery[0].frame, delivery[0].time};
      continue;
    }
    if (count > 0 || bus_.now() >= deadline) break;
    bus_.step(deadline);
  }
  counters_.received += count;
  return count;
}

LinkStatus SteppedTransport::status() const noexcept {
  const VirtualBus::NodeState state = bus_.bus().state(node_);
  LinkStatus status;
  status.open = error_ == LinkError::kNone;
  status.error = error_;
  status.bus = state.bus;
  status.rx_errors = static_cast<std::uint16_t>(state.rx_errors);
  status.tx_errors = static_cast<std::uint16_t>(state.tx_errors);
  return status;
}

Transport::Capabilities SteppedTransport::capabilities() const noexcept {
  return {.fd = bus_.bus().config().fd, .remote = true, .bus_state = true};
}

void SteppedTransport::flush() noexcept {
  std::array<Delivery, 16> unread;
  while (bus_.bus().receive(node_, unread) > 0) continue;
}

void SteppedTransport::leave(LinkError error) noexcept {
  if (error_ != LinkError::kNone) return;
  error_ = error;
  bus_.bus().set_online(node_, false, bus_.now());
}

void SteppedTransport::plug() noexcept {
  if (error_ == LinkError::kNone) return;
  error_ = LinkError::kNone;
  bus_.bus().set_online(node_, true, bus_.now());
}

}  // namespace jointrig::can
