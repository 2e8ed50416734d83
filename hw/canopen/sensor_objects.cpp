#include "hw/canopen/sensor_objects.h"

#include <fmt/core.h>

#include <tuple>
#include <utility>

#include "hw/canopen/standard_objects.h"

namespace jointrig::canopen {
namespace {

using enum DataType;

constexpr SensorFacts kForceTorqueFacts{
    .name = "virtual force/torque sensor",
    .values = 0x2100,
    .sample = 0x2101,
    .scale = 0x2102,
    .product = 0x404,
    .usual_first = 30'519,  // up to 1000 N
    .usual_second = 3'052,  // up to 100 N·m
    .components = {"Force x", "Force y", "Force z", "Torque x", "Torque y", "Torque z"},
    .scales = {"Micronewton per digit", "Micronewton metre per digit"}};

constexpr SensorFacts kImuFacts{
    .name = "virtual IMU",
    .values = 0x2110,
    .sample = 0x2111,
    .scale = 0x2112,
    .product = 0x405,
    .usual_first = 4'789,   // up to 16 g, 156.9 m/s²
    .usual_second = 1'066,  // up to 2000 deg/s, 34.9 rad/s
    .components = {"Acceleration x", "Acceleration y", "Acceleration z", "Angular velocity x",
                   "Angular velocity y", "Angular velocity z"},
    .scales = {"Micrometre per second squared per digit", "Microradian per second per digit"}};

void add_own(const SensorOptions& options, std::vector<ObjectDescription>& objects) {
  const SensorFacts& facts = facts_of(options.kind);
  const bool is_imu = options.kind == SensorKind::kImu;
  objects.push_back(
      variable(0x2011, entry("Virtual boards token", kUnsigned32, kRo, options.boards_token)));
  std::vector<EntryDescription> values;
  for (const char* name : facts.components) {
    values.push_back(entry(name, kInteger16, kRo).mapped());
  }
  objects.push_back(record(facts.values, is_imu ? "Motion" : "Wrench", std::move(values)));
  objects.push_back(record(facts.sample, "Sample",
                           {entry("Sample counter", kUnsigned8, kRo).mapped(),
                            entry("Sensor status", kUnsigned8, kRo).mapped()}));
  objects.push_back(record(
      facts.scale, "Scale",
      {entry(facts.scales[0], kUnsigned32, kConst, options.first_scale.value_or(facts.usual_first)),
       entry(facts.scales[1], kUnsigned32, kConst,
             options.second_scale.value_or(facts.usual_second))}));
}

}  // namespace

const SensorFacts& facts_of(SensorKind kind) noexcept {
  return kind == SensorKind::kImu ? kImuFacts : kForceTorqueFacts;
}

std::array<std::vector<std::int64_t>, 2> sensor_mapping(SensorKind kind) {
  const SensorFacts& facts = facts_of(kind);
  const auto component = [&](std::uint8_t sub) { return mapping_word(facts.values, sub, 16); };
  const std::int64_t counter = mapping_word(facts.sample, 1, 8);
  const std::int64_t status = mapping_word(facts.sample, 2, 8);
  return {{{component(1), component(2), component(3), counter, status},
           {component(4), component(5), component(6), counter}}};
}

DeviceDescription sensor_node(const SensorOptions& options) {
  const SensorFacts& facts = facts_of(options.kind);
  DeviceDescription device;
  device.vendor_name = "jointrig";
  device.vendor = options.vendor;
  device.product_name = facts.name;
  device.product = options.product != 0 ? options.product : facts.product;
  device.revision = options.revision;
  add_standard_objects({.name = device.product_name,
                        .vendor = options.vendor,
                        .product = device.product,
                        .revision = options.revision,
                        .serial = options.serial},
                       device.objects);
  const auto mapping = sensor_mapping(options.kind);
  constexpr std::uint16_t kTpdos = 2;
  static_assert(std::tuple_size_v<decltype(sensor_mapping(options.kind))> == kTpdos);
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
