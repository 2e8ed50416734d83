#include "hw/canopen/object_dictionary.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <string>

namespace jointrig::canopen {

namespace {

constexpr char kHexDigits[] = "0123456789ABCDEF";

std::string name_of(std::uint16_t index, std::uint8_t sub) {
  std::string text;
  for (int shift = 12; shift >= 0; shift -= 4) text += kHexDigits[index >> shift & 0xF];
  return fmt::format("{}h:{}", text, sub);
}

std::uint32_t key_of(std::uint16_t index, std::uint8_t sub) noexcept {
  return std::uint32_t{index} << 8 | sub;
}
std::uint32_t key_of(const Entry& entry) noexcept { return key_of(entry.index, entry.sub); }

std::size_t capacity_of(const EntryDescription& entry) {
  const std::size_t fixed = size_of(entry.type);
  if (fixed != 0) return fixed;
  return std::max<std::size_t>(entry.capacity, entry.initial_text.size());
}

bool holds(DataType type, std::int64_t value) {
  const std::size_t size = size_of(type);
  if (size == 8) return true;
  if (type == DataType::kBoolean) return value == 0 || value == 1;
  return as_integer(type, static_cast<std::uint64_t>(value)) == value;
}

/// The bytes an entry starts with.
std::vector<std::uint8_t> initial_bytes(const EntryDescription& entry, std::uint8_t node,
                                        const std::string& where) {
  const std::size_t size = size_of(entry.type);
  if (size == 0) return {entry.initial_text.begin(), entry.initial_text.end()};
  std::vector<std::uint8_t> bytes(size);
  if (entry.type == DataType::kReal32) {
    store_little_endian(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(entry.initial_real)),
                        size);
  } else if (entry.type == DataType::kReal64) {
    store_little_endian(bytes, std::bit_cast<std::uint64_t>(entry.initial_real), size);
  } else {
    const std::int64_t value = entry.initial + (entry.plus_node_id ? node : 0);
    if (!holds(entry.type, value)) {
      throw std::invalid_argument(fmt::format("{}: the initial value {} does not fit {}", where,
                                              value, to_string(entry.type)));
    }
    if (entry.limits && (value < entry.limits->low || value > entry.limits->high)) {
      throw std::invalid_argument(
          fmt::format("{}: the initial value {} is outside its limits {}..{}", where, value,
                      entry.limits->low, entry.limits->high));
    }
    store_little_endian(bytes, static_cast<std::uint64_t>(value), size);
  }
  return bytes;
}

Entry made_of(const ObjectDescription& object, const EntryDescription& described) {
  Entry entry;
  entry.index = object.index;
  entry.sub = described.sub;
  entry.type = described.type;
  entry.access = described.access;
  entry.mappable = described.mappable;
  entry.is_event = described.is_event;
  entry.has_limits = described.limits.has_value() && is_integer(described.type);
  entry.limits = described.limits.value_or(Limits{});
  return entry;
}

void put_initial(Entry& entry) noexcept {
  if (std::ranges::equal(entry.bytes(), entry.initial)) return;
  std::ranges::copy(entry.initial, entry.storage.begin());
  entry.size = entry.initial.size();
  ++entry.changes;
}

AbortCode within_limits(const Entry& entry, std::span<const std::uint8_t> value) noexcept {
  if (!entry.has_limits) return AbortCode::kNone;
  const std::int64_t number =
      as_integer(entry.type, load_little_endian(value, entry.storage.size()));
  if (number < entry.limits.low) return AbortCode::kValueTooLow;
  if (number > entry.limits.high) return AbortCode::kValueTooHigh;
  return AbortCode::kNone;
}

}  // namespace

ObjectDictionary::ObjectDictionary(const DeviceDescription& description, std::uint8_t node)
    : node_(node) {
  if (node < 1 || node > 127) {
    throw std::invalid_argument(fmt::format("node id {} is outside 1..127", node));
  }
  std::size_t bytes = 0;
  for (const ObjectDescription& object : description.objects) {
    for (const EntryDescription& each : object.entries) {
      entries_.push_back(made_of(object, each));
      if (entries_.size() > 1 && key_of(entries_.back()) <= key_of(entries_[entries_.size() - 2])) {
        throw std::invalid_argument(name_of(object.index, each.sub) +
                                    ": objects are described by rising index and sub-index, once");
      }
      bytes += capacity_of(each);
      longest_ = std::max(longest_, capacity_of(each));
    }
  }
  values_.resize(bytes);
  initial_.resize(bytes);

  std::size_t at = 0;
  std::size_t number = 0;
  for (const ObjectDescription& object : description.objects) {
    for (const EntryDescription& each : object.entries) {
      Entry& made = entries_[number++];
      const auto start = initial_bytes(each, node, name_of(object.index, each.sub));
      std::copy(start.begin(), start.end(), initial_.begin() + static_cast<std::ptrdiff_t>(at));
      made.storage = std::span(values_).subspan(at, capacity_of(each));
      made.initial = std::span<const std::uint8_t>(initial_).subspan(at, start.size());
      at += capacity_of(each);
    }
  }
  for (Entry& each : entries_) put_initial(each);
  number_entries();
}

void ObjectDictionary::number_entries() {
  constexpr std::size_t kMost = 0xFFFF;
  if (entries_.size() > kMost) {
    throw std::invalid_argument(fmt::format("{} values, at most {}", entries_.size(), kMost));
  }
  slots_.assign(std::bit_ceil(4 * entries_.size() + 1), 0);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = slot_of(key_of(entries_[i]));
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint16_t>(i + 1);
  }
}

/// Fibonacci hashing: upper bits of the product with 2^32 / φ. Keys that follow each other, as
/// those of one object do, come to lie far apart.
std::size_t ObjectDictionary::slot_of(std::uint32_t key) const noexcept {
  constexpr std::uint32_t kGolden = 0x9E37'79B9;
  constexpr int kLowerBits = 12;  // leaves 20; the largest table takes 18
  return std::size_t{key * kGolden >> kLowerBits} & (slots_.size() - 1);
}

Entry* ObjectDictionary::find(std::uint16_t index, std::uint8_t sub) noexcept {
  const std::uint32_t key = key_of(index, sub);
  for (std::size_t slot = slot_of(key); slots_[slot] != 0;
       slot = (slot + 1) & (slots_.size() - 1)) {
    Entry& entry = entries_[slots_[slot] - 1U];
    if (key_of(entry) == key) return &entry;
  }
  return nullptr;
}

const Entry* ObjectDictionary::find(std::uint16_t index, std::uint8_t sub) const noexcept {
  return const_cast<ObjectDictionary*>(this)->find(index, sub);
}

AbortCode ObjectDictionary::why_absent(std::uint16_t index) const noexcept {
  const bool has_object =
      std::ranges::any_of(entries_, [index](const Entry& entry) { return entry.index == index; });
  return has_object ? AbortCode::kNoSubIndex : AbortCode::kNoObject;
}

AbortCode ObjectDictionary::may_read(const Entry& entry) noexcept {
  if (!is_readable(entry.access)) return AbortCode::kWriteOnly;
  return entry.size == 0 ? AbortCode::kNoData : AbortCode::kNone;
}

AbortCode ObjectDictionary::may_write(const Entry& entry, std::size_t size) noexcept {
  if (!is_writable(entry.access)) return AbortCode::kReadOnly;
  if (size > entry.storage.size()) return AbortCode::kTooLong;
  if (size_of(entry.type) != 0 && size < entry.storage.size()) return AbortCode::kTooShort;
  return AbortCode::kNone;
}

AbortCode ObjectDictionary::write(Entry& entry, std::span<const std::uint8_t> value) noexcept {
  AbortCode verdict = may_write(entry, value.size());
  if (verdict != AbortCode::kNone) return verdict;
  verdict = within_limits(entry, value);
  if (verdict != AbortCode::kNone) return verdict;
  if (entry.hooks.check != nullptr) {
    const std::uint64_t bits =
        size_of(entry.type) == 0 ? 0 : load_little_endian(value, value.size());
    verdict = entry.hooks.check(entry.hooks.owner, entry, bits);
    if (verdict != AbortCode::kNone) return verdict;
  }
  if (!std::ranges::equal(value, entry.bytes())) {
    std::ranges::copy(value, entry.storage.begin());
    entry.size = value.size();
    ++entry.changes;
  }
  if (entry.hooks.stored != nullptr) entry.hooks.stored(entry.hooks.owner, entry);
  return AbortCode::kNone;
}

void ObjectDictionary::restore(std::uint16_t first, std::uint16_t last) noexcept {
  for (Entry& entry : entries_) {
    if (entry.index < first || entry.index > last || !is_writable(entry.access)) continue;
    put_initial(entry);
  }
}

Entry& ObjectDictionary::entry_of_size(std::uint16_t index, std::uint8_t sub, std::size_t size) {
  Entry* const found = find(index, sub);
  if (found == nullptr) {
    throw std::invalid_argument(name_of(index, sub) + ": the device has no such object");
  }
  if (size_of(found->type) != size) {
    throw std::invalid_argument(fmt::format("{} is {}, not {} bytes long", name_of(index, sub),
                                            to_string(found->type), size));
  }
  return *found;
}

void ObjectDictionary::set_hooks(Entry& entry, const WriteHooks& hooks) {
  if (entry.hooks.owner != nullptr) {
    throw std::invalid_argument(name_of(entry.index, entry.sub) + " has an owner already");
  }
  entry.hooks = hooks;
}

}  // namespace jointrig::canopen
