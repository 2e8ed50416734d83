#pragma once
/// A robot of virtual boards: the physics and the simulated boards of the sim backend, each board
/// behind the protocol of its bus. In lockstep the physics runs all periods of a bus cycle when the
/// cycle begins, with several buses at the first of them. Free running it runs one period at each
/// tick of the boards' own clock, and a cycle reads the present state.
///
///     cycle k   t_{k-1} → t_k with the setpoints since cycle k-1, period by period; then the board
///               that receives it reports t_k and acts on the new commands
///
/// Until a board is released (virtual_board.h) the robot stands in its start pose. A joint of
/// another backend has no board on a bus: the physics leads it (sim/led_joint.h).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "app/boards/virtual_drive.h"
#include "app/boards/virtual_dynamixel.h"
#include "app/boards/virtual_sensor.h"
#include "app/boards/virtual_servo.h"
#include "control/core/robot_config.h"
#include "sim/plant.h"
#include "sim/sensors.h"

namespace jointrig::app {

/// Bus of a joint that another backend drives (RobotConfig::elsewhere).
inline constexpr std::size_t kOnNoBus = ~std::size_t{0};

/// Place and protocol of a joint's board.
struct VirtualSeat {
  std::size_t bus = kOnNoBus;
  std::variant<VirtualDriveSpec, VirtualServoSpec, VirtualDynamixelSpec> board;
};

/// Place of a force/torque sensor or an IMU.
struct VirtualSensorSeat {
  std::size_t bus = 0;
  std::string site;  ///< of the MJCF
  VirtualSensorSpec node;
};

struct VirtualRobotOptions {
  /// Physics by a clock of its own: on_period() in place of SYNC. Drives then detect a missing SYNC
  /// by that clock.
  bool free_running = false;
  double drift_ppm = 0.0;  ///< drift of the drives' clocks: above 0 is fast
};

class VirtualRobot {
 public:
  /// @param seats one per joint Throws ModelError (model, scene) or std::invalid_argument (a board,
  /// a sensor that the model lacks) with a sentence.
  VirtualRobot(const RobotConfig& robot, const std::vector<VirtualSeat>& seats,
               const sim::PlantOptions& options = {}, const VirtualRobotOptions& pace = {},
               const std::vector<VirtualSensorSeat>& sensors = {});

  [[nodiscard]] std::size_t size() const noexcept { return boards_.size(); }
  /// Devices on the buses: the boards, by joint, then the sensors.
  [[nodiscard]] std::size_t devices() const noexcept { return on_bus_.size(); }
  [[nodiscard]] std::size_t bus_of(std::size_t device) const noexcept {
    return device < seats_.size() ? seats_[device].bus : sensor_seats_[device - seats_.size()].bus;
  }
  [[nodiscard]] VirtualBoard& on_bus(std::size_t device) noexcept { return *on_bus_[device]; }
  [[nodiscard]] sim::SimSensors& sensors() noexcept { return sensors_; }
  [[nodiscard]] std::span<sim::SimBoard> boards() noexcept { return boards_; }
  [[nodiscard]] sim::Plant& plant() noexcept { return plant_; }

  /// Powers on every board.
  void power_on(std::int64_t now) noexcept;

  /// Call when the frame that opens a cycle was received on this bus, before its boards receive it.
  void on_cycle(std::size_t bus) noexcept;

  /// Call at the end of a period of the boards' own clock, free running or while no bus carries a
  /// SYNC.
  void on_period() noexcept;

  /// Hash of the physics' integration state (warm start included) and the boards.
  [[nodiscard]] std::uint64_t hash() const noexcept;

  /// Periods of the host's loop that the physics has run.
  [[nodiscard]] std::uint64_t cycles() const noexcept { return cycles_; }

 private:
  void seat_sensors(const RobotConfig& robot);
  void advance() noexcept;
  void sample_sensors() noexcept;
  [[nodiscard]] bool is_held() const noexcept;

  [[nodiscard]] bool is_led(std::size_t joint) const noexcept {
    return seats_[joint].bus == kOnNoBus;
  }

  std::vector<VirtualSeat> seats_;
  VirtualRobotOptions pace_;
  sim::Plant plant_;
  std::vector<sim::SimBoard> boards_;
  std::vector<VirtualSensorSeat> sensor_seats_;
  sim::SimSensors sensors_;
  RobotState sensed_;  ///< buffer for the readings of the plant's sensors
  std::vector<std::unique_ptr<VirtualBoard>> on_bus_;  ///< boards, then sensors; null: led
  std::vector<std::uint64_t> every_;                   ///< periods per cycle, by bus
  std::vector<std::uint64_t> cycles_of_;               ///< periods begun, by bus
  std::uint64_t cycles_ = 0;
  bool was_driven_ = false;  ///< a motor has been on
};

}  // namespace jointrig::app
