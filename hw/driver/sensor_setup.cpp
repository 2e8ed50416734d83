#include "hw/driver/sensor_setup.h"

#include <fmt/core.h>
namespace jointrig::hw {
namespace {

using Kind = SetupStep::Kind;
constexpr std::uint32_t kAllBits = 0xFFFF'FFFF;
constexpr std::uint32_t kNoBits = 0;

constexpr const char* kOtherDevice =
    "the node at this number is no such sensor with the objects of docs/boards.md; look at "
    "`device` of the sensor in robot.yaml";

SetupStep ask(std::uint16_t index, std::uint8_t sub, std::uint8_t bytes, std::uint32_t value,
              std::uint32_t mask, std::string what, std::string help = kOtherDevice) {
  return {Kind::kExpect, index, sub, bytes, value, mask, std::move(what), std::move(help)};
}

SetupStep keep(std::uint16_t index, std::uint8_t sub, std::string what) {
  return {Kind::kNote, index, sub, 4, 0, kAllBits, std::move(what), {}};
}

void add_pdo(const PdoLayout& pdo, std::uint8_t node, std::vector<SetupStep>& steps) {
  constexpr std::uint32_t kIdBits = 0x8000'07FF;  // bit 30 tells of remote frames: its own affair
  const auto communication = static_cast<std::uint16_t>(0x1800 + pdo.number);
  const auto mapping = static_cast<std::uint16_t>(0x1A00 + pdo.number);
  const std::string name = fmt::format("TPDO{}", pdo.number + 1);
  std::uint8_t sub = 0;
  for (const std::uint32_t word : pdo.objects) {
    ++sub;
    steps.push_back(ask(mapping, sub, 4, word, kAllBits, fmt::format("{}, object {}", name, sub)));
  }
  steps.push_back(ask(mapping, 0, 1, sub, 0xFF, "number of objects in " + name));
  steps.push_back(ask(communication, 2, 1, pdo.type, 0xFF, "transmission type of " + name));
  steps.push_back(ask(communication, 1, 4, pdo.id_of(node), kIdBits, "identifier of " + name));
}

}  // namespace

PdoLayouts sensor_layouts(canopen::SensorKind kind) {
  PdoLayouts layouts;
  for (const std::vector<std::int64_t>& words : canopen::sensor_mapping(kind)) {
    PdoLayout& pdo = layouts.emplace_back();
    pdo.sent = true;
    pdo.number = static_cast<std::uint16_t>(layouts.size() - 1);
    for (const std::int64_t word : words) pdo.objects.push_back(static_cast<std::uint32_t>(word));
  }
  return layouts;
}

std::vector<SetupStep> sensor_steps(const SensorSettings& settings) {
  const std::uint16_t scale = canopen::facts_of(settings.kind).scale;
  std::vector<SetupStep> steps;
  steps.push_back(ask(0x1000, 0, 4, 0, kAllBits, "device type (0: no drive)"));
  add_identity_parts(settings.identity, settings.boards_token, steps);
  steps.push_back(keep(0x1018, 4, "serial number"));
  const bool is_imu = settings.kind == canopen::SensorKind::kImu;
  const std::string first = is_imu ? "scale of its accelerations" : "scale of its forces";
  const std::string second = is_imu ? "scale of its angular velocities" : "scale of its torques";
  steps.push_back(ask(scale, 1, 4, 0, kNoBits, first));
  steps.push_back(keep(scale, 1, first));
  steps.push_back(ask(scale, 2, 4, 0, kNoBits, second));
  steps.push_back(keep(scale, 2, second));
  steps.push_back(
      {Kind::kWrite, 0x1017, 0, 2, settings.heartbeat_ms, kAllBits, "its heartbeat", {}});
  for (const PdoLayout& pdo : sensor_layouts(settings.kind)) add_pdo(pdo, settings.node, steps);
  return steps;
}

}  // namespace jointrig::hw
