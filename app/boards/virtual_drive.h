#pragma once
/// The simulated board of a joint behind a complete CANopen slave: it says what a CiA 402 drive
/// says on a bus. The board's own firmware (sim/board) closes its loops and finds its faults; the
/// power machine (hw/cia402) decides what it may do.
///
/// In one SYNC: what the board sensed is sampled for the TPDOs, then the commands that have come
/// since the last SYNC act, in the cycle that begins. Its length T is 60C2h; in cyclic position the
/// board's own periods in it lead on a straight line from where the last one ended to the target.
/// Silence is counted in cycles.

#include <cstdint>

#include "app/boards/virtual_board.h"
#include "hw/canopen/slave_node.h"
#include "hw/cia402/drive_machine.h"
#include "hw/driver/drive_units.h"
#include "sim/board/board.h"

namespace jointrig::app {

struct VirtualDriveSpec {
  std::uint8_t node = 1;
  std::uint32_t serial = 1;
  std::uint32_t boards_token = 0;  ///< 2011h
  hw::DriveFacts facts;
  bool slide = false;
  double stop_deceleration = 10.0;     ///< of a quick stop [rad/s² or m/s²]
  std::uint8_t inputs_active_low = 0;  ///< digital inputs without voltage when on, a bit each
};

class VirtualDrive final : public VirtualBoard, public canopen::SlaveApplication {
 public:
  /// @param board  outlives it; its owner steps the physics
  VirtualDrive(const VirtualDriveSpec& spec, sim::SimBoard& board);

  [[nodiscard]] canopen::SlaveNode& node() noexcept { return node_; }
  [[nodiscard]] const cia402::DriveOutputs& drive() const noexcept { return machine_.outputs(); }

  void power_on(std::int64_t now) noexcept override { node_.power_on(own_time(now)); }
  void receive(const can::Frame& frame, std::int64_t now) noexcept override {
    node_.receive(frame, own_time(now));
  }
  void poll(std::int64_t now) noexcept override { node_.poll(own_time(now)); }
  [[nodiscard]] std::optional<can::Frame> next_frame() noexcept override {
    return node_.out().pop();
  }
  [[nodiscard]] bool opens_cycle(const can::Frame& frame) const noexcept override;
  [[nodiscard]] bool is_cyclic(const can::Frame& frame) const noexcept override;
  [[nodiscard]] const JointSetpoint& next_period() noexcept override;
  /// Without SYNC the drive acts as it does without commands: it bridges as many
  /// periods as 2010h:3 allows, then comes to rest, then calls the host lost.
  void on_period() noexcept override;
  /// Makes its clock wrong: above 0 it is fast. The clock times all that the node does by itself
  /// (heartbeats, time-outs, event timers), and where SYNC paces the physics it counts silence;
  /// free running the periods come by that clock already.
  void set_drift(double ppm, bool free_running = false) noexcept;
  [[nodiscard]] bool is_mute() const noexcept override { return board_->report().missed > 0; }
  [[nodiscard]] bool is_released() const noexcept override { return released_; }
  /// After a reset of the whole device.
  [[nodiscard]] bool take_power_cycle() noexcept override {
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
  [[nodiscard]] std::int64_t own_time(std::int64_t now) noexcept;
  [[nodiscard]] std::int64_t drifted(std::int64_t now) const noexcept;
  template <typename T>
  [[nodiscard]] canopen::Object<T> object(std::uint16_t index, std::uint8_t sub = 0) noexcept;
  void read_options() noexcept;
  void read_cycle() noexcept;
  [[nodiscard]] double line_to_target(std::uint32_t period) const noexcept;
  void watch_board() noexcept;
  void find(double value, double limit) noexcept;
  void watch_homing() noexcept;
  void tell_slow() noexcept;
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
  [[nodiscard]] bool is_warm() const noexcept;

  VirtualDriveSpec spec_;
  sim::SimBoard* board_;
  hw::DriveUnits units_;
  double period_;
  cia402::DriveMachine machine_;
  JointSetpoint setpoint_;
  std::uint32_t homing_number_ = 0;  ///< that the board was asked to run
  double stop_speed_ = 0.0;          ///< of the ramp that stops it [rad/s or m/s]
  bool stopping_ = false;
  bool power_cycle_ = false;
  bool released_ = false;
  std::uint32_t periods_ = 1;  ///< of the board in T
  std::uint32_t period_of_cycle_ = 0;
  bool follows_line_ = false;  ///< a target of cyclic position is in force
  double from_ = 0.0;          ///< where the straight line to the target begins [rad or m]
  double target_ = 0.0;
  double behind_s_ = 0.0;  ///< for so long further from its target than 6065h
  std::uint8_t life_ = 0;
  std::uint32_t silent_periods_ = 0;  ///< since the host's counter moved
  /// As TPDO3 told them, which warnings and faults among them.
  struct Told {
    double temperature_C = 0.0;
    double supply_V = 0.0;
    double progress = 0.0;
    bool warning = false;
    bool fault = false;
  };
  Told told_;
  int periods_since_told_ = 0;
  bool was_homed_ = false;
  double drift_ = 0.0;             ///< of 1
  double period_drift_ = 0.0;      ///< of the periods that on_period() tells of
  double own_periods_ = 0.0;       ///< of its clock, not yet counted
  std::int64_t drifts_since_ = 0;  ///< on the bus's clock, as now_ [ns]
  std::int64_t own_since_ = 0;     ///< then, by its own clock [ns]
  std::int64_t now_ = 0;
  bool synced_ = true;       ///< in the period before
  canopen::SlaveNode node_;  // last: it calls the rest
};

}  // namespace jointrig::app
