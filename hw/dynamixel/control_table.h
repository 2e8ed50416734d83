#pragma once
/// The control table of X series servos, as far as it is used here (e-manual.robotis.com,
/// XM430-W350: "Control Table of EEPROM Area", "... of RAM Area"). Values lie low byte first.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace jointrig::dynamixel {

struct Item {
  std::uint16_t address;
  std::uint8_t size;  ///< bytes
};

namespace item {
// Kept when power is lost; written only while the torque is off.
inline constexpr Item kModelNumber{0, 2};
inline constexpr Item kFirmware{6, 1};
inline constexpr Item kId{7, 1};
inline constexpr Item kBaudRate{8, 1};
inline constexpr Item kReturnDelay{9, 1};  ///< of an answer [2 µs]
inline constexpr Item kDriveMode{10, 1};
inline constexpr Item kOperatingMode{11, 1};
inline constexpr Item kProtocol{13, 1};
inline constexpr Item kCurrentLimit{38, 2};
inline constexpr Item kVelocityLimit{44, 4};
inline constexpr Item kMaxPosition{48, 4};
inline constexpr Item kMinPosition{52, 4};
inline constexpr Item kShutdown{63, 1};
// Lost with power.
inline constexpr Item kTorqueEnable{64, 1};
inline constexpr Item kStatusReturnLevel{68, 1};  ///< answers: 0 ping, 1 and read, 2 all
inline constexpr Item kRegistered{69, 1};
inline constexpr Item kHardwareError{70, 1};
inline constexpr Item kBusWatchdog{98, 1};  ///< [20 ms]; 0: off; FFh: it has stopped the servo
inline constexpr Item kGoalCurrent{102, 2};
inline constexpr Item kGoalVelocity{104, 4};
inline constexpr Item kProfileAcceleration{108, 4};
inline constexpr Item kProfileVelocity{112, 4};
inline constexpr Item kGoalPosition{116, 4};
inline constexpr Item kPresentCurrent{126, 2};
inline constexpr Item kPresentVelocity{128, 4};
inline constexpr Item kPresentPosition{132, 4};
inline constexpr Item kInputVoltage{144, 2};  ///< [0.1 V]
inline constexpr Item kTemperature{146, 1};   ///< [°C]
}  // namespace item

/// Each of 28 addresses from kIndirectAddress on names the byte that is read and written at its
/// place from kIndirectData on.
inline constexpr std::uint16_t kIndirectAddress = 168;
inline constexpr std::uint16_t kIndirectData = 224;
inline constexpr std::size_t kIndirectItems = 28;
inline constexpr std::size_t kTableSize = 256;

enum class OperatingMode : std::uint8_t {
  kCurrent = 0,
  kVelocity = 1,
  kPosition = 3,          ///< within one turn
  kExtendedPosition = 4,  ///< 512 turns
  kCurrentPosition = 5,   ///< 512 turns, with at most the goal current
};

// Units.
inline constexpr double kCountsPerTurn = 4096;
inline constexpr double kVelocityStepRpm = 0.229;
inline constexpr double kCurrentStepAmpere = 2.69e-3;
inline constexpr double kVoltageStep = 0.1;  ///< [V]
inline constexpr double kReturnDelayStep = 2e-6;
inline constexpr double kWatchdogStep = 0.02;
inline constexpr std::uint8_t kWatchdogBit = 0xFF;
inline constexpr int kLongestWatchdog = 127;

/// Bits of the hardware error status.
enum class HardwareError : std::uint8_t {
  kInputVoltage = 1U << 0U,
  kOverheating = 1U << 2U,
  kEncoder = 1U << 3U,
  kElectricalShock = 1U << 4U,
  kOverload = 1U << 5U,
};

/// Models that the driver knows. The current of all those that have it counts in
/// kCurrentStepAmpere.
struct Model {
  std::uint16_t number;
  std::string_view name;
  bool has_current;  ///< modes 0 and 5
};
/// Null for another number.
[[nodiscard]] const Model* model_of(std::uint16_t number) noexcept;

/// Little endian, of an item's size; the number is that of the bytes, without a sign.
[[nodiscard]] std::uint32_t get(std::span<const std::uint8_t> bytes) noexcept;
/// The same with a sign.
[[nodiscard]] std::int32_t get_signed(std::span<const std::uint8_t> bytes) noexcept;
void put(std::uint32_t value, std::span<std::uint8_t> bytes) noexcept;

/// Items that a servo is asked for in each cycle: these, in this order, by way of indirect
/// addresses. The last one is its id: a servo that has lost its indirect addresses tells another.
inline constexpr std::array kReported{
    item::kPresentCurrent,  item::kPresentVelocity,
    item::kPresentPosition, item::kInputVoltage,
    item::kTemperature,     item::kHardwareError,
    item::kTorqueEnable,    item::kBusWatchdog,
    item::kOperatingMode,   item::kId,
};
inline constexpr std::size_t kReportSize = 18;

struct Report {
  int current = 0;   ///< [kCurrentStepAmpere]
  int velocity = 0;  ///< [kVelocityStepRpm]
  int position = 0;  ///< [1/kCountsPerTurn turn]
  int voltage = 0;   ///< [0.1 V]
  int temperature_C = 0;
  std::uint8_t hardware_error = 0;
  bool torque = false;
  std::uint8_t watchdog = 0;
  std::uint8_t mode = 0;
  std::uint8_t id = 0;
};
[[nodiscard]] Report report_of(std::span<const std::uint8_t, kReportSize> bytes) noexcept;
/// The indirect addresses of a report, as they are written from kIndirectAddress on.
[[nodiscard]] std::array<std::uint8_t, 2 * kReportSize> report_map() noexcept;

}  // namespace jointrig::dynamixel
