#pragma once
/// The objects of one device with their values.
///
/// Built from a DeviceDescription, which may throw and allocate. After that nothing does: values
/// lie in one block of bytes, found by a hash of index and sub-index or through an Object<T> taken
/// at the start.
/// All calls from one thread (the bus's).

#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "hw/canopen/abort_code.h"
#include "hw/canopen/bytes.h"
#include "hw/canopen/device_description.h"

namespace jointrig::canopen {

struct Entry;

/// The verdict of an object's owner on a value written from the bus (SDO or PDO).
struct WriteHooks {
  void* owner = nullptr;
  /// Before it is stored, access, length and limits being right. `bits` are the value's bytes, the
  /// higher ones zero (0 for strings). Anything but kNone refuses it.
  AbortCode (*check)(void* owner, const Entry& entry, std::uint64_t bits) noexcept = nullptr;
  void (*stored)(void* owner, const Entry& entry) noexcept = nullptr;
};

/// One value and what may be done with it.
struct Entry {
  std::uint16_t index = 0;
  std::uint8_t sub = 0;
  DataType type = DataType::kUnsigned32;
  Access access = Access::kReadWrite;
  bool mappable = false;
  bool is_event = false;
  bool has_limits = false;
  Limits limits;
  std::uint32_t changes = 0;  ///< how often another value was stored, by whomever
  std::uint32_t told = 0;     ///< how often the device called its value worth telling
  std::span<std::uint8_t> storage;
  std::span<const std::uint8_t> initial;
  std::size_t size = 0;  ///< bytes of storage in use; differs from the storage's of strings only
  WriteHooks hooks;

  [[nodiscard]] std::span<const std::uint8_t> bytes() const noexcept { return storage.first(size); }
  [[nodiscard]] std::uint64_t bits() const noexcept { return load_little_endian(storage, size); }
  [[nodiscard]] std::int64_t integer() const noexcept { return as_integer(type, bits()); }

  /// May it be carried by a TPDO (sent by the device), by an RPDO (received)?
  [[nodiscard]] bool may_be_sent() const noexcept {
    return mappable && is_readable(access) && access != Access::kReadWriteOutput;
  }
  [[nodiscard]] bool may_be_received() const noexcept {
    return mappable && is_writable(access) && access != Access::kReadWriteInput;
  }
};

/// A value as the device itself sees it: no access rights, no limits, no hooks.
template <class T>
class Object {
 public:
  Object() = default;
  explicit Object(Entry& entry) noexcept : entry_(&entry) {}

  [[nodiscard]] T get() const noexcept {
    const std::uint64_t bits = entry_->bits();
    if constexpr (std::is_same_v<T, float>) {
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    } else if constexpr (std::is_same_v<T, double>) {
      return std::bit_cast<double>(bits);
    } else {
      return static_cast<T>(bits);
    }
  }

  void set(T value) const noexcept {
    std::uint64_t bits = 0;
    if constexpr (std::is_same_v<T, float>) {
      bits = std::bit_cast<std::uint32_t>(value);
    } else if constexpr (std::is_same_v<T, double>) {
      bits = std::bit_cast<std::uint64_t>(value);
    } else {
      bits = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(value));
    }
    if (bits == entry_->bits()) return;
    store_little_endian(entry_->storage, bits, entry_->size);
    ++entry_->changes;
  }

  /// An event by the device's own judgement, whether or not the value is another one.
  void tell() const noexcept { ++entry_->told; }

  [[nodiscard]] Entry& entry() const noexcept { return *entry_; }

 private:
  Entry* entry_ = nullptr;
};

class ObjectDictionary {
 public:
  /// @throws std::invalid_argument for a node id outside 1..127, objects out of order or twice, an
  ///         initial value that its type or limits do not hold
  ObjectDictionary(const DeviceDescription& description, std::uint8_t node);

  ObjectDictionary(const ObjectDictionary&) = delete;
  ObjectDictionary& operator=(const ObjectDictionary&) = delete;

  [[nodiscard]] std::uint8_t node() const noexcept { return node_; }

  /// nullptr if there is none.
  [[nodiscard]] Entry* find(std::uint16_t index, std::uint8_t sub) noexcept;
  [[nodiscard]] const Entry* find(std::uint16_t index, std::uint8_t sub) const noexcept;
  /// The answer of an SDO where find() gives nothing: no object, or no such sub-index of it.
  [[nodiscard]] AbortCode why_absent(std::uint16_t index) const noexcept;

  /// The answer to a read from the bus; kNone: entry.bytes() may be sent.
  [[nodiscard]] static AbortCode may_read(const Entry& entry) noexcept;
  /// Whether this many bytes may be written from the bus at all (access, then length).
  [[nodiscard]] static AbortCode may_write(const Entry& entry, std::size_t size) noexcept;
  /// A write from the bus: access, length, limits, the owner's check, then it is stored.
  [[nodiscard]] AbortCode write(Entry& entry, std::span<const std::uint8_t> value) noexcept;

  /// Initial values again for what can be written from `first` to `last`; what the device measures
  /// stays. No hook is called.
  void restore(std::uint16_t first, std::uint16_t last) noexcept;

  /// The device's own handle on a value.
  /// @throws std::invalid_argument if there is no such entry or T is not as long as its type
  template <class T>
  [[nodiscard]] Object<T> object(std::uint16_t index, std::uint8_t sub = 0) {
    return Object<T>(entry_of_size(index, sub, sizeof(T)));
  }

  /// Calls owner.*check(entry, bits) and owner.*stored(entry) for every write from the bus.
  /// @throws std::invalid_argument if the entry has an owner already
  template <auto Check, auto Stored, class Owner>
  void own(Entry& entry, Owner& owner) {
    WriteHooks hooks;
    hooks.owner = &owner;
    if constexpr (!std::is_same_v<decltype(Check), std::nullptr_t>) {
      hooks.check = [](void* self, const Entry& e, std::uint64_t bits) noexcept {
        return (static_cast<Owner*>(self)->*Check)(e, bits);
      };
    }
    if constexpr (!std::is_same_v<decltype(Stored), std::nullptr_t>) {
      hooks.stored = [](void* self, const Entry& e) noexcept {
        (static_cast<Owner*>(self)->*Stored)(e);
      };
    }
    set_hooks(entry, hooks);
  }

  [[nodiscard]] std::span<const Entry> entries() const noexcept { return entries_; }
  /// Bytes of the longest value: what a buffer for any of them needs.
  [[nodiscard]] std::size_t longest() const noexcept { return longest_; }

 private:
  [[nodiscard]] Entry& entry_of_size(std::uint16_t index, std::uint8_t sub, std::size_t size);
  static void set_hooks(Entry& entry, const WriteHooks& hooks);
  void number_entries();
  [[nodiscard]] std::size_t slot_of(std::uint32_t key) const noexcept;

  std::uint8_t node_;
  std::vector<Entry> entries_;  // by rising index and sub-index
  /// Numbers of entries, from 1 on, at the hash of their index and sub-index or in the next free
  /// slot behind it; 0: free. A power of two, at most a quarter of it in use.
  std::vector<std::uint16_t> slots_;
  std::vector<std::uint8_t> values_;
  std::vector<std::uint8_t> initial_;
  std::size_t longest_ = 8;
};

}  // namespace jointrig::canopen
