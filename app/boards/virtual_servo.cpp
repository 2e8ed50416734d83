#include "app/boards/virtual_servo.h"

#include <cmath>

#include "hw/driver/servo_host.h"

namespace jointrig::app {
namespace {

using moteus::Item;
using moteus::Mode;
using moteus::Register;

moteus::FaultCode code_of(const sim::FoundFault& fault, double nominal_V) noexcept {
  const bool too_low = fault.code == FaultCode::kSupplyVoltage && fault.value < nominal_V;
  return too_low ? moteus::FaultCode::kUnderVoltage : hw::servo_code_of(fault.code);
}

/// True for a request of the mode: a host in cycles sends it in each cycle, and in no other frame.
bool asks_for_mode(const can::Frame& frame) noexcept {
  moteus::FrameReader reader(frame.bytes());
  while (const auto item = reader.next()) {
    const bool mode = item->number == static_cast<std::uint32_t>(Register::kMode);
    if (mode && item->kind == Item::Kind::kRead) return true;
  }
  return false;
}

}  // namespace

sim::BoardSpec board_of_servo(sim::BoardSpec spec) {
  spec.board.drive_modes.add(DriveMode::kTorque);
  spec.board.drive_modes.add(DriveMode::kDuty);
  return spec;
}

moteus::ServoConfig servo_config(const VirtualServoSpec& spec, const sim::BoardSpec& board) {
  const hw::MoteusUnits units(spec.facts, spec.slide);
  moteus::ServoConfig config;
  config.id = spec.id;
  config.kp = units.servo_gain(board.gains.kp);
  config.ki = units.servo_gain(board.gains.ki);
  config.kd = units.servo_gain(board.gains.kd);
  config.max_torque = std::abs(units.servo_torque(board.limits.tau_max));
  config.ilimit = config.max_torque;
  config.timeout_max_torque = config.max_torque;
  config.torque_constant = std::abs(units.servo_torque(board.board.torque_constant));
  config.identity.serial = {spec.serial, 0, 0};
  return config;
}

VirtualServo::VirtualServo(const VirtualServoSpec& spec, sim::SimBoard& board)
    : board_(&board),
      units_(spec.facts, spec.slide),
      inputs_active_low_(spec.inputs_active_low),
      period_(board.spec().period),
      machine_(servo_config(spec, board.spec())) {}

void VirtualServo::power_on(std::int64_t /*now*/) noexcept {
  machine_.reset();
  setpoint_ = {};
  released_ = stop_heard_ = false;
  show();
}

void VirtualServo::restart(std::int64_t now) noexcept {
  const bool was_released = released_;
  power_on(now);
  released_ = was_released;
}

/// The registers show the board's samples; the servo has the board's faults.
void VirtualServo::show() noexcept {
  const JointState& report = board_->report();
  machine_.sense({.position = units_.rev(report.q),
                  .velocity = units_.rev_per_s(report.v),
                  .torque = units_.servo_torque(report.tau),
                  .current = units_.reversed() ? -report.current_A : report.current_A,
                  .voltage = report.supply_V,
                  .temperature = report.temperature_C,
                  .inputs = static_cast<std::uint8_t>(report.inputs ^ inputs_active_low_)});
  if (board_->status() == BoardStatus::kHwFault) {
    machine_.raise_fault(code_of(board_->state().fault, board_->spec().board.supply_V));
  }
}

bool VirtualServo::receive(const can::Frame& frame, std::int64_t /*now*/) noexcept {
  show();
  answer_ = machine_.receive(frame);
  stop_heard_ = machine_.take_stop() || stop_heard_;
  released_ = released_ || stop_heard_ || machine_.mode() != Mode::kStopped;
  return true;
}

std::optional<can::Frame> VirtualServo::next_frame() noexcept {
  const std::optional<can::Frame> frame = answer_;
  answer_.reset();
  return frame;
}

bool VirtualServo::opens_cycle(const can::Frame& frame) const noexcept {
  const auto address = moteus::address_of(frame);
  return address && address->destination == machine_.config().id && asks_for_mode(frame);
}

bool VirtualServo::is_cyclic(const can::Frame& frame) const noexcept {
  return moteus::address_of(frame).has_value();
}

const JointSetpoint& VirtualServo::next_period() noexcept {
  using Stage = moteus::ServoDrive::Stage;
  show();  // in each period, with or without a request
  const moteus::ServoDrive drive = machine_.update(period_);
  setpoint_ = {};
  // A stop ends a fault of the board, if its cause is gone.
  const bool clears = stop_heard_ && board_->status() == BoardStatus::kHwFault;
  if (clears) setpoint_.request = BoardRequest::kClearFault;
  stop_heard_ = false;
  if (drive.stage == Stage::kTorque) {
    setpoint_.drive = DriveMode::kTorque;
    setpoint_.tau = units_.torque(drive.torque);
  } else if (drive.stage == Stage::kDuty) {
    setpoint_.drive = DriveMode::kDuty;
    setpoint_.duty = units_.reversed() ? -drive.duty : drive.duty;
  }
  return setpoint_;
}

}  // namespace jointrig::app
