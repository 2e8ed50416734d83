#include "hw/canopen/heartbeat.h"

#include <algorithm>

namespace jointrig::canopen {

void HeartbeatProducer::poll(NmtState state, std::int64_t now, FrameQueue& out) noexcept {
  if (period_ == 0 || now < next_) return;
  out.push(heartbeat_frame(node_, state));
  next_ += (1 + (now - next_) / period_) * period_;
}

void HeartbeatConsumer::watch(std::uint8_t node, std::uint16_t allowed_silence) noexcept {
  if (node < 1 || node > kMaxNode) return;
  NodeHealth& health = nodes_[node];
  health.allowed_silence = allowed_silence * kMillisecond;
  health.alive = false;
  health.lost = false;
}

bool HeartbeatConsumer::receive(const can::Frame& frame, std::int64_t now) noexcept {
  const auto state = heartbeat_state_of(frame);
  if (!state) return false;
  const auto node = static_cast<std::uint8_t>(frame.id - kHeartbeatBase);
  NodeHealth& health = nodes_[node];
  const NmtState before = health.state;
  health.heard = now;
  health.state = *state;
  if (*state == NmtState::kInitialising) {
    ++health.boot_ups;
    // The watch begins anew with the first heartbeat after it.
    health.alive = false;
    tell(HeartbeatEvent::Kind::kBootUp, node, now);
    return true;
  }
  ++health.heartbeats;
  const bool was_alive = health.alive;
  const bool was_lost = health.lost;
  health.alive = true;
  health.lost = false;
  if (health.allowed_silence != 0) earliest_ = std::min(earliest_, now + health.allowed_silence);
  if (was_lost) tell(HeartbeatEvent::Kind::kBack, node, now);
  if (!was_alive && !was_lost) tell(HeartbeatEvent::Kind::kFirst, node, now);
  if ((was_alive || was_lost) && before != *state) tell(HeartbeatEvent::Kind::kChanged, node, now);
  return true;
}

void HeartbeatConsumer::poll(std::int64_t now) noexcept {
  if (now <= earliest_) return;
  earliest_ = kNoDeadline;
  for (std::uint8_t node = 1; node <= kMaxNode; ++node) {
    NodeHealth& health = nodes_[node];
    if (!health.alive || health.allowed_silence == 0) continue;
    if (now - health.heard <= health.allowed_silence) {
      earliest_ = std::min(earliest_, health.heard + health.allowed_silence);
      continue;
    }
    health.alive = false;
    health.lost = true;
    tell(HeartbeatEvent::Kind::kLost, node, now);
  }
}

void HeartbeatConsumer::tell(HeartbeatEvent::Kind kind, std::uint8_t node,
                             std::int64_t now) noexcept {
  events_.push({kind, node, nodes_[node].state, now});
}

}  // namespace jointrig::canopen
