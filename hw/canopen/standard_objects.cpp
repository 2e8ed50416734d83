#include "hw/canopen/standard_objects.h"

#include <fmt/core.h>

#include <utility>

#include "hw/canopen/pdo_record.h"

namespace jointrig::canopen {
namespace {

using Objects = std::vector<ObjectDescription>;
using enum DataType;

void add_errors(Objects& objects) {
  objects.push_back(variable(0x1001, entry("Error register", kUnsigned8, kRo).mapped().event()));
  std::vector<EntryDescription> history;
  for (int i = 1; i <= 8; ++i) {
    history.push_back(entry(fmt::format("Standard error field {}", i), kUnsigned32, kRo));
  }
  objects.push_back(array(0x1003, "Pre-defined error field", std::move(history)));
  objects.back().entries[0] = entry("Number of errors", kUnsigned8, kRw);
}

void add_sync_and_names(const StandardObjects& device, Objects& objects) {
  objects.push_back(variable(0x1005, entry("COB-ID SYNC message", kUnsigned32, kRw, 0x80)));
  objects.push_back(variable(0x1006, entry("Communication cycle period", kUnsigned32, kRw)));
  objects.push_back(variable(0x1007, entry("Synchronous window length", kUnsigned32, kRw)));
  objects.push_back(variable(0x1008, text_entry("Manufacturer device name", kConst, device.name)));
  objects.push_back(variable(0x100A, text_entry("Manufacturer software version", kConst, "1")));
}

}  // namespace

void add_standard_objects(const StandardObjects& device, Objects& objects) {
  objects.push_back(variable(0x1000, entry("Device type", kUnsigned32, kRo, device.device_type)));
  add_errors(objects);
  add_sync_and_names(device, objects);
  objects.push_back(variable(0x1014, entry("COB-ID EMCY", kUnsigned32, kRo, 0x80).plus_node()));
  objects.push_back(variable(0x1015, entry("Inhibit time EMCY", kUnsigned16, kRw, 100)));
  objects.push_back(array(0x1016, "Consumer heartbeat time",
                          {entry("Consumer heartbeat time 1", kUnsigned32, kRw),
                           entry("Consumer heartbeat time 2", kUnsigned32, kRw)}));
  objects.push_back(variable(0x1017, entry("Producer heartbeat time", kUnsigned16, kRw)));
  objects.push_back(record(0x1018, "Identity object",
                           {entry("Vendor-ID", kUnsigned32, kRo, device.vendor),
                            entry("Product code", kUnsigned32, kRo, device.product),
                            entry("Revision number", kUnsigned32, kRo, device.revision),
                            entry("Serial number", kUnsigned32, kRo, device.serial)}));
  objects.push_back(variable(0x1019, entry("Synchronous counter overflow value", kUnsigned8, kRw)));
  objects.push_back(
      array(0x1029, "Error behaviour", {entry("Communication error", kUnsigned8, kRw)}));
  objects.push_back(
      record(0x1200, "SDO server parameter",
             {entry("COB-ID client to server", kUnsigned32, kRo, 0x600).plus_node(),
              entry("COB-ID server to client", kUnsigned32, kRo, 0x580).plus_node()}));
}

ObjectDescription pdo_mapping(std::uint16_t index, const std::string& name,
                              const std::vector<std::int64_t>& words) {
  constexpr std::size_t kEntries = 8;
  std::vector<EntryDescription> entries;
  for (std::size_t i = 0; i < kEntries; ++i) {
    entries.push_back(entry(fmt::format("Mapping entry {}", i + 1), kUnsigned32, kRw,
                            i < words.size() ? words[i] : 0));
  }
  ObjectDescription object = record(index, name, std::move(entries));
  object.entries[0] =
      entry("Number of mapped objects", kUnsigned8, kRw, static_cast<std::int64_t>(words.size()));
  return object;
}

EntryDescription pdo_cob_id(std::int64_t base, bool on) {
  constexpr std::int64_t kOff = 0x8000'0000;
  return entry("COB-ID", kUnsigned32, kRw, base + (on ? 0 : kOff)).plus_node();
}

ObjectDescription tpdo_communication(std::uint16_t number, bool on, std::uint8_t type,
                                     std::int64_t event_timer) {
  constexpr std::int64_t kNoRemote = 0x4000'0000;
  return record(
      0x1800 + number, fmt::format("TPDO communication parameter {}", number + 1),
      {pdo_cob_id(kNoRemote + tpdo_base(number), on),
       entry("Transmission type", kUnsigned8, kRw, type), entry("Inhibit time", kUnsigned16, kRw),
       entry("Event timer", kUnsigned16, kRw, event_timer).at(5),
       entry("SYNC start value", kUnsigned8, kRw)});
}

}  // namespace jointrig::canopen
