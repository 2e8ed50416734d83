#include "control/safety/admission.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "control/motion/reference_generator.h"

namespace jointrig {
namespace {

/// Tolerance: rounding of degrees to radians must not refuse a goal at a limit.
constexpr double kSlack = 1e-9;

Refusal out_of_range(JointIndex joint, double value, double limit, std::size_t place) noexcept {
  return {RejectReason::kOutOfRange, joint, value, limit, static_cast<std::uint8_t>(place + 1)};
}

Refusal check_between(JointIndex joint, double value, const Interval& range,
                      std::size_t place) noexcept {
  if (value < range.low - kSlack) return out_of_range(joint, value, range.low, place);
  if (value > range.high + kSlack) return out_of_range(joint, value, range.high, place);
  return {};
}

Refusal wrong_size(std::size_t has, std::size_t needs) noexcept {
  return {RejectReason::kSizeMismatch, kNoJoint, static_cast<double>(has),
          static_cast<double>(needs)};
}

template <NamesJoints C>
Refusal check_names(const C& command, std::size_t joint_count) noexcept {
  if ((command.joints >> joint_count).any()) {
    std::size_t i = joint_count;
    while (!command.joints.test(i)) ++i;
    return {RejectReason::kUnknownJoint, static_cast<JointIndex>(i), static_cast<double>(i),
            static_cast<double>(joint_count)};
  }
  const std::size_t named = command.joints.count();
  if constexpr (HasValues<C>) {
    if (named == 0 || command.values.size() != named) {
      return wrong_size(command.values.size(), named);
    }
  }
  return named == 0 ? wrong_size(0, 0) : Refusal{};
}

/// Six on a diagonal or a matrix of 36; damping may be empty, with a ratio in its place.
Refusal check_lists(const SetToolStiffness& command) noexcept {
  const std::size_t size = command.stiffness.size();
  return size == 6 || size == 36 ? Refusal{} : wrong_size(size, 6);
}
Refusal check_lists(const SetToolDamping& command) noexcept {
  const std::size_t size = command.damping.size();
  return size == 0 || size == 6 || size == 36 ? Refusal{} : wrong_size(size, 6);
}
template <typename C>
Refusal check_lists(const C& /*command*/) noexcept {
  return {};
}

/// Known words, finite numbers.
template <typename Object>
Refusal check_each(const Object& object, JointIndex joint) noexcept {
  Refusal refusal;
  std::size_t place = 0;
  for_each_number(object, [&](const auto& field, std::size_t /*i*/, double number) {
    using Member = std::remove_cvref_t<decltype(object.*(field.member))>;
    using Element = FieldStorage<Member>::Element;
    const auto at = static_cast<std::uint8_t>(++place);
    if (refusal) return;
    if (!std::isfinite(number)) refusal = {RejectReason::kNotFinite, joint, number, 0.0, at};
    const std::size_t words = words_for<Element>().size();
    if (words != 0 && number >= static_cast<double>(words)) {
      refusal = {RejectReason::kOutOfRange, joint, number, static_cast<double>(words) - 1.0, at};
    }
  });
  return refusal;
}

/// True if check_each() has nothing to refuse.
template <typename Object>
bool is_sound(const Object& object) noexcept {
  bool sound = true;
  for_each_number(object, [&](const auto& field, std::size_t /*i*/, double number) {
    using Member = std::remove_cvref_t<decltype(object.*(field.member))>;
    constexpr std::size_t kWords = words_for<typename FieldStorage<Member>::Element>().size();
    sound = sound && std::isfinite(number);
    if constexpr (kWords != 0) sound = sound && number < static_cast<double>(kWords);
  });
  return sound;
}

template <typename C>
Refusal check_shape_of(const C& command, std::size_t joint_count, std::size_t arm_count) noexcept {
  if constexpr (NamesJoints<C>) {
    if (const Refusal r = check_names(command, joint_count)) return r;
  }
  if constexpr (IsForArm<C>) {
    if (command.arm >= arm_count) {
      return {RejectReason::kUnknownArm, kNoJoint, static_cast<double>(command.arm),
              static_cast<double>(arm_count)};
    }
  }
  if (const Refusal r = check_lists(command)) return r;
  if constexpr (HasFields<C>) {
    if (const Refusal r = check_each(command, kNoJoint)) return r;
  }
  if constexpr (HasValues<C>) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < joint_count; ++i) {
      if (!command.joints[i]) continue;
      const auto& value = command.values[next++];
      if (is_sound(value)) continue;  // a command of each cycle is
      return check_each(value, static_cast<JointIndex>(i));
    }
  }
  return {};
}

}  // namespace

Refusal check_shape(const Request& request, std::size_t joint_count,
                    std::size_t arm_count) noexcept {
  return std::visit(
      [&](const auto& command) { return check_shape_of(command, joint_count, arm_count); },
      request);
}

std::optional<Interval> interval_of(Range range, const JointConfig& joint) noexcept {
  const JointLimits& limits = joint.limits;
  switch (range) {
    case Range::kSoftLimits:
      return Interval{soft_min(limits), soft_max(limits)};
    case Range::kSpeed:
      return Interval{0.0, limits.v_max};
    case Range::kVelocity:
      return Interval{-limits.v_max, limits.v_max};
    case Range::kAcceleration:
      return Interval{0.0, limits.a_max};
    case Range::kTorque:
      return Interval{-limits.tau_max, limits.tau_max};
    case Range::kShare:
      return Interval{-1.0, 1.0};
    case Range::kJointStiffness:
      return Interval{0.0, max_stiffness(joint.gains)};
    case Range::kJointDamping:
      return Interval{0.0, max_damping(joint.gains)};
    default:
      return std::nullopt;
  }
}

Refusal check_number(Range range, double value, const JointConfig& joint, JointIndex index,
                     std::size_t place, const Interval& here) noexcept {
  std::optional<Interval> interval = interval_of(range, joint);
  if (interval && range == Range::kSoftLimits) {
    // Tolerance for what a client read of it a moment ago, by an encoder with noise, or rounded: a
    // choice.
    const double slack = joint.slide ? 1e-4 : 1e-3;
    if (here.low < interval->low) interval->low = here.low - slack;
    if (here.high > interval->high) interval->high = here.high + slack;
  }
  return interval ? check_between(index, value, *interval, place) : Refusal{};
}

Refusal check_speed_override(double factor) noexcept {
  if (!std::isfinite(factor)) return {RejectReason::kNotFinite, kNoJoint, factor, 0.0};
  return check_between(kNoJoint, factor, {kLeastSpeedOverride, 1.0}, 0);
}

Refusal check_gravity(const std::array<double, 3>& gravity) noexcept {
  const double size = std::hypot(gravity[0], gravity[1], gravity[2]);
  return check_between(kNoJoint, size, {0.0, kMostGravity}, 0);
}

Interval parameter_range(JointParameter parameter, const JointConfig& joint,
                         const JointConfig& opened) noexcept {
  constexpr double kMostBandwidth = 25.0;  // Hz: a choice
  constexpr double kLeastShare = 1e-3;     // a choice: 0 would stop the joint permanently
  const JointGains& g = joint.gains;
  const auto share = [](double a, double b) { return b > 0.0 ? a / b : 0.0; };
  switch (parameter) {
    case JointParameter::kKp:
      return {share(g.ki * g.inertia, g.kd), max_stiffness(g)};
    case JointParameter::kKi:
      return {0.0, share(g.kp * g.kd, g.inertia)};
    case JointParameter::kKd:
      return {share(g.ki * g.inertia, g.kp), max_damping(g)};
    case JointParameter::kBandwidth:
      return {0.0, kMostBandwidth};
    case JointParameter::kDampingRatio:
      return {0.3, 2.0};
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
  return check_between(index, value, parameter_range(parameter, joint, opened),
                       static_cast<std::size_t>(parameter));
}

double max_stiffness(const JointGains& gains) noexcept {
  const double omega = 2.0 * std::numbers::pi * 25.0;
  return gains.inertia * omega * omega + gains.viscous * omega;
}

double max_damping(const JointGains& gains) noexcept {
  return 2.0 * gains.inertia * 2.0 * std::numbers::pi * 40.0;
}

}  // namespace jointrig
