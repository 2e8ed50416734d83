#include "hw/canopen/eds_writer.h"

#include <fmt/core.h>

#include <vector>

#include "hw/canopen/value_text.h"

namespace jointrig::canopen {

namespace {

std::string hex(std::uint64_t value, int digits) { return fmt::format("0x{:0{}X}", value, digits); }

void line(std::string& out, const std::string& key, const std::string& value) {
  out += key + "=" + value + "\n";
}

std::string default_of(const EntryDescription& entry) {
  if (size_of(entry.type) == 0) return entry.initial_text;
  if (is_real(entry.type)) return fmt::format("{:.17g}", entry.initial_real);
  if (entry.plus_node_id) {
    return "$NODEID+" + hex(static_cast<std::uint64_t>(entry.initial), 1);
  }
  return is_signed(entry.type) ? fmt::format("{}", entry.initial)
                               : hex(static_cast<std::uint64_t>(entry.initial), 1);
}

void write_entry(std::string& out, const EntryDescription& entry) {
  line(out, "ParameterName", entry.name);
  line(out, "ObjectType", hex(static_cast<unsigned>(ObjectCode::kVariable), 1));
  line(out, "DataType", hex(static_cast<unsigned>(entry.type), 4));
  line(out, "AccessType", std::string(to_string(entry.access)));
  line(out, "DefaultValue", default_of(entry));
  if (entry.limits) {
    line(out, "LowLimit", fmt::format("{}", entry.limits->low));
    line(out, "HighLimit", fmt::format("{}", entry.limits->high));
  }
  line(out, "PDOMapping", entry.mappable ? "1" : "0");
  out += "\n";
}

void write_object(std::string& out, const ObjectDescription& object) {
  const std::string section = hex(object.index, 4).substr(2);
  if (object.code == ObjectCode::kVariable || object.code == ObjectCode::kDomain) {
    out += "[" + section + "]\n";
    write_entry(out, object.entries.front());
    return;
  }
  out += "[" + section + "]\n";
  line(out, "ParameterName", object.name);
  line(out, "ObjectType", hex(static_cast<unsigned>(object.code), 1));
  line(out, "SubNumber", fmt::format("{}", object.entries.size()));
  out += "\n";
  for (const EntryDescription& entry : object.entries) {
    out += "[" + section + "sub" + hex(entry.sub, 1).substr(2) + "]\n";
    write_entry(out, entry);
  }
}

/// Device type, error register and identity; what a maker adds; everything else.
enum class Kind { kMandatory, kOptional, kManufacturer };

Kind kind_of(std::uint16_t index) {
  if (index == 0x1000 || index == 0x1001 || index == 0x1018) return Kind::kMandatory;
  return index >= 0x2000 && index < 0x6000 ? Kind::kManufacturer : Kind::kOptional;
}

void write_list(std::string& out, const std::string& title, const DeviceDescription& device,
                Kind kind) {
  std::vector<std::uint16_t> listed;
  for (const ObjectDescription& object : device.objects) {
    if (kind_of(object.index) == kind) listed.push_back(object.index);
  }
  out += "[" + title + "]\n";
  line(out, "SupportedObjects", fmt::format("{}", listed.size()));
  for (std::size_t i = 0; i < listed.size(); ++i) {
    line(out, fmt::format("{}", i + 1), hex(listed[i], 4));
  }
  out += "\n";
}

std::size_t count_between(const DeviceDescription& device, std::uint16_t first,
                          std::uint16_t last) {
  std::size_t count = 0;
  for (const ObjectDescription& object : device.objects) {
    if (object.index >= first && object.index <= last) ++count;
  }
  return count;
}

void write_device_info(std::string& out, const DeviceDescription& device) {
  out += "[DeviceInfo]\n";
  line(out, "VendorName", device.vendor_name);
  line(out, "VendorNumber", hex(device.vendor, 1));
  line(out, "ProductName", device.product_name);
  line(out, "ProductNumber", hex(device.product, 1));
  line(out, "RevisionNumber", hex(device.revision, 1));
  for (const char* const kbit : {"10", "20", "50"}) line(out, std::string("BaudRate_") + kbit, "0");
  for (const char* const kbit : {"125", "250", "500", "800", "1000"}) {
    line(out, std::string("BaudRate_") + kbit, "1");
  }
  line(out, "SimpleBootUpMaster", "0");
  line(out, "SimpleBootUpSlave", "1");
  line(out, "Granularity", "8");
  line(out, "DynamicChannelsSupported", "0");
  line(out, "GroupMessaging", "0");
  line(out, "NrOfRXPDO", fmt::format("{}", count_between(device, 0x1400, 0x15FF)));
  line(out, "NrOfTXPDO", fmt::format("{}", count_between(device, 0x1800, 0x19FF)));
  line(out, "LSS_Supported", "0");
  out += "\n[DummyUsage]\n";
  for (int type = 1; type <= 7; ++type) {
    line(out, fmt::format("Dummy000{}", type), type == 1 ? "0" : "1");
  }
  out += "\n";
}

}  // namespace

std::string write_eds(const DeviceDescription& device, const std::string& file_name) {
  std::string out = "[FileInfo]\n";
  line(out, "FileName", file_name);
  line(out, "FileVersion", "1");
  line(out, "FileRevision", "1");
  line(out, "EDSVersion", "4.0");
  line(out, "Description", device.product_name);
  out += "\n";
  write_device_info(out, device);
  write_list(out, "MandatoryObjects", device, Kind::kMandatory);
  write_list(out, "OptionalObjects", device, Kind::kOptional);
  write_list(out, "ManufacturerObjects", device, Kind::kManufacturer);
  for (const ObjectDescription& object : device.objects) write_object(out, object);
  return out;
}

}  // namespace jointrig::canopen
