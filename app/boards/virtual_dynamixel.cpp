#include "app/boards/virtual_dynamixel.h"

#include <algorithm>
#include <cmath>

#include "hw/driver/dynamixel_host.h"
#include "hw/dynamixel/packet.h"
#include "hw/dynamixel/serial_port.h"

namespace jointrig::app {
namespace {

using dynamixel::Instruction;

/// Limits of its table that leave the joint's own in force.
dynamixel::ServoConfig config_of(const VirtualDynamixelSpec& spec, const sim::BoardSpec& board,
                                 const hw::DynamixelUnits& units) {
  constexpr double kMost = 32'767.0;
  constexpr double kAsDelivered = 1193.0;
  dynamixel::ServoConfig config;
  config.id = spec.id;
  config.model = spec.model;
  const double current = std::ceil(std::abs(units.current_steps(board.limits.tau_max)));
  config.current_limit =
      static_cast<int>(units.has_torque() ? std::min(current, kMost) : kAsDelivered);
  const double speed = 2.0 * std::ceil(std::abs(units.velocity_steps(board.limits.v_max)));
  config.velocity_limit = static_cast<int>(std::min(speed, kMost));
  return config;
}

}  // namespace

sim::BoardSpec board_of_dynamixel(sim::BoardSpec spec) {
  spec.board.drive_modes.add(DriveMode::kTorque);
  return spec;
}

VirtualDynamixel::VirtualDynamixel(const VirtualDynamixelSpec& spec, sim::SimBoard& board)
    : board_(&board),
      units_(spec.facts, spec.slide),
      period_(board.spec().period),
      machine_(config_of(spec, board.spec(), units_)) {}

void VirtualDynamixel::power_on(std::int64_t /*now*/) noexcept {
  machine_.reset();
  setpoint_ = {};
  released_ = false;
  show();
}

void VirtualDynamixel::restart(std::int64_t now) noexcept {
  const bool was_released = released_;
  power_on(now);
  released_ = was_released;
}

/// The table shows the board's samples; the servo has the board's faults.
void VirtualDynamixel::show() noexcept {
  const JointState& report = board_->report();
  machine_.sense({.position = units_.counts(report.q),
                  .velocity = units_.velocity_steps(report.v),
                  .current = units_.current_steps(report.tau),
                  .voltage = report.supply_V,
                  .temperature_C = report.temperature_C});
  if (board_->status() == BoardStatus::kHwFault) {
    machine_.raise_errors(hw::error_of(board_->state().fault.code));
  }
}

bool VirtualDynamixel::receive(const can::Frame& frame, std::int64_t /*now*/) noexcept {
  if (!frame.serial) return false;
  show();
  if (frame.id == dynamixel::kHostPiece) {
    machine_.clear_answer();
    sent_ = 0;
    machine_.hear_host(frame.bytes());
  } else {
    machine_.hear_servo(frame.bytes());
  }
  released_ = released_ || machine_.torque();
  return true;
}

std::optional<can::Frame> VirtualDynamixel::next_frame() noexcept {
  const auto rest = machine_.answer().subspan(sent_);
  if (rest.empty()) return std::nullopt;
  can::Frame frame;
  frame.id = dynamixel::kFirstAnswer + machine_.place();
  frame.serial = true;
  frame.size = static_cast<std::uint8_t>(std::min(rest.size(), can::kMaxFdBytes));
  std::copy_n(rest.begin(), frame.size, frame.data.begin());
  sent_ += frame.size;
  return frame;
}

bool VirtualDynamixel::opens_cycle(const can::Frame& frame) const noexcept {
  constexpr std::size_t kIds = dynamixel::kHeaderSize + 5;  // behind address and size
  const auto bytes = frame.bytes();
  if (!frame.serial || frame.id != dynamixel::kHostPiece || bytes.size() < kIds + 2) return false;
  const auto instruction = static_cast<Instruction>(bytes[dynamixel::kHeaderSize]);
  if (instruction != Instruction::kSyncRead && instruction != Instruction::kFastSyncRead) {
    return false;
  }
  const auto address = dynamixel::get(bytes.subspan(dynamixel::kHeaderSize + 1, 2));
  const auto ids = bytes.subspan(kIds, bytes.size() - kIds - 2);
  return address == dynamixel::kIndirectData &&
         std::find(ids.begin(), ids.end(), machine_.id()) != ids.end();
}

const JointSetpoint& VirtualDynamixel::next_period() noexcept {
  using Stage = dynamixel::ServoDrive::Stage;
  show();
  const dynamixel::ServoDrive drive = machine_.update(period_);
  setpoint_ = {};
  // A reboot ends a fault of the board, if its cause is gone.
  const bool rebooted = machine_.take_reboot();
  if (rebooted && board_->status() == BoardStatus::kHwFault) {
    setpoint_.request = BoardRequest::kClearFault;
  }
  switch (drive.stage) {
    case Stage::kOff:
      break;
    case Stage::kCurrent:
      setpoint_.drive = DriveMode::kTorque;
      setpoint_.tau = units_.torque(drive.current);
      break;
    case Stage::kVelocity:
      setpoint_.drive = DriveMode::kVelocity;
      setpoint_.v = units_.velocity(drive.velocity);
      break;
    case Stage::kPosition:
      drive_position(drive);
      break;
  }
  return setpoint_;
}

void VirtualDynamixel::drive_position(const dynamixel::ServoDrive& drive) noexcept {
  const double q = units_.position(drive.position);
  if (drive.current >= machine_.config().current_limit) {
    setpoint_.drive = DriveMode::kPosition;
    setpoint_.q = q;
    return;
  }
  const JointState& report = board_->report();
  const JointGains& gains = board_->spec().gains;
  const double most = std::abs(units_.torque(drive.current));
  setpoint_.drive = DriveMode::kTorque;
  setpoint_.tau = std::clamp(gains.kp * (q - report.q) - gains.kd * report.v, -most, most);
}

}  // namespace jointrig::app
