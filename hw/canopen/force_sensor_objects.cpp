#include "hw/canopen/force_sensor_objects.h"

#include <fmt/core.h>

#include <tuple>
#include <utility>

#include "hw/canopen/standard_objects.h"

namespace jointrig::canopen {
namespace {

using enum DataType;

void add_own(const ForceSensorOptions& options, std::vector<ObjectDescription>& objects) {
  objects.push_back(
      variable(0x2011, entry("Virtual boards token", kUnsigned32, kRo, options.boards_token)));
  std::vector<EntryDescription> wrench;
  for (const char* name : {"Force x", "Force y", "Force z", "Torque x", "Torque y", "Torque z"}) {
    wrench.push_back(entry(name, kInteger16, kRo).mapped());
  }
  objects.push_back(record(0x2100, "Wrench", std::move(wrench)));
  objects.push_back(record(0x2101, "Sample",
                           {entry("Sample counter", kUnsigned8, kRo).mapped(),
                            entry("Sensor status", kUnsigned8, kRo).mapped()}));
  objects.push_back(
      record(0x2102, "Scale",
             {entry("Micronewton per digit", kUnsigned32, kConst, options.force_scale),
              entry("Micronewton metre per digit", kUnsigned32, kConst, options.torque_scale)}));
}

}  // namespace

std::array<std::vector<std::int64_t>, 2> force_sensor_mapping() {
  const auto component = [](std::uint8_t sub) { return mapping_word(0x2100, sub, 16); };
  const std::int64_t counter = mapping_word(0x2101, 1, 8);
  const std::int64_t status = mapping_word(0x2101, 2, 8);
  return {{{component(1), component(2), component(3), counter, status},
           {component(4), component(5), component(6), counter}}};
}

DeviceDescription force_sensor(const ForceSensorOptions& options) {
  DeviceDescription device;
  device.vendor_name = "jointrig";
  device.vendor = options.vendor;
  device.product_name = "virtual force/torque sensor";
  device.product = options.product;
  device.revision = options.revision;
  add_standard_objects({.name = device.product_name,
                        .vendor = options.vendor,
                        .product = options.product,
                        .revision = options.revision,
                        .serial = options.serial},
                       device.objects);
  const auto mapping = force_sensor_mapping();
  constexpr std::uint16_t kTpdos = 2;
  static_assert(std::tuple_size_v<decltype(force_sensor_mapping())> == kTpdos);
  for (std::uint16_t i = 0; i < kTpdos; ++i) {
    device.objects.push_back(tpdo_communication(i, /*on=*/true, /*type=*/1));
  }
  for (std::uint16_t i = 0; i < kTpdos; ++i) {
    device.objects.push_back(
        pdo_mapping(0x1A00 + i, fmt::format("TPDO mapping parameter {}", i + 1), mapping[i]));
  }
  add_own(options, device.objects);
  return device;
}

}  // namespace jointrig::canopen
