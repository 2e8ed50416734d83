#include "sim/board/monitors.h"

#include <algorithm>
#include <cmath>

namespace jointrig::sim {
namespace {

constexpr double kMaxMissingSamples = 5;
constexpr double kStillTime = 0.02;         // [s]
constexpr double kNoiseTime = 0.02;         // [s]
constexpr double kTorqueSensorAge = 0.01;   // [s]
constexpr double kTorqueFilterTime = 0.01;  // [s]
constexpr double kPowerlessTime = 0.01;     // [s]
constexpr double kTemperatureReturnC = 5;
constexpr double kDipTime = 0.01;  // [s]

}  // namespace

Monitors::Monitors(const BoardSpec& spec) noexcept
    : period_(spec.period),
      torque_limit_(0.1 * spec.limits.tau_max + 6 * spec.board.torque_noise),
      current_limit_(0.05 * spec.board.current_max_A),
      trip_(1.1 * spec.board.current_max_A),
      temperature_limit_(spec.board.temperature_max_C),
      supply_(spec.board.supply_V),
      q_min_(spec.limits.q_min),
      q_max_(spec.limits.q_max),
      noise_share_(-std::expm1(-spec.period / kNoiseTime)),
      torque_share_(-std::expm1(-spec.period / kTorqueFilterTime)) {
  const double grain = 10 * (spec.board.encoder_step + spec.encoder_noise);
  jump_base_ = 2 * spec.limits.v_max * period_ + grain;
  moved_ = spec.limits.v_max * 0.001 + grain;
  const double step = spec.board.encoder_step;
  const double noise = spec.encoder_noise;
  noise_limit_ =
      spec.limits.v_max / 4 + 6 * std::sqrt(2 * noise * noise + step * step / 6) / period_;
}

void Monitors::reset(double reading, double emf_speed, MonitorState& state) noexcept {
  state = {};
  state.dead_reckoning = reading;
  state.speed_before = emf_speed;
}

FoundFault Monitors::check(const BoardSignals& signals, MonitorState& state) const noexcept {
  const FoundFault encoder = check_encoder(signals, state);
  const FoundFault torque = check_torque(signals, state);
  const FoundFault power = check_power(signals, state);
  if (encoder.code != FaultCode::kNone) return encoder;
  if (torque.code != FaultCode::kNone) return torque;
  if (power.code != FaultCode::kNone) return power;
  return {};
}

FoundFault Monitors::check_encoder(const BoardSignals& signals,
                                   MonitorState& state) const noexcept {
  // Expected encoder reading by the motor's own speed: between the distances at both ends' speeds.
  const double way_a = state.speed_before * period_;
  const double way_b = signals.emf_speed * period_;
  const double low = state.dead_reckoning + std::min(way_a, way_b);
  const double high = state.dead_reckoning + std::max(way_a, way_b);
  const double surprise = signals.reading - std::clamp(signals.reading, low, high);
  const double jump_limit = jump_base_ + std::max(std::abs(way_a), std::abs(way_b));
  state.speed_before = signals.emf_speed;

  const bool missing = signals.missing_samples > 0;
  const bool still = signals.reading == signals.reading_before;
  const bool jumped = std::abs(surprise) > jump_limit;
  if (missing || still || jumped) {
    state.dead_reckoning += 0.5 * (way_a + way_b);
  } else {
    state.dead_reckoning = signals.reading;
    state.noise_square += noise_share_ * (surprise * surprise - state.noise_square);
  }
  state.still_s = still ? state.still_s + period_ : 0.0;

  if (signals.missing_samples > kMaxMissingSamples || (signals.faulted && missing)) {
    return {FaultCode::kEncoderLost, signals.missing_samples, kMaxMissingSamples};
  }
  const double moved = std::abs(state.dead_reckoning - signals.reading);
  const bool stood_still = state.still_s + kRounding >= kStillTime && moved > moved_;
  if (stood_still || (signals.faulted && !signals.encoder_alive)) {
    return {FaultCode::kEncoderFrozen, state.still_s, kStillTime};
  }
  if (jumped && !still && !missing) return {FaultCode::kEncoderJump, surprise, jump_limit};
  const double noise = std::sqrt(state.noise_square) / period_;
  if (noise > noise_limit_) return {FaultCode::kEncoderNoise, noise, noise_limit_};
  return {};
}

FoundFault Monitors::check_torque(const BoardSignals& signals, MonitorState& state) const noexcept {
  const double gap = signals.torque_sensor - signals.motor_torque;
  state.torque_gap += torque_share_ * (gap - state.torque_gap);
  const bool stale = signals.torque_sensor_age > 0;
  if (signals.torque_sensor_age > kTorqueSensorAge + kRounding || (signals.faulted && stale)) {
    return {FaultCode::kTorqueSensorLost, signals.torque_sensor_age, kTorqueSensorAge};
  }
  if (std::abs(state.torque_gap) > torque_limit_) {
    return {FaultCode::kTorqueSensorRange, state.torque_gap, torque_limit_};
  }
  return {};
}

FoundFault Monitors::check_power(const BoardSignals& signals, MonitorState& state) const noexcept {
  const double expected = std::abs(signals.expected_A);
  if (expected > current_limit_) {
    const bool flows = std::abs(signals.current_A) > 0.5 * expected;
    state.powerless_s = flows ? 0.0 : state.powerless_s + period_;
  }
  const bool powerless = state.powerless_s + kRounding >= kPowerlessTime;
  if (signals.faulted ? !signals.stage_alive : powerless) {
    return {FaultCode::kMotorPowerLost, signals.current_A, signals.expected_A};
  }
  if (std::abs(signals.current_A) > trip_) {
    return {FaultCode::kOverCurrent, signals.current_A, trip_};
  }
  const double back = signals.faulted ? kTemperatureReturnC : 0.0;
  if (signals.temperature_C > temperature_limit_ - back) {
    return {FaultCode::kOverTemperature, signals.temperature_C, temperature_limit_};
  }
  const bool is_low = signals.supply_V < 0.8 * supply_;
  state.dip_s = is_low ? state.dip_s + period_ : 0.0;
  const bool lasts = state.dip_s + kRounding >= kDipTime;
  if ((is_low && (lasts || signals.faulted)) || signals.supply_V > 1.2 * supply_) {
    return {FaultCode::kSupplyVoltage, signals.supply_V, is_low ? 0.8 * supply_ : 1.2 * supply_};
  }
  if (signals.switch_closed && (signals.motor_on || signals.faulted)) {
    const bool low_end = std::abs(signals.q - q_min_) < std::abs(signals.q - q_max_);
    return {FaultCode::kLimitSwitch, signals.q, low_end ? q_min_ : q_max_};
  }
  return {};
}

}  // namespace jointrig::sim
