#pragma once

#include "control/core/command.h"
#include "control/core/faults.h"
#include "control/core/joint_parameter.h"
#include "control/core/robot_config.h"

namespace jointrig {

/// The first gate: does a command fit the joint it names?
struct Refusal {
  RejectReason reason = RejectReason::kNone;
  JointIndex joint = kNoJoint;
  double value = 0.0;      ///< that was refused
  double limit = 0.0;      ///< that it broke
  std::uint8_t place = 0;  ///< 1 + that of the number among a command's, where known

  explicit operator bool() const noexcept { return reason != RejectReason::kNone; }
};

/// Does the mode take commands of this kind? (The table in control/core/command.h.)
bool takes(ControlMode mode, CommandKind kind) noexcept;

/// kLeastSpeedOverride to 1.
Refusal check_speed_override(double factor) noexcept;

/// A Suppressible that there is.
Refusal check_suppression(const JointValue& value, JointIndex index) noexcept;

/// A Protection that there is, and 0 or 1.
Refusal check_protection(const JointValue& value) noexcept;

/// Shape of a command, before any joint is looked at: one value per joint named, only joints that
/// there are, every number finite.
Refusal check_shape(const Command& command, std::size_t joint_count) noexcept;

/// Values of a command for one joint against its limits.
///
///     set_posture      inside the soft limits
///     move             goal inside the soft limits, 0 ≤ speed ≤ v_max
///     stream_position  any finite sample: it is shaped, not refused (step limit, soft limits)
///     stream_trajectory  likewise, and its speed and acceleration
///     velocity         |v| ≤ v_max
///     torque           |tau| ≤ tau_max
///     duty             |duty| ≤ 1
///     set_impedance    0 ≤ stiffness ≤ max_stiffness, 0 ≤ damping ≤ max_damping
Refusal check_values(CommandKind kind, const JointValue& value, const JointConfig& joint,
                     JointIndex index) noexcept;

/// A new value of a parameter.
///
///     kp                    ki I / kd ≤ kp ≤ max_stiffness
///     ki                    0 ≤ ki ≤ kp kd / I
///     kd                    ki I / kp ≤ kd ≤ max_damping
///     stiffness, damping    as set_impedance
///     limits                a thousandth of `opened` ≤ limit ≤ `opened`
///
/// Beyond kp kd = ki I the stiff law, on the inertia alone, swings up (Routh's criterion of
/// I s³ + kd s² + kp s + ki).
/// @param joint   as it is now
/// @param opened  the same joint as the robot was opened with
Refusal check_parameter(JointParameter parameter, double value, const JointConfig& joint,
                        const JointConfig& opened, JointIndex index) noexcept;

/// Least and greatest value that check_parameter() lets pass.
struct ParameterRange {
  double low = 0.0;
  double high = 0.0;
};
ParameterRange parameter_range(JointParameter parameter, const JointConfig& joint,
                               const JointConfig& opened) noexcept;

/// Gains beyond which one cycle of delay lets a joint oscillate: I (2π 25 Hz)² + b 2π 25 Hz, with b
/// the joint's own damping, and 2 I (2π 40 Hz).
/// With K = I ω² and a delay T the phase lost at crossover is about 1.5 ω T [rad]: a seventh of a
/// turn at 25 Hz and 1 ms leaves the damping term enough to spare.
double max_stiffness(const JointGains& gains) noexcept;
double max_damping(const JointGains& gains) noexcept;

}  // namespace jointrig
