#pragma once
/// The simulated board of a joint behind a protocol, for the robot and its bus: physics and
/// firmware on one side, frames on the other. virtual_drive.h is a CANopen drive, virtual_servo.h a
/// moteus servo, virtual_dynamixel.h a Dynamixel servo.

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
  /// @return false if the frame changed nothing on this board: one for another board of its bus
  virtual bool receive(const can::Frame& frame, std::int64_t now) noexcept = 0;
  virtual void poll(std::int64_t now) noexcept = 0;
  /// When it sends something by its own clock, if poll() comes then [ns]; absent: nothing that is
  /// timed by others.
  [[nodiscard]] virtual std::optional<std::int64_t> next_timer() const noexcept { return {}; }
  /// The next frame to send.
  [[nodiscard]] virtual std::optional<can::Frame> next_frame() noexcept = 0;

  /// True while an answer waits for those of other boards, which it hears on the bus.
  [[nodiscard]] virtual bool owes_answer() const noexcept { return false; }

  /// Kinds of frames for this board. One frame opens each cycle of a host, for all boards or for
  /// this one; the physics runs for a period before the frame is received.
  [[nodiscard]] virtual bool opens_cycle(const can::Frame& frame) const noexcept = 0;
  /// True for commands and states: a mute board neither receives nor sends them.
  [[nodiscard]] virtual bool is_cyclic(const can::Frame& frame) const noexcept = 0;

  /// The setpoint of the board's stage in the next period: for SimBoard::act(). Call once a period.
  [[nodiscard]] virtual const JointSetpoint& next_period() noexcept = 0;

  /// Free running: ends a period of its own clock; call before next_period().
  virtual void on_period() noexcept = 0;

  /// True if it has no power: no frame of it is on the bus, and it hears none.
  [[nodiscard]] virtual bool is_dark() const noexcept = 0;
  /// Has power again, after is_dark(): starts as new.
  virtual void restart(std::int64_t now) noexcept = 0;
  /// True if an injected fault blocks commands and states of the board.
  [[nodiscard]] virtual bool is_mute() const noexcept = 0;
  /// True when the physics may release the robot: a command of the stack has come, or the motor is
  /// on.
  [[nodiscard]] virtual bool is_released() const noexcept = 0;
  /// True if the board must be powered on again; resets the request.
  [[nodiscard]] virtual bool take_power_cycle() noexcept = 0;
};

}  // namespace jointrig::app
