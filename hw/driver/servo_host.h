#pragma once
/// The host's side of one moteus servo, as plain logic: answers become the joint's state, the
/// joint's setpoint becomes the command. One call of heard() or silent(), then state(), then
/// put() a cycle.
///
///     drive of the stack    mode of the servo
///     off                   0 stopped
///     position              10, kp and kd as they are, feed-forward
///     velocity              10 without a position
///     torque                10 with all gains at nothing: the torque is the feed-forward
///     impedance             10, kp and kd scaled to the stiffness and damping asked for
///     duty                  8, that part of the supply as a voltage that turns with the motor
///
/// The servo's mode 5 isn't used for a duty: it holds each phase at a duty of its own, a field that
/// stands, in which a motor doesn't turn.
///
/// Modes 1 and 11 are a fault of the joint. A stop would clear them, and a stop is how a servo is
/// switched off: so a servo in a fault gets no command at all until the stack asks for the
/// fault's end. The fault stays even if somebody else resets the servo. A servo that stops without
/// having been told to (power lost for a moment, another master) is a fault as well: nothing drives
/// on by itself.
///
/// Samples that are missing or jump: joint_track.h. Everything here is noexcept and allocates
/// nothing.

#include <cstdint>
#include <string_view>

#include "control/core/robot_io.h"
#include "hw/driver/joint_track.h"
#include "hw/driver/last_inputs.h"
#include "hw/driver/moteus_units.h"
#include "hw/driver/servo_watch.h"
#include "hw/moteus/command.h"
#include "hw/moteus/words.h"

namespace jointrig::hw {

struct ServoHostSpec {
  MoteusUnits units;
  double period = 1e-3;    ///< of the bus [s]
  double loop_period = 0;  ///< of the loop, where the bus's is longer [s]
  double v_max = 0;        ///< of the joint [rad/s or m/s]; 0: samples are not checked for jumps
  double watchdog = 0.02;  ///< without a command for so long the servo stops by itself [s]
  moteus::Resolution resolution = moteus::Resolution::kFloat;  ///< of positions and torques
  // As the servo is set (servo.pid_position), for stiffness and damping. 0: no impedance.
  double kp = 0;  ///< [N·m/rev]
  double kd = 0;  ///< [N·m/(rev/s)]
  /// The servo's watchdog doesn't guard a duty: whoever allows it must live with a motor that goes
  /// on when the host dies.
  bool allows_duty = false;
  double mode_patience = 0.5;          ///< for the servo to be in the mode it is told [s]
  bool reads_inputs = false;           ///< it is asked for its digital inputs, too
  std::uint8_t inputs_active_low = 0;  ///< of them those that are on without voltage, a bit each
  /// Watched by the host (motion_watch.h); a window of 0 watches nothing.
  double following_window = 0;   ///< [rad or m]
  double following_time = 0.02;  ///< [s]
};

class ServoHost {
 public:
  explicit ServoHost(const ServoHostSpec& spec) noexcept
      : spec_(spec),
        track_(spec.period, spec.v_max, spec.loop_period),
        watch_(
            {.window = spec.following_window, .time = spec.following_time, .period = spec.period}),
        inputs_(spec.inputs_active_low) {}

  /// The servo was found and is the expected one. Until then it gets no command.
  void set_configured(bool configured) noexcept;

  void heard(const moteus::ServoReport& report) noexcept;
  void silent() noexcept {
    track_.carry_on();
    inputs_.take(std::nullopt);
  }
  /// The host left out so many cycles before this one.
  void skipped(std::uint64_t cycles) noexcept { track_.skip(cycles); }
  /// Latches a fault that the bus found: kBusLost.
  void fail(FaultCode fault) noexcept { latch(fault, 0.0, 0.0); }
  /// @param since  the question of the cycle that was closed last [s]
  void state(JointState& state, double since = 0) const noexcept;

  /// The command of a cycle. Nothing is put where the servo is to be left alone: in a fault, before
  /// begin(), or if the setpoint is no number; its watchdog then does what it does.
  void put(const JointSetpoint& setpoint, moteus::FrameWriter& frame) noexcept;

  /// Setpoints are the stack's from here on.
  void begin() noexcept { begun_ = true; }

  [[nodiscard]] bool is_settled() const noexcept;
  [[nodiscard]] moteus::Mode mode() const noexcept { return last_.mode; }
  [[nodiscard]] std::uint32_t age() const noexcept { return track_.age(); }
  [[nodiscard]] std::uint64_t replaced_samples() const noexcept { return track_.replaced(); }
  [[nodiscard]] const ServoHostSpec& spec() const noexcept { return spec_; }

 private:
  [[nodiscard]] bool is_possible(DriveMode drive) const noexcept;
  void latch(FaultCode fault, double value, double limit) noexcept;
  void watch_mode(DriveMode wanted) noexcept;
  void watch_motion() noexcept;
  [[nodiscard]] moteus::PositionCommand command_of(const JointSetpoint& setpoint) const noexcept;

  ServoHostSpec spec_;
  bool configured_ = false;
  bool begun_ = false;
  moteus::ServoReport last_;
  JointTrack track_;
  ServoWatch watch_;
  LastInputs inputs_;
  DriveMode told_ = DriveMode::kOff;
  int followed_ = 0;  ///< answers in a row that show the mode that it is told
  double waits_for_mode_ = 0;

  FaultCode fault_ = FaultCode::kNone;
  double fault_value_ = 0;
  double fault_limit_ = 0;
};

/// The joint's fault for a code of register 00Fh. A code without a fault of its own is a
/// drive_fault, whose value is the code.
[[nodiscard]] FaultCode fault_of_servo(int code) noexcept;
/// The code with which a virtual servo reports a fault.
[[nodiscard]] moteus::FaultCode servo_code_of(FaultCode fault) noexcept;

}  // namespace jointrig::hw
