#pragma once
/// The simulated board of a joint as a moteus servo on a CAN FD bus. Registers, modes, watchdog and
/// position law are those of the servo (hw/moteus/servo_machine.h); stage, motor, encoder and their
/// faults are those of the board (sim/board).
///
/// Its law runs at the board's period, the real one runs at 30 kHz. It reports a fault as soon as
/// the board detects it, also while the servo is stopped; the real servo checks only while it
/// drives.

#include <array>

#include "app/boards/virtual_board.h"
#include "hw/driver/moteus_units.h"
#include "hw/moteus/servo_machine.h"
#include "sim/board/board.h"

namespace jointrig::app {

struct VirtualServoSpec {
  std::uint8_t id = 1;
  std::uint32_t serial = 1;
  hw::MoteusFacts facts{};
  bool slide = false;
  std::uint8_t inputs_active_low = 0;  ///< digital inputs without voltage when on, a bit each
};

/// The spec with torques and duties, which a servo's board always takes.
[[nodiscard]] sim::BoardSpec board_of_servo(sim::BoardSpec spec);

/// Configuration of a servo for a board: gains and limits of its own loop at the servo's output.
[[nodiscard]] moteus::ServoConfig servo_config(const VirtualServoSpec& spec,
                                               const sim::BoardSpec& board);

class VirtualServo final : public VirtualBoard {
 public:
  /// @param board  outlives it; its owner steps the physics
  VirtualServo(const VirtualServoSpec& spec, sim::SimBoard& board);

  void power_on(std::int64_t now) noexcept override;
  bool receive(const can::Frame& frame, std::int64_t now) noexcept override;
  void poll(std::int64_t /*now*/) noexcept override {}
  [[nodiscard]] std::optional<can::Frame> next_frame() noexcept override;
  [[nodiscard]] bool opens_cycle(const can::Frame& frame) const noexcept override;
  [[nodiscard]] bool is_cyclic(const can::Frame& frame) const noexcept override;
  [[nodiscard]] const JointSetpoint& next_period() noexcept override;
  void on_period() noexcept override {}  // its watchdog runs in every period anyway
  [[nodiscard]] bool is_dark() const noexcept override { return board_->is_dark(); }
  void restart(std::int64_t now) noexcept override;
  [[nodiscard]] bool is_mute() const noexcept override { return board_->report().missed > 0; }
  [[nodiscard]] bool is_released() const noexcept override { return released_; }
  [[nodiscard]] bool take_power_cycle() noexcept override { return false; }

  [[nodiscard]] moteus::ServoMachine& machine() noexcept { return machine_; }

 private:
  void show() noexcept;

  sim::SimBoard* board_;
  hw::MoteusUnits units_;
  std::uint8_t inputs_active_low_;
  double period_;
  moteus::ServoMachine machine_;
  JointSetpoint setpoint_;
  bool released_ = false;
  bool stop_heard_ = false;  ///< in this period
  std::optional<can::Frame> answer_;
};

}  // namespace jointrig::app
