#pragma once
/// The inside of a CiA 402 drive as far as it is logic: the power machine with its option codes,
/// modes, homing and fault handling. The physics (or a motor) hangs on its inputs and outputs.
///
/// With a brake, transition 4 waits in SWITCHED ON with the stage on (Motion::kFollow) until the
/// brake is open.
///
/// Any command may lead to a lower state, but a command that merely stayed switches nothing on
/// again: after a transition that no command made (end of a quick stop, fault,
/// loss of the connection, reset) the command that stood then has to change before it counts.

#include <cstdint>
#include <optional>

#include "hw/cia402/modes.h"
#include "hw/cia402/option_codes.h"
#include "hw/cia402/power_machine.h"

namespace jointrig::cia402 {

/// Option codes that are none of their object's are taken as the default.
struct DriveOptions {
  std::int16_t quick_stop = 6;            ///< 605Ah
  std::int16_t shutdown = 0;              ///< 605Bh
  std::int16_t disable_operation = 1;     ///< 605Ch
  std::int16_t halt = 1;                  ///< 605Dh
  std::int16_t fault_reaction = 2;        ///< 605Eh
  std::int16_t connection_lost = 1;       ///< 6007h
  std::uint32_t supported_modes = 0x3AD;  ///< 6502h
  bool has_pwm = true;                    ///< mode -1
  /// Before homing starts drives show 001; some show 000, as if it ran.
  bool shows_homing_not_started = true;
};

/// Result of the homing of number `number`.
struct HomingReport {
  std::uint32_t number = 0;
  Homing state = Homing::kRunning;
};

struct DriveInputs {
  std::uint16_t controlword = 0;   ///< 6040h
  std::int8_t mode = mode::kNone;  ///< 6060h
  bool standstill = true;          ///< the motor does not turn
  bool voltage_present = true;     ///< of the DC link
  bool fault_present = false;      ///< some cause of a fault is still there
  bool warning = false;
  bool target_reached = false;
  bool internal_limit = false;
  bool brake_open = true;        ///< also without a brake: the drive may let its mode act
  bool command_lost = false;     ///< none has come for a while: bit 12 of the cyclic modes is 0
  bool following_error = false;  ///< shown in bit 13 of the position modes
  HomingReport homing;
};

enum class Motion : std::uint8_t {
  kOff,     ///< power stage off
  kFollow,  ///< follow the mode's target
  kStop,    ///< come to rest as `stop` says, then hold
};

struct DriveOutputs {
  std::uint16_t statusword = 0;  ///< 6041h
  PowerState state = PowerState::kNotReadyToSwitchOn;
  Motion motion = Motion::kOff;
  Stop stop = Stop::kPowerOff;     ///< of kStop
  std::int8_t mode = mode::kNone;  ///< 6061h: the mode that is really in force
  std::uint16_t error_code = 0;    ///< 603Fh
  /// Homing number n is to run (rises with every start); 0: none has to.
  std::uint32_t homing_number = 0;
  /// Rises with every new set-point of profile position.
  std::uint32_t set_points = 0;

  [[nodiscard]] bool power_stage() const noexcept { return motion != Motion::kOff; }
};

class DriveMachine {
 public:
  explicit DriveMachine(const DriveOptions& options = {}) noexcept : options_(options) {}

  /// Taken over at the next use.
  void set_options(const DriveOptions& options) noexcept { options_ = options; }
  [[nodiscard]] const DriveOptions& options() const noexcept { return options_; }
  /// May 6060h be given this value?
  [[nodiscard]] bool accepts_mode(std::int8_t code) const noexcept;

  /// One look at the inputs. At most one transition by command is made; call it once a cycle, and
  /// whenever a controlword has come.
  const DriveOutputs& update(const DriveInputs& inputs) noexcept;
  [[nodiscard]] const DriveOutputs& outputs() const noexcept { return outputs_; }

  /// Transition 13.
  /// @param code  the EMCY's, not 0
  void raise_fault(std::uint16_t code) noexcept;
  /// The master fell silent: as 6007h says.
  /// @param code  the fault's, if it is to be one
  void connection_lost(std::uint16_t code) noexcept;
  /// The network took the drive out of operation: it stops (605Ah) and is disabled, whatever its
  /// option codes.
  void network_left() noexcept;
  /// As after power on: off, faults forgotten. A fault that persists comes back by raise_fault().
  void reset() noexcept;

  /// Fault resets that were refused because a cause was still there.
  [[nodiscard]] std::uint64_t refused_resets() const noexcept { return refused_resets_; }

 private:
  void enter(PowerState state) noexcept;
  void enter_by_itself(PowerState state) noexcept;
  void start_quick_stop() noexcept;
  void follow_automatic(const DriveInputs& inputs) noexcept;
  void obey(const DriveInputs& inputs, bool reset_edge) noexcept;
  void enable(const DriveInputs& inputs) noexcept;
  void leave_enabled(PowerState to, Stop stop, const DriveInputs& inputs) noexcept;
  void follow_mode(const DriveInputs& inputs) noexcept;
  void follow_homing(const DriveInputs& inputs) noexcept;
  void follow_set_points(const DriveInputs& inputs, bool start_edge) noexcept;
  void show_motion(const DriveInputs& inputs) noexcept;
  void show_statusword(const DriveInputs& inputs) noexcept;
  [[nodiscard]] QuickStop quick_stop() const noexcept;
  [[nodiscard]] bool is_powered() const noexcept;

  DriveOptions options_;
  DriveOutputs outputs_;
  PowerState state_ = PowerState::kNotReadyToSwitchOn;
  std::uint16_t controlword_ = 0;    // as last seen
  std::optional<Command> stood_;     // does not count until it has changed
  std::optional<Stop> leaving_;      // OPERATION ENABLED is being left by this
  bool opens_brake_ = false;         // SWITCHED ON with the stage on, until the brake is open
  bool disable_after_stop_ = false;  // QUICK STOP ACTIVE ends whatever 605Ah says
  Stop reaction_ = Stop::kPowerOff;  // of FAULT REACTION ACTIVE
  Homing homing_ = Homing::kNotStarted;
  std::uint32_t homing_number_ = 0;
  bool set_point_taken_ = false;
  std::uint64_t refused_resets_ = 0;
};

}  // namespace jointrig::cia402
