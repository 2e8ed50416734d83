#include "hw/driver/dynamixel_host.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace jointrig::hw {
namespace {

using dynamixel::HardwareError;
using dynamixel::OperatingMode;

/// Reports after which a torque that is off has gone off by itself. A choice.
constexpr int kReportsToFollow = 3;
/// Reports with the old error after a reboot was asked for: the one of that cycle, and those in
/// which the instruction may have been lost.
constexpr int kReportsToReboot = 3;

struct ErrorFault {
  HardwareError bit;
  FaultCode fault;
};
constexpr std::array kErrorFaults{
    ErrorFault{HardwareError::kOverheating, FaultCode::kOverTemperature},
    ErrorFault{HardwareError::kInputVoltage, FaultCode::kSupplyVoltage},
    ErrorFault{HardwareError::kEncoder, FaultCode::kEncoderLost},
    ErrorFault{HardwareError::kOverload, FaultCode::kOverCurrent},
};

constexpr double kMostVelocity = 32'767.0;  // steps

int rounded(double value, double most) noexcept {
  return static_cast<int>(std::lround(std::clamp(value, -most, most)));
}

}  // namespace

FaultCode fault_of_errors(std::uint8_t status) noexcept {
  if (status == 0) return FaultCode::kNone;
  for (const ErrorFault& pair : kErrorFaults) {
    if ((status & static_cast<std::uint8_t>(pair.bit)) != 0) return pair.fault;
  }
  return FaultCode::kDriveFault;
}

std::uint8_t error_of(FaultCode fault) noexcept {
  if (fault == FaultCode::kNone) return 0;
  for (const ErrorFault& pair : kErrorFaults) {
    if (pair.fault == fault) return static_cast<std::uint8_t>(pair.bit);
  }
  const bool by_encoder = fault == FaultCode::kEncoderFrozen || fault == FaultCode::kEncoderJump ||
                          fault == FaultCode::kEncoderNoise;
  return static_cast<std::uint8_t>(by_encoder ? HardwareError::kEncoder
                                              : HardwareError::kElectricalShock);
}

std::uint8_t DynamixelHost::watchdog_steps() const noexcept {
  const double steps = std::ceil(spec_.watchdog / dynamixel::kWatchdogStep - 1e-9);
  return static_cast<std::uint8_t>(
      std::clamp(steps, 1.0, static_cast<double>(dynamixel::kLongestWatchdog)));
}

void DynamixelHost::set_configured(bool configured) noexcept {
  if (configured == configured_) return;
  configured_ = configured;
  track_.forget();
  watch_.forget();
  told_ = DriveMode::kOff;
  followed_ = 0;
  waits_for_mode_ = 0;
  enabled_ = mapped_ = false;
  rebooting_ = 0;
  fault_ = FaultCode::kNone;
}

// Hearing
// -------------------------------------------------------------------------------------------

void DynamixelHost::heard(const dynamixel::Report& report) noexcept {
  const bool was_mapped = mapped_;
  mapped_ = report.id == spec_.id;
  if (!mapped_) {
    // It was without power: nothing that it says is what it was asked for.
    if (was_mapped && begun_ && told_ != DriveMode::kOff) latch(FaultCode::kMotorPowerLost, 0, 0);
    track_.carry_on();
    rebooting_ = 0;
    return;
  }
  last_ = report;
  judge(track_.take(spec_.units.position(report.position), spec_.units.velocity(report.velocity)));
  const bool follows = told_ != DriveMode::kOff && report.torque && report.mode == mode_of(told_);
  followed_ = follows ? std::min(followed_ + 1, kReportsToFollow) : 0;
  enabled_ = report.torque || (enabled_ && told_ != DriveMode::kOff);
  watch_motion();
}

void DynamixelHost::watch_motion() noexcept {
  const FaultCode fault = watch_.take(last_.position, track_.q(0), followed_ > 0);
  if (fault != FaultCode::kNone) latch(fault, watch_.value(), watch_.limit());
}

void DynamixelHost::judge(JointTrack::Verdict verdict) noexcept {
  if (rebooting_ > 0 && last_.hardware_error != 0) {
    --rebooting_;
    return;
  }
  if (last_.hardware_error != 0) {
    const FaultCode fault = fault_of_errors(last_.hardware_error);
    latch(fault, fault == FaultCode::kDriveFault ? last_.hardware_error : 0.0, 0.0);
  } else if (last_.watchdog == dynamixel::kWatchdogBit && begun_) {
    latch(FaultCode::kCommandLost, spec_.watchdog, spec_.watchdog);
  } else if (verdict == JointTrack::Verdict::kFault) {
    latch(FaultCode::kEncoderJump, track_.jump(), track_.allowed_jump());
  } else if (followed_ >= kReportsToFollow && !last_.torque) {
    latch(FaultCode::kMotorPowerLost, 0.0, 0.0);
  }
}

/// The first one stays.
void DynamixelHost::latch(FaultCode fault, double value, double limit) noexcept {
  if (fault_ != FaultCode::kNone) return;
  fault_ = fault;
  fault_value_ = value;
  fault_limit_ = limit;
}

void DynamixelHost::state(JointState& state, double since) const noexcept {
  state.q = track_.q(since);
  state.v = track_.v();
  state.tau = spec_.units.torque(last_.current);
  state.current_A =
      last_.current * dynamixel::kCurrentStepAmpere * (spec_.units.reversed() ? -1 : 1);
  state.temperature_C = last_.temperature_C;
  state.supply_V = last_.voltage * dynamixel::kVoltageStep;
  state.inputs = 0;
  state.missed = track_.age();
  state.extrapolated = track_.age() > 0 || since > 0;
  state.progress = 0.0;
  const bool is_known = configured_ && track_.is_known();
  const bool is_faulted = is_known && fault_ != FaultCode::kNone;
  state.status = !is_known    ? BoardStatus::kNotConfigured
                 : is_faulted ? BoardStatus::kHwFault
                 : enabled_   ? BoardStatus::kEnabled
                              : BoardStatus::kReady;
  state.fault = is_faulted ? fault_ : FaultCode::kNone;
  state.fault_value = is_faulted ? fault_value_ : 0.0;
  state.fault_limit = is_faulted ? fault_limit_ : 0.0;
}

bool DynamixelHost::is_settled() const noexcept {
  const bool is_off = !last_.torque && last_.watchdog == watchdog_steps();
  return mapped_ && track_.is_known() && track_.age() == 0 && (is_off || begun_);
}

// Telling
// -------------------------------------------------------------------------------------------

std::optional<std::uint8_t> DynamixelHost::mode_of(DriveMode drive) const noexcept {
  const auto number = [](OperatingMode mode) { return static_cast<std::uint8_t>(mode); };
  switch (drive) {
    case DriveMode::kPosition:
      return number(spec_.units.has_torque() ? OperatingMode::kCurrentPosition
                                             : OperatingMode::kExtendedPosition);
    case DriveMode::kVelocity:
      return number(OperatingMode::kVelocity);
    case DriveMode::kTorque:
      if (spec_.units.has_torque()) return number(OperatingMode::kCurrent);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

DynamixelOrder DynamixelHost::order(const std::optional<JointSetpoint>& setpoint) noexcept {
  DynamixelOrder order;
  if (!configured_) return order;
  if (!mapped_) {  // what it says is unknown until it has these
    order.torque = false;
    order.map = true;
    return order;
  }
  const bool clears = begun_ && setpoint && setpoint->request == BoardRequest::kClearFault;
  if (clears) clear(order);
  if (order.reboot) return order;
  const bool stopped = last_.watchdog == dynamixel::kWatchdogBit;
  if (stopped && (clears || !begun_)) {
    order.watchdog = std::uint8_t{0};
  } else if (!stopped && last_.watchdog != watchdog_steps()) {
    order.watchdog = watchdog_steps();
  }
  const bool may_drive = begun_ && rebooting_ == 0 && setpoint && is_finite(*setpoint) &&
                         fault_ == FaultCode::kNone && !clears &&
                         setpoint->request == BoardRequest::kNone;
  const DriveMode drive = may_drive && mode_of(setpoint->drive) ? setpoint->drive : DriveMode::kOff;
  watch_mode(drive);
  if (drive != told_) followed_ = 0;
  told_ = drive;
  // The speed as it is written: a servo that is told 0 steps may stand.
  JointSetpoint told = setpoint.value_or(JointSetpoint{});
  if (drive == DriveMode::kVelocity) {
    const DynamixelUnits& units = spec_.units;
    told.v = units.velocity(rounded(units.velocity_steps(told.v), kMostVelocity));
  }
  watch_.sent(drive, told);
  if (drive != DriveMode::kOff) {
    put_drive(*setpoint, order);
  } else if (last_.torque) {
    order.torque = false;
  }
  return order;
}

/// An error of the hardware goes with a reboot, the others when they are forgotten.
void DynamixelHost::clear(DynamixelOrder& order) noexcept {
  fault_ = FaultCode::kNone;
  watch_.forget();
  order.reboot = last_.hardware_error != 0;
  if (order.reboot) rebooting_ = kReportsToReboot;
  told_ = DriveMode::kOff;
  followed_ = 0;
}

/// A servo that does not take up its mode follows nothing.
void DynamixelHost::watch_mode(DriveMode wanted) noexcept {
  const bool waits = wanted != DriveMode::kOff && wanted == told_ && track_.age() == 0 &&
                     !(last_.torque && last_.mode == mode_of(wanted));
  waits_for_mode_ = waits ? waits_for_mode_ + spec_.period : 0.0;
  if (waits_for_mode_ > spec_.mode_patience) {
    latch(FaultCode::kEnableTimeout, waits_for_mode_, spec_.mode_patience);
  }
}

void DynamixelHost::put_drive(const JointSetpoint& setpoint, DynamixelOrder& order) const noexcept {
  constexpr double kMostCurrent = 32'767.0;
  constexpr double kMostPosition = 1'048'575.0;  // 256 turns
  const DynamixelUnits& units = spec_.units;
  if (last_.mode != mode_of(setpoint.drive)) {
    if (last_.torque) {
      order.torque = false;
    } else {
      order.mode = mode_of(setpoint.drive);
    }
    return;
  }
  if (!last_.torque) order.torque = true;
  switch (setpoint.drive) {
    case DriveMode::kPosition:
      order.position = rounded(units.counts(setpoint.q), kMostPosition);
      // It stays until the mode is changed.
      if (followed_ < kReportsToFollow && units.has_torque()) {
        order.current = rounded(std::abs(units.current_steps(spec_.tau_max)), kMostCurrent);
      }
      break;
    case DriveMode::kVelocity:
      order.velocity = rounded(units.velocity_steps(setpoint.v), kMostVelocity);
      break;
    default:
      order.current = rounded(units.current_steps(setpoint.tau), kMostCurrent);
      break;
  }
}

}  // namespace jointrig::hw
