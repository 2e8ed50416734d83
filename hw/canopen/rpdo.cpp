#include "hw/canopen/rpdo.h"

#include <algorithm>

namespace jointrig::canopen {

namespace {
std::uint8_t detail_of(const PdoRecord& record) noexcept {
  return static_cast<std::uint8_t>(record.number() + 1);
}
}  // namespace

RpdoEngine::RpdoEngine(ObjectDictionary& objects, EmergencyProducer& emergencies)
    : objects_(objects), emergencies_(emergencies), window_(objects.find(0x1007, 0)) {
  constexpr std::uint16_t kMost = 512;
  for (std::uint16_t number = 0; number < kMost; ++number) {
    if (PdoRecord::exists(objects, PdoRecord::Direction::kReceived, number)) {
      rpdos_.emplace_back(objects, number);
    }
  }
}

void RpdoEngine::start() noexcept {
  synced_ = false;
  for (Rpdo& rpdo : rpdos_) {
    rpdo.pending_order = 0;
    rpdo.watched = false;
  }
}

void RpdoEngine::reload() noexcept {
  start();
  for (Rpdo& rpdo : rpdos_) rpdo.record.reload();
}

bool RpdoEngine::listens_to(std::uint32_t id) const noexcept {
  return std::ranges::any_of(
      rpdos_, [id](const Rpdo& rpdo) { return rpdo.record.runs() && rpdo.record.id() == id; });
}

bool RpdoEngine::receive(const can::Frame& frame, std::int64_t now) noexcept {
  bool wrote = false;
  for (Rpdo& rpdo : rpdos_) {
    if (!rpdo.record.runs() || rpdo.record.id() != frame.id) continue;
    if (!judge_length(rpdo, frame)) continue;
    if (rpdo.record.is_synchronous() && outside_window(now)) {
      ++counters_.outside_window;
      continue;
    }
    take(rpdo, frame, now);
    wrote = wrote || !rpdo.record.is_synchronous();
  }
  return wrote;
}

bool RpdoEngine::judge_length(Rpdo& rpdo, const can::Frame& frame) noexcept {
  const std::uint8_t detail = detail_of(rpdo.record);
  const std::size_t wanted = rpdo.record.bytes();
  if (frame.size < wanted) {
    ++counters_.too_short;
    emergencies_.raise(emergency_code::kPdoTooShort, detail);
    return false;
  }
  emergencies_.clear(emergency_code::kPdoTooShort, detail);
  if (frame.size > wanted) {
    ++counters_.too_long;
    emergencies_.raise(emergency_code::kPdoTooLong, detail);
  } else {
    emergencies_.clear(emergency_code::kPdoTooLong, detail);
  }
  return true;
}

bool RpdoEngine::outside_window(std::int64_t now) const noexcept {
  if (window_ == nullptr || !synced_) return false;
  const auto window = static_cast<std::int64_t>(window_->bits()) * 1000;
  return window != 0 && now - last_sync_ > window;
}

void RpdoEngine::take(Rpdo& rpdo, const can::Frame& frame, std::int64_t now) noexcept {
  rpdo.heard = now;
  rpdo.watched = true;
  emergencies_.clear(emergency_code::kPdoTimeOut, detail_of(rpdo.record));
  std::copy_n(frame.data.begin(), rpdo.record.bytes(), rpdo.pending.begin());
  if (!rpdo.record.is_synchronous()) return apply(rpdo);
  if (rpdo.pending_order != 0) ++counters_.replaced;
  rpdo.pending_order = ++order_;
}

bool RpdoEngine::on_sync(std::int64_t now) noexcept {
  last_sync_ = now;
  synced_ = true;
  bool wrote = false;
  while (true) {
    Rpdo* oldest = nullptr;
    for (Rpdo& rpdo : rpdos_) {
      if (rpdo.pending_order == 0) continue;
      if (oldest == nullptr || rpdo.pending_order < oldest->pending_order) oldest = &rpdo;
    }
    if (oldest == nullptr) return wrote;
    oldest->pending_order = 0;
    apply(*oldest);
    wrote = true;
  }
}

void RpdoEngine::apply(const Rpdo& rpdo) noexcept {
  ++counters_.used;
  std::size_t at = 0;
  for (const Mapped& mapped : rpdo.record.mapped()) {
    const auto bytes = std::span<const std::uint8_t>(rpdo.pending).subspan(at, mapped.bytes);
    at += mapped.bytes;
    if (mapped.entry == nullptr) continue;
    if (objects_.write(*mapped.entry, bytes) != AbortCode::kNone) ++counters_.refused;
  }
}

bool RpdoEngine::poll(std::int64_t now) noexcept {
  bool passed = false;
  for (Rpdo& rpdo : rpdos_) {
    const std::int64_t deadline = rpdo.record.event_time();
    if (!rpdo.watched || deadline == 0 || !rpdo.record.runs()) continue;
    if (now - rpdo.heard <= deadline) continue;
    rpdo.watched = false;
    ++counters_.timed_out;
    emergencies_.raise(emergency_code::kPdoTimeOut, detail_of(rpdo.record));
    passed = true;
  }
  return passed;
}

}  // namespace jointrig::canopen
