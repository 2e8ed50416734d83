// Filters in a robot's core: on sensors after each cycle, on commands before it.

#include <algorithm>

#include "app/robot/robot_core.h"

namespace jointrig {
namespace {

/// Cycles that an overrun may skip before a sensor's filter begins anew: a choice.
constexpr TimeNs kGoesOn = 20;

}  // namespace

double RobotCore::present(FilterOn on, JointIndex index) const {
  const JointSnapshot& joint = now().joints[index];
  const bool has_one = has_reference(index);
  switch (on) {
    case FilterOn::kSensedPosition:
      return joint.state.q;
    case FilterOn::kSensedVelocity:
      return joint.state.v;
    case FilterOn::kSensedTorque:
      return joint.state.tau;
    case FilterOn::kCommandedPosition:
      return has_one ? joint.reference.q : joint.state.q;
    case FilterOn::kCommandedVelocity:
      return has_one ? joint.reference.v : 0.0;
    case FilterOn::kCommandedTorque:
      return joint.reference.tau;
    case FilterOn::kCommandedAcceleration:
      return has_one ? joint.reference.a : 0.0;
  }
  return 0.0;
}

std::vector<double> RobotCore::present(FilterOn on) const {
  std::vector<double> values;
  for (std::size_t i = 0; i < config().joints.size(); ++i) {
    values.push_back(present(on, static_cast<JointIndex>(i)));
  }
  return values;
}

std::vector<double> RobotCore::sensed(FilterOn on) const {
  const std::vector<double>& filtered = filtered_[static_cast<std::size_t>(on)];
  return filtered.empty() ? present(on) : filtered;
}

void RobotCore::sense() {
  bad_sensor_.clear();
  const TimeNs period = config().period_ns;
  for (const FilterOn on :
       {FilterOn::kSensedPosition, FilterOn::kSensedVelocity, FilterOn::kSensedTorque}) {
    std::vector<double>& values = filtered_[static_cast<std::size_t>(on)];
    values.clear();
    if (!filters.act_on(on)) continue;
    const std::vector<double> own = values = present(on);
    for (const FilterFailure& failure :
         filters.pass(on, JointSet().set(), values, own, now().time_ns, period, kGoesOn * period)) {
      if (bad_sensor_.empty()) bad_sensor_ = failure.sentence;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (failure.joints.test(i)) values[i] = own[i];
      }
    }
  }
  sense_sites();
}

JointSet RobotCore::filter_streams(FilterOn on, const JointSet& joints, std::vector<double>& values,
                                   TimeNs time) {
  const TimeNs period = config().period_ns;
  // Samples of a path may come as seldom as the joint's timeout allows.
  TimeNs longest = period + period / 2;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto index = static_cast<JointIndex>(i);
    const bool is_sample = streams.kind(index) == JointStreams::Kind::kSample;
    if (!joints.test(i) || !is_sample) continue;
    longest = std::max(longest, to_ns(config().joints[i].timeout.seconds));
  }
  JointSet bad;
  for (const FilterFailure& failure :
       filters.pass(on, joints, values, present(on), time, period, longest)) {
    refusals_.push_back(failure.sentence);
    bad |= failure.joints;
  }
  limits.keep(on, joints & ~bad, now(), to_seconds(period), values);
  return bad;
}

}  // namespace jointrig
