#include "sim/board/local_loops.h"

#include <algorithm>
#include <cmath>

namespace jointrig::sim {

double LocalLoops::torque(const JointSetpoint& setpoint, double q, double v, double torque_now,
                          LoopState& state) const noexcept {
  const double e = setpoint.q - q;
  const double w = setpoint.v - v;
  if (state.drive != setpoint.drive) {
    const bool was_off = state.drive == DriveMode::kOff;
    state.integral = was_off ? 0.0 : std::clamp(torque_now - setpoint.tau, -tau_max_, tau_max_);
    state.drive = setpoint.drive;
  }

  switch (setpoint.drive) {
    case DriveMode::kTorque:
      return setpoint.tau;
    case DriveMode::kVelocity:
      return integrate(gains_.kp * w, gains_.kd * w + setpoint.tau, state);
    case DriveMode::kPosition:
      if (gains_.ki <= 0) state.integral = 0;  // without ki it would never decay
      return integrate(gains_.ki * e, gains_.kp * e + gains_.kd * w + setpoint.tau, state);
    case DriveMode::kImpedance:
      return setpoint.stiffness * e + setpoint.damping * w + setpoint.tau;
    default:
      return 0.0;
  }
}

double LocalLoops::integrate(double rate, double others, LoopState& state) const noexcept {
  const double sum = others + state.integral;
  const bool winds_up = std::abs(sum) >= tau_max_ && rate * sum > 0;
  if (!winds_up) state.integral += rate * period_;
  return others + state.integral;
}

}  // namespace jointrig::sim
