#include "app/robot/narrowed_limits.h"

#include <algorithm>

#include "control/motion/braking.h"
#include "control/motion/reference_generator.h"

namespace jointrig {
namespace {

NarrowedLimits::Limits limits_of(const JointConfig& joint) {
  return {{soft_min(joint.limits), soft_max(joint.limits)}, joint.limits.v_max, joint.limits.a_max};
}

}  // namespace

NarrowedLimits::NarrowedLimits(const RobotConfig& opened)
    : opened_(&opened), robot_(std::shared_ptr<const RobotConfig>(), &opened) {  // not its owner
  for (const JointConfig& joint : opened.joints) {
    ranges_.push_back(limits_of(joint).range);
    greatest_.push_back({joint.limits.v_max, joint.limits.tau_max});
  }
}

NarrowedLimits::Limits NarrowedLimits::limits(JointIndex joint) const {
  Limits limits = limits_of(robot_->joints[joint]);
  limits.range = ranges_[joint];
  return limits;
}

NarrowedLimits::Limits NarrowedLimits::opened(JointIndex joint) const {
  return limits_of(opened_->joints[joint]);
}

void NarrowedLimits::set(const std::vector<JointIndex>& joints, const std::vector<Limits>& limits) {
  auto robot = std::make_shared<RobotConfig>(*robot_);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointIndex joint = joints[i];
    const Range& range = limits[i].range;
    const Range of_file = opened(joint).range;
    const bool is_narrowed = range.low != of_file.low || range.high != of_file.high;
    JointLimits& own = robot->joints[joint].limits;
    own = opened_->joints[joint].limits;
    if (is_narrowed) {
      own.q_min = range.low - own.soft_margin;
      own.q_max = range.high + own.soft_margin;
    }
    own.v_max = limits[i].speed;
    own.a_max = limits[i].acceleration;
    ranges_[joint] = range;
    greatest_[joint] = {own.v_max, own.tau_max};
    narrowed_.set(joint, is_narrowed);
  }
  robot_ = std::move(robot);
}

void NarrowedLimits::add_arm(const ArmConfig& arm) {
  auto robot = std::make_shared<RobotConfig>(*robot_);
  robot->arms.resize(opened_->arms.size() - 1);
  robot->arms.push_back(arm);
  robot_ = std::move(robot);
}

void NarrowedLimits::keep(FilterOn on, const JointSet& joints, const Snapshot& now, double dt,
                          std::vector<double>& values) const {
  if ((joints & narrowed_).none()) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!joints.test(i) || !narrowed_.test(i)) continue;
    const JointSnapshot& joint = now.joints[i];
    const bool has_reference = follows_position(joint.mode);
    const double q = has_reference ? joint.reference.q : joint.state.q;
    const double v = has_reference ? joint.reference.v : joint.state.v;
    const Range& range = ranges_[i];
    if (on == FilterOn::kCommandedPosition) {
      values[i] = std::clamp(values[i], std::min(range.low, q), std::max(range.high, q));
    } else if (on == FilterOn::kCommandedVelocity) {
      const double a = 0.5 * robot_->joints[i].limits.a_max;
      const double up = range.high - q - 2.0 * dt * std::max(v, 0.0);
      const double down = q - range.low + 2.0 * dt * std::min(v, 0.0);
      values[i] = std::clamp(values[i], -braking_speed(down, a, dt), braking_speed(up, a, dt));
    }
  }
}

}  // namespace jointrig
