#pragma once
/// The simulated board of a joint behind a protocol, as the robot and its bus see it: physics and
/// firmware on one side, frames on the other. virtual_drive.h is a CANopen drive, virtual_servo.h a
/// moteus servo.

#include <cstdint>
#include <optional>

#include "control/core/robot_io.h"
#include "hw/can/frame.h"

namespace jointrig::app {

class VirtualBoard {
 public:
  VirtualBoard() = default;
  VirtualBoard(const VirtualBoard&) = delete;
  VirtualBoard& operator=(const VirtualBoard&) = delete;
  virtual ~VirtualBoard() = default;

  virtual void power_on(std::int64_t now) noexcept = 0;
  virtual void receive(const can::Frame& frame, std::int64_t now) noexcept = 0;
  virtual void poll(std::int64_t now) noexcept = 0;
  /// The next frame that it has to send.
  [[nodiscard]] virtual std::optional<can::Frame> next_frame() noexcept = 0;

  /// Kinds of frames for this board. Each cycle of a host has one that opens it, for all boards
  /// or for this one; the physics goes on by a period before it is received.
  [[nodiscard]] virtual bool opens_cycle(const can::Frame& frame) const noexcept = 0;
  /// Commands and states: a mute board neither hears nor sends them.
  [[nodiscard]] virtual bool is_cyclic(const can::Frame& frame) const noexcept = 0;

  /// The setpoint of the board's stage in the period that begins: for SimBoard::act(). Once a
  /// period.
  [[nodiscard]] virtual const JointSetpoint& next_period() noexcept = 0;

  /// Free running: a period of its own clock is over, before next_period().
  virtual void on_period() noexcept = 0;

  /// An injected fault keeps the board from hearing commands and from telling its state.
  [[nodiscard]] virtual bool is_mute() const noexcept = 0;
  /// The physics may let the robot go: a command of the stack has come, or the motor is on.
  [[nodiscard]] virtual bool is_released() const noexcept = 0;
  /// The board is to be powered on anew. Asked once.
  [[nodiscard]] virtual bool take_power_cycle() noexcept = 0;
};

}  // namespace jointrig::app
