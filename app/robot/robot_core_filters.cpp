// What a robot's core does with filters: on sensors after each cycle, on commands before it.

#include <algorithm>

#include "app/robot/robot_core.h"

namespace jointrig {
namespace {

/// Cycles that an overrun may skip before a sensor's filter begins anew: a choice.
constexpr TimeNs kGoesOn = 20;

}  // namespace

std::vector<double> RobotCore::present(FilterOn on) const {
  std::vector<double> values;
  for (std::size_t i = 0; i < config().joints.size(); ++i) {
    const JointSnapshot& joint = now().joints[i];
    const bool has_one = has_reference(static_cast<JointIndex>(i));
    switch (on) {
      case FilterOn::kSensedPosition:
        values.push_back(joint.state.q);
        break;
      case FilterOn::kSensedVelocity:
        values.push_back(joint.state.v);
        break;
      case FilterOn::kSensedTorque:
        values.push_back(joint.state.tau);
        break;
      case FilterOn::kCommandedPosition:
        values.push_back(has_one ? joint.reference.q : joint.state.q);
        break;
      case FilterOn::kCommandedVelocity:
        values.push_back(has_one ? joint.reference.v : 0.0);
        break;
      case FilterOn::kCommandedTorque:
        values.push_back(joint.reference.tau);
        break;
    }
  }
  return values;
}

void RobotCore::sense() {
  bad_sensor_.clear();
  const TimeNs period = config().period_ns;
  const JointSet all = JointSet().set();
  for (const FilterOn on :
       {FilterOn::kSensedPosition, FilterOn::kSensedVelocity, FilterOn::kSensedTorque}) {
    std::vector<double>& values = sensed_[static_cast<std::size_t>(on)];
    const std::vector<double> own = values = present(on);
    for (const FilterFailure& failure :
         filters.pass(on, all, values, own, now().time_ns, period, kGoesOn * period)) {
      if (bad_sensor_.empty()) bad_sensor_ = failure.sentence;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (failure.joints.test(i)) values[i] = own[i];
      }
    }
  }
}

namespace {

FilterOn filtered_as(JointStreams::Kind kind) {
  switch (kind) {
    case JointStreams::Kind::kVelocity:
      return FilterOn::kCommandedVelocity;
    case JointStreams::Kind::kTorque:
      return FilterOn::kCommandedTorque;
    default:
      return FilterOn::kCommandedPosition;
  }
}

}  // namespace

JointSet RobotCore::filter_streams(JointStreams::Kind kind, const JointSet& joints,
                                   std::vector<double>& values, TimeNs time) {
  const FilterOn on = filtered_as(kind);
  const TimeNs period = config().period_ns;
  JointSet bad;
  for (const FilterFailure& failure :
       filters.pass(on, joints, values, present(on), time, period, period + period / 2)) {
    refusals_.push_back(failure.sentence);
    bad |= failure.joints;
  }
  return bad;
}

void RobotCore::filter_sample(FilterOn on, const JointSet& joints, std::vector<double>& values) {
  std::vector<double> all = present(on);
  std::size_t place = 0;
  TimeNs longest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!joints.test(i)) continue;
    all[i] = values[place++];
    longest = std::max(longest, to_ns(config().joints[i].timeout.seconds));
  }
  const TimeNs next = now().time_ns + config().period_ns;
  const auto failures =
      filters.pass(on, joints, all, present(on), next, config().period_ns, longest);
  if (!failures.empty()) throw Refused(failures.front().sentence);
  values.clear();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (joints.test(i)) values.push_back(all[i]);
  }
}

}  // namespace jointrig
