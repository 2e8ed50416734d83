#pragma once
/// The objects of a device. One source for its dictionary, its EDS file and the tests of both.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/canopen/data_type.h"

namespace jointrig::canopen {

/// As EDS files name it. `rwr` and `rww` are read and written alike by SDO; they differ in the PDO
/// they may be mapped to: rwr to what the device sends, rww to what it receives.
enum class Access : std::uint8_t {
  kReadOnly,
  kWriteOnly,
  kReadWrite,
  kReadWriteInput,   ///< rwr
  kReadWriteOutput,  ///< rww
  kConstant,
};

[[nodiscard]] constexpr bool is_readable(Access access) noexcept {
  return access != Access::kWriteOnly;
}
[[nodiscard]] constexpr bool is_writable(Access access) noexcept {
  return access != Access::kReadOnly && access != Access::kConstant;
}
/// "ro", "wo", "rw", "rwr", "rww", "const".
[[nodiscard]] std::string_view to_string(Access access) noexcept;

enum class ObjectCode : std::uint8_t { kDomain = 2, kVariable = 7, kArray = 8, kRecord = 9 };

struct Limits {
  std::int64_t low = 0;
  std::int64_t high = 0;
  friend bool operator==(const Limits&, const Limits&) = default;
};

/// One value that can be read or written: an index with a sub-index.
struct EntryDescription {
  std::uint8_t sub = 0;
  std::string name;
  DataType type = DataType::kUnsigned32;
  Access access = Access::kReadWrite;
  std::int64_t initial = 0;      ///< integers; of an UNSIGNED64 its bits
  bool plus_node_id = false;     ///< the initial value is `initial` + node id
  double initial_real = 0;       ///< REAL32, REAL64
  std::string initial_text;      ///< strings, octet strings
  std::optional<Limits> limits;  ///< of integers, both ends allowed
  bool mappable = false;         ///< to a PDO; `access` says which
  bool is_event = false;       ///< a change of it is the event of event-driven TPDOs that carry it
  std::uint16_t capacity = 0;  ///< longest string that may be written; 0: the initial one's length

  // For tables that read as a list. Each returns the entry changed.
  [[nodiscard]] EntryDescription at(std::uint8_t new_sub) &&;
  [[nodiscard]] EntryDescription within(std::int64_t low, std::int64_t high) &&;
  [[nodiscard]] EntryDescription mapped() &&;
  [[nodiscard]] EntryDescription event() &&;
  [[nodiscard]] EntryDescription plus_node() &&;

  friend bool operator==(const EntryDescription&, const EntryDescription&) = default;
};

struct ObjectDescription {
  std::uint16_t index = 0;
  std::string name;
  ObjectCode code = ObjectCode::kVariable;
  std::vector<EntryDescription> entries;  ///< by rising sub-index
  friend bool operator==(const ObjectDescription&, const ObjectDescription&) = default;
};

struct DeviceDescription {
  std::string vendor_name;
  std::uint32_t vendor = 0;
  std::string product_name;
  std::uint32_t product = 0;
  std::uint32_t revision = 0;
  std::vector<ObjectDescription> objects;  ///< by rising index
  friend bool operator==(const DeviceDescription&, const DeviceDescription&) = default;
};

[[nodiscard]] EntryDescription entry(std::string name, DataType type, Access access,
                                     std::int64_t initial = 0);
[[nodiscard]] EntryDescription text_entry(std::string name, Access access, std::string initial,
                                          std::uint16_t capacity = 0);

/// An object of one value; its name is the entry's.
[[nodiscard]] ObjectDescription variable(std::uint16_t index, EntryDescription value);
/// An object of several: sub-index 0 is put before them and says the highest one. Entries that
/// name no sub-index (0) follow the one before.
[[nodiscard]] ObjectDescription array(std::uint16_t index, std::string name,
                                      std::vector<EntryDescription> entries);
[[nodiscard]] ObjectDescription record(std::uint16_t index, std::string name,
                                       std::vector<EntryDescription> entries);

}  // namespace jointrig::canopen
