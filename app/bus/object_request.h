#pragma once
/// A person's request on a node's objects: "6064", "1018:1", "position actual value" to read;
/// "605A=6", "target position=-100" to write. Names and types come from an EDS. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/canopen/eds_reader.h"

namespace jointrig::app {

struct ObjectRequest {
  canopen::EntryAddress object;
  const canopen::EntryDescription* entry = nullptr;  ///< nullptr: the EDS has no such object
  std::optional<std::vector<std::uint8_t>> value;    ///< value to write
};

struct ObjectWords {
  canopen::DeviceDescription device;
  /// `device` describes this very drive: a request that it doesn't allow is refused before it is
  /// sent.
  bool is_the_drives = false;
  /// Type of objects that the EDS lacks.
  std::optional<canopen::DataType> type;
};

/// Throws std::invalid_argument with a sentence: an unknown name with the nearest one, an invalid
/// value, beyond the limits, an object that can't be read or written.
[[nodiscard]] ObjectRequest parse_request(const ObjectWords& words, std::string_view text);

/// "u16", "i32", "text", "f32", "bytes", "unsigned16"... Throws std::invalid_argument.
[[nodiscard]] canopen::DataType parse_type(const std::string& word);

/// All readable objects, by rising index.
[[nodiscard]] std::vector<ObjectRequest> all_requests(const canopen::DeviceDescription& device);

}  // namespace jointrig::app
