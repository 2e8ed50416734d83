#pragma once
/// The objects of CiA 301 that every device of the project has, and the parts of its PDO records.
/// For descriptions alone (joint_board_objects.h, sensor_objects.h).

#include <cstdint>
#include <string>
#include <vector>

#include "hw/canopen/device_description.h"

namespace jointrig::canopen {

// Access rights, for tables that read as a list.
inline constexpr auto kRo = Access::kReadOnly;
inline constexpr auto kRw = Access::kReadWrite;
inline constexpr auto kRww = Access::kReadWriteOutput;
inline constexpr auto kConst = Access::kConstant;

struct StandardObjects {
  std::uint32_t device_type = 0;  ///< 1000h
  std::string name;               ///< 1008h
  std::uint32_t vendor = 0;       ///< 1018h:1 to :4
  std::uint32_t product = 0;
  std::uint32_t revision = 0;
  std::uint32_t serial = 0;
};

/// 1000h to 1200h.
void add_standard_objects(const StandardObjects& device, std::vector<ObjectDescription>& objects);

/// A mapping entry: index << 16 | sub-index << 8 | bits.
[[nodiscard]] constexpr std::int64_t mapping_word(std::uint16_t index, std::uint8_t sub,
                                                  std::uint8_t bits) noexcept {
  return std::int64_t{index} << 16 | std::int64_t{sub} << 8 | bits;
}

/// 16xxh, 1Axxh: eight entries, the first of them taken by `words`.
[[nodiscard]] ObjectDescription pdo_mapping(std::uint16_t index, const std::string& name,
                                            const std::vector<std::int64_t>& words);

/// The COB-ID of a PDO; one that is off exists all the same (bit 31).
[[nodiscard]] EntryDescription pdo_cob_id(std::int64_t base, bool on);

/// 18xxh of the TPDO with this number, from 0.
/// @param event_timer  [ms]; 0: none
[[nodiscard]] ObjectDescription tpdo_communication(std::uint16_t number, bool on, std::uint8_t type,
                                                   std::int64_t event_timer = 0);

}  // namespace jointrig::canopen
