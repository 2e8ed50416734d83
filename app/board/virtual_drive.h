#pragma once
/// The simulated board of a joint behind a complete CANopen slave: what a CiA 402 drive would say
/// on a bus. The board's own firmware (sim/board) closes its loops and finds its faults; the power
/// machine (hw/cia402) decides what it may do.
///
/// In one SYNC: what the board sensed is sampled for the TPDOs, then the commands that have come
/// since the last SYNC act, in the period that begins.

#include <cstdint>

#include "hw/canopen/slave_node.h"
#include "hw/cia402/drive_machine.h"
#include "hw/driver/drive_units.h"
#include "sim/board/board.h"

namespace jointrig {

struct VirtualDriveSpec {
  std::uint8_t node = 1;
  std::uint32_t serial = 1;
  std::uint32_t bench_token = 0;  ///< 2011h
  hw::DriveFacts facts;
  bool slide = false;
  double stop_deceleration = 10.0;  ///< of a quick stop [rad/s² or m/s²]
};

class VirtualDrive final : public canopen::SlaveApplication {
 public:
  /// @param board  outlives it; whoever owns it steps the physics
  VirtualDrive(const VirtualDriveSpec& spec, SimBoard& board);
  VirtualDrive(const VirtualDrive&) = delete;
  VirtualDrive& operator=(const VirtualDrive&) = delete;

  [[nodiscard]] canopen::SlaveNode& node() noexcept { return node_; }
  [[nodiscard]] const cia402::DriveOutputs& drive() const noexcept { return machine_.outputs(); }

  /// What the board is told for the period that has begun: for SimBoard::act().
  [[nodiscard]] const JointSetpoint& setpoint() const noexcept { return setpoint_; }

  /// A period of the board's own clock has begun; called before the SYNC that belongs to it. Where
  /// none comes the drive does by itself what it does without commands.
  void on_period() noexcept;
  /// The board's own clock does so many periods in place of the next one: it runs fast or slow.
  void slip_clock(int periods) noexcept { next_periods_ = periods; }

  /// An injected fault keeps the board from hearing commands and from telling its state.
  [[nodiscard]] bool is_mute() const noexcept { return board_->report().missed > 0; }

  /// The bench may let the robot go: a command of the stack has come, or the drive is enabled.
  [[nodiscard]] bool is_released() const noexcept { return released_; }

  /// A reset of the whole device: the board is to be powered on anew. Asked once.
  [[nodiscard]] bool take_power_cycle() noexcept {
    const bool asked = power_cycle_;
    power_cycle_ = false;
    return asked;
  }

  // Called by the node.
  void sample(std::int64_t now) noexcept override;
  void on_sync(std::int64_t now) noexcept override;
  void on_reset(bool whole_device) noexcept override;
  void on_state(canopen::NmtState from, canopen::NmtState to) noexcept override;
  void on_connection_lost(std::uint16_t code) noexcept override;

 private:
  template <typename T>
  [[nodiscard]] canopen::Object<T> object(std::uint16_t index, std::uint8_t sub = 0) noexcept;
  void read_options() noexcept;
  void watch_board() noexcept;
  void hear_host() noexcept;
  void watch_following() noexcept;
  void watch_clock() noexcept;
  [[nodiscard]] bool is_bridged() noexcept;
  void look() noexcept;
  void show() noexcept;
  void follow() noexcept;
  void follow_target(std::int8_t mode) noexcept;
  void come_to_rest() noexcept;
  [[nodiscard]] cia402::DriveInputs inputs() noexcept;
  [[nodiscard]] cia402::Homing homing() const noexcept;

  VirtualDriveSpec spec_;
  SimBoard* board_;
  hw::DriveUnits units_;
  double period_;
  cia402::DriveMachine machine_;
  JointSetpoint setpoint_;
  std::uint32_t homing_number_ = 0;  ///< that the board was asked to run
  double stop_speed_ = 0.0;          ///< of the ramp that stops it [rad/s or m/s]
  bool stopping_ = false;
  bool power_cycle_ = false;
  bool released_ = false;
  double behind_s_ = 0.0;  ///< for so long further from its target than 6065h
  std::uint8_t life_ = 0;
  std::uint32_t silent_cycles_ = 0;  ///< periods since the host's counter moved
  int next_periods_ = 1;
  bool synced_ = true;       ///< in the period before
  canopen::SlaveNode node_;  // last: it calls the rest
};

}  // namespace jointrig
