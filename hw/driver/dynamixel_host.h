#pragma once
/// The host's side of one Dynamixel servo, as plain logic: reports become the joint's state, the
/// joint's setpoint becomes what has to be written. One call of heard() or silent(), then state(),
/// then order() a cycle.
///
///     drive of the stack    operating mode of the servo
///     off                   any, torque off
///     position              5 current-based position, at most the joint's tau_max; without a
///     torque
///                           constant 4, extended position
///     velocity              1
///     torque                0 current
///
/// Nothing that is written is answered. Each report tells what the servo has taken, and what is
/// missing is written again, in the one order that servos accept: torque off, mode, torque on and
/// goals. So a change of the mode leaves the motor without torque for two cycles, in which the
/// joint counts as enabled.
///
/// A hardware error is a fault of the joint, which only a reboot ends, on the stack's request. The
/// servo's own bus watchdog stops it when the host is silent: a fault as well. One that has its
/// torque off without having been told to (another master, power lost) is a fault, too.
///
/// Samples that are missing or jump: joint_track.h. Everything here is noexcept and allocates
/// nothing.

#include <cstdint>
#include <optional>

#include "control/core/robot_io.h"
#include "hw/driver/dynamixel_units.h"
#include "hw/driver/joint_track.h"
#include "hw/driver/servo_watch.h"
#include "hw/dynamixel/control_table.h"

namespace jointrig::hw {

struct DynamixelHostSpec {
  DynamixelUnits units;
  std::uint8_t id = 1;
  double period = 1e-3;    ///< of the bus [s]
  double loop_period = 0;  ///< of the loop, where the bus's is longer [s]
  double v_max = 0;        ///< of the joint [rad/s or m/s]; 0: samples are not checked for jumps
  double tau_max = 0;      ///< of the joint [N·m or N]
  double watchdog = 0.04;  ///< without an instruction for so long the servo stops by itself [s]
  double mode_patience = 0.5;  ///< for the servo to be in the mode it is told [s]
  /// Watched by the host (motion_watch.h); a window of 0 watches nothing.
  double following_window = 0;   ///< [rad or m]
  double following_time = 0.02;  ///< [s]
};

/// Values that are written to a servo in a cycle.
struct DynamixelOrder {
  bool reboot = false;
  bool map = false;  ///< the indirect addresses of a report
  std::optional<std::uint8_t> watchdog;
  std::optional<std::uint8_t> mode;
  std::optional<bool> torque;
  std::optional<int> current;
  std::optional<int> velocity;
  std::optional<int> position;
};

class DynamixelHost {
 public:
  explicit DynamixelHost(const DynamixelHostSpec& spec) noexcept
      : spec_(spec),
        track_(spec.period, spec.v_max, spec.loop_period),
        watch_(
            {.window = spec.following_window, .time = spec.following_time, .period = spec.period}) {
  }

  /// Not configured: it is told nothing, and has no state.
  void set_configured(bool configured) noexcept;

  void heard(const dynamixel::Report& report) noexcept;
  void silent() noexcept { track_.carry_on(); }
  void skipped(std::uint64_t cycles) noexcept { track_.skip(cycles); }
  /// Latches a fault that the bus found: kBusLost.
  void fail(FaultCode fault) noexcept { latch(fault, 0.0, 0.0); }
  /// @param since  the question of the cycle that was closed last [s]
  void state(JointState& state, double since = 0) const noexcept;

  [[nodiscard]] DynamixelOrder order(const std::optional<JointSetpoint>& setpoint) noexcept;

  /// Setpoints are the stack's from here on.
  void begin() noexcept { begun_ = true; }

  /// It reports as it was told to, its torque is off.
  [[nodiscard]] bool is_settled() const noexcept;
  [[nodiscard]] bool is_mapped() const noexcept { return mapped_; }
  [[nodiscard]] const dynamixel::Report& report() const noexcept { return last_; }
  [[nodiscard]] std::uint32_t age() const noexcept { return track_.age(); }
  [[nodiscard]] const DynamixelHostSpec& spec() const noexcept { return spec_; }

 private:
  [[nodiscard]] std::uint8_t watchdog_steps() const noexcept;
  [[nodiscard]] std::optional<std::uint8_t> mode_of(DriveMode drive) const noexcept;
  void judge(JointTrack::Verdict verdict) noexcept;
  void latch(FaultCode fault, double value, double limit) noexcept;
  void clear(DynamixelOrder& order) noexcept;
  void watch_mode(DriveMode wanted) noexcept;
  void watch_motion() noexcept;
  void put_drive(const JointSetpoint& setpoint, DynamixelOrder& order) const noexcept;

  DynamixelHostSpec spec_;
  bool configured_ = false;
  bool begun_ = false;
  bool mapped_ = false;
  dynamixel::Report last_;
  JointTrack track_;
  ServoWatch watch_;
  DriveMode told_ = DriveMode::kOff;
  int followed_ = 0;  ///< reports in a row that show the mode that it is told
  bool enabled_ = false;
  double waits_for_mode_ = 0;
  int rebooting_ = 0;  ///< reports that may still be from before the reboot

  FaultCode fault_ = FaultCode::kNone;
  double fault_value_ = 0;
  double fault_limit_ = 0;
};

/// The joint's fault for a hardware error status. Bits without a fault of their own are a
/// drive_fault.
[[nodiscard]] FaultCode fault_of_errors(std::uint8_t status) noexcept;
/// The bit with which a virtual servo reports a fault.
[[nodiscard]] std::uint8_t error_of(FaultCode fault) noexcept;

}  // namespace jointrig::hw
