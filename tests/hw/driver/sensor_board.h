#pragma once
/// A force/torque sensor as a CANopen node that says what a test puts into it.

#include <array>
#include <cstdint>

#include "hw/canopen/force_sensor_objects.h"
#include "hw/canopen/slave_node.h"

namespace jointrig::hw {

class SensorBoard final : public canopen::SlaveApplication {
 public:
  explicit SensorBoard(std::uint8_t number, const canopen::ForceSensorOptions& options = {})
      : SensorBoard(number, canopen::force_sensor(options)) {}
  SensorBoard(std::uint8_t number, const canopen::DeviceDescription& device)
      : node_(device, number, *this) {}

  [[nodiscard]] canopen::SlaveNode& node() noexcept { return node_; }

  void sample(std::int64_t /*now*/) noexcept override {
    if (counts) ++counter_;
    for (std::size_t i = 0; i < digits.size(); ++i) set(0x2100, i + 1, digits[i]);
    set(0x2101, 1, counter_);
    set(0x2101, 2, status);
  }

  std::array<std::int16_t, 6> digits{};
  std::uint8_t status = 0;
  bool counts = true;  ///< each SYNC is a new sample

 private:
  template <typename T>
  void set(std::uint16_t index, std::size_t sub, T value) noexcept {
    canopen::Entry* entry = node_.objects().find(index, static_cast<std::uint8_t>(sub));
    if (entry != nullptr) canopen::Object<T>(*entry).set(value);
  }

  std::uint8_t counter_ = 0;
  canopen::SlaveNode node_;  // last member: it calls the others
};

}  // namespace jointrig::hw
