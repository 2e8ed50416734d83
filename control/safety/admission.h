#pragma once

#include <limits>
#include <optional>

#include "control/core/command.h"
#include "control/core/faults.h"
#include "control/core/joint_parameter.h"
#include "control/core/robot_config.h"

namespace jointrig {

/// Admission: checks whether a command fits the joint that it names.
struct Refusal {
  RejectReason reason = RejectReason::kNone;
  JointIndex joint = kNoJoint;
  double value = 0.0;  ///< the refused value
  double limit = 0.0;  ///< the violated limit
  /// 1 + the place of the refused number in a joint's value, else in the command (command_field.h);
  /// for set_parameter 1 + the parameter. 0: none, or irrelevant.
  std::uint8_t place = 0;
  std::uint16_t waypoint = 0;  ///< of a plan, from 1; 0: none

  explicit operator bool() const noexcept { return reason != RejectReason::kNone; }
};

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

/// Checks the shape of a command, without the state of any joint: joints and arms exist, a command
/// for joints names at least one, each joint has a value, lists have a valid size, words exist,
/// every number is finite.
Refusal check_shape(const Request& request, std::size_t joint_count,
                    std::size_t arm_count) noexcept;

/// The interval of a range for one joint; nothing if the range has none, or needs more than the
/// joint's configuration.
std::optional<Interval> interval_of(Range range, const JointConfig& joint) noexcept;

/// True for a range without an interval, of whatever joint: check_shape() is all that it needs.
constexpr bool is_any_number(Range range) noexcept {
  return range == Range::kFinite || range == Range::kShaped;
}

/// No position at all.
inline constexpr Interval kNowhere{std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity()};

/// @param here  where the joint is, by its reference and by its encoder: a position in there is
///              never refused, though it may lie outside the soft limits
Refusal check_number(Range range, double value, const JointConfig& joint, JointIndex index,
                     std::size_t place, const Interval& here = kNowhere) noexcept;

/// Checks a command's value for one joint against the ranges of its fields; returns the first
/// refusal.
template <typename Value>
Refusal check_values(const Value& value, const JointConfig& joint, JointIndex index,
                     const Interval& here = kNowhere) noexcept {
  Refusal refusal;
  std::size_t place = 0;
  for_each_number(value, [&](const auto& field, std::size_t /*i*/, double number) {
    if (!refusal && !is_any_number(field.range)) {
      refusal = check_number(field.range, number, joint, index, place, here);
    }
    ++place;
  });
  return refusal;
}

/// Accepts kLeastSpeedOverride to 1.
Refusal check_speed_override(double factor) noexcept;

/// Accepts a vector no longer than kMostGravity. A Refusal has its length [m/s²].
Refusal check_gravity(const std::array<double, 3>& gravity) noexcept;

/// Checks a new value of a parameter.
///
///     kp                    ki I / kd ≤ kp ≤ max_stiffness
///     ki                    0 ≤ ki ≤ kp kd / I
///     kd                    ki I / kp ≤ kd ≤ max_damping
///     stiffness, damping    as set_impedance
///     limits                a thousandth of `opened` ≤ limit ≤ `opened`
///
/// Beyond kp kd = ki I the stiff law, on the inertia alone, swings up (Routh's criterion of I s³ +
/// kd s² + kp s + ki).
/// @param joint  present configuration
/// @param opened  configuration of the same joint at the start
Refusal check_parameter(JointParameter parameter, double value, const JointConfig& joint,
                        const JointConfig& opened, JointIndex index) noexcept;

/// Least and greatest value that check_parameter() accepts.
Interval parameter_range(JointParameter parameter, const JointConfig& joint,
                         const JointConfig& opened) noexcept;

/// Gains beyond which one cycle of delay lets a joint oscillate: I (2π 25 Hz)² + b 2π 25 Hz, with b
/// the joint's own damping, and 2 I (2π 40 Hz). With K = I ω² and a delay T the phase lost at
/// crossover is about 1.5 ω T [rad]: a seventh of a turn at 25 Hz and 1 ms leaves enough phase for
/// the damping term.
double max_stiffness(const JointGains& gains) noexcept;
double max_damping(const JointGains& gains) noexcept;

}  // namespace jointrig
