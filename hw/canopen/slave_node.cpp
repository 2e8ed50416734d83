#include "hw/canopen/slave_node.h"

#include "hw/canopen/sync.h"

namespace jointrig::canopen {

namespace {

constexpr std::uint16_t kSyncIdObject = 0x1005;
constexpr std::uint16_t kCyclePeriod = 0x1006;
constexpr std::uint16_t kConsumerHeartbeat = 0x1016;
constexpr std::uint16_t kProducerHeartbeat = 0x1017;
constexpr std::uint16_t kSyncOverflow = 0x1019;
constexpr std::uint16_t kErrorBehaviour = 0x1029;
constexpr std::uint8_t kMaxMasters = 127;

std::uint8_t master_of(std::uint64_t consumer) noexcept {
  return static_cast<std::uint8_t>(consumer >> 16);
}
std::uint16_t time_of(std::uint64_t consumer) noexcept {
  return static_cast<std::uint16_t>(consumer);
}

}  // namespace

SlaveNode::SlaveNode(const DeviceDescription& description, std::uint8_t node,
                     SlaveApplication& application)
    : objects_(description, node),
      application_(application),
      emergencies_(objects_),
      sdo_(objects_, 0x600U + node, 0x580U + node),
      rpdos_(objects_, emergencies_),
      tpdos_(objects_),
      heartbeat_(node) {
  for (const std::uint16_t index : {0x1000, 0x1001, 0x1018}) {
    if (objects_.find(index, index == 0x1018 ? 1 : 0) == nullptr) {
      throw std::invalid_argument("a CANopen device has the objects 1000h, 1001h and 1018h:1");
    }
  }
  own(kSyncIdObject, 0, 0);
  own(kConsumerHeartbeat, 1, kMaxMasters);
  own(kProducerHeartbeat, 0, 0);
  own(kSyncOverflow, 0, 0);
  own(kErrorBehaviour, 1, 1);
}

void SlaveNode::own(std::uint16_t index, std::uint8_t first, std::uint8_t last) {
  for (std::uint8_t sub = first; sub <= last; ++sub) {
    Entry* const entry = objects_.find(index, sub);
    if (entry != nullptr) objects_.own<&SlaveNode::check, &SlaveNode::stored>(*entry, *this);
  }
}

std::uint64_t SlaveNode::value_of(std::uint16_t index, std::uint8_t sub) const noexcept {
  const Entry* const entry = objects_.find(index, sub);
  return entry == nullptr ? 0 : entry->bits();
}

void SlaveNode::power_on(std::int64_t now) noexcept {
  now_ = now;
  state_ = NmtState::kInitialising;
  emergencies_.reset();
  rpdos_.reload();
  tpdos_.reload();
  masters_.reset();
  watch_masters();
  heartbeat_.set_period(static_cast<std::uint16_t>(value_of(kProducerHeartbeat, 0)), now);
  out_.push(heartbeat_frame(objects_.node(), NmtState::kInitialising));
  enter(NmtState::kPreOperational);
}

bool SlaveNode::receive(const can::Frame& frame, std::int64_t now) noexcept {
  now_ = now;
  if (frame.extended || frame.remote || frame.fd || !can::valid(frame)) return false;
  if (const auto order = nmt_order_of(frame); order) {
    if (order->node != kAllNodes && order->node != objects_.node()) return false;
    obey(order->command, now);
  } else if (masters_.receive(frame, now)) {
    follow_heartbeats();
  } else if (frame.id == (value_of(kSyncIdObject, 0) & can::kMaxStandardId)) {
    receive_sync(frame, now);
  } else if (frame.id == sdo_.listens_to()) {
    receive_sdo(frame, now);
  } else {
    return receive_pdo(frame, now);
  }
  return true;
}

void SlaveNode::receive_sdo(const can::Frame& frame, std::int64_t now) noexcept {
  if (!sdo_allowed(state_)) return;
  application_.sample(now);
  sdo_.receive(frame, now, out_);
  application_.act(now);
}

bool SlaveNode::receive_pdo(const can::Frame& frame, std::int64_t now) noexcept {
  if (!pdo_allowed(state_) || !rpdos_.listens_to(frame.id)) return false;
  if (rpdos_.receive(frame, now)) application_.act(now);
  return true;
}

void SlaveNode::receive_sync(const can::Frame& frame, std::int64_t now) noexcept {
  if (!sync_allowed(state_)) return;
  const auto overflow = static_cast<std::uint8_t>(value_of(kSyncOverflow, 0));
  if (!sync_length_fits(frame, overflow)) {
    emergencies_.raise(emergency_code::kSyncLength);
    return;
  }
  emergencies_.clear(emergency_code::kSyncLength);
  if (pdo_allowed(state_)) {
    // Measured first, then what was ordered acts: the order of CiA 301 within one SYNC.
    application_.sample(now);
    const auto counter =
        frame.size == 1 ? std::optional<std::uint8_t>(frame.data[0]) : std::nullopt;
    tpdos_.on_sync(counter, now, out_);
    if (rpdos_.on_sync(now)) application_.act(now);
  }
  application_.on_sync(now);
}

void SlaveNode::poll(std::int64_t now) noexcept {
  now_ = now;
  if (state_ == NmtState::kInitialising) return;
  masters_.poll(now);
  follow_heartbeats();
  if (pdo_allowed(state_) && rpdos_.poll(now)) {
    application_.on_connection_lost(emergency_code::kPdoTimeOut);
  }
  if (sdo_allowed(state_)) sdo_.poll(now, out_);
  application_.sample(now);
  emergencies_.poll(emergency_allowed(state_), now, out_);
  if (pdo_allowed(state_)) tpdos_.poll(now, out_);
  heartbeat_.poll(state_, now, out_);
}

void SlaveNode::obey(NmtCommand command, std::int64_t now) noexcept {
  const NmtState next = after(state_, command);
  if (next != NmtState::kInitialising) return enter(next);
  if (state_ == NmtState::kInitialising) return;  // not powered on yet
  reset(command == NmtCommand::kResetNode, now);
}

void SlaveNode::reset(bool whole_device, std::int64_t now) noexcept {
  enter(NmtState::kInitialising);
  objects_.restore(0x1000, whole_device ? 0xFFFF : 0x1FFF);
  application_.on_reset(whole_device);
  power_on(now);
}

void SlaveNode::enter(NmtState state) noexcept {
  if (state == state_) return;
  const NmtState from = state_;
  state_ = state;
  if (pdo_allowed(state)) {
    rpdos_.start();
    tpdos_.start();
  } else {
    rpdos_.stop();
    tpdos_.stop();
  }
  if (!sdo_allowed(state)) sdo_.reset();
  application_.on_state(from, state);
}

void SlaveNode::watch_masters() noexcept {
  for (std::uint8_t sub = 1; sub <= kMaxMasters; ++sub) {
    const Entry* const entry = objects_.find(kConsumerHeartbeat, sub);
    if (entry == nullptr) return;
    masters_.watch(master_of(entry->bits()), time_of(entry->bits()));
  }
}

void SlaveNode::follow_heartbeats() noexcept {
  while (const auto event = masters_.events().pop()) {
    if (event->kind == HeartbeatEvent::Kind::kLost) heartbeat_lost(event->node);
    if (event->kind == HeartbeatEvent::Kind::kBack) {
      emergencies_.clear(emergency_code::kHeartbeatLost, event->node);
    }
  }
}

void SlaveNode::heartbeat_lost(std::uint8_t node) noexcept {
  emergencies_.raise(emergency_code::kHeartbeatLost, node);
  application_.on_connection_lost(emergency_code::kHeartbeatLost);
  // 1029h:1: 0 leaves operational, 1 stays, 2 stops.
  const std::uint64_t behaviour = value_of(kErrorBehaviour, 1);
  if (behaviour == 0 && state_ == NmtState::kOperational) enter(NmtState::kPreOperational);
  if (behaviour == 2) enter(NmtState::kStopped);
}

AbortCode SlaveNode::check(const Entry& entry, std::uint64_t bits) const noexcept {
  switch (entry.index) {
    case kSyncIdObject:
      // No SYNC producer (bit 30), no 29-bit identifiers.
      return (bits & ~std::uint64_t{can::kMaxStandardId}) != 0 || bits == 0 ? AbortCode::kValue
                                                                            : AbortCode::kNone;
    case kConsumerHeartbeat:
      return check_consumer(entry, bits);
    case kSyncOverflow:
      if (value_of(kCyclePeriod, 0) != 0) return AbortCode::kDeviceState;
      return bits == 1 || bits > 240 ? AbortCode::kValue : AbortCode::kNone;
    case kErrorBehaviour:
      return bits > 2 ? AbortCode::kValue : AbortCode::kNone;
    default:
      return AbortCode::kNone;
  }
}

/// One node is watched by one entry (CiA 301, 7.5.2.14).
AbortCode SlaveNode::check_consumer(const Entry& entry, std::uint64_t bits) const noexcept {
  if (bits >> 24 != 0 || master_of(bits) > kMaxNode) return AbortCode::kValue;
  if (time_of(bits) == 0 || master_of(bits) == 0) return AbortCode::kNone;
  for (std::uint8_t sub = 1; sub <= kMaxMasters; ++sub) {
    const Entry* const other = objects_.find(kConsumerHeartbeat, sub);
    if (other == nullptr) break;
    if (sub == entry.sub || time_of(other->bits()) == 0) continue;
    if (master_of(other->bits()) == master_of(bits)) return AbortCode::kParameterIncompatible;
  }
  return AbortCode::kNone;
}

void SlaveNode::stored(const Entry& entry) noexcept {
  if (entry.index == kProducerHeartbeat) {
    heartbeat_.set_period(static_cast<std::uint16_t>(entry.bits()), now_);
  }
  if (entry.index == kConsumerHeartbeat) {
    // The watch begins anew: nobody is missing before having been heard.
    masters_.reset();
    for (std::uint8_t node = 1; node <= kMaxNode; ++node) {
      emergencies_.clear(emergency_code::kHeartbeatLost, node);
    }
    watch_masters();
  }
}

}  // namespace jointrig::canopen
