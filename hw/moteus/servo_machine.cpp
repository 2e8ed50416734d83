#include "hw/moteus/servo_machine.h"

#include <algorithm>
#include <cmath>

namespace jointrig::moteus {
namespace {

using R = Register;

bool is_offered(Mode mode) noexcept {
  switch (mode) {
    case Mode::kStopped:
    case Mode::kPwm:
    case Mode::kVoltageDq:
    case Mode::kCurrent:
    case Mode::kPosition:
    case Mode::kZeroVelocity:
    case Mode::kBrake:
      return true;
    default:
      return false;
  }
}

/// For an integer register, from a value that may be a float of any size.
double bounded(double value, double most) noexcept {
  return std::isnan(value) ? 0.0 : std::clamp(value, -most, most);
}

/// Answers to reads that follow one another, of one resolution: one subframe for all of them.
class Replies {
 public:
  explicit Replies(FrameWriter& writer) noexcept : writer_(&writer) {}

  void add(const Item& item, double value) noexcept {
    const bool goes_on = count_ > 0 && count_ < values_.size() && item.number == first_ + count_ &&
                         item.resolution == resolution_;
    if (!goes_on) {
      flush();
      first_ = item.number;
      resolution_ = item.resolution;
    }
    values_[count_++] = value;
  }
  void flush() noexcept {
    if (count_ > 0) writer_->reply(first_, resolution_, std::span(values_).first(count_));
    count_ = 0;
  }

 private:
  FrameWriter* writer_;
  std::array<double, 16> values_{};
  std::size_t count_ = 0;
  std::uint32_t first_ = 0;
  Resolution resolution_ = Resolution::kInt8;
};

/// The 32 bits of a number, as the signed integer that a reply carries.
double as_signed(std::uint32_t bits) noexcept { return static_cast<std::int32_t>(bits); }

}  // namespace

void ServoMachine::reset() noexcept { *this = ServoMachine(config_); }

// The bus
// -------------------------------------------------------------------------------------------

/// Where a command's register is kept; null for those that are taken and have no effect here.
template <typename AnyCommand>
auto ServoMachine::commanded(AnyCommand& command, Register number) noexcept
    -> decltype(&command.q_current) {
  switch (number) {
    case R::kCommandPosition:
      return &command.position.position;
    case R::kCommandVelocity:
      return &command.position.velocity;
    case R::kCommandFeedforward:
      return &command.position.feedforward;
    case R::kCommandKpScale:
      return &command.position.kp_scale;
    case R::kCommandKdScale:
      return &command.position.kd_scale;
    case R::kCommandIlimitScale:
      return &command.position.ilimit_scale;
    case R::kCommandMaxTorque:
      return &command.position.max_torque;
    case R::kCommandTimeout:
      return &command.position.timeout;
    case R::kCommandQCurrent:
      return &command.q_current;
    case R::kVoltageQ:
      return &command.q_voltage;
    default:
      return nullptr;
  }
}

std::optional<can::Frame> ServoMachine::receive(const can::Frame& frame) noexcept {
  const auto address = address_of(frame);
  if (!address || address->destination != config_.id) return std::nullopt;
  can::Frame answer = frame_to({.source = config_.id, .destination = address->source});
  FrameWriter writer(answer);
  FrameReader reader(frame.bytes());
  Replies replies(writer);
  has_mode_ = false;
  while (const auto item = reader.next()) {
    if (item->kind == Item::Kind::kWrite) {
      const Refusal refusal = write(item->number, item->value);
      if (refusal == Refusal::kNone) continue;
      replies.flush();
      writer.error(true, item->number, static_cast<std::uint32_t>(refusal));
    } else if (item->kind == Item::Kind::kRead) {
      if (const auto value = read(item->number)) {
        replies.add(*item, *value);
        continue;
      }
      replies.flush();
      writer.error(false, item->number, static_cast<std::uint32_t>(Refusal::kUnknown));
    }
  }
  replies.flush();
  if (has_mode_ && !reader.is_malformed()) take_command();
  if (!address->wants_reply) return std::nullopt;
  writer.finish();
  return answer;
}

ServoMachine::Refusal ServoMachine::write(std::uint32_t number, double value) noexcept {
  const RegisterInfo* info = find_register(number);
  if (info == nullptr) return Refusal::kUnknown;
  if (info->access == Access::kRead) return Refusal::kNotWritable;
  switch (info->number) {
    case R::kMode:
      return write_mode(value);
    case R::kSetOutputNearest:  // there is no reduction here that would leave a choice
    case R::kSetOutputExact:
      if (!std::isfinite(value)) return Refusal::kBadMode;
      offset_ = value - sensed_.position;
      home_state_ = 2;
      return Refusal::kNone;
    default:
      break;
  }
  if (double* target = commanded(writing_, info->number)) *target = value;
  return Refusal::kNone;
}

ServoMachine::Refusal ServoMachine::write_mode(double value) noexcept {
  constexpr double kMost = 127.0;
  const auto mode = static_cast<Mode>(static_cast<int>(bounded(value, kMost)));
  if (!is_offered(mode)) return Refusal::kBadMode;
  writing_ = {};
  writing_.mode = mode;
  has_mode_ = true;
  return Refusal::kNone;
}

std::optional<double> ServoMachine::read(std::uint32_t number) const noexcept {
  const RegisterInfo* info = find_register(number);
  if (info == nullptr || info->access == Access::kWrite) return std::nullopt;
  const Identity& identity = config_.identity;
  switch (info->number) {
    case R::kMode:
      return static_cast<double>(mode_);
    case R::kPosition:
    case R::kAbsPosition:
      return position();
    case R::kVelocity:
      return sensed_.velocity;
    case R::kTorque:
      return sensed_.torque;
    case R::kQCurrent:
      return sensed_.current;
    case R::kPower:
      return sensed_.voltage * sensed_.current;
    case R::kVoltage:
      return sensed_.voltage;
    case R::kTemperature:
    case R::kMotorTemperature:
      return sensed_.temperature;
    case R::kFault:
      return static_cast<double>(fault_);
    case R::kTrajectoryComplete:
      return 1.0;
    case R::kAux1Inputs:
      return aux1_of(sensed_.inputs);
    case R::kAux2Inputs:
      return aux2_of(sensed_.inputs);
    case R::kHomeState:
      return home_state_ >= 0 ? home_state_ : identity.home_state;
    case R::kModelNumber:
      return as_signed(identity.model);
    case R::kFirmwareVersion:
      return as_signed(identity.firmware);
    case R::kRegisterMapVersion:
      return as_signed(identity.register_map);
    case R::kMultiplexId:
      return config_.id;
    case R::kSerial1:
    case R::kSerial2:
    case R::kSerial3:
      return as_signed(identity.serial[number - static_cast<std::uint32_t>(R::kSerial1)]);
    default:
      break;
  }
  // Commands are read as they were written.
  const double* target = commanded(writing_, info->number);
  return target != nullptr ? *target : 0.0;
}

// Modes
// -------------------------------------------------------------------------------------------

void ServoMachine::take_command() noexcept {
  if (writing_.mode == Mode::kStopped) {
    active_ = writing_;
    mode_ = Mode::kStopped;
    fault_ = FaultCode::kNone;
    stop_written_ = true;
    return;
  }
  if (is_latched(mode_)) return;
  active_ = writing_;
  time_left_ = active_.position.timeout == 0.0 ? config_.default_timeout : active_.position.timeout;
  if (active_.mode == Mode::kPosition && !std::isnan(active_.position.position)) {
    control_position_ = active_.position.position;
  }
  if (mode_ == Mode::kStopped) {
    enabling_left_ = config_.enabling_periods;
    mode_ = Mode::kEnabling;
  }
  const bool may_change = !is_enabling(mode_) || enabling_left_ <= 0;
  if (may_change && mode_ != active_.mode) enter(active_.mode);
}

void ServoMachine::enter(Mode wanted) noexcept {
  if (wanted == Mode::kPosition && is_outside_limits()) {
    return raise_fault(FaultCode::kOutsideLimit);
  }
  mode_ = wanted;
  integral_ = 0;
  const bool given = wanted == Mode::kPosition && !std::isnan(active_.position.position);
  control_position_ = given ? active_.position.position : PositionCommand::kUnset;
}

bool ServoMachine::is_outside_limits() const noexcept {
  return position() < config_.position_min || position() > config_.position_max;
}

void ServoMachine::raise_fault(FaultCode code) noexcept {
  if (mode_ == Mode::kFault) return;
  mode_ = Mode::kFault;
  fault_ = code;
}

void ServoMachine::watch(double dt) noexcept {
  constexpr double kRounding = 1e-9;  // [s], of sums of periods
  if (is_enabling(mode_) && --enabling_left_ <= 0) enter(active_.mode);
  if (!std::isnan(time_left_)) time_left_ -= dt;
  if (mode_ == Mode::kPosition && time_left_ < -kRounding) {
    mode_ = Mode::kTimeout;
    integral_ = 0;
    control_position_ = PositionCommand::kUnset;
  }
}

ServoDrive ServoMachine::update(double dt) noexcept {
  watch(dt);
  return drive_by(mode_, dt);
}

ServoDrive ServoMachine::drive_by(Mode mode, double dt) noexcept {
  using Stage = ServoDrive::Stage;
  const double most = config_.max_torque;
  switch (mode) {
    case Mode::kPosition: {
      const double wish = active_.position.max_torque;
      return {Stage::kTorque, law(active_.position, std::isnan(wish) ? most : wish, dt), 0.0};
    }
    case Mode::kZeroVelocity: {
      const PositionCommand damping{
          .kp_scale = 0, .kd_scale = active_.position.kd_scale, .ilimit_scale = 0};
      return {Stage::kTorque, law(damping, config_.timeout_max_torque, dt), 0.0};
    }
    case Mode::kTimeout:
      if (config_.timeout_mode == Mode::kPosition) {
        return {Stage::kTorque, law(PositionCommand{}, most, dt), 0.0};
      }
      return drive_by(config_.timeout_mode, dt);
    case Mode::kCurrent: {
      const double torque = config_.torque_constant * bounded(active_.q_current, 1e6);
      return {Stage::kTorque, std::clamp(torque, -most, most), 0.0};
    }
    case Mode::kVoltageDq: {
      const double supply = std::max(sensed_.voltage, 1.0);
      return {Stage::kDuty, 0.0, bounded(active_.q_voltage / supply, 1.0)};
    }
    case Mode::kPwm:  // phases at fixed duties: a field that stands, in which nothing turns
    case Mode::kBrake:
      return {Stage::kDuty, 0.0, 0.0};
    default:
      return {};
  }
}

double ServoMachine::law(const PositionCommand& command, double max_torque, double dt) noexcept {
  if (std::isnan(control_position_)) control_position_ = position();
  const double speed = std::isnan(command.velocity) ? 0.0 : command.velocity;
  const double error = control_position_ - position();
  control_position_ += speed * dt;
  const double ilimit = config_.ilimit * std::abs(bounded(command.ilimit_scale, 1.0));
  integral_ = bounded(integral_ + config_.ki * error * dt, ilimit);
  const double torque = integral_ + config_.kp * command.kp_scale * error +
                        config_.kd * command.kd_scale * (speed - sensed_.velocity) +
                        command.feedforward;
  const double most = std::min(std::abs(max_torque), config_.max_torque);
  return std::isfinite(torque) ? std::clamp(torque, -most, most) : 0.0;
}

}  // namespace jointrig::moteus
