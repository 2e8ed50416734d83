#pragma once
/// The registers of a moteus servo on the bus, by number: each is a quantity that can be written
/// or read as an integer of 8, 16 or 32 bits in a fixed step, or as a float in the unit itself.
///
/// Positions are revolutions of the servo's output, velocities revolutions a second, torques N·m at
/// the output. Source: the maker's register reference (map version 5).

#include <cstdint>
#include <string_view>

namespace jointrig::moteus {

enum class Register : std::uint16_t {
  kMode = 0x000,
  kPosition = 0x001,
  kVelocity = 0x002,
  kTorque = 0x003,
  kQCurrent = 0x004,
  kDCurrent = 0x005,
  kAbsPosition = 0x006,
  kPower = 0x007,
  kMotorTemperature = 0x00A,
  kTrajectoryComplete = 0x00B,
  kHomeState = 0x00C,
  kVoltage = 0x00D,
  kTemperature = 0x00E,
  kFault = 0x00F,
  kPwmA = 0x010,
  kPwmB = 0x011,
  kPwmC = 0x012,
  kVoltageD = 0x01A,
  kVoltageQ = 0x01B,
  kCommandQCurrent = 0x01C,
  kCommandDCurrent = 0x01D,
  kCommandPosition = 0x020,
  kCommandVelocity = 0x021,
  kCommandFeedforward = 0x022,
  kCommandKpScale = 0x023,
  kCommandKdScale = 0x024,
  kCommandMaxTorque = 0x025,
  kCommandStopPosition = 0x026,
  kCommandTimeout = 0x027,
  kCommandVelocityLimit = 0x028,
  kCommandAccelLimit = 0x029,
  kCommandIlimitScale = 0x02B,
  kAux1Inputs = 0x05E,
  kAux2Inputs = 0x05F,
  kModelNumber = 0x100,
  kFirmwareVersion = 0x101,
  kRegisterMapVersion = 0x102,
  kMultiplexId = 0x110,
  kSerial1 = 0x120,
  kSerial2 = 0x121,
  kSerial3 = 0x122,
  kSetOutputNearest = 0x130,
  kSetOutputExact = 0x131,
};

enum class Resolution : std::uint8_t { kInt8, kInt16, kInt32, kFloat };

[[nodiscard]] constexpr std::size_t size_of(Resolution resolution) noexcept {
  constexpr std::size_t kBytes[] = {1, 2, 4, 4};
  return kBytes[static_cast<std::size_t>(resolution)];
}

/// Quantity of a register; decides the step of each integer.
enum class Quantity : std::uint8_t {
  kInteger,       ///< the number itself
  kPosition,      ///< [rev]
  kVelocity,      ///< [rev/s]
  kAcceleration,  ///< [rev/s²]
  kTorque,        ///< [N·m]
  kCurrent,       ///< [A]
  kVoltage,       ///< [V]
  kTemperature,   ///< [°C]
  kTime,          ///< [s]
  kRatio,         ///< of gains and duties, 1 is the integer's end
  kPower,         ///< [W]
};

/// How far the integer's last bit goes; 1 for a float.
[[nodiscard]] double step_of(Quantity quantity, Resolution resolution) noexcept;

enum class Access : std::uint8_t { kRead, kWrite, kBoth };

struct RegisterInfo {
  Register number;
  Quantity quantity;
  Access access;
  std::string_view name;
};

/// Null for a register that is none of the above.
[[nodiscard]] const RegisterInfo* find_register(std::uint32_t number) noexcept;

/// An unknown register holds an integer.
[[nodiscard]] Quantity quantity_of(std::uint32_t number) noexcept;

/// Register 000h.
enum class Mode : std::int8_t {
  kStopped = 0,  ///< the stage is off; written, it also clears a fault or a time-out
  kFault = 1,
  kEnabling = 2,
  kCalibrating = 3,
  kCalibrationComplete = 4,
  kPwm = 5,
  kVoltage = 6,
  kVoltageFoc = 7,
  kVoltageDq = 8,
  kCurrent = 9,
  kPosition = 10,
  kTimeout = 11,  ///< no command came in time; as a fault, left by stopped alone
  kZeroVelocity = 12,
  kStayWithin = 13,
  kMeasureInductance = 14,
  kBrake = 15,
};

/// On the way from stopped to a mode that drives.
[[nodiscard]] constexpr bool is_enabling(Mode mode) noexcept {
  return mode >= Mode::kEnabling && mode <= Mode::kCalibrationComplete;
}

/// The two that nothing but a written kStopped leaves.
[[nodiscard]] constexpr bool is_latched(Mode mode) noexcept {
  return mode == Mode::kFault || mode == Mode::kTimeout;
}

}  // namespace jointrig::moteus
