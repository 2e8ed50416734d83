#include "hw/canopen/pdo_record.h"

#include <fmt/core.h>

#include <string>

namespace jointrig::canopen {

namespace {

constexpr std::uint16_t kSentBase = 0x1800;
constexpr std::uint16_t kReceivedBase = 0x1400;
constexpr std::uint16_t kMappingOffset = 0x0200;

constexpr std::uint8_t kCobId = 1;
constexpr std::uint8_t kType = 2;
constexpr std::uint8_t kInhibit = 3;
constexpr std::uint8_t kEventTimer = 5;
constexpr std::uint8_t kSyncStart = 6;

std::uint16_t communication_index(PdoRecord::Direction direction, std::uint16_t number) noexcept {
  const std::uint16_t base = direction == PdoRecord::Direction::kSent ? kSentBase : kReceivedBase;
  return static_cast<std::uint16_t>(base + number);
}

/// Identifiers that NMT, SDO, heartbeat and LSS own (CiA 301, 7.3.5).
bool is_restricted(std::uint32_t id) noexcept {
  return id <= 0x07F || (id >= 0x101 && id <= 0x180) || (id >= 0x581 && id <= 0x5FF) ||
         (id >= 0x601 && id <= 0x67F) || id >= 0x6E0;
}

/// 0001h..0007h: room in an RPDO for nobody (CiA 301, 7.4.7.1). BOOLEAN is not a whole byte.
std::size_t dummy_bytes(std::uint16_t index) noexcept {
  return index >= 2 && index <= 7 ? size_of(static_cast<DataType>(index)) : 0;
}

}  // namespace

bool PdoRecord::exists(const ObjectDictionary& objects, Direction direction,
                       std::uint16_t number) noexcept {
  return objects.find(communication_index(direction, number), kCobId) != nullptr;
}

PdoRecord::PdoRecord(ObjectDictionary& objects, Direction direction, std::uint16_t number)
    : objects_(objects), direction_(direction), number_(number) {
  const std::uint16_t index = communication_index(direction, number);
  const auto mapping = static_cast<std::uint16_t>(index + kMappingOffset);
  cob_id_ = &needed(index, kCobId);
  transmission_ = &needed(index, kType);
  inhibit_ = objects.find(index, kInhibit);
  event_timer_ = objects.find(index, kEventTimer);
  sync_start_ = objects.find(index, kSyncStart);
  count_ = &needed(mapping, 0);
  for (std::uint8_t i = 0; i < kMaxMapped; ++i) {
    words_[i] = objects.find(mapping, static_cast<std::uint8_t>(i + 1));
  }
  own(index);
  own(mapping);
  reload();
}

Entry& PdoRecord::needed(std::uint16_t index, std::uint8_t sub) {
  Entry* const entry = objects_.find(index, sub);
  if (entry == nullptr) {
    throw std::invalid_argument(fmt::format(
        "PDO {}: object {}:{} is missing from the device's description", number_ + 1, index, sub));
  }
  return *entry;
}

void PdoRecord::own(std::uint16_t index) {
  for (std::uint8_t sub = 0; sub <= kMaxMapped; ++sub) {
    Entry* const entry = objects_.find(index, sub);
    if (entry != nullptr) objects_.own<&PdoRecord::check, &PdoRecord::stored>(*entry, *this);
  }
}

void PdoRecord::reload() noexcept {
  const auto cob_id = static_cast<std::uint32_t>(cob_id_->bits());
  enabled_ = (cob_id & kPdoInvalid) == 0;
  id_ = cob_id & can::kMaxStandardId;
  type_ = static_cast<std::uint8_t>(transmission_->bits());
  mapped_count_ = 0;
  bytes_ = 0;
  const auto count = std::min<std::size_t>(count_->bits(), kMaxMapped);
  for (std::size_t i = 0; i < count && words_[i] != nullptr; ++i) {
    Mapped mapped;
    const auto word = static_cast<std::uint32_t>(words_[i]->bits());
    if (resolve(word, mapped) != AbortCode::kNone || bytes_ + mapped.bytes > kPdoBytes) break;
    mapped_[mapped_count_++] = mapped;
    bytes_ += mapped.bytes;
  }
  ++version_;
}

std::int64_t PdoRecord::inhibit_time() const noexcept {
  return inhibit_ == nullptr ? 0 : static_cast<std::int64_t>(inhibit_->bits()) * 100'000;
}

std::int64_t PdoRecord::event_time() const noexcept {
  return event_timer_ == nullptr ? 0 : static_cast<std::int64_t>(event_timer_->bits()) * 1'000'000;
}

std::uint8_t PdoRecord::sync_start() const noexcept {
  return sync_start_ == nullptr ? std::uint8_t{0} : static_cast<std::uint8_t>(sync_start_->bits());
}

AbortCode PdoRecord::check(const Entry& entry, std::uint64_t bits) const noexcept {
  const bool is_communication = entry.index == cob_id_->index;
  return is_communication ? check_communication(entry.sub, bits) : check_mapping(entry.sub, bits);
}

void PdoRecord::stored(const Entry& /*entry*/) noexcept { reload(); }

AbortCode PdoRecord::check_communication(std::uint8_t sub, std::uint64_t bits) const noexcept {
  constexpr std::uint64_t kFirstEventType = kEventOfMaker;
  switch (sub) {
    case kCobId:
      return check_id(bits);
    case kType:
      return bits > kLastSyncType && bits < kFirstEventType ? AbortCode::kValue : AbortCode::kNone;
    case kSyncStart:
      if (bits > kLastSyncType) return AbortCode::kValueTooHigh;
      return enabled_ ? AbortCode::kValue : AbortCode::kNone;
    case kInhibit:
      return enabled_ ? AbortCode::kValue : AbortCode::kNone;
    default:
      return AbortCode::kNone;
  }
}

AbortCode PdoRecord::check_id(std::uint64_t bits) const noexcept {
  constexpr std::uint64_t kExtended = 0x2000'0000;
  constexpr std::uint64_t kBeyondStandard = 0x1FFF'F800;
  if ((bits & (kExtended | kBeyondStandard)) != 0) return AbortCode::kValue;
  if ((bits & kPdoInvalid) != 0) return AbortCode::kNone;
  const auto id = static_cast<std::uint32_t>(bits & can::kMaxStandardId);
  if (is_restricted(id)) return AbortCode::kValue;
  return enabled_ && id != id_ ? AbortCode::kValue : AbortCode::kNone;
}

AbortCode PdoRecord::check_mapping(std::uint8_t sub, std::uint64_t bits) const noexcept {
  if (enabled_) return AbortCode::kValue;
  if (sub == 0) return check_count(bits);
  if (count_->bits() != 0) return AbortCode::kValue;
  if (bits == 0) return AbortCode::kNone;  // an entry emptied
  Mapped mapped;
  return resolve(static_cast<std::uint32_t>(bits), mapped);
}

AbortCode PdoRecord::check_count(std::uint64_t count) const noexcept {
  if (count > kMaxMapped) return AbortCode::kMappingTooLong;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (words_[i] == nullptr) return AbortCode::kMappingTooLong;
    Mapped mapped;
    const AbortCode verdict = resolve(static_cast<std::uint32_t>(words_[i]->bits()), mapped);
    if (verdict != AbortCode::kNone) return verdict;
    bytes += mapped.bytes;
  }
  return bytes > kPdoBytes ? AbortCode::kMappingTooLong : AbortCode::kNone;
}

/// Meaning of a mapping entry (index << 16 | sub << 8 | bits).
AbortCode PdoRecord::resolve(std::uint32_t word, Mapped& mapped) const noexcept {
  const auto index = static_cast<std::uint16_t>(word >> 16);
  const auto sub = static_cast<std::uint8_t>(word >> 8);
  const std::size_t bits = word & 0xFF;
  if (const std::size_t dummy = dummy_bytes(index); dummy != 0) {
    if (direction_ == Direction::kSent || bits != 8 * dummy) return AbortCode::kNotMappable;
    mapped = {nullptr, dummy};
    return AbortCode::kNone;
  }
  Entry* const entry = objects_.find(index, sub);
  if (entry == nullptr) return objects_.why_absent(index);
  const bool fits =
      direction_ == Direction::kSent ? entry->may_be_sent() : entry->may_be_received();
  if (!fits || size_of(entry->type) == 0 || bits != 8 * size_of(entry->type)) {
    return AbortCode::kNotMappable;
  }
  mapped = {entry, entry->storage.size()};
  return AbortCode::kNone;
}

}  // namespace jointrig::canopen
