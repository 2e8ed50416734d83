#include "sim/board/board.h"

#include <algorithm>
#include <cmath>

namespace jointrig::sim {
namespace {

constexpr double kCalibrationTorque = 0.8;  // choice: of tau_max
constexpr double kShortCurrent = 2.0;       // fault_injection.h: of current_max

}  // namespace

SimBoard::SimBoard(const BoardSpec& spec, std::uint64_t seed) noexcept
    : spec_(spec),
      encoder_(spec),
      estimator_(spec),
      motor_(spec),
      loops_(spec),
      deflection_(spec),
      material_(spec.board.hysteresis, spec.board.hysteresis_deflection),
      calibration_(spec),
      monitors_(spec) {
  state_.random = Random(seed);
}

void SimBoard::power_on(const JointTruth& truth) noexcept {
  BoardState fresh;
  fresh.random = state_.random;
  fresh.faults = state_.faults;
  fresh.brake = state_.brake;
  fresh.calibrated = !spec_.board.needs_calibration;
  fresh.motor.temperature_C = spec_.board.ambient_C;
  state_ = fresh;
  encoder_.sample(truth.q, 0.0, state_.faults, state_.random, state_.encoder);
  state_.velocity = truth.v;
  Monitors::reset(state_.encoder.reading, truth.v, state_.monitor);
  go(state_.calibrated ? DriveTrigger::kConfiguredAbsolute : DriveTrigger::kConfigured);
  state_.motor_speed = truth.v + truth.deflection_speed;
  sample_torque(truth);
  state_.torque_rate = 0.0;
  send_report();
}

void SimBoard::lose_power() noexcept {
  if (state_.dark || !state_.faults.has(SimFault::kPowerOff)) return;
  state_.dark = true;
  state_.status = BoardStatus::kNotConfigured;
  state_.fault = {};
  state_.setpoint = {};
  state_.silence = 0.0;
}

void SimBoard::sense(const JointTruth& truth) noexcept {
  lose_power();
  if (state_.dark && !state_.faults.has(SimFault::kPowerOff)) {
    power_on(truth);
    state_.must_rest = true;
  }
  if (state_.dark) {
    ++state_.report.missed;
    state_.faults.count_down();
    return;
  }
  state_.reading_before = state_.encoder.reading;
  const double predicted = state_.encoder.reading + state_.velocity * spec_.period;
  encoder_.sample(truth.q, predicted, state_.faults, state_.random, state_.encoder);
  state_.velocity =
      estimator_.update(state_.velocity, state_.encoder.reading, state_.reading_before);
  sample_torque(truth);

  state_.found = look_for_faults(truth);
  if (state_.found.code != FaultCode::kNone) latch(state_.found);
  state_.motor_speed = truth.v + truth.deflection_speed;
  send_report();
  state_.faults.count_down();
}

double SimBoard::act(const JointSetpoint* setpoint) noexcept {
  lose_power();
  hear(state_.dark ? nullptr : setpoint);
  if (spec_.brake.is_there()) switch_brake();
  double torque = 0.0;
  if (has_torque()) {
    const double wanted =
        motor_.possible(wanted_current(), supply(), state_.motor_speed, torque_share());
    torque = motor_.drive(wanted, !state_.faults.has(SimFault::kMotorOff), state_.motor);
  }
  if (!has_torque()) {  // also if it just went off
    motor_.rest(state_.motor);
    state_.loop = {};
    torque = 0.0;
  }
  if (spec_.has_spring()) {
    if (!has_torque()) state_.torque_now = 0.0;
    state_.motor_torque = torque;
    return torque;  // a slipping coupling lies behind the spring
  }
  state_.torque_now = torque;
  const bool slips = state_.faults.has(SimFault::kGainLoss);
  return slips ? torque * state_.faults.value(SimFault::kGainLoss) : torque;
}

void SimBoard::inject(SimFault fault, double value, std::uint64_t cycles) noexcept {
  if (fault == SimFault::kMissedCycles && value >= 1) cycles = static_cast<std::uint64_t>(value);
  state_.faults.inject(fault, value, cycles);
}

// Sensors
// ------------------------------------------------------------------------------------------

void SimBoard::sample_torque(const JointTruth& truth) noexcept {
  if (state_.faults.has(SimFault::kTorqueSensorTimeout)) {
    state_.torque_sensor_age += spec_.period;
    return;
  }
  state_.torque_sensor_age = 0.0;
  const double before = state_.torque_sample;
  state_.torque_leak = spec_.board.crosstalk * truth.torque_before;
  state_.torque_sample = (spec_.has_spring() ? read_spring(truth.deflection)
                                             : motor_.torque_of_current(state_.motor.current_A)) +
                         state_.torque_leak + state_.faults.value(SimFault::kTorqueSensorOffset);
  const double noise = spec_.board.torque_noise;
  if (noise > 0) state_.torque_sample += noise * state_.random.normal();
  if (spec_.has_spring()) {
    state_.torque_rate = estimator_.update(state_.torque_rate, state_.torque_sample, before);
  }
}

double SimBoard::read_spring(double deflection) noexcept {
  const double read = deflection_.read(deflection);
  state_.bend = material_.advanced(state_.bend, read - state_.deflection);
  state_.deflection = read;
  return deflection_.torque(read) + spec_.board.hysteresis_known * material_.torque(state_.bend);
}

FoundFault SimBoard::look_for_faults(const JointTruth& truth) noexcept {
  BoardSignals signals;
  signals.reading = state_.encoder.reading;
  signals.reading_before = state_.reading_before;
  signals.q = position();
  signals.emf_speed = truth.v;
  signals.missing_samples = state_.encoder.missing_samples;
  signals.torque_sensor = state_.torque_sample;
  signals.motor_torque = torque_by_motor(truth);
  signals.torque_sensor_age = state_.torque_sensor_age;
  signals.expected_A = state_.motor.expected_A;
  signals.current_A = measured_current();
  signals.temperature_C = measured_temperature();
  signals.supply_V = supply();
  signals.switch_closed = state_.faults.has(SimFault::kLimitSwitch) || at_switch(truth.q);
  signals.stage_alive = !state_.faults.has(SimFault::kMotorOff);
  signals.encoder_alive = !state_.faults.has(SimFault::kEncoderFreeze);
  signals.motor_on = has_torque();
  signals.faulted = state_.status == BoardStatus::kHwFault;
  return monitors_.check(signals, state_.monitor);
}

/// Part of the motor's torque that reaches the joint: a motor behind a spring accelerates itself
/// first.
double SimBoard::torque_by_motor(const JointTruth& truth) const noexcept {
  if (!spec_.has_spring()) return motor_.torque_of_current(state_.motor.current_A);
  const double speed = truth.v + truth.deflection_speed;
  return state_.motor_torque - spec_.motor_inertia() * (speed - state_.motor_speed) / spec_.period;
}

bool SimBoard::at_switch(double q_true) const noexcept {
  return q_true < spec_.limits.q_min - spec_.switch_margin ||
         q_true > spec_.limits.q_max + spec_.switch_margin;
}

double SimBoard::supply() const noexcept {
  return state_.faults.has(SimFault::kSupplyVoltage) ? state_.faults.value(SimFault::kSupplyVoltage)
                                                     : spec_.board.supply_V;
}

double SimBoard::measured_current() const noexcept {
  return state_.faults.has(SimFault::kOverCurrent) ? kShortCurrent * spec_.board.current_max_A
                                                   : state_.motor.current_A;
}

double SimBoard::measured_temperature() const noexcept {
  const double winding_C = state_.motor.temperature_C;
  if (!state_.faults.has(SimFault::kOverTemperature)) return winding_C;
  return std::max(winding_C, state_.faults.value(SimFault::kOverTemperature));
}

double SimBoard::torque_share() const noexcept {
  const double above = measured_temperature() - (spec_.board.temperature_max_C - kWarmBelow);
  return 1.0 - (1.0 - kLeastShare) * std::clamp(above / kWarmBelow, 0.0, 1.0);
}

void SimBoard::send_report() noexcept {
  JointState& report = state_.report;
  if (state_.faults.has(SimFault::kMissedCycles)) {
    ++report.missed;
    return;
  }
  report.q = position();
  report.v = state_.velocity;
  report.tau = state_.torque_sample;
  report.tau_hysteresis = spec_.board.hysteresis_known * material_.torque(state_.bend);
  report.hysteresis_state = state_.bend;
  report.tau_crosstalk = state_.torque_leak;
  report.current_A = measured_current();
  report.temperature_C = measured_temperature();
  report.supply_V = supply();
  report.zero = state_.zero;
  report.progress = state_.status == BoardStatus::kCalibrating
                        ? calibration_.progress(state_.calibration)
                        : (state_.status == BoardStatus::kCalibDone ? 1.0 : 0.0);
  report.status = status_to_report();
  report.fault = state_.fault.code;
  report.fault_value = state_.fault.value;
  report.fault_limit = state_.fault.limit;
  report.missed = 0;
  const double input = state_.faults.value(SimFault::kDigitalInput);
  const bool is_pressed =
      state_.faults.has(SimFault::kDigitalInput) && input >= 0.0 && input < kDigitalInputs;
  report.inputs =
      is_pressed ? static_cast<std::uint8_t>(1U << static_cast<unsigned>(input)) : std::uint8_t{0};
}

/// Until its brake is open, a motor holds what the brake holds: nobody may count on it yet.
BoardStatus SimBoard::status_to_report() const noexcept {
  const bool opens = state_.status == BoardStatus::kEnabled && brake_closed();
  return opens ? BoardStatus::kReady : state_.status;
}

// Setpoints
// -------------------------------------------------------------------------------------------

void SimBoard::hear(const JointSetpoint* setpoint) noexcept {
  const bool heard =
      setpoint != nullptr && !state_.faults.has(SimFault::kMissedCycles) && is_finite(*setpoint);
  if (heard) {
    const BoardRequest before = state_.setpoint.request;
    state_.setpoint = *setpoint;
    state_.silence = 0.0;
    heed_request(before);
    heed_drive();
    return;
  }
  state_.silence += spec_.period;
  const double patience = spec_.board.watchdog_s;
  if (motor_on() && patience > 0 && state_.silence + kRounding >= patience) {
    latch({FaultCode::kCommandLost, state_.silence, patience});
  }
}

void SimBoard::heed_request(BoardRequest before) noexcept {
  const BoardRequest request = state_.setpoint.request;
  if (state_.status == BoardStatus::kCalibrating && request != BoardRequest::kCalibrate) {
    go(state_.calibrated ? DriveTrigger::kAbortedAbsolute : DriveTrigger::kAborted);
  }
  if (request == before) return;
  if (request == BoardRequest::kClearFault) clear_fault();
  if (request == BoardRequest::kCalibrate && !motor_on()) {
    calibration_.begin(state_.encoder.reading, state_.calibration);
    go(DriveTrigger::kCalibrate);
  }
}

void SimBoard::heed_drive() noexcept {
  const DriveMode drive = state_.setpoint.drive;
  const bool wants_motor = drive != DriveMode::kOff && spec_.board.drive_modes.has(drive);
  if (!wants_motor) {
    state_.must_rest = false;
    go(DriveTrigger::kRest);
  } else if (!state_.must_rest) {
    go(DriveTrigger::kDrive);
  }
}

void SimBoard::latch(const FoundFault& finding) noexcept {
  const BoardStatus before = state_.status;
  go(DriveTrigger::kFault);
  if (state_.status == before) return;  // not configured, or already faulted: the first fault stays
  state_.fault = finding;
  state_.must_rest = true;
}

void SimBoard::clear_fault() noexcept {
  if (state_.status != BoardStatus::kHwFault || state_.found.code != FaultCode::kNone) return;
  state_.fault = {};
  Monitors::reset(state_.encoder.reading, state_.monitor.speed_before, state_.monitor);
  go(state_.calibrated ? DriveTrigger::kClearedAbsolute : DriveTrigger::kCleared);
}

/// Torque first, then the brake's current; and the other way round.
void SimBoard::switch_brake() noexcept {
  state_.lingers = !motor_on() && state_.had_torque && !state_.brake.closed &&
                   state_.status != BoardStatus::kHwFault && !state_.dark;
  const bool by_sequence = motor_on() && state_.had_torque;
  const bool by_hand = state_.brake_order == BrakeOrder::kOpen;
  const bool has_order = state_.brake_order != BrakeOrder::kBySequence;
  state_.brake.advance(!state_.dark && (has_order ? by_hand : by_sequence), spec_.brake,
                       spec_.period);
  state_.lingers = state_.lingers && !state_.brake.closed && !by_hand;
  state_.had_torque = has_torque();
  const DriveMode drive = state_.setpoint.drive;
  if (motor_on()) state_.hold_tau = drive == DriveMode::kDuty ? 0.0 : state_.setpoint.tau;
}

/// Brings the joint to rest while its brake closes.
double SimBoard::torque_that_holds() noexcept {
  JointSetpoint rest;
  rest.drive = DriveMode::kVelocity;
  rest.tau = state_.hold_tau;
  return loops_.torque(rest, position(), state_.velocity, state_.torque_now, state_.loop);
}

double SimBoard::wanted_current() noexcept {
  const JointSetpoint& setpoint = state_.setpoint;
  if (state_.lingers) return current_for(torque_that_holds());
  if (state_.status == BoardStatus::kCalibrating) {
    return current_for(calibration_torque());
  }
  if (setpoint.drive == DriveMode::kDuty) {
    state_.loop.drive = DriveMode::kDuty;
    const double duty = std::clamp(setpoint.duty, -1.0, 1.0);
    state_.torque_now = state_.torque_sample;
    return motor_.current_of_duty(duty, supply(), state_.motor_speed);
  }
  return current_for(
      loops_.torque(setpoint, position(), state_.velocity, state_.torque_now, state_.loop));
}

/// The current that gives this torque at the joint.
double SimBoard::current_for(double torque) noexcept {
  if (!spec_.has_spring()) return motor_.current_of_torque(torque);
  const double wanted = std::clamp(torque, -spec_.limits.tau_max, spec_.limits.tau_max);
  state_.torque_now = wanted;
  return motor_.current_of_torque(
      deflection_.motor_torque(wanted, state_.torque_sample, state_.torque_rate));
}

double SimBoard::calibration_torque() noexcept {
  const double reading = state_.encoder.reading;
  const CalibrationStep step =
      brake_closed() ? CalibrationStep::kMoving : calibration_.advance(reading, state_.calibration);
  if (step == CalibrationStep::kDone) {
    finish_calibration();
  } else if (step == CalibrationStep::kBlocked) {
    latch({FaultCode::kCalibrationFailed, state_.calibration.furthest, calibration_.way()});
  }
  JointSetpoint way;
  way.drive = DriveMode::kPosition;
  way.q = state_.calibration.start + state_.calibration.target;
  way.v = brake_closed() ? 0.0 : calibration_.speed(state_.calibration);
  const double torque =
      loops_.torque(way, reading, state_.velocity, state_.torque_now, state_.loop);
  const double limit = kCalibrationTorque * spec_.limits.tau_max;
  return std::clamp(torque, -limit, limit);
}

void SimBoard::finish_calibration() noexcept {
  const double last_known = spec_.board.calibration_offset;
  const double found = last_known + state_.faults.value(SimFault::kWrongCalibrationOffset);
  const double deviation = found - last_known;
  const double tolerance = spec_.board.calibration_tolerance;
  if (std::abs(deviation) > tolerance) {
    latch({FaultCode::kCalibrationFailed, deviation, tolerance});
    return;
  }
  state_.zero = found;
  state_.calibrated = true;
  go(DriveTrigger::kCalibrated);
}

void SimBoard::add_to(StateHash& hash) const noexcept {
  const auto& [random, faults, encoder, motor, brake, loop, calibration, monitor, reading_before,
               velocity, zero, torque_sample, deflection, bend, torque_leak, torque_sensor_age,
               torque_now, torque_rate, motor_torque, motor_speed, silence, setpoint, report,
               status, fault, found, calibrated, must_rest, dark, lingers, had_torque, hold_tau,
               brake_order] = state_;
  hash.add(random.state());
  faults.add_to(hash);
  encoder.add_to(hash);
  motor.add_to(hash);
  loop.add_to(hash);
  calibration.add_to(hash);
  monitor.add_to(hash);
  hash.add(reading_before, velocity, zero, torque_sample, torque_sensor_age, torque_now, silence);
  hash.add(status, fault.code, fault.value, fault.limit, found.code, calibrated, must_rest);
  const auto& [drive, request, q, v, tau, stiffness, damping, duty] = setpoint;
  hash.add(drive, request, q, v, tau, stiffness, damping, duty);
  hash.add(report.missed, report.q, report.v, report.tau, report.status);
  if (spec_.has_spring()) {
    hash.add(torque_rate, motor_torque, motor_speed, deflection, bend);
  }
  if (spec_.board.crosstalk != 0.0) hash.add(torque_leak);
  if (dark) hash.add(dark);
  if (spec_.brake.is_there()) {
    hash.add(brake.closed, brake.current, brake.passed, lingers, had_torque, hold_tau, brake_order);
  }
}

}  // namespace jointrig::sim
