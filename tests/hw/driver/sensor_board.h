#pragma once
/// A force/torque sensor or an IMU as a CANopen node that says what a test puts into it.

#include <array>
#include <cstdint>

#include "hw/canopen/sensor_objects.h"
#include "hw/canopen/slave_node.h"

namespace jointrig::hw {

class SensorBoard final : public canopen::SlaveApplication {
 public:
  explicit SensorBoard(std::uint8_t number, const canopen::SensorOptions& options = {})
      : SensorBoard(number, canopen::sensor_node(options), options.kind) {}
  SensorBoard(std::uint8_t number, const canopen::DeviceDescription& device,
              canopen::SensorKind kind = canopen::SensorKind::kForceTorque)
      : facts_(canopen::facts_of(kind)), node_(device, number, *this) {}

  [[nodiscard]] canopen::SlaveNode& node() noexcept { return node_; }

  void sample(std::int64_t /*now*/) noexcept override {
    if (counts) ++counter_;
    for (std::size_t i = 0; i < digits.size(); ++i) set(facts_.values, i + 1, digits[i]);
    set(facts_.sample, 1, counter_);
    set(facts_.sample, 2, status);
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

  canopen::SensorFacts facts_;
  std::uint8_t counter_ = 0;
  canopen::SlaveNode node_;  // last member: it calls the others
};

}  // namespace jointrig::hw
