#include "hw/moteus/command.h"

#include <cmath>

namespace jointrig::moteus {
namespace {

using R = Register;
using enum Resolution;

constexpr std::size_t kStateRegisters = 3;   // position, velocity, torque
constexpr std::size_t kHealthRegisters = 3;  // voltage, temperature, fault
constexpr std::size_t kInputRegisters = 2;   // aux 1, aux 2

bool put_mode(FrameWriter& frame, Mode mode) noexcept {
  return frame.write(R::kMode, kInt8, static_cast<double>(mode));
}

/// A value that is the servo's default isn't sent.
bool put_scale(FrameWriter& frame, Register scale, double value) noexcept {
  if (value == 1.0) return true;
  // 0 and 1 need no more than a byte.
  return frame.write(scale, value == 0.0 ? kInt8 : kInt16, value);
}

/// Registers of a set that have been met.
class Seen {
 public:
  void mark(unsigned bit) noexcept { bits_ |= 1U << bit; }
  [[nodiscard]] bool all(unsigned count) const noexcept { return bits_ == (1U << count) - 1U; }

 private:
  std::uint32_t bits_ = 0;
};

/// Calls take(item) for each register that is replied. False: malformed.
template <typename Take>
bool read_replies(std::span<const std::uint8_t> bytes, Take take) noexcept {
  FrameReader reader(bytes);
  while (const auto item = reader.next()) {
    if (item->kind == Item::Kind::kReply) take(*item);
  }
  return !reader.is_malformed();
}

std::uint32_t as_bits(double value) noexcept {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}

/// A float in a register of small numbers may be anything.
int as_int(double value) noexcept {
  constexpr double kMost = 1e9;
  return std::abs(value) < kMost ? static_cast<int>(value) : 0;
}

bool put_inputs_query(FrameWriter& frame) noexcept {
  return frame.read(R::kAux1Inputs, kInt8, kInputRegisters);
}

/// The digital inputs, of which it takes both registers to know.
class AuxInputs {
 public:
  /// @return false if it is another register
  bool take(const Item& item) noexcept {
    const auto number = static_cast<Register>(item.number);
    if (number != R::kAux1Inputs && number != R::kAux2Inputs) return false;
    const bool first = number == R::kAux1Inputs;
    (first ? aux1_ : aux2_) = static_cast<unsigned>(as_int(item.value));
    seen_.mark(first ? 0 : 1);
    return true;
  }
  [[nodiscard]] std::optional<std::uint8_t> inputs() const noexcept {
    return seen_.all(2) ? std::optional(inputs_of(aux1_, aux2_)) : std::nullopt;
  }

 private:
  Seen seen_;
  unsigned aux1_ = 0;
  unsigned aux2_ = 0;
};

}  // namespace

bool put_position(FrameWriter& frame, const PositionCommand& command,
                  Resolution resolution) noexcept {
  bool fits = put_mode(frame, Mode::kPosition);
  // The value for "where it is" needs no more than a byte.
  fits = fits && frame.write(R::kCommandPosition, std::isnan(command.position) ? kInt8 : resolution,
                             command.position);
  if (command.velocity != 0.0) {
    fits = fits && frame.write(R::kCommandVelocity, resolution, command.velocity);
  }
  if (command.feedforward != 0.0) {
    fits = fits && frame.write(R::kCommandFeedforward, resolution, command.feedforward);
  }
  fits = fits && put_scale(frame, R::kCommandKpScale, command.kp_scale);
  fits = fits && put_scale(frame, R::kCommandKdScale, command.kd_scale);
  fits = fits && put_scale(frame, R::kCommandIlimitScale, command.ilimit_scale);
  if (!std::isnan(command.max_torque)) {
    fits = fits && frame.write(R::kCommandMaxTorque, kInt16, command.max_torque);
  }
  if (command.timeout != 0.0) {
    fits = fits && frame.write(R::kCommandTimeout, kInt16, command.timeout);
  }
  return fits;
}

bool put_stop(FrameWriter& frame) noexcept { return put_mode(frame, Mode::kStopped); }

bool put_q_voltage(FrameWriter& frame, double volts) noexcept {
  return put_mode(frame, Mode::kVoltageDq) && frame.write(R::kVoltageQ, kFloat, volts);
}

bool put_query(FrameWriter& frame, Resolution resolution, bool inputs) noexcept {
  return frame.read(R::kMode, kInt8, 1) && frame.read(R::kPosition, resolution, kStateRegisters) &&
         frame.read(R::kVoltage, kInt8, kHealthRegisters) && (!inputs || put_inputs_query(frame));
}

std::uint8_t report_size(Resolution resolution, bool inputs) noexcept {
  constexpr std::size_t kHead = 2;  // of a subframe of up to three registers
  const std::size_t bytes = kHead + 1 + kHead + kStateRegisters * size_of(resolution) + kHead +
                            kHealthRegisters + (inputs ? kHead + kInputRegisters : 0);
  return can::kFdSizes[can::dlc_of(bytes)];
}

std::optional<ServoReport> report_of(std::span<const std::uint8_t> bytes) noexcept {
  ServoReport report;
  Seen seen;
  AuxInputs aux;
  const bool whole = read_replies(bytes, [&](const Item& item) {
    if (aux.take(item)) return;
    switch (static_cast<Register>(item.number)) {
      case R::kMode:
        report.mode = static_cast<Mode>(as_int(item.value));
        return seen.mark(0);
      case R::kPosition:
        report.position = item.value;
        return seen.mark(1);
      case R::kVelocity:
        report.velocity = item.value;
        return seen.mark(2);
      case R::kTorque:
        report.torque = item.value;
        return seen.mark(3);
      case R::kVoltage:
        report.voltage_V = item.value;
        return seen.mark(4);
      case R::kTemperature:
        report.temperature_C = item.value;
        return seen.mark(5);
      case R::kFault:
        report.fault = as_int(item.value);
        return seen.mark(6);
      default:
        return;
    }
  });
  const bool numbers = std::isfinite(report.position + report.velocity + report.torque);
  if (!whole || !seen.all(7) || !numbers) return std::nullopt;
  report.inputs = aux.inputs();
  return report;
}

bool put_identity_query(FrameWriter& frame, bool inputs) noexcept {
  return frame.read(R::kModelNumber, kInt32, 3) && frame.read(R::kSerial1, kInt32, 3) &&
         frame.read(R::kHomeState, kInt8, 1) && (!inputs || put_inputs_query(frame));
}

std::optional<Identity> identity_of(std::span<const std::uint8_t> bytes) noexcept {
  Identity identity;
  Seen seen;
  AuxInputs aux;
  const bool whole = read_replies(bytes, [&](const Item& item) {
    if (aux.take(item)) return;
    switch (static_cast<Register>(item.number)) {
      case R::kModelNumber:
        identity.model = as_bits(item.value);
        return seen.mark(0);
      case R::kFirmwareVersion:
        identity.firmware = as_bits(item.value);
        return seen.mark(1);
      case R::kRegisterMapVersion:
        identity.register_map = as_bits(item.value);
        return seen.mark(2);
      case R::kSerial1:
      case R::kSerial2:
      case R::kSerial3: {
        const std::uint32_t word = item.number - static_cast<std::uint32_t>(R::kSerial1);
        identity.serial[word] = as_bits(item.value);
        return seen.mark(3 + word);
      }
      case R::kHomeState:
        identity.home_state = as_int(item.value);
        return seen.mark(6);
      default:
        return;
    }
  });
  if (!whole || !seen.all(7)) return std::nullopt;
  identity.tells_inputs = aux.inputs().has_value();
  return identity;
}

}  // namespace jointrig::moteus
