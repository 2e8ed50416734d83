#include "hw/driver/servo_host.h"

#include <array>
#include <cmath>

namespace jointrig::hw {
namespace {

using moteus::Mode;

/// Answers after which a servo that shows stopped has stopped by itself: an earlier stop may take a
/// cycle or two to show. A choice.
constexpr int kFollows = 3;

struct Pair {
  moteus::FaultCode code;
  FaultCode fault;
};

/// Where several lines have one fault, the project's servos send the first.
constexpr std::array kCodes{
    Pair{moteus::FaultCode::kOverVoltage, FaultCode::kSupplyVoltage},
    Pair{moteus::FaultCode::kUnderVoltage, FaultCode::kSupplyVoltage},
    Pair{moteus::FaultCode::kOverTemperature, FaultCode::kOverTemperature},
    Pair{moteus::FaultCode::kEncoder, FaultCode::kEncoderLost},
    Pair{moteus::FaultCode::kCalibration, FaultCode::kEncoderLost},
    Pair{moteus::FaultCode::kThetaInvalid, FaultCode::kEncoderLost},
    Pair{moteus::FaultCode::kPositionInvalid, FaultCode::kEncoderLost},
    Pair{moteus::FaultCode::kOutsideLimit, FaultCode::kPositionRange},
    Pair{moteus::FaultCode::kPositionError, FaultCode::kFollowingError},
};

bool is_driving(Mode mode) noexcept { return mode >= Mode::kPwm && !moteus::is_latched(mode); }

/// The mode of a servo that follows.
Mode mode_of(DriveMode drive) noexcept {
  return drive == DriveMode::kDuty ? Mode::kVoltageDq : Mode::kPosition;
}

}  // namespace

FaultCode fault_of_servo(int code) noexcept {
  if (code == 0) return FaultCode::kNone;
  for (const Pair& pair : kCodes) {
    if (static_cast<int>(pair.code) == code) return pair.fault;
  }
  return FaultCode::kDriveFault;
}

moteus::FaultCode servo_code_of(FaultCode fault) noexcept {
  if (fault == FaultCode::kNone) return moteus::FaultCode::kNone;
  for (const Pair& pair : kCodes) {
    if (pair.fault == fault) return pair.code;
  }
  const bool by_encoder = fault == FaultCode::kEncoderFrozen || fault == FaultCode::kEncoderJump ||
                          fault == FaultCode::kEncoderNoise;
  return by_encoder ? moteus::FaultCode::kEncoder : moteus::FaultCode::kMotorDriver;
}

void ServoHost::set_configured(bool configured) noexcept {
  if (configured == configured_) return;
  configured_ = configured;
  track_.forget();
  watch_.forget();
  inputs_.forget();
  told_ = DriveMode::kOff;
  followed_ = 0;
  waits_for_mode_ = 0;
  fault_ = FaultCode::kNone;
}

// Hearing
// -------------------------------------------------------------------------------------------

void ServoHost::heard(const moteus::ServoReport& report) noexcept {
  last_ = report;
  inputs_.take(report.inputs);
  const auto verdict =
      track_.take(spec_.units.position(report.position), spec_.units.velocity(report.velocity));
  if (report.mode == Mode::kTimeout) {
    latch(FaultCode::kCommandLost, spec_.watchdog, spec_.watchdog);
  } else if (report.mode == Mode::kFault) {
    const FaultCode fault = fault_of_servo(report.fault);
    latch(fault != FaultCode::kNone ? fault : FaultCode::kDriveFault,
          fault == FaultCode::kDriveFault ? report.fault : 0.0, 0.0);
  } else if (verdict == JointTrack::Verdict::kFault) {
    latch(FaultCode::kEncoderJump, track_.jump(), track_.allowed_jump());
  } else if (followed_ >= kFollows && report.mode == Mode::kStopped) {
    latch(FaultCode::kMotorPowerLost, 0.0, 0.0);
  }
  const bool follows = told_ != DriveMode::kOff && report.mode == mode_of(told_);
  followed_ = follows ? followed_ + 1 : 0;
  watch_motion();
}

void ServoHost::watch_motion() noexcept {
  constexpr double kCounts = 1 << 20;  // in a revolution: about the step of its float
  const FaultCode fault =
      watch_.take(std::llround(kCounts * last_.position), track_.q(0), followed_ > 0);
  if (fault != FaultCode::kNone) latch(fault, watch_.value(), watch_.limit());
}

/// The first one stays.
void ServoHost::latch(FaultCode fault, double value, double limit) noexcept {
  if (fault_ != FaultCode::kNone) return;
  fault_ = fault;
  fault_value_ = value;
  fault_limit_ = limit;
}

void ServoHost::state(JointState& state, double since) const noexcept {
  state.q = track_.q(since);
  state.v = track_.v();
  state.tau = spec_.units.torque(last_.torque);
  state.temperature_C = last_.temperature_C;
  state.supply_V = last_.voltage_V;
  state.inputs = configured_ ? inputs_.on() : std::uint8_t{0};
  state.missed = track_.age();
  state.extrapolated = track_.age() > 0 || since > 0;
  state.progress = 0.0;
  state.fault = fault_;
  state.fault_value = fault_value_;
  state.fault_limit = fault_limit_;
  if (!configured_ || !track_.is_known()) {
    state.status = BoardStatus::kNotConfigured;
  } else if (fault_ != FaultCode::kNone) {
    state.status = BoardStatus::kHwFault;
  } else {
    state.status = is_driving(last_.mode) ? BoardStatus::kEnabled : BoardStatus::kReady;
  }
  if (state.status == BoardStatus::kHwFault) return;
  state.fault = FaultCode::kNone;
  state.fault_value = state.fault_limit = 0.0;
}

bool ServoHost::is_settled() const noexcept {
  const bool off = last_.mode == Mode::kStopped || moteus::is_latched(last_.mode);
  return track_.is_known() && track_.age() == 0 && (off || !begun_);
}

// Telling
// -------------------------------------------------------------------------------------------

bool ServoHost::is_possible(DriveMode drive) const noexcept {
  if (drive == DriveMode::kDuty) return spec_.allows_duty;
  if (drive == DriveMode::kImpedance) return spec_.kp > 0 && spec_.kd > 0;
  return true;
}

void ServoHost::put(const JointSetpoint& setpoint, moteus::FrameWriter& frame) noexcept {
  if (!configured_ || !begun_ || !track_.is_known() || !is_finite(setpoint)) return;
  const bool clear = setpoint.request == BoardRequest::kClearFault;
  if (clear) {
    fault_ = FaultCode::kNone;
    watch_.forget();
  }
  if (moteus::is_latched(last_.mode) && !clear) return;
  const bool may_drive = fault_ == FaultCode::kNone && !clear &&
                         setpoint.request == BoardRequest::kNone && is_possible(setpoint.drive);
  const DriveMode drive = may_drive ? setpoint.drive : DriveMode::kOff;
  watch_mode(drive);
  if (drive != told_) followed_ = 0;
  told_ = drive;
  watch_.sent(drive, setpoint);
  // These subframes fit one frame.
  if (drive == DriveMode::kOff) {
    moteus::put_stop(frame);
  } else if (drive == DriveMode::kDuty) {
    const double duty = std::fmin(std::fmax(setpoint.duty, -1.0), 1.0);
    moteus::put_q_voltage(frame, (spec_.units.reversed() ? -duty : duty) * last_.voltage_V);
  } else {
    moteus::put_position(frame, command_of(setpoint), spec_.resolution);
  }
}

/// A servo that does not take up its mode follows nothing.
void ServoHost::watch_mode(DriveMode wanted) noexcept {
  const bool waits = wanted != DriveMode::kOff && wanted == told_ && track_.age() == 0 &&
                     last_.mode != mode_of(wanted);
  waits_for_mode_ = waits ? waits_for_mode_ + spec_.period : 0.0;
  if (waits_for_mode_ > spec_.mode_patience) {
    latch(FaultCode::kEnableTimeout, waits_for_mode_, spec_.mode_patience);
  }
}

moteus::PositionCommand ServoHost::command_of(const JointSetpoint& setpoint) const noexcept {
  const MoteusUnits& units = spec_.units;
  moteus::PositionCommand command;
  command.feedforward = units.servo_torque(setpoint.tau);
  command.timeout = spec_.watchdog;
  switch (setpoint.drive) {
    case DriveMode::kPosition:
      command.position = units.rev(setpoint.q);
      command.velocity = units.rev_per_s(setpoint.v);
      break;
    case DriveMode::kVelocity:
      command.velocity = units.rev_per_s(setpoint.v);
      break;
    case DriveMode::kImpedance:
      command.position = units.rev(setpoint.q);
      command.velocity = units.rev_per_s(setpoint.v);
      command.kp_scale = units.servo_gain(setpoint.stiffness) / spec_.kp;
      command.kd_scale = units.servo_gain(setpoint.damping) / spec_.kd;
      command.ilimit_scale = 0.0;
      break;
    default:
      command.kp_scale = command.kd_scale = command.ilimit_scale = 0.0;
      break;
  }
  return command;
}

}  // namespace jointrig::hw
