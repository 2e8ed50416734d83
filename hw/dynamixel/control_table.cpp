#include "hw/dynamixel/control_table.h"

#include <algorithm>

namespace jointrig::dynamixel {
namespace {

constexpr std::array kModels{
    Model{1000, "XH430-W350", true},  Model{1010, "XH430-W210", true},
    Model{1020, "XM430-W350", true},  Model{1030, "XM430-W210", true},
    Model{1060, "XL430-W250", false}, Model{1070, "XC430-W150", false},
    Model{1080, "XC430-W240", false}, Model{1100, "XH540-W270", true},
    Model{1110, "XH540-W150", true},  Model{1120, "XM540-W270", true},
    Model{1130, "XM540-W150", true},
};

constexpr std::size_t reported_bytes() {
  std::size_t size = 0;
  for (const Item& reported : kReported) size += reported.size;
  return size;
}
static_assert(reported_bytes() == kReportSize && kReportSize <= kIndirectItems);

}  // namespace

const Model* model_of(std::uint16_t number) noexcept {
  const auto* found = std::find_if(kModels.begin(), kModels.end(),
                                   [number](const Model& model) { return model.number == number; });
  return found != kModels.end() ? found : nullptr;
}

std::uint32_t get(std::span<const std::uint8_t> bytes) noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    value |= static_cast<std::uint32_t>(bytes[i]) << (8 * i);
  }
  return value;
}

std::int32_t get_signed(std::span<const std::uint8_t> bytes) noexcept {
  const std::uint32_t value = get(bytes);
  if (bytes.size() == 1) return static_cast<std::int8_t>(value);
  return bytes.size() == 2 ? static_cast<std::int16_t>(value) : static_cast<std::int32_t>(value);
}

void put(std::uint32_t value, std::span<std::uint8_t> bytes) noexcept {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

Report report_of(std::span<const std::uint8_t, kReportSize> bytes) noexcept {
  Report report;
  report.current = get_signed(bytes.subspan(0, 2));
  report.velocity = get_signed(bytes.subspan(2, 4));
  report.position = get_signed(bytes.subspan(6, 4));
  report.voltage = static_cast<int>(get(bytes.subspan(10, 2)));
  report.temperature_C = bytes[12];
  report.hardware_error = bytes[13];
  report.torque = bytes[14] != 0;
  report.watchdog = bytes[15];
  report.mode = bytes[16];
  report.id = bytes[17];
  return report;
}

std::array<std::uint8_t, 2 * kReportSize> report_map() noexcept {
  std::array<std::uint8_t, 2 * kReportSize> map{};
  std::size_t at = 0;
  for (const Item& reported : kReported) {
    for (std::uint16_t byte = 0; byte < reported.size; ++byte, at += 2) {
      put(static_cast<std::uint32_t>(reported.address + byte), std::span(map).subspan(at, 2));
    }
  }
  return map;
}

}  // namespace jointrig::dynamixel
