#pragma once

#include <optional>

#include "control/core/command.h"
#include "control/core/faults.h"
#include "control/core/joint_parameter.h"
#include "control/core/robot_config.h"

namespace jointrig {

/// The first gate: does a command fit the joint it names?
struct Refusal {
  RejectReason reason = RejectReason::kNone;
  JointIndex joint = kNoJoint;
  double value = 0.0;  ///< that was refused
  double limit = 0.0;  ///< that it broke
  /// 1 + the place of the number that was refused among those of a joint's value, else of the
  /// command (command_field.h); of set_parameter 1 + the parameter. 0: none, or of no matter.
  std::uint8_t place = 0;

  explicit operator bool() const noexcept { return reason != RejectReason::kNone; }
};

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

/// Shape of a command, before any joint is looked at: only joints and arms that there are, at least
/// one joint where it names joints, one value each, lists of a size that fits, words that there
/// are, every number finite.
Refusal check_shape(const Request& request, std::size_t joint_count,
                    std::size_t arm_count) noexcept;

/// The interval that a range stands for, of one joint; nothing where it is none, or needs more than
/// the joint's configuration.
std::optional<Interval> interval_of(Range range, const JointConfig& joint) noexcept;

Refusal check_number(Range range, double value, const JointConfig& joint, JointIndex index,
                     std::size_t place) noexcept;

/// A command's value for one joint against the ranges of its fields; the first that doesn't pass.
template <typename Value>
Refusal check_values(const Value& value, const JointConfig& joint, JointIndex index) noexcept {
  Refusal refusal;
  std::size_t place = 0;
  for_each_number(value, [&](const auto& field, std::size_t /*i*/, double number) {
    if (!refusal) refusal = check_number(field.range, number, joint, index, place);
    ++place;
  });
  return refusal;
}

/// kLeastSpeedOverride to 1.
Refusal check_speed_override(double factor) noexcept;

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
Interval parameter_range(JointParameter parameter, const JointConfig& joint,
                         const JointConfig& opened) noexcept;

/// Gains beyond which one cycle of delay lets a joint oscillate: I (2π 25 Hz)² + b 2π 25 Hz, with b
/// the joint's own damping, and 2 I (2π 40 Hz).
/// With K = I ω² and a delay T the phase lost at crossover is about 1.5 ω T [rad]: a seventh of a
/// turn at 25 Hz and 1 ms leaves the damping term enough to spare.
double max_stiffness(const JointGains& gains) noexcept;
double max_damping(const JointGains& gains) noexcept;

}  // namespace jointrig
