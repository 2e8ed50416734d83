#pragma once
/// A force/torque sensor of the simulated robot behind a complete CANopen slave
/// (hw/canopen/force_sensor_objects.h). It sends the newest reading with each SYNC, in digits that
/// reach its range: digits = reading / scale, rounded, at the end of the range away from 0.
///
/// A stale reading (an injected fault) leaves the wire silent at its SYNC; a broken sensor sets its
/// status and sends an EMCY.

#include <cstdint>

#include "app/boards/virtual_board.h"
#include "hw/canopen/slave_node.h"
#include "hw/driver/drive_setup.h"
#include "sim/force_sensors.h"

namespace jointrig::app {

struct VirtualForceSensorSpec {
  std::uint8_t node = 1;
  hw::DriveIdentity identity;      ///< parts that are given; the others are the project's
  std::uint32_t boards_token = 0;  ///< 2011h
  double force_max = 0.0;          ///< range of a force [N]; 0: none, 1000 N fit
  double torque_max = 0.0;         ///< range of a torque [N·m]; 0: none, 100 N·m fit
};

class VirtualForceSensor final : public VirtualBoard, public canopen::SlaveApplication {
 public:
  /// EMCY of a broken sensor: device hardware.
  static constexpr std::uint16_t kBroken = 0x5000;

  /// @param sensors  outlives it; its owner samples it once a period, then calls on_period()
  VirtualForceSensor(const VirtualForceSensorSpec& spec, const sim::SimForceSensors& sensors,
                     std::size_t number);

  [[nodiscard]] canopen::SlaveNode& node() noexcept { return node_; }

  void power_on(std::int64_t now) noexcept override { node_.power_on(now); }
  void receive(const can::Frame& frame, std::int64_t now) noexcept override {
    node_.receive(frame, now);
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
  void show(const ForceTorqueState& reading) noexcept;
  void tell_fault() noexcept;

  VirtualForceSensorSpec spec_;
  const sim::SimForceSensors* sensors_;
  std::size_t number_;
  JointSetpoint none_;
  std::uint8_t counter_ = 0;
  bool is_new_ = true;       ///< a period has ended since the last sample
  canopen::SlaveNode node_;  // last member: it calls the others
};

}  // namespace jointrig::app
