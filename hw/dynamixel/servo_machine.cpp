#include "hw/dynamixel/servo_machine.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace jointrig::dynamixel {
namespace {

constexpr std::size_t kFirstVolatile = 64;  // addresses below are kept without power
constexpr std::uint8_t kProtocol2 = 2;
constexpr std::uint8_t kDefaultReturnDelay = 250;  // 500 µs, as delivered
constexpr std::uint8_t kEveryError = 0x3D;
constexpr std::size_t kFastHead = 8;
constexpr std::size_t kFastPart = 4;  // error, id, CRC

bool covers(Item item, std::size_t address) noexcept {
  return address >= item.address && address < item.address + std::size_t{item.size};
}

bool is_read_only(std::size_t address) noexcept {
  const bool is_identity = address < item::kId.address;
  const bool is_present = address >= 120 && address < 168;
  return is_identity || is_present || covers(item::kRegistered, address) ||
         covers(item::kHardwareError, address);
}

bool is_goal(std::size_t address) noexcept {
  constexpr std::size_t kGoalPwm = 100;
  return (address >= kGoalPwm && address < item::kProfileAcceleration.address) ||
         covers(item::kGoalPosition, address);
}

bool is_indirect_address(std::size_t address) noexcept {
  return address >= kIndirectAddress && address < kIndirectData;
}

bool is_mode(std::uint8_t mode) noexcept {
  constexpr std::uint8_t kPwm = 16;
  return mode <= 1 || (mode >= 3 && mode <= 5) || mode == kPwm;
}

std::size_t word(std::span<const std::uint8_t> bytes, std::size_t at) noexcept {
  return get(bytes.subspan(at, 2));
}

int rounded(double value) noexcept {
  constexpr double kMost = 2147483000.0;
  return static_cast<int>(std::lround(std::clamp(value, -kMost, kMost)));
}

}  // namespace

ServoMachine::ServoMachine(const ServoConfig& config) noexcept : config_(config) {
  constexpr int kLastPosition = 4095;
  set(item::kModelNumber, config.model);
  set(item::kFirmware, config.firmware);
  set(item::kId, config.id);
  set(item::kBaudRate, 6);  // 4 Mbit/s
  set(item::kReturnDelay, kDefaultReturnDelay);
  set(item::kOperatingMode, static_cast<int>(OperatingMode::kPosition));
  set(item::kProtocol, kProtocol2);
  set(item::kCurrentLimit, config.current_limit);
  set(item::kVelocityLimit, config.velocity_limit);
  set(item::kMaxPosition, kLastPosition);
  set(item::kShutdown, kEveryError);
  reset();
}

void ServoMachine::reset() noexcept {
  std::fill(table_.begin() + kFirstVolatile, table_.end(), std::uint8_t{0});
  set(item::kStatusReturnLevel, 2);
  for (std::size_t i = 0; i < kIndirectItems; ++i) {
    set({static_cast<std::uint16_t>(kIndirectAddress + 2 * i), 2},
        static_cast<int>(kIndirectData + i));
  }
  forget_goals();
  reader_.reset();
  answer_size_ = chain_left_ = registered_size_ = 0;
  silence_ = 0;
}

std::uint32_t ServoMachine::value(Item item) const noexcept {
  return get(std::span(table_).subspan(item.address, item.size));
}

int ServoMachine::signed_value(Item item) const noexcept {
  return get_signed(std::span(table_).subspan(item.address, item.size));
}

void ServoMachine::sense(const ServoSensed& sensed) noexcept {
  constexpr int kMostCurrent = 32767;
  set(item::kPresentPosition, rounded(sensed.position));
  set(item::kPresentVelocity, rounded(sensed.velocity));
  set(item::kPresentCurrent, std::clamp(rounded(sensed.current), -kMostCurrent, kMostCurrent));
  set(item::kInputVoltage, rounded(sensed.voltage / kVoltageStep));
  set(item::kTemperature, std::clamp(rounded(sensed.temperature_C), 0, 255));
}

void ServoMachine::raise_errors(std::uint8_t bits) noexcept {
  table_[item::kHardwareError.address] |= bits;
  if ((bits & value(item::kShutdown)) != 0) set(item::kTorqueEnable, 0);
}

bool ServoMachine::take_reboot() noexcept {
  const bool was = rebooted_;
  rebooted_ = false;
  return was;
}

// Its loop
// -------------------------------------------------------------------------------------------

ServoDrive ServoMachine::update(double dt) noexcept {
  const auto watchdog = static_cast<std::uint8_t>(value(item::kBusWatchdog));
  silence_ = torque() ? silence_ + dt : 0.0;
  if (watchdog != 0 && watchdog != kWatchdogBit && silence_ > watchdog * kWatchdogStep) {
    forget_goals();
    set(item::kBusWatchdog, kWatchdogBit);
  }
  ServoDrive drive;
  if (!torque()) return drive;
  drive.current = signed_value(item::kGoalCurrent);
  drive.velocity = signed_value(item::kGoalVelocity);
  drive.position = signed_value(item::kGoalPosition);
  const auto mode = static_cast<OperatingMode>(value(item::kOperatingMode));
  switch (mode) {
    case OperatingMode::kCurrent:
      drive.stage = ServoDrive::Stage::kCurrent;
      break;
    case OperatingMode::kVelocity:
      drive.stage = ServoDrive::Stage::kVelocity;
      break;
    case OperatingMode::kPosition:
    case OperatingMode::kExtendedPosition:
      drive.current = config_.current_limit;
      drive.stage = ServoDrive::Stage::kPosition;
      break;
    case OperatingMode::kCurrentPosition:
      drive.stage = ServoDrive::Stage::kPosition;
      break;
  }
  return drive;
}

/// Nothing to do but to hold.
void ServoMachine::forget_goals() noexcept {
  const auto mode = static_cast<OperatingMode>(value(item::kOperatingMode));
  const bool caps = mode == OperatingMode::kCurrentPosition;
  set(item::kGoalCurrent, caps ? config_.current_limit : 0);
  set(item::kGoalVelocity, 0);
  set(item::kGoalPosition, signed_value(item::kPresentPosition));
}

// Instructions
// -------------------------------------------------------------------------------------------

void ServoMachine::hear_host(std::span<const std::uint8_t> bytes) noexcept {
  reader_.feed(bytes);
  while (const auto packet = reader_.next()) {
    silence_ = 0;
    chain_left_ = 0;
    obey(*packet);
  }
}

void ServoMachine::obey(const Packet& packet) noexcept {
  place_ = 0;
  switch (packet.instruction) {
    case Instruction::kSyncRead:
      return take_sync_read(packet, false);
    case Instruction::kFastSyncRead:
      return take_sync_read(packet, true);
    case Instruction::kSyncWrite:
      return take_sync_write(packet.parameters);
    case Instruction::kBulkRead:
      return take_bulk_read(packet.parameters);
    case Instruction::kBulkWrite:
      return take_bulk_write(packet.parameters);
    default:
      break;
  }
  if (packet.id == id() || packet.id == kBroadcast) obey_alone(packet);
}

void ServoMachine::obey_alone(const Packet& packet) noexcept {
  const Bytes given = packet.parameters;
  const bool is_mine = packet.id == id();
  switch (packet.instruction) {
    case Instruction::kPing:
      place_ = is_mine ? 0 : id();
      return say(Error::kNone, std::array{table_[0], table_[1], table_[item::kFirmware.address]});
    case Instruction::kRead:
      if (!is_mine || value(item::kStatusReturnLevel) < 1) return;
      if (given.size() != 4) return say(Error::kDataLength, {});
      return say_read(word(given, 0), word(given, 2));
    case Instruction::kWrite:
      if (given.size() < 3) return answer_write(packet, Error::kDataLength);
      return answer_write(packet, write(word(given, 0), given.subspan(2)));
    case Instruction::kRegWrite:
      if (given.size() < 3 || given.size() - 2 > registered_.size()) {
        return answer_write(packet, Error::kDataLength);
      }
      registered_address_ = word(given, 0);
      registered_size_ = given.size() - 2;
      std::copy(given.begin() + 2, given.end(), registered_.begin());
      set(item::kRegistered, 1);
      return answer_write(packet, Error::kNone);
    case Instruction::kAction:
      return answer_write(packet, act());
    case Instruction::kReboot:
      answer_write(packet, Error::kNone);
      return reboot();
    default:
      if (is_mine) say(Error::kInstruction, {});
  }
}

Error ServoMachine::act() noexcept {
  const std::size_t size = std::exchange(registered_size_, 0);
  set(item::kRegistered, 0);
  if (size == 0) return Error::kResult;
  return write(registered_address_, std::span(registered_).first(size));
}

void ServoMachine::answer_write(const Packet& packet, Error error) noexcept {
  if (packet.id == id() && value(item::kStatusReturnLevel) >= 2) say(error, {});
}

void ServoMachine::reboot() noexcept {
  const auto said = answer_;
  const std::size_t size = answer_size_;
  reset();
  answer_ = said;
  answer_size_ = size;
  rebooted_ = true;
}

void ServoMachine::take_sync_read(const Packet& packet, bool fast) noexcept {
  const Bytes given = packet.parameters;
  if (given.size() < 5 || value(item::kStatusReturnLevel) < 1) return;
  const Bytes ids = given.subspan(4);
  const auto mine = std::find(ids.begin(), ids.end(), id());
  if (mine == ids.end()) return;
  place_ = static_cast<unsigned>(mine - ids.begin());
  part_address_ = word(given, 0);
  part_size_ = word(given, 2);
  if (!fast) return say_read(part_address_, part_size_);
  const std::size_t whole = kFastHead + ids.size() * (kFastPart + part_size_);
  if (part_address_ + part_size_ > kTableSize || whole > kMostPacket) return;
  chain_crc_ = 0;
  if (place_ > 0) {
    chain_left_ = kFastHead + place_ * (kFastPart + part_size_);
    return;
  }
  const std::size_t length = whole - kHeaderSize;
  append(std::array<std::uint8_t, kFastHead>{
      0xFF, 0xFF, 0xFD, 0x00, kBroadcast, static_cast<std::uint8_t>(length),
      static_cast<std::uint8_t>(length >> 8U), static_cast<std::uint8_t>(Instruction::kStatus)});
  chain_crc_ = crc16(answer());
  say_part();
}

void ServoMachine::hear_servo(std::span<const std::uint8_t> bytes) noexcept {
  if (chain_left_ == 0) return;
  const std::size_t taken = std::min(chain_left_, bytes.size());
  chain_crc_ = crc16(bytes.first(taken), chain_crc_);
  chain_left_ -= taken;
  if (chain_left_ == 0) say_part();
}

void ServoMachine::say_part() noexcept {
  std::array<std::uint8_t, kTableSize + kFastPart> part{};
  part[0] = error_byte(Error::kNone);
  part[1] = id();
  read(part_address_, part_size_, std::span(part).subspan(2, part_size_));
  const std::size_t size = 2 + part_size_;
  put(crc16(std::span(part).first(size), chain_crc_), std::span(part).subspan(size, 2));
  append(std::span(part).first(size + 2));
}

void ServoMachine::take_sync_write(Bytes given) noexcept {
  if (given.size() < 5) return;
  const std::size_t address = word(given, 0);
  const std::size_t size = word(given, 2);
  for (std::size_t at = 4; at + 1 + size <= given.size(); at += 1 + size) {
    if (given[at] == id()) write(address, given.subspan(at + 1, size));
  }
}

void ServoMachine::take_bulk_read(Bytes given) noexcept {
  constexpr std::size_t kEntry = 5;  // id, address, size
  if (value(item::kStatusReturnLevel) < 1) return;
  for (std::size_t at = 0; at + kEntry <= given.size(); at += kEntry) {
    if (given[at] != id()) continue;
    place_ = static_cast<unsigned>(at / kEntry);
    return say_read(word(given, at + 1), word(given, at + 3));
  }
}

void ServoMachine::take_bulk_write(Bytes given) noexcept {
  constexpr std::size_t kEntry = 5;
  for (std::size_t at = 0; at + kEntry <= given.size();) {
    const std::size_t size = word(given, at + 3);
    if (at + kEntry + size > given.size()) return;
    if (given[at] == id()) write(word(given, at + 1), given.subspan(at + kEntry, size));
    at += kEntry + size;
  }
}

// The table
// -------------------------------------------------------------------------------------------

std::size_t ServoMachine::resolve(std::size_t address) const noexcept {
  const bool is_indirect = address >= kIndirectData && address < kIndirectData + kIndirectItems;
  if (!is_indirect) return address;
  return word(table_, kIndirectAddress + 2 * (address - kIndirectData));
}

bool ServoMachine::read(std::size_t address, std::size_t size,
                        std::span<std::uint8_t> into) const noexcept {
  if (address + size > kTableSize) return false;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t place = resolve(address + i);
    into[i] = place < kTableSize ? table_[place] : std::uint8_t{0};
  }
  return true;
}

Error ServoMachine::check_access(std::size_t address) const noexcept {
  if (address >= kTableSize) return Error::kDataRange;
  if (is_read_only(address)) return Error::kAccess;
  const bool needs_torque_off = address < kFirstVolatile || is_indirect_address(address);
  if (needs_torque_off && torque()) return Error::kAccess;
  if (is_goal(address) && value(item::kBusWatchdog) == kWatchdogBit) return Error::kDataRange;
  return Error::kNone;
}

Error ServoMachine::check_values(const Table& wanted) const noexcept {
  const auto of = [&wanted](Item item) {
    return get_signed(std::span(wanted).subspan(item.address, item.size));
  };
  const auto byte = [&wanted](Item item) { return wanted[item.address]; };
  const bool in_range = byte(item::kId) <= kLastId && is_mode(byte(item::kOperatingMode)) &&
                        byte(item::kTorqueEnable) <= 1 && byte(item::kStatusReturnLevel) <= 2 &&
                        (byte(item::kBusWatchdog) <= kLongestWatchdog ||
                         byte(item::kBusWatchdog) == table_[item::kBusWatchdog.address]);
  if (!in_range) return Error::kDataRange;
  if (byte(item::kTorqueEnable) == 1 && value(item::kHardwareError) != 0) return Error::kResult;
  if (std::abs(of(item::kGoalCurrent)) > of(item::kCurrentLimit)) return Error::kDataLimit;
  if (std::abs(of(item::kGoalVelocity)) > of(item::kVelocityLimit)) return Error::kDataLimit;
  const bool one_turn =
      byte(item::kOperatingMode) == static_cast<std::uint8_t>(OperatingMode::kPosition);
  const int goal = of(item::kGoalPosition);
  const bool is_new = goal != signed_value(item::kGoalPosition);
  const bool outside = goal < of(item::kMinPosition) || goal > of(item::kMaxPosition);
  return one_turn && is_new && outside ? Error::kDataLimit : Error::kNone;
}

Error ServoMachine::write(std::size_t address, Bytes data) noexcept {
  if (address + data.size() > kTableSize) return Error::kDataRange;
  Table wanted = table_;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::size_t place = resolve(address + i);
    if (const Error error = check_access(place); error != Error::kNone) return error;
    wanted[place] = data[i];
  }
  if (const Error error = check_values(wanted); error != Error::kNone) return error;
  const Table before = std::exchange(table_, wanted);
  follow_write(before);
  return Error::kNone;
}

void ServoMachine::follow_write(const Table& before) noexcept {
  const auto changed = [&](Item item) { return before[item.address] != table_[item.address]; };
  const bool starts = changed(item::kTorqueEnable) && torque();
  if (changed(item::kOperatingMode) || starts) forget_goals();
}

// Answers
// -------------------------------------------------------------------------------------------

std::uint8_t ServoMachine::error_byte(Error error) const noexcept {
  const std::uint8_t alert = value(item::kHardwareError) != 0 ? kAlert : std::uint8_t{0};
  return static_cast<std::uint8_t>(static_cast<std::uint8_t>(error) | alert);
}

void ServoMachine::say(Error error, Bytes data) noexcept {
  std::array<std::uint8_t, kTableSize + 1> parameters{};
  parameters[0] = error_byte(error);
  std::copy(data.begin(), data.end(), parameters.begin() + 1);
  answer_size_ +=
      write_packet(id(), Instruction::kStatus, std::span(parameters).first(1 + data.size()),
                   std::span(answer_).subspan(answer_size_));
}

void ServoMachine::say_read(std::size_t address, std::size_t size) noexcept {
  std::array<std::uint8_t, kTableSize> data{};
  if (!read(address, size, data)) return say(Error::kDataRange, {});
  say(Error::kNone, std::span(data).first(size));
}

void ServoMachine::append(Bytes bytes) noexcept {
  const std::size_t taken = std::min(bytes.size(), answer_.size() - answer_size_);
  std::copy_n(bytes.begin(), taken, answer_.begin() + static_cast<std::ptrdiff_t>(answer_size_));
  answer_size_ += taken;
}

}  // namespace jointrig::dynamixel
