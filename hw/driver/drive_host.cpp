#include "hw/driver/drive_host.h"

#include <cmath>

#include "hw/canopen/joint_board_objects.h"
#include "hw/driver/fault_codes.h"

namespace jointrig::hw {
namespace {

using cia402::DriveStatus;
using cia402::DriveUse;
using cia402::DriveWish;
using cia402::PowerState;
using cia402::Step;

/// The word under which a drive stays where it is.
cia402::Command command_that_keeps(PowerState state) noexcept {
  switch (state) {
    case PowerState::kOperationEnabled:
      return cia402::Command::kEnableOperation;
    case PowerState::kSwitchedOn:
      return cia402::Command::kSwitchOn;
    case PowerState::kReadyToSwitchOn:
      return cia402::Command::kShutdown;
    default:
      return cia402::Command::kDisableVoltage;
  }
}

}  // namespace

void DriveHost::set_configured(bool configured) noexcept {
  if (configured == configured_) return;
  configured_ = configured;
  was_enabled_ = false;
  homed_ = fresh_homing_ = awaits_zero_ = false;
  track_.forget();
  inputs_.forget();
  watch_.forget();
  counts_ = 0;
  waits_for_mode_ = 0;
  seen_.reset();
  reported_ = false;
  stood_for_ = holds_ = 0;
  in_fault_ = in_quick_stop_ = followed_ = stopped_ = warned_ = false;
  sent_ = in_force_ = {};
  begun_ = false;
}

// Hearing
// -------------------------------------------------------------------------------------------

void DriveHost::heard(const DriveReport& report) noexcept {
  last_ = report;
  take_position(report);
  const auto seen = cia402::state_of(report.statusword);
  if (seen) watch_faults(*seen);
  if (seen) watch_change(*seen);
  const bool enabled = seen == PowerState::kOperationEnabled;
  watch_bits(report, enabled);
  watch_motion(report, enabled);
  if (enabled) watch_homing(report);
  use_finding();
  unused_finding_.reset();
}

void DriveHost::watch_homing(const DriveReport& report) noexcept {
  was_enabled_ = true;
  if (report.mode != cia402::mode::kHoming) {
    fresh_homing_ = false;
  } else if (cia402::homing_of(report.statusword) == cia402::Homing::kDone) {
    awaits_zero_ = awaits_zero_ || !fresh_homing_;
    homed_ = fresh_homing_ = true;
  }
}

void DriveHost::heard(const Finding& finding) noexcept {
  unused_finding_ = finding;
  use_finding();
}

/// The state says what it is about.
void DriveHost::use_finding() noexcept {
  if (!unused_finding_) return;
  if (in_fault_) {
    drive_finding_ = *unused_finding_;
    // A reading of the same sensor, and a finer one.
    if (drive_fault_ == FaultCode::kOverTemperature) slow_.temperature_C = drive_finding_.value;
    if (drive_fault_ == FaultCode::kSupplyVoltage) slow_.supply_V = drive_finding_.value;
  } else if (awaits_zero_) {
    zero_ = unused_finding_->value;
    awaits_zero_ = false;
  } else {
    return;
  }
  unused_finding_.reset();
}

void DriveHost::heard_inputs(std::optional<std::uint32_t> inputs) noexcept {
  inputs_.take(inputs ? std::optional(static_cast<std::uint8_t>(*inputs >> kFirstInputBit))
                      : std::nullopt);
}

void DriveHost::heard_late(const DriveReport& report) noexcept {
  heard(report);
  track_.was_late();
}

void DriveHost::watch_faults(PowerState seen) noexcept {
  const bool is_faulted = is_fault(seen);
  if (is_faulted) {
    const bool is_new = drive_fault_ == FaultCode::kNone;
    // A drive may show the state before the code.
    if (is_new || drive_error_ == 0) {
      drive_error_ = last_.error_code;
      drive_fault_ = drive_error_ != 0 ? fault_of(drive_error_) : FaultCode::kDriveFault;
    }
  } else if (drive_fault_ != FaultCode::kNone && clearing_) {
    drive_fault_ = FaultCode::kNone;
    drive_error_ = 0;
    drive_finding_ = {};
  } else if (in_fault_) {
    note(Notice::kForeignReset);
  }
  in_fault_ = is_faulted;
}

/// A drive comes to SWITCH ON DISABLED by itself, by a reset of its fault, or at the start, and the
/// word that stood then may be the one that the host is about to give. The first change may get
/// lost, or fall between two looks of the drive: it is repeated, and lasts longer.
void DriveHost::watch_change(PowerState seen) noexcept {
  constexpr double kShare = 0.1;  // of status_time; 10 ms are two looks of a slow drive
  reported_ = true;
  const bool is_disabled = seen == PowerState::kSwitchOnDisabled;
  if (is_disabled && seen_ != seen) {
    holds_ = spec_.period;
  } else if (is_disabled && stood_for_ >= status_time()) {
    holds_ = std::fmax(2.0 * spec_.period, kShare * status_time());
  } else if (is_disabled) {
    return;
  }
  seen_ = seen;
  stood_for_ = 0;
}

void DriveHost::watch_bits(const DriveReport& report, bool enabled) noexcept {
  const auto has = [&](std::uint16_t bit) { return (report.statusword & bit) != 0; };
  const bool warns = has(cia402::status::kWarning);
  if (warns && !warned_) note(Notice::kWarning);
  warned_ = warns;

  const bool stops = cia402::state_of(report.statusword) == PowerState::kQuickStopActive;
  if (stops && !in_quick_stop_) note(Notice::kQuickStop);
  in_quick_stop_ = stops;

  if (!spec_.tells_following) return;
  const bool is_cyclic = enabled && cia402::is_cyclic(report.mode);
  const bool follows = is_cyclic && has(cia402::status::kModeSpecific12);
  const bool stops_now = is_cyclic && followed_ && !follows;
  if (stops_now) note(Notice::kRpdoTimeout);
  stopped_ = (stopped_ || stops_now) && is_cyclic && !follows;
  followed_ = follows;
}

/// Between a report and the one before it, the order of two reports ago was in force.
void DriveHost::watch_motion(const DriveReport& report, bool enabled) noexcept {
  const bool follows = enabled && sent_.use == in_force_.use;
  MotionSample sample{.counts = report.position, .error = {}, .velocity = {}};
  if (follows && in_force_.use == DriveUse::kPosition && report.mode == in_force_.mode) {
    const std::int64_t there = DriveUnits::with_turns(in_force_.position, report.position);
    const auto away = static_cast<double>(there - report.position);
    sample.error = away * spec_.units.position_step();
  }
  if (follows && in_force_.use == DriveUse::kVelocity && report.mode == in_force_.mode) {
    sample.velocity = spec_.units.velocity(in_force_.velocity);
  }
  const FaultCode fault = watch_.take(sample);
  if (fault == FaultCode::kNone || own_fault_ != FaultCode::kNone) return;
  latch(fault, watch_.value(), watch_.limit());
}

void DriveHost::take_position(const DriveReport& report) noexcept {
  const std::int64_t counts = track_.is_known() ? DriveUnits::with_turns(report.position, counts_)
                                                : spec_.units.nearest_to_zero(report.position);
  // Homing gives the counter a new zero.
  const bool may_jump = last_.mode == cia402::mode::kHoming;
  const auto verdict =
      track_.take(spec_.units.position(counts), speed_of(report, counts), may_jump);
  if (verdict != JointTrack::Verdict::kReplaced) counts_ = counts;
  if (verdict != JointTrack::Verdict::kTaken) note(Notice::kEncoderGlitch);
  if (verdict == JointTrack::Verdict::kFault && own_fault_ == FaultCode::kNone) {
    latch(FaultCode::kEncoderJump, track_.jump(), track_.allowed_jump());
  }
}

/// Over the cycles since the sample before it.
double DriveHost::speed_of(const DriveReport& report, std::int64_t counts) const noexcept {
  if (spec_.tells_velocity) return spec_.units.velocity(report.velocity);
  if (!track_.is_known()) return 0.0;
  const double way = spec_.units.position(counts) - spec_.units.position(counts_);
  return way / (spec_.period * (track_.age() + 1.0));
}

void DriveHost::silent() noexcept {
  reported_ = false;
  track_.carry_on();
  const bool is_lost = configured_ && track_.is_known() && track_.age() >= kLostAfter;
  if (is_lost && own_fault_ == FaultCode::kNone) {
    latch(FaultCode::kBoardLost, track_.age(), kLostAfter);
  }
}

void DriveHost::fail(FaultCode fault, double value, double limit) noexcept {
  if (own_fault_ == FaultCode::kNone) latch(fault, value, limit);
}

void DriveHost::latch(FaultCode fault, double value, double limit) noexcept {
  own_fault_ = fault;
  fault_value_ = value;
  fault_limit_ = limit;
}

// The joint
// -------------------------------------------------------------------------------------------

cia402::DriveFacts DriveHost::facts() const noexcept {
  return {.configured = configured_ && track_.is_known(),
          .latched =
              own_fault_ != FaultCode::kNone || (configured_ && drive_fault_ != FaultCode::kNone),
          .was_enabled = was_enabled_,
          .statusword = last_.statusword,
          .mode = last_.mode};
}

BoardStatus DriveHost::status() const noexcept {
  const bool may_drive = homed_ || !spec_.needs_calibration;
  switch (cia402::status_of(facts())) {
    case DriveStatus::kNotConfigured:
      return BoardStatus::kNotConfigured;
    case DriveStatus::kConfigured:
    case DriveStatus::kIdle:
    case DriveStatus::kQuickStop:
      if (fresh_homing_) return BoardStatus::kCalibDone;
      return may_drive ? BoardStatus::kReady : BoardStatus::kConfigured;
    case DriveStatus::kActive:
      // Enabled for homing that has not begun to show: not following anything yet.
      if (last_.mode == cia402::mode::kHoming) {
        return sent_.use == DriveUse::kHoming ? BoardStatus::kCalibrating : BoardStatus::kReady;
      }
      return BoardStatus::kEnabled;
    case DriveStatus::kCalibrating:
      return BoardStatus::kCalibrating;
    case DriveStatus::kCalibrated:
      return BoardStatus::kCalibDone;
    case DriveStatus::kFault:
      return BoardStatus::kHwFault;
  }
  return BoardStatus::kNotConfigured;
}

void DriveHost::state(JointState& state, double since) const noexcept {
  state.q = track_.q(since);
  state.v = track_.v();
  state.tau = spec_.units.torque(last_.torque);
  state.temperature_C = slow_.temperature_C;
  state.supply_V = slow_.supply_V;
  state.inputs = configured_ ? inputs_.on() : std::uint8_t{0};
  state.status = status();
  state.missed = track_.age();
  state.extrapolated = track_.age() > 0 || since > 0;
  state.follows = !stopped_;
  state.zero = zero_;
  state.progress = state.status == BoardStatus::kCalibDone     ? 1.0
                   : state.status == BoardStatus::kCalibrating ? slow_.progress
                                                               : 0.0;
  state.fault = FaultCode::kNone;
  state.fault_value = state.fault_limit = 0.0;
  if (state.status != BoardStatus::kHwFault) return;
  if (own_fault_ != FaultCode::kNone) {
    state.fault = own_fault_;
    state.fault_value = fault_value_;
    state.fault_limit = fault_limit_;
    return;
  }
  state.fault = drive_fault_;
  const bool is_other = drive_fault_ == FaultCode::kDriveFault;
  state.fault_value = is_other ? drive_error_ : drive_finding_.value;
  state.fault_limit = is_other ? 0.0 : drive_finding_.limit;
}

double DriveHost::value_of(Notice notice) const noexcept {
  switch (notice) {
    case Notice::kWarning:
      return slow_.temperature_C;
    case Notice::kModeRefused:
      return spec_.mode_patience;
    default:
      return 0.0;
  }
}

bool DriveHost::is_settled() const noexcept {
  const auto seen = cia402::state_of(last_.statusword);
  return track_.is_known() && track_.age() == 0 && seen &&
         (*seen == PowerState::kSwitchedOn || *seen == PowerState::kFault);
}

std::string_view DriveHost::state_in_words() const noexcept {
  const auto seen = cia402::state_of(last_.statusword);
  return track_.is_known() && seen ? cia402::to_string(*seen) : "silent";
}

// Telling
// -------------------------------------------------------------------------------------------

DriveUse DriveHost::use_of(const JointSetpoint& setpoint) const noexcept {
  DriveUse use = DriveUse::kIdle;
  if (setpoint.request == BoardRequest::kCalibrate) {
    use = DriveUse::kHoming;
  } else if (setpoint.drive == DriveMode::kPosition) {
    use = DriveUse::kPosition;
  } else if (setpoint.drive == DriveMode::kVelocity) {
    use = DriveUse::kVelocity;
  } else if (setpoint.drive == DriveMode::kTorque) {
    use = DriveUse::kTorque;
  } else if (setpoint.drive == DriveMode::kDuty) {
    use = DriveUse::kPwm;
  }
  const bool possible = cia402::is_possible(use, spec_.supported_modes, spec_.has_pwm);
  return configured_ && possible ? use : DriveUse::kIdle;
}

bool DriveHost::order(const JointSetpoint& setpoint, DriveOrder& order) noexcept {
  if (!is_finite(setpoint)) return false;
  in_force_ = sent_;
  clearing_ = setpoint.request == BoardRequest::kClearFault;
  if (clearing_) watch_.forget();
  if (clearing_) own_fault_ = FaultCode::kNone;
  const DriveUse use = use_of(setpoint);
  begun_ = begun_ || use != DriveUse::kIdle;
  const DriveWish wish = cia402::wish_for(use);
  watch_mode(wish);
  sent_.controlword = controlword(wish);
  if (spec_.is_virtual && begun_) sent_.controlword |= kStackRuns;
  sent_.use = use;
  if (wish.mode != cia402::mode::kNone) sent_.mode = wish.mode;
  put_targets(setpoint, sent_);
  order = sent_;
  return true;
}

/// A drive that is enabled and does not take up its mode follows the wrong target.
void DriveHost::watch_mode(const DriveWish& wish) noexcept {
  const bool enabled = cia402::state_of(last_.statusword) == PowerState::kOperationEnabled;
  const bool refuses = enabled && track_.age() == 0 && wish.mode != cia402::mode::kNone &&
                       sent_.mode == wish.mode && last_.mode != wish.mode;
  waits_for_mode_ = refuses ? waits_for_mode_ + spec_.period : 0.0;
  if (waits_for_mode_ > spec_.mode_patience && own_fault_ == FaultCode::kNone) {
    latch(FaultCode::kEnableTimeout, waits_for_mode_, spec_.mode_patience);
    note(Notice::kModeRefused);
  }
}

/// An order acts with the next SYNC, and the report of the one after it shows that.
double DriveHost::status_time() const noexcept {
  return std::fmax(spec_.status_time, 4.0 * spec_.period);
}

/// Its way has three steps, a change before the first, and one to spare.
double DriveHost::enable_time() const noexcept { return 5.0 * status_time(); }

/// 0 while it holds, else 6.
std::uint16_t DriveHost::word_out_of_disabled() noexcept {
  if (holds_ > 0) {
    holds_ -= spec_.period;
    stood_for_ = 0;
    return cia402::controlword_for(cia402::Command::kDisableVoltage, 0);
  }
  if (reported_) stood_for_ += spec_.period;
  return cia402::controlword_for(cia402::Command::kShutdown, 0);
}

/// A reset is a rising edge, and a request makes one: a cause that goes away later, or a fault that
/// comes back, takes another request. The bit stays high, so that an edge that got lost is made
/// good by the next frame; it waits for the end of a fault reaction, in which it would go unheard.
std::uint16_t DriveHost::fault_word(PowerState seen) const noexcept {
  const bool resets = clearing_ && seen == PowerState::kFault;
  return resets ? cia402::controlword_for(cia402::Command::kFaultReset, 0) : std::uint16_t{0};
}

std::uint16_t DriveHost::controlword(const DriveWish& wish) noexcept {
  const auto seen = cia402::state_of(last_.statusword);
  if (!seen) return 0;
  const bool moves =
      *seen == PowerState::kOperationEnabled || *seen == PowerState::kQuickStopActive;
  if (!configured_) {
    return moves ? cia402::controlword_for(cia402::Command::kQuickStop, 0) : std::uint16_t{0};
  }
  if (is_fault(*seen)) return fault_word(*seen);
  // A fault of the host's own finding keeps the stage off.
  const PowerState wanted = own_fault_ == FaultCode::kNone ? wish.state : PowerState::kSwitchedOn;
  // The ramp of a quick stop is its own: nothing cuts it short, and a lost drive is to take it.
  const bool was_lost = track_.age() >= kLostAfter || own_fault_ == FaultCode::kBoardLost;
  const bool is_lost = was_lost && *seen == PowerState::kOperationEnabled;
  const bool rests =
      *seen == PowerState::kQuickStopActive && wanted != PowerState::kOperationEnabled;
  if (is_lost || rests) return cia402::controlword_for(cia402::Command::kQuickStop, 0);
  const Step step = cia402::step_towards(wanted, *seen);
  std::uint16_t word = sent_.controlword;
  const bool leaves_disabled = *seen == PowerState::kSwitchOnDisabled;
  if (leaves_disabled && step.kind == Step::Kind::kSend) return word_out_of_disabled();
  if (step.kind == Step::Kind::kSend) word = cia402::controlword_for(step.command, 0);
  if (step.kind == Step::Kind::kThere) word = cia402::controlword_for(command_that_keeps(*seen), 0);
  const bool homes = sent_.use == DriveUse::kHoming && wish.mode == cia402::mode::kHoming &&
                     *seen == PowerState::kOperationEnabled && last_.mode == cia402::mode::kHoming;
  if (homes) word |= cia402::control::kModeSpecific4;
  return word;
}

void DriveHost::put_targets(const JointSetpoint& setpoint, DriveOrder& order) noexcept {
  bool cut = false;
  const bool by_position = order.use == DriveUse::kPosition;
  const bool by_velocity = order.use == DriveUse::kVelocity;
  const bool by_torque = order.use == DriveUse::kTorque;
  const DriveUnits& units = spec_.units;
  order.position =
      static_cast<std::int32_t>(units.counts(by_position ? setpoint.q : track_.q(), cut));
  order.velocity = by_velocity ? units.velocity_units(setpoint.v, cut) : 0;
  order.velocity_offset = by_position ? units.velocity_units(setpoint.v, cut) : 0;
  order.torque = by_torque ? units.per_mille(setpoint.tau, cut) : std::int16_t{0};
  order.torque_offset =
      by_position || by_velocity ? units.per_mille(setpoint.tau, cut) : std::int16_t{0};
  const double duty =
      order.use == DriveUse::kPwm ? std::fmin(std::fmax(setpoint.duty, -1.0), 1.0) : 0.0;
  order.duty = static_cast<std::int16_t>(
      std::lround((units.reversed() ? -duty : duty) * canopen::kFullDuty));
  if (cut) ++saturated_;
}

}  // namespace jointrig::hw
