#include "control/stack/gain_margin.h"

#include <cmath>
#include <limits>
#include <vector>

#include "control/laws/sampled_loop.h"
#include "control/stack/margin_poses.h"

namespace jointrig {
namespace {

constexpr double kLeastPart = 1e-4;  // of the largest value: smaller gains count as stable
constexpr double kPrecision = 1.02;

bool is_compliant(JointParameter parameter) noexcept {
  return parameter == JointParameter::kStiffness || parameter == JointParameter::kDamping;
}

InteractionMode law_of(JointParameter parameter) noexcept {
  return is_compliant(parameter) ? InteractionMode::kCompliant : InteractionMode::kStiff;
}

/// The loop that this gain closes, with the gain at `value`.
LoopJoint loop_with(const JointSetup& setup, JointParameter parameter, double value,
                    int delay_cycles) {
  JointConfig config = setup.config;
  set_parameter(config, parameter, value);
  const JointGains& gains = config.gains;
  LoopJoint loop = lags_of(setup, delay_cycles);
  loop.is_computed = is_servo_setting(parameter);
  loop.servo = servo_design(setup.servo.loop_time, config);
  loop.kp = is_compliant(parameter) ? gains.stiffness : gains.kp;
  loop.ki = is_compliant(parameter) ? 0.0 : gains.ki;
  loop.kd = is_compliant(parameter) ? gains.damping : gains.kd;
  return loop;
}

bool is_stable(const JointSetup& setup, const LoopJoint& loop) {
  Eigen::MatrixXd inertia(1, 1);
  inertia(0, 0) = setup.config.gains.inertia;
  for (const double share : {1.0, 1.0 / kInertiaMargin, kInertiaMargin}) {
    if (loop_growth({loop}, inertia, share, setup.dt).rate > kGrows) return false;
  }
  return true;
}

}  // namespace

double gain_margin(const JointSetup& setup, JointParameter parameter, double most,
                   int delay_cycles) {
  const bool by_torque =
      setup.drive(ControlMode::kPosition, law_of(parameter)) == DriveMode::kTorque;
  if (is_limit(parameter) || !by_torque || !(setup.config.gains.inertia > 0.0)) {
    return std::numeric_limits<double>::infinity();
  }
  const auto stable = [&](double value) {
    return is_stable(setup, loop_with(setup, parameter, value, delay_cycles));
  };
  if (stable(most)) return most;
  double low = kLeastPart * most;
  double high = most;
  if (!stable(low)) return 0.0;
  while (high > kPrecision * low) {
    const double middle = std::sqrt(low * high);
    (stable(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace jointrig
