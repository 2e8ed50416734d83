#include "control/safety/admission.h"

#include <cmath>
#include <numbers>

#include "control/motion/reference_generator.h"

namespace jointrig {
namespace {

/// Rounding when degrees become radians must not push a goal at a limit over it.
constexpr double kSlack = 1e-9;

Refusal out_of_range(JointIndex joint, double value, double limit) noexcept {
  return {RejectReason::kOutOfRange, joint, value, limit};
}

Refusal check_magnitude(JointIndex joint, double value, double limit) noexcept {
  if (std::abs(value) <= limit + kSlack) return {};
  return out_of_range(joint, value, std::copysign(limit, value));
}

Refusal check_between(JointIndex joint, double value, double low, double high) noexcept {
  if (value < low - kSlack) return out_of_range(joint, value, low);
  if (value > high + kSlack) return out_of_range(joint, value, high);
  return {};
}

bool carries_values(CommandKind kind) noexcept {
  switch (kind) {
    case CommandKind::kSetImpedance:
    case CommandKind::kSetParameter:
    case CommandKind::kMove:
    case CommandKind::kTimedMove:
    case CommandKind::kStreamPosition:
    case CommandKind::kStreamTrajectory:
    case CommandKind::kVelocity:
    case CommandKind::kTorque:
    case CommandKind::kDuty:
    case CommandKind::kSetPosture:
    case CommandKind::kSuppress:
      return true;
    default:
      return false;
  }
}

bool is_robots_own(CommandKind kind) noexcept {
  return kind == CommandKind::kSetSpeedOverride || kind == CommandKind::kSetProtection;
}

/// A whole number from 0 to below `count`.
Refusal check_choice(JointIndex joint, double value, std::size_t count) noexcept {
  const double highest = static_cast<double>(count) - 1.0;
  if (value >= 0.0 && value <= highest && value == std::floor(value)) return {};
  return out_of_range(joint, value, highest);
}

/// Of a command of the robot, which names no joint.
Refusal check_robots_own(const Command& command) noexcept {
  const std::size_t carried = command.values.size();
  if (command.joints.any() || carried != 1) {
    return {RejectReason::kSizeMismatch, kNoJoint, static_cast<double>(carried), 1.0};
  }
  for (const double value : {command.values[0].a, command.values[0].b}) {
    if (!std::isfinite(value)) return {RejectReason::kNotFinite, kNoJoint, value, 0.0};
  }
  return {};
}

}  // namespace

bool takes(ControlMode mode, CommandKind kind) noexcept {
  switch (kind) {
    case CommandKind::kMove:
    case CommandKind::kTimedMove:
      return mode == ControlMode::kPosition || mode == ControlMode::kMixed;
    case CommandKind::kStreamPosition:
    case CommandKind::kStreamTrajectory:
      return mode == ControlMode::kPositionDirect;
    case CommandKind::kVelocity:
      return mode == ControlMode::kVelocity || mode == ControlMode::kMixed;
    case CommandKind::kTorque:
      return mode == ControlMode::kTorque;
    case CommandKind::kDuty:
      return mode == ControlMode::kOpenloop;
    case CommandKind::kSetPosture:
    case CommandKind::kSetToolTarget:
    case CommandKind::kStreamToolTarget:
      return mode == ControlMode::kCartesian;
    case CommandKind::kSetCuff:
      return has_interaction(mode) || mode == ControlMode::kCartesian;
    default:
      return true;  // the rest has its own table, or is taken in any mode
  }
}

Refusal check_speed_override(double factor) noexcept {
  if (!std::isfinite(factor)) return {RejectReason::kNotFinite, kNoJoint, factor, 0.0};
  return check_between(kNoJoint, factor, kLeastSpeedOverride, 1.0);
}

Refusal check_suppression(const JointValue& value, JointIndex index) noexcept {
  return check_choice(index, value.a, kAllSuppressible.size());
}

Refusal check_protection(const JointValue& value) noexcept {
  if (const Refusal r = check_choice(kNoJoint, value.a, kAllProtection.size())) return r;
  return check_choice(kNoJoint, value.b, 2);
}

Refusal check_shape(const Command& command, std::size_t joint_count) noexcept {
  if (is_robots_own(command.kind)) return check_robots_own(command);
  if ((command.joints >> joint_count).any()) {
    std::size_t i = joint_count;
    while (!command.joints.test(i)) ++i;
    return {RejectReason::kUnknownJoint, static_cast<JointIndex>(i), static_cast<double>(i),
            static_cast<double>(joint_count)};
  }
  const std::size_t named = command.joints.count();
  const std::size_t wanted = carries_values(command.kind) ? named : 0;
  if (named == 0 || command.values.size() != wanted) {
    return {RejectReason::kSizeMismatch, kNoJoint, static_cast<double>(command.values.size()),
            static_cast<double>(wanted)};
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < joint_count; ++i) {
    if (!command.joints.test(i) || wanted == 0) continue;
    const JointValue& value = command.values[next++];
    for (const double number : {value.a, value.b, value.c}) {
      if (!std::isfinite(number)) {
        return {RejectReason::kNotFinite, static_cast<JointIndex>(i), number, 0.0};
      }
    }
  }
  return {};
}

Refusal check_values(CommandKind kind, const JointValue& value, const JointConfig& joint,
                     JointIndex index) noexcept {
  const JointLimits& limits = joint.limits;
  switch (kind) {
    case CommandKind::kTimedMove:
    case CommandKind::kSetPosture:
      return check_between(index, value.a, soft_min(limits), soft_max(limits));
    case CommandKind::kMove:
      if (const Refusal r = check_between(index, value.a, soft_min(limits), soft_max(limits))) {
        return r;
      }
      return check_between(index, value.b, 0.0, limits.v_max);
    case CommandKind::kVelocity:
      return check_magnitude(index, value.a, limits.v_max);
    case CommandKind::kTorque:
      return check_magnitude(index, value.a, limits.tau_max);
    case CommandKind::kDuty:
      return check_magnitude(index, value.a, 1.0);
    case CommandKind::kSetImpedance:
      if (const Refusal r = check_between(index, value.a, 0.0, max_stiffness(joint.gains))) {
        return r;
      }
      return check_between(index, value.b, 0.0, max_damping(joint.gains));
    default:
      return {};
  }
}

ParameterRange parameter_range(JointParameter parameter, const JointConfig& joint,
                               const JointConfig& opened) noexcept {
  constexpr double kLeastShare = 1e-3;  // a choice: 0 would stop the joint for good
  const JointGains& g = joint.gains;
  const auto share = [](double a, double b) { return b > 0.0 ? a / b : 0.0; };
  switch (parameter) {
    case JointParameter::kKp:
      return {share(g.ki * g.inertia, g.kd), max_stiffness(g)};
    case JointParameter::kKi:
      return {0.0, share(g.kp * g.kd, g.inertia)};
    case JointParameter::kKd:
      return {share(g.ki * g.inertia, g.kp), max_damping(g)};
    case JointParameter::kStiffness:
      return {0.0, max_stiffness(g)};
    case JointParameter::kDamping:
      return {0.0, max_damping(g)};
    default:
      break;
  }
  const double most = value_of(opened, parameter);
  return {kLeastShare * most, most};
}

Refusal check_parameter(JointParameter parameter, double value, const JointConfig& joint,
                        const JointConfig& opened, JointIndex index) noexcept {
  const ParameterRange range = parameter_range(parameter, joint, opened);
  return check_between(index, value, range.low, range.high);
}

double max_stiffness(const JointGains& gains) noexcept {
  const double omega = 2.0 * std::numbers::pi * 25.0;
  return gains.inertia * omega * omega + gains.viscous * omega;
}

double max_damping(const JointGains& gains) noexcept {
  return 2.0 * gains.inertia * 2.0 * std::numbers::pi * 40.0;
}

}  // namespace jointrig
