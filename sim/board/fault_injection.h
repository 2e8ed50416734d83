#pragma once
/// Faults that can be injected into a simulated joint while it runs, by name.

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "control/core/enumeration.h"
#include "control/core/faults.h"

namespace jointrig::sim {

/// Member, word, unit of its value ("": no value), the fault that the board must detect, detection
/// time [s, at 1 ms a cycle; 0: not by the board], physical effect.
///
/// The board detects them by the back-EMF (the motor's terminal voltage gives its speed without the
/// encoder), its own model of the current loop, time stamps and checksums of its sensors,
/// power-good of its output stage. Thresholds: sim/board/monitors.h. A fault stays present as long
/// as it is injected: clear_fault is refused until its time is over.
///
/// encoder_freeze: detected in motion; at rest, or if shorter than 20 ms, it has no effect.
///
/// encoder_jump: detected above the distance of two cycles at v_max; the reading is wrong until it
/// ends.
///
/// encoder_noise: detected above a quarter of v_max, as noise of the speed.
///
/// torque_sensor_offset: detected above a tenth of tau_max.
///
/// motor_off: detected when the board wants a twentieth of its largest current.
///
/// gain_loss, stiction_step: no fault of a board; the joint performs worse, and laws and
/// expectations must tolerate it. A gain_loss of 0.7 leaves 70 % of the torque; the rest is lost
/// behind the torque sensor (a slipping coupling).
///
/// wrong_calibration_offset: detected at the end of a calibration if above calibration_tolerance;
/// else the wrong zero is kept.
///
/// digital_input: no fault either, but a pressed button, visible in the board's inputs.
///
/// missed_cycles: the board goes on with its last setpoint. JointState::missed counts them; the
/// board itself detects silence longer than watchdog_s if its motor is on.
///
/// power_off: the motor is off at once and the board keeps silent, on a bus with all its frames. It
/// starts anew when the fault ends, like after power-on, and drives no earlier than after a
/// setpoint without drive.
#define JOINTRIG_SIM_FAULTS(X)                                                                 \
  X(kEncoderFreeze, "encoder_freeze", "", FaultCode::kEncoderFrozen, 0.025,                    \
    "the encoder repeats its last reading")                                                    \
  X(kEncoderJump, "encoder_jump", "rad", FaultCode::kEncoderJump, 0.001,                       \
    "the encoder reads this much more")                                                        \
  X(kEncoderNoise, "encoder_noise", "rad", FaultCode::kEncoderNoise, 0.050,                    \
    "the encoder's reading is noisy with this deviation")                                      \
  X(kEncoderDropout, "encoder_dropout", "", FaultCode::kEncoderLost, 0.006,                    \
    "no sample of the encoder arrives; the board extrapolates")                                \
  X(kTorqueSensorOffset, "torque_sensor_offset", "N·m", FaultCode::kTorqueSensorRange, 0.050,  \
    "the torque sensor reads this much more")                                                  \
  X(kTorqueSensorTimeout, "torque_sensor_timeout", "", FaultCode::kTorqueSensorLost, 0.011,    \
    "the torque sensor repeats its last sample")                                               \
  X(kMotorOff, "motor_off", "", FaultCode::kMotorPowerLost, 0.011,                             \
    "the output stage is dead: no current flows")                                              \
  X(kGainLoss, "gain_loss", "fraction", FaultCode::kNone, 0.0,                                 \
    "the joint gets only this fraction of the motor's torque")                                 \
  X(kStictionStep, "stiction_step", "N·m", FaultCode::kNone, 0.0,                              \
    "Coulomb friction of the joint rises by this much")                                        \
  X(kOverTemperature, "over_temperature", "°C", FaultCode::kOverTemperature, 0.001,            \
    "the winding has at least this temperature")                                               \
  X(kOverCurrent, "over_current", "", FaultCode::kOverCurrent, 0.001,                          \
    "a short in the winding: twice the largest current flows, without torque")                 \
  X(kSupplyVoltage, "supply_voltage", "V", FaultCode::kSupplyVoltage, 0.011,                   \
    "the drive is supplied with this voltage")                                                 \
  X(kLimitSwitch, "limit_switch", "", FaultCode::kLimitSwitch, 0.001,                          \
    "a limit switch is closed (effective while the motor is on)")                              \
  X(kWrongCalibrationOffset, "wrong_calibration_offset", "rad", FaultCode::kCalibrationFailed, \
    0.0, "calibration finds a zero that is off by this much")                                  \
  X(kMissedCycles, "missed_cycles", "cycles", FaultCode::kNone, 0.0,                           \
    "the board neither receives nor sends")                                                    \
  X(kDigitalInput, "digital_input", "input", FaultCode::kNone, 0.0,                            \
    "the digital input of this number, from 0, is on")                                         \
  X(kPowerOff, "power_off", "", FaultCode::kNone, 0.0,                                         \
    "the board has no power; it starts anew when the fault ends")
JOINTRIG_ENUM(SimFault, JOINTRIG_SIM_FAULTS)

inline constexpr std::size_t kSimFaultCount = kAllSimFault.size();

#define JOINTRIG_SIM_FAULT_UNIT(member, word, unit, code, time, sentence) std::string_view{unit},
#define JOINTRIG_SIM_FAULT_CODE(member, word, unit, code, time, sentence) code,
#define JOINTRIG_SIM_FAULT_TIME(member, word, unit, code, time, sentence) time,
#define JOINTRIG_SIM_FAULT_TEXT(member, word, unit, code, time, sentence) \
  std::string_view{sentence},
/// Unit of the value; empty if the fault takes none. For a slide joint read m for rad, N for N·m.
constexpr std::string_view unit_of(SimFault fault) noexcept {
  constexpr std::array kUnits{JOINTRIG_SIM_FAULTS(JOINTRIG_SIM_FAULT_UNIT)};
  return kUnits[static_cast<std::size_t>(fault)];
}
/// Fault that the board reports for it; kNone: none.
constexpr FaultCode detected_as(SimFault fault) noexcept {
  constexpr std::array kCodes{JOINTRIG_SIM_FAULTS(JOINTRIG_SIM_FAULT_CODE)};
  return kCodes[static_cast<std::size_t>(fault)];
}
/// Longest time until the board reports it, from when it can be detected [s].
constexpr double detection_time(SimFault fault) noexcept {
  constexpr std::array kTimes{JOINTRIG_SIM_FAULTS(JOINTRIG_SIM_FAULT_TIME)};
  return kTimes[static_cast<std::size_t>(fault)];
}
/// Effect, as a sentence.
constexpr std::string_view describe(SimFault fault) noexcept {
  constexpr std::array kTexts{JOINTRIG_SIM_FAULTS(JOINTRIG_SIM_FAULT_TEXT)};
  return kTexts[static_cast<std::size_t>(fault)];
}
constexpr bool takes_value(SimFault fault) noexcept { return !unit_of(fault).empty(); }

/// The faults injected into one joint: at most one of a kind, the last one counts. Plain data.
class InjectedFaults {
 public:
  static constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();

  void inject(SimFault fault, double value, std::uint64_t cycles = kForever) noexcept {
    const auto i = static_cast<std::size_t>(fault);
    value_[i] = value;
    cycles_left_[i] = cycles;
    set(fault, cycles > 0);
  }
  void end(SimFault fault) noexcept { set(fault, false); }

  /// Ends a cycle.
  void count_down() noexcept {
    if (active_ == 0) return;
    for (const SimFault fault : kAllSimFault) {
      auto& left = cycles_left_[static_cast<std::size_t>(fault)];
      if (has(fault) && left != kForever && --left == 0) end(fault);
    }
  }

  [[nodiscard]] bool any() const noexcept { return active_ != 0; }
  [[nodiscard]] bool has(SimFault fault) const noexcept { return (active_ & bit(fault)) != 0; }
  /// Value of an injected fault; 0 if it isn't injected.
  [[nodiscard]] double value(SimFault fault) const noexcept {
    return has(fault) ? value_[static_cast<std::size_t>(fault)] : 0.0;
  }

  template <typename Hash>
  void add_to(Hash& hash) const noexcept {
    for (const SimFault fault : kAllSimFault) {
      if (has(fault)) hash.add(fault, value(fault), cycles_left_[static_cast<std::size_t>(fault)]);
    }
  }

 private:
  static constexpr std::uint64_t bit(SimFault fault) noexcept {
    return std::uint64_t{1} << static_cast<unsigned>(fault);
  }
  void set(SimFault fault, bool on) noexcept {
    active_ = on ? active_ | bit(fault) : active_ & ~bit(fault);
  }

  std::uint64_t active_ = 0;
  std::array<double, kSimFaultCount> value_{};
  std::array<std::uint64_t, kSimFaultCount> cycles_left_{};
};

}  // namespace jointrig::sim
