#include "sim/board/motor.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jointrig::sim {
namespace {

/// Resistance at which the back-EMF brings a joint to its no-load speed in just one period.
double least_resistance(const BoardSpec& spec) noexcept {
  const double kt = spec.board.torque_constant;
  const double inertia = spec.motor_inertia();
  return inertia > 0 ? kt * kt * spec.period / inertia : 0.0;
}

/// Behind a spring the torque loop keeps tau_max: the motor itself may need more.
double most_current(const BoardSpec& spec) noexcept {
  const double max_A = spec.board.current_max_A;
  return spec.has_spring() ? max_A
                           : std::min(max_A, spec.limits.tau_max / spec.board.torque_constant);
}

}  // namespace

Motor::Motor(const BoardSpec& spec) noexcept
    : kt_(spec.board.torque_constant),
      resistance_(spec.board.resistance_ohm),
      braking_ohm_(std::max(resistance_, least_resistance(spec))),
      limit_A_(most_current(spec)),
      max_A_(spec.board.current_max_A),
      warm_share_(-std::expm1(-spec.period / spec.board.thermal_time_s)),
      thermal_resistance_(spec.board.thermal_resistance_C_per_W),
      ambient_C_(spec.board.ambient_C) {
  if (spec.board.torque_bandwidth_hz <= 0) return;
  const double x = 2 * std::numbers::pi * spec.board.torque_bandwidth_hz * spec.period;
  end_share_ = -std::expm1(-x);
  mean_share_ = 1 - end_share_ / x;
}

double Motor::possible(double wanted_A, double supply_V, double v, double share) const noexcept {
  const double emf = kt_ * v;
  const double limited = std::clamp(wanted_A, -share * limit_A_, share * limit_A_);
  const double up = supply_V - emf;
  const double down = -supply_V - emf;
  const double reachable = std::clamp(limited, down / (down > 0 ? braking_ohm_ : resistance_),
                                      up / (up < 0 ? braking_ohm_ : resistance_));
  return std::clamp(reachable, -max_A_, max_A_);
}

double Motor::drive(double wanted_A, bool stage_alive, MotorState& state) const noexcept {
  state.expected_A += end_share_ * (wanted_A - state.expected_A);
  if (!stage_alive) {
    state.current_A = 0;
    warm(0, state);
    return 0;
  }
  const double mean = state.current_A + mean_share_ * (wanted_A - state.current_A);
  state.current_A += end_share_ * (wanted_A - state.current_A);
  warm(mean, state);
  return kt_ * mean;
}

void Motor::rest(MotorState& state) const noexcept {
  state.current_A = 0;
  state.expected_A = 0;
  warm(0, state);
}

void Motor::warm(double current_A, MotorState& state) const noexcept {
  const double end_C = ambient_C_ + thermal_resistance_ * resistance_ * current_A * current_A;
  state.temperature_C += warm_share_ * (end_C - state.temperature_C);
}

}  // namespace jointrig::sim
