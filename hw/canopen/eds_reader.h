#pragma once
/// Reads the electronic data sheets of other people's drives (CiA 306-1: EDS, and DCF as far as it
/// is the same).

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "hw/canopen/device_description.h"

namespace jointrig::canopen {

/// "drive.eds:217: ..."
class EdsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct EdsFile {
  DeviceDescription device;
  /// Parts left out, each with its place: entries whose type is none of ours, defaults that are
  /// no value of their type.
  std::vector<std::string> notes;
};

/// @param text       the file's text
/// @param file_name  for messages
/// @throws EdsError with file and line for what can't be read: no such section, no such key, a
///         value that is none
[[nodiscard]] EdsFile read_eds(std::string_view text, const std::string& file_name);

struct EntryAddress {
  std::uint16_t index = 0;
  std::uint8_t sub = 0;
  friend bool operator==(const EntryAddress&, const EntryAddress&) = default;
};

/// Finds the entry that a person names: "6064", "6064:0", "1018:1" (hex index, decimal or 0x
/// sub-index), "Position actual value", "Identity object/Vendor-ID". Case does not matter.
[[nodiscard]] std::optional<EntryAddress> find_entry(const DeviceDescription& device,
                                                     std::string_view name);

}  // namespace jointrig::canopen
