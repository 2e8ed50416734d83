#include "hw/driver/force_sensor_setup.h"

#include <fmt/core.h>

#include "hw/canopen/force_sensor_objects.h"

namespace jointrig::hw {
namespace {

using Kind = SetupStep::Kind;
constexpr std::uint32_t kAllBits = 0xFFFF'FFFF;
constexpr std::uint32_t kNoBits = 0;

constexpr const char* kOtherDevice =
    "the node at this number is no force/torque sensor with the objects of docs/boards.md; look at "
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

PdoLayouts force_sensor_layouts() {
  PdoLayouts layouts;
  for (const std::vector<std::int64_t>& words : canopen::force_sensor_mapping()) {
    PdoLayout& pdo = layouts.emplace_back();
    pdo.sent = true;
    pdo.number = static_cast<std::uint16_t>(layouts.size() - 1);
    for (const std::int64_t word : words) pdo.objects.push_back(static_cast<std::uint32_t>(word));
  }
  return layouts;
}

std::vector<SetupStep> force_sensor_steps(const ForceSensorSettings& settings) {
  std::vector<SetupStep> steps;
  steps.push_back(ask(0x1000, 0, 4, 0, kAllBits, "device type (0: no drive)"));
  add_identity_parts(settings.identity, settings.boards_token, steps);
  steps.push_back(keep(0x1018, 4, "serial number"));
  steps.push_back(ask(0x2102, 1, 4, 0, kNoBits, "scale of its forces"));
  steps.push_back(keep(0x2102, 1, "scale of its forces"));
  steps.push_back(ask(0x2102, 2, 4, 0, kNoBits, "scale of its torques"));
  steps.push_back(keep(0x2102, 2, "scale of its torques"));
  steps.push_back(
      {Kind::kWrite, 0x1017, 0, 2, settings.heartbeat_ms, kAllBits, "its heartbeat", {}});
  for (const PdoLayout& pdo : force_sensor_layouts()) add_pdo(pdo, settings.node, steps);
  return steps;
}

}  // namespace jointrig::hw
