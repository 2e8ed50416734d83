#pragma once
/// The inside of a moteus servo without motor and encoder: registers, modes, watchdog and the law
/// of its position mode, as the maker's reference and firmware have them. The owner of the motor
/// tells it what is sensed, and carries out what it says.
///
///     sense(..)          what its registers show from now on
///     receive(frame)     a command takes effect; the answer, if one was asked for
///     update(dt)         one period of its loop: the watchdog, then what the stage does
///
/// A fault or a time-out (modes 1 and 11) is left by a written stop (mode 0) alone; commands that
/// come meanwhile are without effect. The watchdog guards mode 10 and nothing else, as in the real
/// servo: modes 5, 8, 9 and 12 stay until the next command.
///
/// Not there: modes 6, 7, 13 and 14 (a write is answered by an error), trajectories with velocity
/// and acceleration limits, the stop position, the tunnel for settings.

#include <array>
#include <cstdint>
#include <optional>

#include "hw/moteus/codec.h"
#include "hw/moteus/command.h"
#include "hw/moteus/words.h"

namespace jointrig::moteus {

/// How a servo is set. All at its output.
struct ServoConfig {
  std::uint8_t id = 1;
  double kp = 0;                                  ///< [N·m/rev]
  double ki = 0;                                  ///< [N·m/rev/s]
  double kd = 0;                                  ///< [N·m/(rev/s)]
  double ilimit = 0;                              ///< of the integral's torque [N·m]
  double max_torque = 1;                          ///< [N·m]
  double torque_constant = 1;                     ///< [N·m/A]
  double default_timeout = 0.1;                   ///< [s]; NaN: none
  Mode timeout_mode = Mode::kZeroVelocity;        ///< in mode 11: stopped, position, this, or brake
  double timeout_max_torque = 5.0;                ///< of the damping in modes 11 and 12 [N·m]
  double position_min = PositionCommand::kUnset;  ///< [rev]; NaN: none
  double position_max = PositionCommand::kUnset;
  int enabling_periods = 0;  ///< from stopped to a mode that drives
  Identity identity{.model = 1,
                    .firmware = 0x010000,
                    .register_map = kRegisterMap,
                    .serial = {1, 0, 0},
                    .home_state = 2};
};

struct ServoSensed {
  double position = 0;  ///< [rev]
  double velocity = 0;  ///< [rev/s]
  double torque = 0;    ///< [N·m]
  double current = 0;   ///< [A]
  double voltage = 0;   ///< [V]
  double temperature = 0;
  std::uint8_t inputs = 0;  ///< voltages at its digital inputs, a bit each: inputs_of()
};

/// The motor's order for a period.
struct ServoDrive {
  enum class Stage : std::uint8_t { kOff, kTorque, kDuty };
  Stage stage = Stage::kOff;
  double torque = 0;  ///< at the output [N·m]
  double duty = 0;    ///< of the supply's voltage, −1..1; 0 shorts the windings: a brake
};

class ServoMachine {
 public:
  explicit ServoMachine(const ServoConfig& config) noexcept : config_(config) {}

  /// As after power-on.
  void reset() noexcept;

  void sense(const ServoSensed& sensed) noexcept { sensed_ = sensed; }
  std::optional<can::Frame> receive(const can::Frame& frame) noexcept;
  ServoDrive update(double dt) noexcept;

  /// Found by whoever owns the motor; the first one stays.
  void raise_fault(FaultCode code) noexcept;

  [[nodiscard]] Mode mode() const noexcept { return mode_; }
  [[nodiscard]] FaultCode fault() const noexcept { return fault_; }
  [[nodiscard]] const ServoConfig& config() const noexcept { return config_; }
  /// A stop has been written since the last call.
  [[nodiscard]] bool take_stop() noexcept {
    const bool was = stop_written_;
    stop_written_ = false;
    return was;
  }

 private:
  /// Values written since the mode was; the servo's defaults elsewhere.
  struct Command {
    Mode mode = Mode::kStopped;
    PositionCommand position{.position = 0.0};  // unspecified is 0, not "where it is"
    double q_current = 0;
    double q_voltage = 0;
  };

  /// The server's answer to a write or a read that it refuses.
  enum class Refusal : std::uint32_t { kNone = 0, kUnknown = 1, kNotWritable = 2, kBadMode = 3 };

  Refusal write(std::uint32_t number, double value) noexcept;
  Refusal write_mode(double value) noexcept;
  [[nodiscard]] std::optional<double> read(std::uint32_t number) const noexcept;
  template <typename AnyCommand>
  [[nodiscard]] static auto commanded(AnyCommand& command, Register number) noexcept
      -> decltype(&command.q_current);
  void take_command() noexcept;
  void enter(Mode wanted) noexcept;
  void watch(double dt) noexcept;
  [[nodiscard]] double position() const noexcept { return sensed_.position + offset_; }
  [[nodiscard]] bool is_outside_limits() const noexcept;
  [[nodiscard]] ServoDrive drive_by(Mode mode, double dt) noexcept;
  [[nodiscard]] double law(const PositionCommand& command, double max_torque, double dt) noexcept;

  ServoConfig config_;
  ServoSensed sensed_;
  double offset_ = 0;    ///< of the output, as it was set over the bus
  int home_state_ = -1;  ///< set over the bus; else that of the identity
  Mode mode_ = Mode::kStopped;
  FaultCode fault_ = FaultCode::kNone;
  Command writing_;        ///< registers as they stand
  Command active_;         ///< of the last frame that wrote a mode
  bool has_mode_ = false;  ///< this frame wrote one
  bool stop_written_ = false;
  double time_left_ = 0;  ///< of the command [s]; NaN: no end
  int enabling_left_ = 0;
  double control_position_ = PositionCommand::kUnset;  ///< that mode 10 holds the output to
  double integral_ = 0;                                ///< [N·m]
};

}  // namespace jointrig::moteus
