#pragma once
/// Objects and SDO frames in words. Pure.

#include <cstdint>
#include <span>
#include <string>

#include "hw/can/frame.h"
#include "hw/canopen/device_description.h"
#include "hw/canopen/eds_reader.h"

namespace jointrig::app {

/// nullptr if the description has no such entry.
[[nodiscard]] const canopen::EntryDescription* entry_at(const canopen::DeviceDescription& objects,
                                                        canopen::EntryAddress address) noexcept;

/// "6064h:0"
[[nodiscard]] std::string in_digits(canopen::EntryAddress address);
/// "6064h:0 position actual value"; the digits alone if the name is unknown.
[[nodiscard]] std::string object_in_words(const canopen::DeviceDescription& objects,
                                          canopen::EntryAddress address);

/// A value in words: "1591 (0637h): operation enabled", "-5", "\"EPOS4\"", "01 02 03".
/// @param type  type of the entry; without it the value is shown as an unsigned number
[[nodiscard]] std::string value_in_words(canopen::EntryAddress address,
                                         const canopen::EntryDescription* entry,
                                         std::span<const std::uint8_t> value);

/// The text after "SDO ->" (to a node) and "SDO <-" (from it).
[[nodiscard]] std::string sdo_request_words(const can::Frame& frame,
                                            const canopen::DeviceDescription& objects);
[[nodiscard]] std::string sdo_answer_words(const can::Frame& frame,
                                           const canopen::DeviceDescription& objects);

}  // namespace jointrig::app
