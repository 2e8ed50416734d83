#include "app/boards/virtual_drive.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/rig/wiring.h"
#include "hw/canopen/joint_board_objects.h"
#include "hw/canopen/pdo_record.h"
#include "hw/canopen/sync.h"
#include "hw/driver/drive_host.h"
#include "hw/driver/fault_codes.h"

namespace jointrig::app {
namespace {

using cia402::Homing;
using cia402::Motion;
namespace mode = cia402::mode;

/// A slower joint stands: a few steps of an encoder in a period. A choice.
constexpr double kStandstill = 0.02;  // [rad/s or m/s]
/// SYNCs without a fresh command after which the connection counts as lost.
constexpr std::uint32_t kHostLost = 20;
/// Bit 0 of 60FEh: set brake. A joint without one shows it set, as its output has no current.
constexpr std::uint32_t kBrakeBit = 1;
constexpr std::uint16_t kUnderVoltage = 0x3220;
constexpr std::uint16_t kFollowingError = 0x8611;
constexpr std::uint16_t kRpdoTimeOut = canopen::emergency_code::kPdoTimeOut;
constexpr double kMilli = 1e-3;
// A change of this size is reported at once, unless a report was just sent. Choices.
constexpr double kTellDegrees = 1.0;    // [°C]
constexpr double kTellVolts = 0.5;      // [V]
constexpr double kTellProgress = 0.01;  // of 1
constexpr double kTellPause = 0.01;     // [s]; a warning or a fault does not wait for it

canopen::DeviceDescription description(const VirtualDriveSpec& spec, const sim::SimBoard& board) {
  canopen::JointBoardOptions options;
  options.serial = spec.serial;
  options.boards_token = spec.boards_token;
  options.supported_modes = offered_modes(board.spec().board.drive_modes);
  if (!spec.profiled) return canopen::joint_board(options);
  const hw::DriveIdentity& identity = spec.profiled->identity;
  options.vendor = identity.vendor.value_or(options.vendor);
  options.product = identity.product.value_or(options.product);
  options.revision = identity.revision.value_or(options.revision);
  return as_profiled(canopen::joint_board(options), *spec.profiled, spec.node);
}

std::int16_t steps_of(double celsius) {
  constexpr double kMost = std::numeric_limits<std::int16_t>::max();
  const double steps = canopen::kStepsPerDegree * celsius;
  return static_cast<std::int16_t>(std::lround(std::clamp(steps, -kMost, kMost)));
}

float to_float(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

}  // namespace

VirtualDrive::VirtualDrive(const VirtualDriveSpec& spec, sim::SimBoard& board)
    : spec_(spec),
      board_(&board),
      units_(spec.facts, spec.slide),
      period_(board.spec().period),
      node_(description(spec, board), spec.node, *this) {
  if (spec_.profiled) inside_.emplace(canopen::joint_board(), spec_.node);
  read_options();
  read_cycle();
}

template <typename T>
canopen::Object<T> VirtualDrive::object(std::uint16_t index, std::uint8_t sub) noexcept {
  canopen::Entry* const on_the_bus = node_.objects().find(index, sub);
  return canopen::Object<T>(on_the_bus != nullptr ? *on_the_bus : *inside_->find(index, sub));
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

/// T = 60C2h:1 · 10^60C2h:2 s.
void VirtualDrive::read_cycle() noexcept {
  const bool is_told = node_.objects().find(0x60C2, 1) != nullptr;
  const double told =
      object<std::uint8_t>(0x60C2, 1).get() * std::pow(10.0, object<std::int8_t>(0x60C2, 2).get());
  const double cycle = is_told ? told : spec_.cycle;
  periods_ = std::max(1U, static_cast<std::uint32_t>(std::lround(cycle / period_)));
}

// Its clock
// -------------------------------------------------------------------------------------------

void VirtualDrive::set_drift(double ppm, bool free_running) noexcept {
  own_since_ = drifted(now_);
  drifts_since_ = now_;
  drift_ = 1e-6 * ppm;
  period_drift_ = free_running ? 0.0 : drift_;
}

std::int64_t VirtualDrive::drifted(std::int64_t now) const noexcept {
  const std::int64_t passed = now - drifts_since_;
  return own_since_ + passed + std::llround(drift_ * static_cast<double>(passed));
}

std::int64_t VirtualDrive::own_time(std::int64_t now) noexcept {
  now_ = now;
  return drifted(now);
}

/// The first nanosecond of the bus at which the own clock is there.
std::optional<std::int64_t> VirtualDrive::next_timer() const noexcept {
  const std::int64_t due = node_.next_heartbeat();
  if (due == std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  const double left = static_cast<double>(due - drifted(now_)) / (1.0 + drift_);
  return now_ + std::max<std::int64_t>(std::llround(std::ceil(left)), 0);
}

// For the physics
// -------------------------------------------------------------------------------------------

bool VirtualDrive::opens_cycle(const can::Frame& frame) const noexcept {
  return frame.id == canopen::kSyncId && !frame.extended;
}

bool VirtualDrive::is_cyclic(const can::Frame& frame) const noexcept {
  constexpr std::uint32_t kFirstPdo = canopen::tpdo_base(0);
  constexpr std::uint32_t kAfterLastPdo = 0x580;
  constexpr std::uint32_t kFirstFifth = canopen::kFifthTpdoBase;
  constexpr std::uint32_t kLastFifth = kFirstFifth + canopen::kLastNodeOfFifthTpdo;
  return (frame.id >= kFirstPdo && frame.id < kAfterLastPdo) ||
         (frame.id >= kFirstFifth && frame.id <= kLastFifth);
}

// Sending
// -------------------------------------------------------------------------------------------

void VirtualDrive::sample(std::int64_t /*now*/) noexcept {
  watch_board();
  watch_homing();
  show();
  tell_slow();
}

bool VirtualDrive::brake_is_by_hand() noexcept {
  return (object<std::uint32_t>(0x60FE, 2).get() & kBrakeBit) != 0;
}

/// 60FEh: the master's word on the brake, if its mask says that it has one.
void VirtualDrive::order_brake() noexcept {
  const bool is_set = (object<std::uint32_t>(0x60FE, 1).get() & kBrakeBit) != 0;
  board_->order_brake(!brake_is_by_hand() ? sim::BrakeOrder::kBySequence
                      : is_set            ? sim::BrakeOrder::kClose
                                          : sim::BrakeOrder::kOpen);
}

/// A fault detected since the last SYNC is reported with this one; also again, if it was reset and
/// its cause remains.
void VirtualDrive::watch_board() noexcept {
  const bool is_told = is_fault(machine_.outputs().state);
  // An accepted reset reaches the board in the next period.
  const bool is_being_cleared = setpoint_.request == BoardRequest::kClearFault;
  if (board_->status() != BoardStatus::kHwFault || is_told || is_being_cleared) return;
  const sim::FoundFault& found = board_->state().fault;
  const bool is_low = found.code == FaultCode::kSupplyVoltage && found.value < found.limit;
  const std::uint16_t code = is_low ? kUnderVoltage : hw::error_code_of(found.code);
  machine_.raise_fault(code);
  machine_.update(inputs());
  node_.emergencies().latch(code);
  find(found.value, found.limit);
}

void VirtualDrive::watch_homing() noexcept {
  const bool is_homed = board_->status() == BoardStatus::kCalibDone;
  if (is_homed && !was_homed_) {
    find(board_->state().zero, board_->spec().board.calibration_tolerance);
  }
  was_homed_ = is_homed;
}

/// 2041h, which TPDO4 sends even if unchanged.
void VirtualDrive::find(double value, double limit) noexcept {
  object<float>(0x2041, 1).set(to_float(value));
  object<float>(0x2041, 2).set(to_float(limit));
  object<float>(0x2041, 1).tell();
}

/// Triggers TPDO3; otherwise its event timer sends it.
void VirtualDrive::tell_slow() noexcept {
  const JointState& report = board_->report();
  const Told now{.temperature_C = report.temperature_C,
                 .supply_V = report.supply_V,
                 .progress = report.progress,
                 .warning = is_warm(),
                 .fault = machine_.outputs().error_code != 0};
  const bool is_urgent = (now.warning && !told_.warning) || (now.fault && !told_.fault);
  const bool has_moved = std::abs(now.temperature_C - told_.temperature_C) >= kTellDegrees ||
                         std::abs(now.supply_V - told_.supply_V) >= kTellVolts ||
                         std::abs(now.progress - told_.progress) >= kTellProgress;
  const bool may_tell = periods_since_told_ * period_ >= kTellPause;
  told_.warning = now.warning;
  told_.fault = now.fault;
  if (!is_urgent && !(has_moved && may_tell)) return;
  told_ = now;
  periods_since_told_ = 0;
  object<std::int16_t>(0x2030, 2).tell();
}

void VirtualDrive::show() noexcept {
  const cia402::DriveOutputs& drive = machine_.outputs();
  const JointState& report = board_->report();
  bool cut = false;
  object<std::uint16_t>(0x6041).set(drive.statusword);
  object<std::int8_t>(0x6061).set(drive.mode);
  object<std::uint16_t>(0x603F).set(drive.error_code);
  const std::uint32_t voltages = report.inputs ^ spec_.inputs_active_low;
  object<std::uint32_t>(0x60FD).set(voltages << hw::kFirstInputBit);
  if (!brake_is_by_hand()) {
    object<std::uint32_t>(0x60FE, 1).set(board_->state().brake.current ? 0U : kBrakeBit);
  }
  object<std::int32_t>(0x6064).set(static_cast<std::int32_t>(units_.counts(report.q, cut)));
  object<std::int32_t>(0x606C).set(units_.velocity_units(report.v, cut));
  object<std::int16_t>(0x6077).set(units_.per_mille(report.tau, cut));
  object<std::uint8_t>(0x2010, 2).set(object<std::uint8_t>(0x2010, 1).get());
  object<std::int16_t>(0x2030, 1).set(steps_of(report.temperature_C));
  object<std::int16_t>(0x2030, 2).set(steps_of(report.temperature_C));
  object<std::uint16_t>(0x2040, 1).set(
      static_cast<std::uint16_t>(std::lround(std::clamp(report.progress, 0.0, 1.0) / kMilli)));
  object<std::uint32_t>(0x6079).set(
      static_cast<std::uint32_t>(std::lround(std::max(report.supply_V, 0.0) / kMilli)));
}

// Receiving
// -------------------------------------------------------------------------------------------

bool VirtualDrive::is_order(const can::Frame& frame) noexcept {
  if (frame.extended) return false;
  if (!spec_.profiled) {
    constexpr std::uint32_t kNode = 0x7F;
    if ((frame.id & kNode) != spec_.node) return false;
    const std::uint32_t base = frame.id & ~kNode;
    return base >= canopen::rpdo_base(0) &&
           base <= canopen::rpdo_base(canopen::kPredefinedPdos - 1) &&
           (base - canopen::rpdo_base(0)) % (canopen::rpdo_base(1) - canopen::rpdo_base(0)) == 0;
  }
  constexpr std::uint16_t kMostPdos = 8;
  for (std::uint16_t number = 0; number < kMostPdos; ++number) {
    const auto index = static_cast<std::uint16_t>(0x1400 + number);
    const canopen::Entry* const id = node_.objects().find(index, 1);
    if (id != nullptr && id->bits() == frame.id) return true;
  }
  return false;
}

bool VirtualDrive::receive(const can::Frame& frame, std::int64_t now) noexcept {
  if (is_order(frame)) {
    order_age_ = 0;
    order_came_ = true;
  }
  return node_.receive(frame, own_time(now));
}

void VirtualDrive::on_sync(std::int64_t /*now*/) noexcept {
  synced_ = true;
  hear_host();
  from_ = line_to_target(period_of_cycle_);
  period_of_cycle_ = 0;
  look();
}

/// Position on the line after so many periods of the cycle.
double VirtualDrive::line_to_target(std::uint32_t period) const noexcept {
  return period < periods_ ? from_ + (target_ - from_) * period / periods_ : target_;
}

const JointSetpoint& VirtualDrive::next_period() noexcept {
  ++period_of_cycle_;
  if (follows_line_) setpoint_.q = line_to_target(period_of_cycle_);
  return setpoint_;
}

void VirtualDrive::on_period() noexcept {
  for (own_periods_ += 1.0 + period_drift_; own_periods_ >= 1.0; own_periods_ -= 1.0) {
    watch_clock();
  }
  ++periods_since_told_;
  watch_following();
  if (!synced_) {
    watch_board();
    look();
  }
  synced_ = false;
}

void VirtualDrive::watch_clock() noexcept {
  const cia402::DriveOutputs& drive = machine_.outputs();
  const bool enabled = drive.state == cia402::PowerState::kOperationEnabled ||
                       (drive.state == cia402::PowerState::kSwitchedOn && drive.power_stage());
  silent_periods_ = enabled ? silent_periods_ + 1 : 0;
  ++order_age_;
  if (silent_periods_ == kHostLost * periods_) on_connection_lost(kRpdoTimeOut);
}

/// In cyclic position a drive faults if it is away from its target for too long.
void VirtualDrive::watch_following() noexcept {
  constexpr std::uint32_t kOff = 0xFFFF'FFFF;
  const auto window = object<std::uint32_t>(0x6065).get();
  const cia402::DriveOutputs& drive = machine_.outputs();
  const bool is_watched =
      window != kOff && drive.motion == Motion::kFollow && drive.mode == mode::kCyclicPosition;
  bool cut = false;
  const std::int64_t here = units_.counts(board_->report().q, cut);
  const auto wanted = follows_line_
                          ? units_.counts(line_to_target(period_of_cycle_ + 1), cut)
                          : hw::DriveUnits::with_turns(object<std::int32_t>(0x607A).get(), here);
  const auto away = wanted - here;
  object<std::int32_t>(0x60F4).set(static_cast<std::int32_t>(away));
  behind_s_ = is_watched && std::abs(away) > std::int64_t{window} ? behind_s_ + period_ : 0.0;
  if (behind_s_ <= kMilli * object<std::uint16_t>(0x6066).get()) return;
  behind_s_ = 0.0;
  machine_.raise_fault(kFollowingError);
  node_.emergencies().latch(kFollowingError);
  find(static_cast<double>(away) * units_.position_step(), window * units_.position_step());
}

void VirtualDrive::look() noexcept {
  order_brake();
  const std::uint16_t error_before = machine_.outputs().error_code;
  machine_.update(inputs());
  const bool stack_runs = (object<std::uint16_t>(0x6040).get() & hw::kStackRuns) != 0;
  released_ = released_ || stack_runs || machine_.outputs().power_stage();
  setpoint_ = {};
  const bool was_following = follows_line_;
  follows_line_ = false;
  if (error_before != 0 && machine_.outputs().error_code == 0) {
    setpoint_.request = BoardRequest::kClearFault;
    node_.emergencies().release_latched();
  }
  follow();
  if (!follows_line_ || was_following) return;
  from_ = board_->report().q;
  period_of_cycle_ = 0;
}

/// The counter in every command changes; if it stands, no new command came. A drive without one
/// takes each command for a new one.
void VirtualDrive::hear_host() noexcept {
  const auto life = object<std::uint8_t>(0x2010, 1).get();
  const bool is_new = spec_.profiled ? order_came_ : life != life_;
  order_came_ = false;
  if (!is_new) return;
  life_ = life;
  silent_periods_ = 0;
  order_is_stale_ = order_age_ >= bridged_periods();
}

std::uint32_t VirtualDrive::bridged_periods() noexcept {
  return periods_ * object<std::uint8_t>(0x2010, 3).get();
}

bool VirtualDrive::is_bridged() noexcept {
  return !order_is_stale_ && silent_periods_ < bridged_periods();
}

cia402::DriveInputs VirtualDrive::inputs() noexcept {
  cia402::DriveInputs in;
  in.controlword = object<std::uint16_t>(0x6040).get();
  in.mode = object<std::int8_t>(0x6060).get();
  const bool motor_off = board_->status() != BoardStatus::kEnabled;
  in.standstill = motor_off || std::abs(board_->report().v) < kStandstill;
  in.command_lost = !is_bridged();
  // A homing begins with its own motion: the board opens the brake for it.
  in.brake_open = !board_->brake_closed() || in.mode == mode::kHoming;
  in.warning = is_warm();
  in.fault_present = board_->state().found.code != FaultCode::kNone;
  in.homing = {machine_.outputs().homing_number, homing()};
  return in;
}

bool VirtualDrive::is_warm() const noexcept {
  return board_->report().temperature_C >
         board_->spec().board.temperature_max_C - sim::SimBoard::kWarmBelow;
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

void VirtualDrive::follow() noexcept {
  const cia402::DriveOutputs& drive = machine_.outputs();
  const bool bridged = is_bridged();
  const bool stops = drive.motion == Motion::kStop || (drive.motion == Motion::kFollow && !bridged);
  if (!stops) stopping_ = false;
  if (stops) {
    come_to_rest();
  } else if (drive.motion == Motion::kFollow) {
    follow_target(drive.mode);
  }
}

/// Target by the turn of the counter that is nearest to where the joint is.
double VirtualDrive::target_position() noexcept {
  bool cut = false;
  const std::int64_t here = units_.counts(board_->report().q, cut);
  return units_.position(hw::DriveUnits::with_turns(object<std::int32_t>(0x607A).get(), here));
}

void VirtualDrive::follow_target(std::int8_t mode_in_force) noexcept {
  const double feed_forward = units_.torque(object<std::int16_t>(0x60B2).get());
  switch (mode_in_force) {
    case mode::kCyclicPosition:
      setpoint_.drive = DriveMode::kPosition;
      target_ = target_position();
      follows_line_ = true;
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
      setpoint_.duty = (spec_.facts.reversed ? -1.0 : 1.0) * object<std::int16_t>(0x2020, 1).get() /
                       canopen::kFullDuty;
      return;
    case mode::kHoming:
      // The board homes with its motor under its own command; a brake holds it before and after.
      if (machine_.outputs().homing_number != 0) setpoint_.request = BoardRequest::kCalibrate;
      return;
    default:
      return;
  }
}

/// Brakes along the ramp of a quick stop, then holds.
void VirtualDrive::come_to_rest() noexcept {
  if (!stopping_) stop_speed_ = board_->report().v;
  stopping_ = true;
  const double step = spec_.stop_deceleration * period_;
  stop_speed_ -= std::clamp(stop_speed_, -step, step);
  if (!board_->spec().board.drive_modes.has(DriveMode::kVelocity)) return;  // off
  setpoint_.drive = DriveMode::kVelocity;
  setpoint_.v = stop_speed_;
}

void VirtualDrive::restart(std::int64_t now) noexcept {
  node_.restart(own_time(now));
  power_cycle_ = false;  // the board has had its own
}

void VirtualDrive::on_reset(bool whole_device) noexcept {
  machine_.reset();
  setpoint_ = {};
  follows_line_ = false;
  stopping_ = false;
  silent_periods_ = order_age_ = 0;
  order_is_stale_ = order_came_ = false;
  if (whole_device) power_cycle_ = true;
  read_options();
}

void VirtualDrive::on_state(canopen::NmtState from, canopen::NmtState to) noexcept {
  if (to == canopen::NmtState::kOperational) {
    read_options();
    read_cycle();
  }
  if (from == canopen::NmtState::kOperational && to != from) {
    machine_.network_left();
    machine_.update(inputs());
    setpoint_ = {};
    follows_line_ = false;
    follow();
  }
}

void VirtualDrive::on_connection_lost(std::uint16_t code) noexcept {
  machine_.connection_lost(code);
  if (machine_.outputs().error_code != code) return;
  node_.emergencies().latch(code);
  const std::uint32_t consumer = object<std::uint32_t>(0x1016, 1).get();
  const double patience = code == canopen::emergency_code::kHeartbeatLost
                              ? kMilli * (consumer & 0xFFFFU)
                              : kHostLost * periods_ * period_;
  find(patience, patience);
}

}  // namespace jointrig::app
