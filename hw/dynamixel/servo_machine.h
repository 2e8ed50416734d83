#pragma once
/// The inside of an X series servo without motor and encoder: control table, instructions, bus
/// watchdog, shutdown by hardware errors. The owner of the motor tells it what is sensed, and
/// carries out what it says.
///
///     sense(..)            what its table shows from now on
///     hear_host(bytes)     instructions take effect; answer() is what it says to them
///     hear_servo(bytes)    what other servos on the line say: of a fast sync read each servo sends
///                          its part, with a CRC over all parts so far, when those before it are
///                          out
///     update(dt)           one period of its loop: the watchdog, then what the stage does
///
/// Items at addresses below 64 and indirect addresses are written only while the torque is off.
/// Not there: PWM control, profiles, gains, homing offset, position limits outside of mode 3, time
/// of the return delay.

#include <array>
#include <cstdint>
#include <span>

#include "hw/dynamixel/control_table.h"
#include "hw/dynamixel/packet.h"

namespace jointrig::dynamixel {

struct ServoConfig {
  std::uint8_t id = 1;
  std::uint16_t model = 1020;
  std::uint8_t firmware = 45;
  int current_limit = 1193;  ///< [kCurrentStepAmpere]
  int velocity_limit = 200;  ///< [kVelocityStepRpm]
};

struct ServoSensed {
  double position = 0;  ///< [1/kCountsPerTurn turn]
  double velocity = 0;  ///< [kVelocityStepRpm]
  double current = 0;   ///< [kCurrentStepAmpere]
  double voltage = 0;   ///< [V]
  double temperature_C = 0;
};

/// The motor's order for a period, in the table's units.
struct ServoDrive {
  enum class Stage : std::uint8_t { kOff, kCurrent, kVelocity, kPosition };
  Stage stage = Stage::kOff;
  int current = 0;  ///< in kPosition the most there may be
  int velocity = 0;
  int position = 0;
};

class ServoMachine {
 public:
  explicit ServoMachine(const ServoConfig& config) noexcept;

  /// As after power-on: what is kept without power stays.
  void reset() noexcept;
  void sense(const ServoSensed& sensed) noexcept;
  /// Hardware errors found by whoever owns the motor: the torque goes off, a reboot clears them.
  void raise_errors(std::uint8_t bits) noexcept;

  void hear_host(std::span<const std::uint8_t> bytes) noexcept;
  void hear_servo(std::span<const std::uint8_t> bytes) noexcept;
  ServoDrive update(double dt) noexcept;

  /// Its answer, since clear_answer().
  [[nodiscard]] std::span<const std::uint8_t> answer() const noexcept {
    return std::span(answer_).first(answer_size_);
  }
  /// Its turn among the servos that answer the same instruction.
  [[nodiscard]] unsigned place() const noexcept { return place_; }
  void clear_answer() noexcept { answer_size_ = 0; }
  /// It waits for the parts of other servos before its own.
  [[nodiscard]] bool waits() const noexcept { return chain_left_ > 0; }

  /// It was told to reboot since the last call.
  [[nodiscard]] bool take_reboot() noexcept;

  [[nodiscard]] std::uint8_t id() const noexcept { return table_[item::kId.address]; }
  [[nodiscard]] std::uint32_t value(Item item) const noexcept;
  [[nodiscard]] bool torque() const noexcept { return table_[item::kTorqueEnable.address] != 0; }
  [[nodiscard]] const ServoConfig& config() const noexcept { return config_; }

 private:
  using Table = std::array<std::uint8_t, kTableSize>;
  using Bytes = std::span<const std::uint8_t>;

  [[nodiscard]] std::span<std::uint8_t> at(Item item) noexcept {
    return std::span(table_).subspan(item.address, item.size);
  }
  void set(Item item, int value) noexcept { put(static_cast<std::uint32_t>(value), at(item)); }
  [[nodiscard]] int signed_value(Item item) const noexcept;

  void obey(const Packet& packet) noexcept;
  void obey_alone(const Packet& packet) noexcept;
  void answer_write(const Packet& packet, Error error) noexcept;
  void take_sync_read(const Packet& packet, bool fast) noexcept;
  void take_sync_write(Bytes parameters) noexcept;
  void take_bulk_read(Bytes parameters) noexcept;
  void take_bulk_write(Bytes parameters) noexcept;
  /// Carries out a registered write.
  Error act() noexcept;
  void reboot() noexcept;

  /// Address of the byte behind an indirect one.
  [[nodiscard]] std::size_t resolve(std::size_t address) const noexcept;
  [[nodiscard]] Error check_access(std::size_t address) const noexcept;
  [[nodiscard]] Error check_values(const Table& wanted) const noexcept;
  Error write(std::size_t address, Bytes data) noexcept;
  void follow_write(const Table& before) noexcept;
  void forget_goals() noexcept;
  /// @return false for a place outside of the table
  bool read(std::size_t address, std::size_t size, std::span<std::uint8_t> into) const noexcept;

  [[nodiscard]] std::uint8_t error_byte(Error error) const noexcept;
  void say(Error error, Bytes data) noexcept;
  void say_read(std::size_t address, std::size_t size) noexcept;
  void say_part() noexcept;
  void append(Bytes bytes) noexcept;

  ServoConfig config_;
  Table table_{};
  PacketReader reader_;
  std::array<std::uint8_t, kMostPacket> answer_{};
  std::size_t answer_size_ = 0;
  unsigned place_ = 0;
  // Its part of a fast sync read.
  std::size_t chain_left_ = 0;  ///< bytes of the parts before
  std::uint16_t chain_crc_ = 0;
  std::size_t part_address_ = 0;
  std::size_t part_size_ = 0;
  // A registered write.
  std::array<std::uint8_t, kTableSize> registered_{};
  std::size_t registered_address_ = 0;
  std::size_t registered_size_ = 0;
  double silence_ = 0;  ///< since the last instruction [s]
  bool rebooted_ = false;
};

}  // namespace jointrig::dynamixel
