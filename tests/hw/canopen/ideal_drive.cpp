#include "tests/hw/canopen/ideal_drive.h"

namespace jointrig::canopen {

namespace mode = cia402::mode;

IdealDrive::IdealDrive(std::uint8_t node, const cia402::DriveOptions& options)
    : node_(joint_board({.supported_modes = options.supported_modes}), node, *this),
      machine_(options),
      controlword_(object<std::uint16_t>(0x6040)),
      statusword_(object<std::uint16_t>(0x6041)),
      error_code_(object<std::uint16_t>(0x603F)),
      wished_mode_(object<std::int8_t>(0x6060)),
      shown_mode_(object<std::int8_t>(0x6061)),
      life_(object<std::uint8_t>(0x2010, 1)),
      life_echo_(object<std::uint8_t>(0x2010, 2)),
      target_position_(object<std::int32_t>(0x607A)),
      position_(object<std::int32_t>(0x6064)),
      target_velocity_(object<std::int32_t>(0x60FF)),
      velocity_(object<std::int32_t>(0x606C)),
      target_torque_(object<std::int16_t>(0x6071)),
      torque_(object<std::int16_t>(0x6077)),
      target_duty_(object<std::int16_t>(0x2020, 1)),
      duty_(object<std::int16_t>(0x2020, 2)),
      connection_(object<std::int16_t>(0x6007)),
      quick_stop_(object<std::int16_t>(0x605A)),
      shutdown_(object<std::int16_t>(0x605B)),
      disable_(object<std::int16_t>(0x605C)),
      halt_(object<std::int16_t>(0x605D)),
      fault_reaction_(object<std::int16_t>(0x605E)) {
  node_.objects().own<&IdealDrive::check_mode, nullptr>(wished_mode_.entry(), *this);
}

AbortCode IdealDrive::check_mode(const Entry& entry, std::uint64_t bits) const noexcept {
  const auto code = static_cast<std::int8_t>(as_integer(entry.type, bits));
  return machine_.accepts_mode(code) ? AbortCode::kNone : AbortCode::kValue;
}

void IdealDrive::raise_fault(std::uint16_t code) noexcept {
  machine_.raise_fault(code);
  node_.emergencies().latch(code);
}

void IdealDrive::act(std::int64_t now) noexcept {
  life_echo_.set(life_.get());
  update(now);
}

void IdealDrive::update(std::int64_t now) noexcept {
  read_options();
  inputs_.controlword = controlword_.get();
  inputs_.mode = wished_mode_.get();
  const std::uint16_t error_before = drive().error_code;
  machine_.update(inputs_);
  if (error_before != 0 && drive().error_code == 0) node_.emergencies().release_latched();
  home(now);
  publish();
}

void IdealDrive::read_options() noexcept {
  cia402::DriveOptions options = machine_.options();
  options.connection_lost = connection_.get();
  options.quick_stop = quick_stop_.get();
  options.shutdown = shutdown_.get();
  options.disable_operation = disable_.get();
  options.halt = halt_.get();
  options.fault_reaction = fault_reaction_.get();
  machine_.set_options(options);
}

void IdealDrive::publish() noexcept {
  statusword_.set(drive().statusword);
  shown_mode_.set(drive().mode);
  error_code_.set(drive().error_code);
}

/// Homing takes 50 ms and ends at 0.
void IdealDrive::home(std::int64_t now) noexcept {
  constexpr std::int64_t kDuration = 50 * kMillisecond;
  const std::uint32_t number = drive().homing_number;
  if (number == 0) return;
  if (number != homing_number_) {
    homing_number_ = number;
    homing_since_ = now;
  }
  const bool done = now - homing_since_ >= kDuration;
  inputs_.homing = {number, done ? cia402::Homing::kDone : cia402::Homing::kRunning};
  if (done) position_.set(0);
}

/// The motor, once a SYNC.
void IdealDrive::on_sync(std::int64_t now) noexcept {
  update(now);
  const bool follows = drive().motion == cia402::Motion::kFollow && !blocked_;
  const std::int8_t code = drive().mode;
  if (follows && (code == mode::kCyclicPosition || code == mode::kProfilePosition)) {
    position_.set(target_position_.get());
  }
  const bool turns = code == mode::kCyclicVelocity || code == mode::kProfileVelocity;
  velocity_.set(follows && turns ? target_velocity_.get() : 0);
  const bool pulls = code == mode::kCyclicTorque || code == mode::kProfileTorque;
  torque_.set(static_cast<std::int16_t>(follows && pulls ? target_torque_.get() : 0));
  duty_.set(
      static_cast<std::int16_t>(follows && code == mode::kVendorPwm ? target_duty_.get() : 0));
}

void IdealDrive::on_reset(bool /*whole_device*/) noexcept {
  machine_.reset();
  publish();
}

void IdealDrive::on_state(NmtState from, NmtState to) noexcept {
  if (from == NmtState::kOperational && to != NmtState::kOperational) machine_.network_left();
}

void IdealDrive::on_connection_lost(std::uint16_t code) noexcept {
  machine_.connection_lost(code);
  if (drive().error_code == code) node_.emergencies().latch(code);
}

}  // namespace jointrig::canopen
