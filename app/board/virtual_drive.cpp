#include "app/board/virtual_drive.h"

#include <algorithm>
#include <cmath>

#include "app/hw/wiring.h"
#include "hw/canopen/joint_board_objects.h"
#include "hw/canopen/pdo_record.h"
#include "hw/canopen/sync.h"
#include "hw/driver/drive_host.h"
#include "hw/driver/fault_codes.h"

namespace jointrig {
namespace {

using cia402::Homing;
using cia402::Motion;
namespace mode = cia402::mode;

/// Slower than this a joint stands: a few steps of an encoder in a period. A choice.
constexpr double kStandstill = 0.02;  // [rad/s or m/s]
/// SYNCs without a fresh command after which the connection counts as lost.
constexpr std::uint32_t kHostLost = 20;
constexpr std::uint16_t kRpdoTimeOut = canopen::emergency_code::kPdoTimeOut;

canopen::DeviceDescription description(const VirtualDriveSpec& spec, const SimBoard& board) {
  canopen::JointBoardOptions options;
  options.serial = spec.serial;
  options.bench_token = spec.bench_token;
  options.supported_modes = offered_modes(board.spec().board.drive_modes);
  return canopen::joint_board(options);
}

std::int16_t tenths(double celsius) {
  constexpr double kMost = 3000.0;
  return static_cast<std::int16_t>(std::lround(10.0 * std::clamp(celsius, -kMost, kMost)));
}

}  // namespace

VirtualDrive::VirtualDrive(const VirtualDriveSpec& spec, SimBoard& board)
    : spec_(spec),
      board_(&board),
      units_(spec.facts, spec.slide),
      period_(board.spec().period),
      node_(description(spec, board), spec.node, *this) {
  read_options();
}

template <typename T>
canopen::Object<T> VirtualDrive::object(std::uint16_t index, std::uint8_t sub) noexcept {
  return canopen::Object<T>(*node_.objects().find(index, sub));
}

void VirtualDrive::read_options() noexcept {
  cia402::DriveOptions options;
  options.quick_stop = object<std::int16_t>(0x605A).get();
  options.shutdown = object<std::int16_t>(0x605B).get();
  options.disable_operation = object<std::int16_t>(0x605C).get();
  options.halt = object<std::int16_t>(0x605D).get();
  options.fault_reaction = object<std::int16_t>(0x605E).get();
  options.connection_lost = object<std::int16_t>(0x6007).get();
  options.supported_modes = object<std::uint32_t>(0x6502).get();
  options.has_pwm = board_->spec().board.drive_modes.has(DriveMode::kDuty);
  machine_.set_options(options);
}

// The bench
// -------------------------------------------------------------------------------------------

bool VirtualDrive::opens_cycle(const can::Frame& frame) const noexcept {
  return frame.id == canopen::kSyncId && !frame.extended;
}

bool VirtualDrive::is_cyclic(const can::Frame& frame) const noexcept {
  constexpr std::uint32_t kFirstPdo = canopen::tpdo_base(0);
  constexpr std::uint32_t kAfterLastPdo = 0x580;
  return frame.id >= kFirstPdo && frame.id < kAfterLastPdo;
}

// Saying
// -------------------------------------------------------------------------------------------

void VirtualDrive::sample(std::int64_t /*now*/) noexcept {
  watch_board();
  show();
}

/// A fault that the board has found since the last SYNC is told with this one; and again, if it was
/// reset and its cause is still there.
void VirtualDrive::watch_board() noexcept {
  const bool is_told = is_fault(machine_.outputs().state);
  if (board_->status() != BoardStatus::kHwFault || is_told) return;
  const std::uint16_t code = hw::error_code_of(board_->state().fault.code);
  machine_.raise_fault(code);
  machine_.update(inputs());
  node_.emergencies().latch(code);
}

void VirtualDrive::show() noexcept {
  const cia402::DriveOutputs& drive = machine_.outputs();
  const JointState& report = board_->report();
  bool cut = false;
  object<std::uint16_t>(0x6041).set(drive.statusword);
  object<std::int8_t>(0x6061).set(drive.mode);
  object<std::uint16_t>(0x603F).set(drive.error_code);
  object<std::int32_t>(0x6064).set(static_cast<std::int32_t>(units_.counts(report.q, cut)));
  object<std::int32_t>(0x606C).set(units_.velocity_units(report.v, cut));
  object<std::int16_t>(0x6077).set(units_.per_mille(report.tau, cut));
  object<std::uint8_t>(0x2010, 2).set(object<std::uint8_t>(0x2010, 1).get());
  object<std::int16_t>(0x2030, 1).set(tenths(report.temperature_C));
  object<std::int16_t>(0x2030, 2).set(tenths(report.temperature_C));
  constexpr double kMilli = 1e3;
  object<std::uint32_t>(0x6079).set(
      static_cast<std::uint32_t>(std::lround(kMilli * std::max(report.supply_V, 0.0))));
}

// Hearing
// -------------------------------------------------------------------------------------------

void VirtualDrive::on_sync(std::int64_t /*now*/) noexcept {
  periods_alone_ = 0;
  watch_host();
  const std::uint16_t error_before = machine_.outputs().error_code;
  machine_.update(inputs());
  const bool stack_runs = (object<std::uint16_t>(0x6040).get() & hw::kStackRuns) != 0;
  released_ = released_ || stack_runs || machine_.outputs().power_stage();
  setpoint_ = {};
  if (error_before != 0 && machine_.outputs().error_code == 0) {
    setpoint_.request = BoardRequest::kClearFault;
    node_.emergencies().release_latched();
  }
  follow();
}

/// The counter in every command moves; one that stands means that nothing new has come.
void VirtualDrive::watch_host() noexcept {
  const auto life = object<std::uint8_t>(0x2010, 1).get();
  const bool enabled = machine_.outputs().state == cia402::PowerState::kOperationEnabled;
  silent_cycles_ = life != life_ || !enabled ? 0 : silent_cycles_ + 1;
  life_ = life;
  if (silent_cycles_ == kHostLost) on_connection_lost(kRpdoTimeOut);
}

cia402::DriveInputs VirtualDrive::inputs() noexcept {
  cia402::DriveInputs in;
  in.controlword = object<std::uint16_t>(0x6040).get();
  in.mode = object<std::int8_t>(0x6060).get();
  const bool motor_off = board_->status() != BoardStatus::kEnabled;
  in.standstill = motor_off || std::abs(board_->report().v) < kStandstill;
  in.fault_present = board_->state().found.code != FaultCode::kNone;
  in.homing = {machine_.outputs().homing_number, homing()};
  return in;
}

Homing VirtualDrive::homing() const noexcept {
  switch (board_->status()) {
    case BoardStatus::kCalibDone:
      return Homing::kDone;
    case BoardStatus::kHwFault:
      return Homing::kErrorStanding;
    default:
      return Homing::kRunning;
  }
}

void VirtualDrive::on_period() noexcept {
  ++periods_alone_;
  if (is_bridged()) return;  // what the last SYNC ordered stands
  if (periods_alone_ == kHostLost &&
      machine_.outputs().state == cia402::PowerState::kOperationEnabled) {
    on_connection_lost(kRpdoTimeOut);
  }
  machine_.update(inputs());
  setpoint_ = {};
  follow();
}

bool VirtualDrive::is_bridged() noexcept {
  const std::uint32_t allowed = object<std::uint8_t>(0x2010, 3).get();
  return silent_cycles_ <= allowed && periods_alone_ <= allowed;
}

void VirtualDrive::follow() noexcept {
  const cia402::DriveOutputs& drive = machine_.outputs();
  const bool stops =
      drive.motion == Motion::kStop || (drive.motion == Motion::kFollow && !is_bridged());
  if (!stops) stopping_ = false;
  if (stops) {
    come_to_rest();
  } else if (drive.motion == Motion::kFollow) {
    follow_target(drive.mode);
  }
}

void VirtualDrive::follow_target(std::int8_t mode_in_force) noexcept {
  const double feed_forward = units_.torque(object<std::int16_t>(0x60B2).get());
  switch (mode_in_force) {
    case mode::kCyclicPosition:
      setpoint_.drive = DriveMode::kPosition;
      setpoint_.q = units_.position(object<std::int32_t>(0x607A).get());
      setpoint_.v = units_.velocity(object<std::int32_t>(0x60B1).get());
      setpoint_.tau = feed_forward;
      return;
    case mode::kCyclicVelocity:
      setpoint_.drive = DriveMode::kVelocity;
      setpoint_.v = units_.velocity(object<std::int32_t>(0x60FF).get());
      setpoint_.tau = feed_forward;
      return;
    case mode::kCyclicTorque:
      setpoint_.drive = DriveMode::kTorque;
      setpoint_.tau = units_.torque(object<std::int16_t>(0x6071).get()) + feed_forward;
      return;
    case mode::kVendorPwm:
      setpoint_.drive = DriveMode::kDuty;
      setpoint_.duty =
          (spec_.facts.reversed ? -1e-3 : 1e-3) * object<std::int16_t>(0x2020, 1).get();
      return;
    case mode::kHoming:
      // The board homes with its motor under its own command; a brake holds it before and after.
      if (machine_.outputs().homing_number != 0) setpoint_.request = BoardRequest::kCalibrate;
      return;
    default:
      return;
  }
}

/// Down the ramp of a quick stop, then held.
void VirtualDrive::come_to_rest() noexcept {
  if (!stopping_) stop_speed_ = board_->report().v;
  stopping_ = true;
  const double step = spec_.stop_deceleration * period_;
  stop_speed_ -= std::clamp(stop_speed_, -step, step);
  if (!board_->spec().board.drive_modes.has(DriveMode::kVelocity)) return;  // off
  setpoint_.drive = DriveMode::kVelocity;
  setpoint_.v = stop_speed_;
}

void VirtualDrive::on_reset(bool whole_device) noexcept {
  machine_.reset();
  setpoint_ = {};
  stopping_ = false;
  silent_cycles_ = 0;
  periods_alone_ = 0;
  if (whole_device) power_cycle_ = true;
  read_options();
}

void VirtualDrive::on_state(canopen::NmtState from, canopen::NmtState to) noexcept {
  if (to == canopen::NmtState::kOperational) read_options();
  if (from == canopen::NmtState::kOperational && to != from) {
    machine_.network_left();
    machine_.update(inputs());
    setpoint_ = {};
    follow();
  }
}

void VirtualDrive::on_connection_lost(std::uint16_t code) noexcept {
  machine_.connection_lost(code);
  if (machine_.outputs().error_code == code) node_.emergencies().latch(code);
}

}  // namespace jointrig
