#include "harness/runner/trajectory_command.h"

#include <algorithm>
#include <utility>

#include "control/exchange/robot_client.h"

namespace jointrig::harness {
namespace {

std::vector<BoundTarget> pose_targets(const Text& name, const Binder& binder) {
  try {
    const PoseConfig& pose = pose_named(binder.config(), name.text);
    std::vector<BoundTarget> targets;
    for (std::size_t i = 0; i < pose.q.size(); ++i) {
      if (pose.q[i]) targets.push_back({static_cast<JointIndex>(i), BoundValue(*pose.q[i])});
    }
    return targets;
  } catch (const UnknownName& error) {
    throw FileError(name.spot, error.what());
  }
}

BoundValue ratio(const std::optional<Text>& own, const std::optional<Text>& all,
                 const Binder& binder) {
  const std::optional<Text>& text = own ? own : all;
  return text ? binder.value(*text, 0, "1") : BoundValue(1.0);
}

}  // namespace

BoundTrajectory::BoundTrajectory(const TrajectoryStep& step, const Binder& binder)
    : settling_time_(step.settling_time),
      is_timed_(step.waypoints.front().time.has_value()),
      has_velocities_(!step.waypoints.front().velocities.empty()),
      has_accelerations_(!step.waypoints.front().accelerations.empty()),
      replaces_(step.replace) {
  for (const TrajectoryPoint& point : step.waypoints) {
    points_.push_back(bound(point, step, binder));
    for (const BoundTarget& target : points_.back().targets) joints_.set(target.joint);
  }
  for (std::size_t i = 0; i < binder.config().joints.size(); ++i) {
    if (joints_.test(i)) order_.push_back(static_cast<JointIndex>(i));
  }
  if (step.path_tolerance.empty() && step.goal_tolerance.empty()) return;
  tolerances_.resize(order_.size());
  const auto read = [&](const std::vector<Target>& targets, double JointPlan::Tolerance::*member) {
    const std::vector<double> none(order_.size());
    const std::vector<double> given = values(binder.targets(targets, kPositionUnits), none);
    for (std::size_t j = 0; j < given.size(); ++j) tolerances_[j].*member = given[j];
  };
  read(step.path_tolerance, &JointPlan::Tolerance::path);
  read(step.goal_tolerance, &JointPlan::Tolerance::goal);
}

BoundTrajectory::Point BoundTrajectory::bound(const TrajectoryPoint& point,
                                              const TrajectoryStep& step, const Binder& binder) {
  constexpr QuantityKind kAcceleration = QuantityKind::kAcceleration;
  Point made;
  made.targets = point.pose ? pose_targets(*point.pose, binder)
                            : binder.targets(point.targets, kPositionUnits);
  made.speed = ratio(point.speed, step.speed, binder);
  made.acceleration = ratio(point.acceleration, step.acceleration, binder);
  made.velocities = binder.targets(point.velocities, kSpeedUnits);
  made.accelerations = binder.targets(point.accelerations, joint_units(kAcceleration));
  made.time = point.time.value_or(0.0);
  return made;
}

std::vector<double> BoundTrajectory::values(const std::vector<BoundTarget>& targets,
                                            std::vector<double> otherwise) const {
  for (const BoundTarget& target : targets) {
    const auto place = std::lower_bound(order_.begin(), order_.end(), target.joint);
    if (place == order_.end() || *place != target.joint) continue;
    otherwise[static_cast<std::size_t>(place - order_.begin())] = target.value.value();
  }
  return otherwise;
}

JointPlan BoundTrajectory::plan(const TrajectoryStart& start, const StepScene& scene) const {
  const TrajectoryJoints joints = TrajectoryJoints::of(*scene.config, joints_);
  const std::vector<double> none(order_.size());
  std::vector<JointWaypoint> waypoints;
  std::vector<TimedWaypoint> timed;
  std::vector<double> q = start.q;
  for (const Point& point : points_) {
    q = values(point.targets, std::move(q));
    waypoints.push_back({q, point.speed.value(), point.acceleration.value()});
    TimedWaypoint& at = timed.emplace_back();
    at.t = point.time;
    at.q = q;
    if (has_velocities_ || !point.velocities.empty()) at.v = values(point.velocities, none);
    if (has_accelerations_) at.a = values(point.accelerations, none);
  }
  return is_timed_ ? plan_timed(joints, start, timed) : plan_through(joints, start, waypoints);
}

FollowPlan BoundTrajectory::make(const StepScene& scene) const {
  const PlanDesk::Start from = scene.plans->start(*scene.snapshot, joints_, replaces_);
  JointPlan made = plan(from.state, scene);
  made.tolerances = tolerances_;
  made.settling_time = settling_time_;
  return scene.plans->hand_over(std::move(made), from, joints_);
}

}  // namespace jointrig::harness
