#include "hw/canopen/tpdo.h"

#include <algorithm>

namespace jointrig::canopen {

TpdoEngine::TpdoEngine(ObjectDictionary& objects) {
  constexpr std::uint16_t kMost = 512;
  for (std::uint16_t number = 0; number < kMost; ++number) {
    if (PdoRecord::exists(objects, PdoRecord::Direction::kSent, number)) {
      tpdos_.emplace_back(objects, number);
    }
  }
}

void TpdoEngine::start() noexcept {
  running_ = true;
  for (Tpdo& tpdo : tpdos_) set_up(tpdo);
}

void TpdoEngine::reload() noexcept {
  for (Tpdo& tpdo : tpdos_) tpdo.record.reload();
}

void TpdoEngine::set_up(Tpdo& tpdo) noexcept {
  tpdo.version = tpdo.record.version();
  tpdo.syncs = 0;
  tpdo.waits_for_start = tpdo.record.sync_start() != 0;
  tpdo.was_sent = false;
}

std::uint32_t TpdoEngine::events_of(const Tpdo& tpdo) noexcept {
  std::uint32_t sum = 0;
  for (const Mapped& mapped : tpdo.record.mapped()) {
    if (mapped.entry->is_event) sum += mapped.entry->changes;
    sum += mapped.entry->told;
  }
  return sum;
}

bool TpdoEngine::has_event(const Tpdo& tpdo) noexcept {
  return !tpdo.was_sent || events_of(tpdo) != tpdo.events_sent;
}

bool TpdoEngine::due_on_sync(Tpdo& tpdo, std::optional<std::uint8_t> counter) noexcept {
  const std::uint8_t type = tpdo.record.type();
  if (type == kAcyclicOnSync) return has_event(tpdo);
  if (tpdo.waits_for_start) {
    // Without a counter there is nothing to wait for.
    if (counter && *counter != tpdo.record.sync_start()) return false;
    tpdo.waits_for_start = false;
  }
  return ++tpdo.syncs >= type;
}

void TpdoEngine::on_sync(std::optional<std::uint8_t> counter, std::int64_t now,
                         FrameQueue& out) noexcept {
  if (!running_) return;
  for (Tpdo& tpdo : tpdos_) {
    if (!tpdo.record.runs() || !tpdo.record.is_synchronous()) continue;
    if (tpdo.version != tpdo.record.version()) set_up(tpdo);
    if (due_on_sync(tpdo, counter)) send(tpdo, now, out);
  }
}

void TpdoEngine::poll(std::int64_t now, FrameQueue& out) noexcept {
  if (!running_) return;
  for (Tpdo& tpdo : tpdos_) {
    if (!tpdo.record.runs() || tpdo.record.is_synchronous()) continue;
    if (tpdo.version != tpdo.record.version()) set_up(tpdo);
    if (tpdo.was_sent && now - tpdo.sent < tpdo.record.inhibit_time()) continue;
    const std::int64_t timer = tpdo.record.event_time();
    const bool timed = timer != 0 && tpdo.was_sent && now - tpdo.sent >= timer;
    if (timed || has_event(tpdo)) send(tpdo, now, out);
  }
}

void TpdoEngine::send(Tpdo& tpdo, std::int64_t now, FrameQueue& out) noexcept {
  std::array<std::uint8_t, kPdoBytes> bytes{};
  std::size_t at = 0;
  for (const Mapped& mapped : tpdo.record.mapped()) {
    std::ranges::copy(mapped.entry->bytes(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    at += mapped.bytes;
  }
  out.push(can::data_frame(tpdo.record.id(), std::span(bytes).first(at)));
  tpdo.syncs = 0;
  tpdo.was_sent = true;
  tpdo.sent = now;
  tpdo.events_sent = events_of(tpdo);
}

}  // namespace jointrig::canopen
