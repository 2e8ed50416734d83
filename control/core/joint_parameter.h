#pragma once
/// Settings of a joint that may change while the loop runs. Their names are the keys of robot.yaml.

#include "control/core/enumeration.h"
#include "control/core/quantity.h"
#include "control/core/robot_config.h"

namespace jointrig {

/// Gains of the two laws, and limits. Limits can be narrowed, and widened again up to the values
/// that robot.yaml gave at the start. set_impedance changes stiffness and damping together.
#define JOINTRIG_JOINT_PARAMETERS(X)      \
  X(kKp, "kp")                            \
  X(kKi, "ki")                            \
  X(kKd, "kd")                            \
  X(kBandwidth, "bandwidth")              \
  X(kDampingRatio, "damping_ratio")       \
  X(kStiffness, "stiffness")              \
  X(kDamping, "damping")                  \
  X(kVelocityMax, "velocity_max")         \
  X(kAccelerationMax, "acceleration_max") \
  X(kTorqueMax, "torque_max")             \
  X(kTorqueRateMax, "torque_rate_max")
JOINTRIG_ENUM(JointParameter, JOINTRIG_JOINT_PARAMETERS)

/// True for a gain of the PID: setting one makes the stiff law a PID.
[[nodiscard]] constexpr bool is_pid_gain(JointParameter parameter) noexcept {
  return parameter <= JointParameter::kKd;
}
/// True for a setting of computed torque: setting one makes it the stiff law.
[[nodiscard]] constexpr bool is_servo_setting(JointParameter parameter) noexcept {
  return parameter == JointParameter::kBandwidth || parameter == JointParameter::kDampingRatio;
}

[[nodiscard]] constexpr bool is_limit(JointParameter parameter) noexcept {
  return parameter >= JointParameter::kVelocityMax;
}

/// Quantity that the parameter measures.
[[nodiscard]] constexpr QuantityKind quantity_of(JointParameter parameter) noexcept {
  switch (parameter) {
    case JointParameter::kKp:
    case JointParameter::kStiffness:
      return QuantityKind::kStiffness;
    case JointParameter::kKi:
      return QuantityKind::kIntegralGain;
    case JointParameter::kKd:
    case JointParameter::kDamping:
      return QuantityKind::kDamping;
    case JointParameter::kBandwidth:
      return QuantityKind::kFrequency;
    case JointParameter::kDampingRatio:
      return QuantityKind::kNone;
    case JointParameter::kVelocityMax:
      return QuantityKind::kVelocity;
    case JointParameter::kAccelerationMax:
      return QuantityKind::kAcceleration;
    case JointParameter::kTorqueMax:
      return QuantityKind::kTorque;
    case JointParameter::kTorqueRateMax:
      return QuantityKind::kTorqueRate;
  }
  return QuantityKind::kNone;
}

/// Reference to the parameter in a joint's configuration.
[[nodiscard]] constexpr double& field_of(JointConfig& joint, JointParameter parameter) noexcept {
  switch (parameter) {
    case JointParameter::kKp:
      return joint.gains.kp;
    case JointParameter::kKi:
      return joint.gains.ki;
    case JointParameter::kKd:
      return joint.gains.kd;
    case JointParameter::kBandwidth:
      return joint.gains.bandwidth_hz;
    case JointParameter::kDampingRatio:
      return joint.gains.damping_ratio;
    case JointParameter::kStiffness:
      return joint.gains.stiffness;
    case JointParameter::kDamping:
      return joint.gains.damping;
    case JointParameter::kVelocityMax:
      return joint.limits.v_max;
    case JointParameter::kAccelerationMax:
      return joint.limits.a_max;
    case JointParameter::kTorqueMax:
      return joint.limits.tau_max;
    case JointParameter::kTorqueRateMax:
      break;
  }
  return joint.limits.tau_rate_max;
}
[[nodiscard]] constexpr double value_of(const JointConfig& joint,
                                        JointParameter parameter) noexcept {
  return field_of(const_cast<JointConfig&>(joint), parameter);  // read only
}

/// Sets a parameter, and with a gain or a setting the stiff law that it belongs to.
constexpr void set_parameter(JointConfig& joint, JointParameter parameter, double value) noexcept {
  field_of(joint, parameter) = value;
  if (is_pid_gain(parameter)) joint.gains.is_pid = true;
  if (is_servo_setting(parameter)) joint.gains.is_pid = false;
}

}  // namespace jointrig
