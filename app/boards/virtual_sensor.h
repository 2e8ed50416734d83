#pragma once
/// A force/torque sensor or an IMU of the simulated robot behind a complete CANopen slave
/// (hw/canopen/sensor_objects.h). It sends the newest reading with each SYNC, in digits that
/// reach its range: digits = reading / scale, rounded, at the end of the range away from 0; what is
/// no number is kNoNumber.
///
/// A stale reading (an injected fault) leaves the wire silent at its SYNC; a broken sensor sets its
/// status and sends an EMCY.

#include <cstdint>

#include "app/boards/virtual_board.h"
#include "hw/canopen/sensor_objects.h"
#include "hw/canopen/slave_node.h"
#include "hw/driver/drive_setup.h"
#include "sim/sensors.h"

namespace jointrig::app {

struct VirtualSensorSpec {
  canopen::SensorKind kind = canopen::SensorKind::kForceTorque;
  std::uint8_t node = 1;
  hw::DriveIdentity identity;      ///< parts that are given; the others are the project's
  std::uint32_t boards_token = 0;  ///< 2011h
  double first_range = 0.0;        ///< of force or acceleration; 0: none, the usual one of its kind
  double second_range = 0.0;       ///< of torque or angular velocity
};

class VirtualSensor final : public VirtualBoard, public canopen::SlaveApplication {
 public:
  /// EMCY of a broken sensor: device hardware.
  static constexpr std::uint16_t kBroken = 0x5000;

  /// @param sensors  outlives it; its owner samples it once a period, then calls on_period()
  VirtualSensor(const VirtualSensorSpec& spec, const sim::SimSensors& sensors, std::size_t number);

  [[nodiscard]] canopen::SlaveNode& node() noexcept { return node_; }

  void power_on(std::int64_t now) noexcept override { node_.power_on(now); }
  bool receive(const can::Frame& frame, std::int64_t now) noexcept override {
    return node_.receive(frame, now);
  }
  void poll(std::int64_t now) noexcept override { node_.poll(now); }
  [[nodiscard]] std::optional<can::Frame> next_frame() noexcept override {
    return node_.out().pop();
  }
  [[nodiscard]] bool opens_cycle(const can::Frame& frame) const noexcept override;
  [[nodiscard]] bool is_cyclic(const can::Frame& frame) const noexcept override;
  [[nodiscard]] const JointSetpoint& next_period() noexcept override { return none_; }
  void on_period() noexcept override { is_new_ = true; }
  [[nodiscard]] bool is_dark() const noexcept override { return false; }
  void restart(std::int64_t now) noexcept override { node_.restart(now); }
  [[nodiscard]] bool is_mute() const noexcept override;
  [[nodiscard]] bool is_released() const noexcept override { return false; }
  [[nodiscard]] bool take_power_cycle() noexcept override { return false; }

  // The node calls it.
  void sample(std::int64_t now) noexcept override;

 private:
  template <typename T>
  [[nodiscard]] canopen::Object<T> object(std::uint16_t index, std::uint8_t sub) noexcept {
    return canopen::Object<T>(*node_.objects().find(index, sub));
  }
  void show(const sim::SixAxes& reading) noexcept;
  void tell_fault() noexcept;

  VirtualSensorSpec spec_;
  const sim::SimSensors* sensors_;
  std::size_t number_;
  JointSetpoint none_;
  std::uint8_t counter_ = 0;
  bool is_new_ = true;       ///< a period has ended since the last sample
  canopen::SlaveNode node_;  // last member: it calls the others
};

}  // namespace jointrig::app
