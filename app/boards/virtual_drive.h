#pragma once
/// The simulated board of a joint behind a complete CANopen slave: on the bus it behaves as a CiA
/// 402 drive. The board's own firmware (sim/board) closes its loops and detects its faults; the
/// power machine (hw/cia402) decides when it may drive.
///
/// In one SYNC: the board's sensors are sampled for the TPDOs, then the commands since the last
/// SYNC act, in the cycle that begins. Its length T is 60C2h; in cyclic position the board's own
/// periods in it follow a straight line from the end of the last cycle to the target. Silence is
/// counted in cycles, and an order that waited for its SYNC for longer than silence is bridged is
/// stale: the drive follows again from the next one on.

#include <cstdint>
#include <optional>

#include "app/boards/profiled_drive.h"
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
  double stop_deceleration = 10.0;     ///< deceleration of a quick stop [rad/s² or m/s²]
  std::uint8_t inputs_active_low = 0;  ///< digital inputs without voltage when on, a bit each
  /// Present: a drive of another maker, with the objects of its profile.
  std::optional<ProfiledDrive> profiled;
  double cycle = 0.0;  ///< of its bus, which a drive without 60C2h was set to by its own tool [s]
};

class VirtualDrive final : public VirtualBoard, public canopen::SlaveApplication {
 public:
  /// @param board  outlives it; its owner steps the physics
  VirtualDrive(const VirtualDriveSpec& spec, sim::SimBoard& board);

  [[nodiscard]] canopen::SlaveNode& node() noexcept { return node_; }
  [[nodiscard]] const cia402::DriveOutputs& drive() const noexcept { return machine_.outputs(); }

  void power_on(std::int64_t now) noexcept override { node_.power_on(own_time(now)); }
  bool receive(const can::Frame& frame, std::int64_t now) noexcept override;
  void poll(std::int64_t now) noexcept override { node_.poll(own_time(now)); }
  [[nodiscard]] std::optional<std::int64_t> next_timer() const noexcept override;
  [[nodiscard]] std::optional<can::Frame> next_frame() noexcept override {
    return node_.out().pop();
  }
  [[nodiscard]] bool opens_cycle(const can::Frame& frame) const noexcept override;
  [[nodiscard]] bool is_cyclic(const can::Frame& frame) const noexcept override;
  [[nodiscard]] const JointSetpoint& next_period() noexcept override;
  /// Without SYNC the drive acts as without commands: it bridges as many periods as 2010h:3 allows,
  /// then comes to rest, then reports the host as lost.
  void on_period() noexcept override;
  /// Sets a clock error: above 0 it is fast. The clock times the node's own functions (heartbeats,
  /// time-outs, event timers), and counts silence if SYNC paces the physics; free running, the
  /// periods already follow that clock.
  void set_drift(double ppm, bool free_running = false) noexcept;
  [[nodiscard]] bool is_dark() const noexcept override { return board_->is_dark(); }
  void restart(std::int64_t now) noexcept override;
  [[nodiscard]] bool is_mute() const noexcept override { return board_->report().missed > 0; }
  [[nodiscard]] bool is_released() const noexcept override { return released_; }
  /// True after a reset of the whole device.
  [[nodiscard]] bool take_power_cycle() noexcept override {
    const bool asked = power_cycle_;
    power_cycle_ = false;
    return asked;
  }

  // The node calls it.
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
  void order_brake() noexcept;
  [[nodiscard]] bool brake_is_by_hand() noexcept;
  void hear_host() noexcept;
  [[nodiscard]] bool is_order(const can::Frame& frame) noexcept;
  [[nodiscard]] std::uint32_t bridged_periods() noexcept;
  void watch_following() noexcept;
  void watch_clock() noexcept;
  [[nodiscard]] bool is_bridged() noexcept;
  void look() noexcept;
  void show() noexcept;
  void follow() noexcept;
  void follow_target(std::int8_t mode) noexcept;
  [[nodiscard]] double target_position() noexcept;
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
  std::uint32_t homing_number_ = 0;  ///< number of the homing that the board was asked to run
  double stop_speed_ = 0.0;          ///< speed of the ramp that stops it [rad/s or m/s]
  bool stopping_ = false;
  bool power_cycle_ = false;
  bool released_ = false;
  std::uint32_t periods_ = 1;  ///< periods of the board in T
  std::uint32_t period_of_cycle_ = 0;
  bool follows_line_ = false;  ///< a target of cyclic position is active
  double from_ = 0.0;          ///< begin of the straight line to the target [rad or m]
  double target_ = 0.0;
  double behind_s_ = 0.0;  ///< time for which it was further from its target than 6065h [s]
  std::uint8_t life_ = 0;
  std::uint32_t silent_periods_ = 0;  ///< since the host's counter changed
  std::uint32_t order_age_ = 0;  ///< periods since an order came, which SYNC may not have taken
  bool order_is_stale_ = false;  ///< the last one that SYNC took
  bool order_came_ = false;      ///< since the last SYNC
  /// State reported in TPDO3, with warnings and faults.
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
  double drift_ = 0.0;             ///< relative clock error
  double period_drift_ = 0.0;      ///< clock error of the periods of on_period()
  double own_periods_ = 0.0;       ///< periods of its clock, not yet counted
  std::int64_t drifts_since_ = 0;  ///< on the bus's clock, as now_ [ns]
  std::int64_t own_since_ = 0;     ///< at that time, by its own clock [ns]
  std::int64_t now_ = 0;
  bool synced_ = true;  ///< in the period before
  /// Holds what a drive of another maker has inside, and tells nobody.
  std::optional<canopen::ObjectDictionary> inside_;
  canopen::SlaveNode node_;  // last member: it calls the others
};

}  // namespace jointrig::app
