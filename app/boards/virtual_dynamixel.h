#pragma once
/// The simulated board of a joint as a Dynamixel servo on a serial line. Its own firmware
/// (sim/board) closes its loops and detects its faults; the servo's table (hw/dynamixel) decides
/// what it drives.
///
/// Each sync read of the reports (hw/dynamixel/control_table.h) opens a cycle. In current-based
/// position, with a goal current below the joint's torque limit, the motor follows a spring and a
/// damper with the board's gains kp and kd, and no integral, up to that current.

#include <cstdint>

#include "app/boards/virtual_board.h"
#include "hw/driver/dynamixel_units.h"
#include "hw/dynamixel/servo_machine.h"
#include "sim/board/board.h"

namespace jointrig::app {

struct VirtualDynamixelSpec {
  std::uint8_t id = 1;
  std::uint16_t model = 1020;
  hw::DynamixelFacts facts{};
  bool slide = false;
};

/// The spec with torques, which a servo's board takes.
[[nodiscard]] sim::BoardSpec board_of_dynamixel(sim::BoardSpec spec);

class VirtualDynamixel final : public VirtualBoard {
 public:
  /// @param board  outlives it; its owner steps the physics
  VirtualDynamixel(const VirtualDynamixelSpec& spec, sim::SimBoard& board);

  void power_on(std::int64_t now) noexcept override;
  bool receive(const can::Frame& frame, std::int64_t now) noexcept override;
  void poll(std::int64_t /*now*/) noexcept override {}
  [[nodiscard]] std::optional<can::Frame> next_frame() noexcept override;
  [[nodiscard]] bool owes_answer() const noexcept override { return machine_.waits(); }
  [[nodiscard]] bool opens_cycle(const can::Frame& frame) const noexcept override;
  [[nodiscard]] bool is_cyclic(const can::Frame& frame) const noexcept override {
    return frame.serial;
  }
  [[nodiscard]] const JointSetpoint& next_period() noexcept override;
  void on_period() noexcept override {}  // its watchdog runs in every period anyway
  [[nodiscard]] bool is_dark() const noexcept override { return board_->is_dark(); }
  void restart(std::int64_t now) noexcept override;
  [[nodiscard]] bool is_mute() const noexcept override { return board_->report().missed > 0; }
  [[nodiscard]] bool is_released() const noexcept override { return released_; }
  [[nodiscard]] bool take_power_cycle() noexcept override { return false; }

  [[nodiscard]] dynamixel::ServoMachine& machine() noexcept { return machine_; }

 private:
  void show() noexcept;
  void drive_position(const dynamixel::ServoDrive& drive) noexcept;

  sim::SimBoard* board_;
  hw::DynamixelUnits units_;
  double period_;
  dynamixel::ServoMachine machine_;
  JointSetpoint setpoint_;
  bool released_ = false;
  std::size_t sent_ = 0;  ///< bytes of the answer
};

}  // namespace jointrig::app
