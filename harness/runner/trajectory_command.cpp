#include "harness/runner/trajectory_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
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

/// A place of the step in its file.
SourceSpot spot_of(const TrajectoryStep& step) {
  const TrajectoryPoint& first = step.waypoints.front();
  if (step.arm) return step.arm->spot;
  return first.pose ? first.pose->spot : first.targets.front().name.spot;
}

std::shared_ptr<PathCollision> collisions_for(const TrajectoryStep& step, const Binder& binder) {
  if (!step.checks_collisions) return nullptr;
  try {
    return binder.collisions();
  } catch (const std::runtime_error& error) {  // the model
    throw FileError(spot_of(step), error.what());
  }
}

}  // namespace

ArmIndex arm_of_interaction(const TrajectoryStep& step, const ArmSetting& interaction,
                            const JointSet& joints, const RobotConfig& config) {
  if (step.arm) return arm_named(*step.arm, config);
  for (std::size_t i = 0; i < config.arms.size(); ++i) {
    if (joints_of(config.arms[i]) == joints) return static_cast<ArmIndex>(i);
  }
  throw FileError(interaction.numbers.front().spot,
                  "\"interaction\" is for all joints of an arm: give waypoints for each of them, "
                  "or \"arm\" and poses of its tool");
}

BoundTrajectory::BoundTrajectory(const TrajectoryStep& step, const Binder& binder,
                                 bool may_be_unknown)
    : settling_time_(step.settling_time),
      is_timed_(step.waypoints.front().time.has_value()),
      has_velocities_(!step.waypoints.front().velocities.empty()),
      has_accelerations_(!step.waypoints.front().accelerations.empty()),
      rounds_corners_(step.rounds_corners),
      brakes_behind_(step.brakes_behind),
      replaces_(step.replace),
      execution_(step.execution) {
  collisions_ = collisions_for(step, binder);
  for (const TrajectoryPoint& point : step.waypoints) labels_.push_back(point.label);
  if (step.arm) {
    tool_.emplace(step, binder, may_be_unknown);
    for (const JointIndex joint : tool_->joints()) joints_.set(joint);
  }
  for (const TrajectoryPoint& point : step.waypoints) {
    if (step.arm) break;
    points_.push_back(bound(point, step, binder));
    for (const BoundTarget& target : points_.back().targets) joints_.set(target.joint);
  }
  for (std::size_t i = 0; i < binder.config().joints.size(); ++i) {
    if (joints_.test(i)) order_.push_back(static_cast<JointIndex>(i));
  }
  bind_interactions(step, binder);
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

void BoundTrajectory::bind_interactions(const TrajectoryStep& step, const Binder& binder) {
  for (const TrajectoryPoint& point : step.waypoints) {
    std::optional<BoundArmCommand>& bound = interactions_.emplace_back();
    if (point.interaction.empty()) continue;
    const ArmSetting& setting = point.interaction.front();
    bound.emplace(setting, arm_of_interaction(step, setting, joints_, binder.config()), binder);
  }
}

std::vector<std::optional<SetInteractionControl>> BoundTrajectory::interactions() const {
  std::vector<std::optional<SetInteractionControl>> now;
  for (const std::optional<BoundArmCommand>& bound : interactions_) {
    std::optional<SetInteractionControl>& one = now.emplace_back();
    if (bound) one = std::get<SetInteractionControl>(bound->make(0).request);
  }
  return now;
}

BoundTrajectory::Point BoundTrajectory::bound(const TrajectoryPoint& point,
                                              const TrajectoryStep& step, const Binder& binder) {
  constexpr QuantityKind kAcceleration = QuantityKind::kAcceleration;
  Point made;
  made.targets = point.pose ? pose_targets(*point.pose, binder)
                            : binder.targets(point.targets, kPositionUnits);
  made.speed = ratio_of(point.speed, step.speed, binder);
  made.acceleration = ratio_of(point.acceleration, step.acceleration, binder);
  made.velocities = binder.targets(point.velocities, kSpeedUnits);
  made.accelerations = binder.targets(point.accelerations, joint_units(kAcceleration));
  made.tolerance = binder.targets(point.tolerance, kPositionUnits);
  made.max_acceleration = binder.targets(point.max_acceleration, joint_units(kAcceleration));
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

std::string BoundTrajectory::name_of(std::size_t waypoint) const {
  std::string number = fmt::format("{}", waypoint);
  if (waypoint < 1 || waypoint > labels_.size() || labels_[waypoint - 1].empty()) return number;
  return number + " (\"" + labels_[waypoint - 1] + "\")";
}

AskedTrajectory BoundTrajectory::asked() const {
  AskedTrajectory asked;
  asked.joints = joints_;
  asked.has_times = is_timed_;
  asked.rounds_corners = rounds_corners_;
  asked.brakes_behind = brakes_behind_;
  asked.nan_stays = true;
  asked.goes_on = replaces_;
  asked.settling_time = settling_time_;
  asked.execution = execution_;
  asked.checks_collisions = collisions_ != nullptr;
  for (const JointPlan::Tolerance& one : tolerances_) {
    asked.tolerances.push_back({one.path, one.goal});
  }
  const std::vector<std::optional<SetInteractionControl>> controls = interactions();
  if (tool_) {
    asked.tool = tool_->asked();
    for (std::size_t k = 0; k < controls.size(); ++k) {
      asked.tool->waypoints[k].interaction = controls[k];
    }
  }
  const std::vector<double> none(order_.size());
  for (const Point& point : points_) {
    AskedWaypoint& to = asked.waypoints.emplace_back();
    to.q = values(point.targets, std::vector<double>(order_.size(), std::nan("")));
    to.speed = point.speed.value();
    to.acceleration = point.acceleration.value();
    to.time = point.time;
    if (has_velocities_ || !point.velocities.empty()) to.v = values(point.velocities, none);
    if (has_accelerations_) to.a = values(point.accelerations, none);
    if (!point.tolerance.empty()) to.tolerance = values(point.tolerance, none);
    if (!point.max_acceleration.empty()) to.a_max = values(point.max_acceleration, none);
    to.interaction = controls[asked.waypoints.size() - 1];
  }
  return asked;
}

std::optional<BoundTrajectory::Made> BoundTrajectory::make(const StepScene& scene) {
  if (PlansElsewhere* elsewhere = scene.plans->elsewhere()) return make_elsewhere(*elsewhere);
  if (PlansBeside* beside = scene.plans->beside()) return make_beside(scene, *beside);
  const PlanDesk::Start start = scene.plans->start(*scene.snapshot, joints_, replaces_);
  return handed_over(scene, plan(asked(), start.state, *scene.snapshot, *scene.config, nullptr),
                     start);
}

std::optional<BoundTrajectory::Made> BoundTrajectory::make_elsewhere(PlansElsewhere& elsewhere) {
  if (!made_there_) made_there_ = elsewhere.begin(asked());
  Made made;
  const std::optional<FollowPlan> command = made_there_->take(made.remark);
  if (!command) return std::nullopt;
  made_there_.reset();
  made.command = *command;
  return made;
}

std::optional<BoundTrajectory::Made> BoundTrajectory::make_beside(const StepScene& scene,
                                                                  PlansBeside& beside) {
  if (!made_beside_) {
    AskedTrajectory wanted = asked();
    begun_ = scene.plans->start(*scene.snapshot, joints_, replaces_, PlanDesk::lead_for(wanted));
    made_beside_ =
        beside.begin([this, wanted = std::move(wanted), start = begun_.state, config = scene.config,
                      now = std::make_shared<const Snapshot>(*scene.snapshot)](PlanWatch& watch) {
          return plan(wanted, start, *now, *config, &watch);
        });
  }
  std::optional<JointPlan> made = made_beside_->take();
  if (!made) return std::nullopt;
  made_beside_.reset();
  return handed_over(scene, std::move(*made), begun_);
}

/// Not by AskedPlanner, which loads kinematics and collisions when a plan first needs them: a
/// scenario binds both before it runs, so that a model that can't be loaded is an error of its
/// line, and all steps share one of each. The planning itself is the same functions.
JointPlan BoundTrajectory::plan(const AskedTrajectory& wanted, const TrajectoryStart& start,
                                const Snapshot& now, const RobotConfig& config,
                                PlanWatch* watch) const {
  if (watch != nullptr && collisions_) watch->begin_part(0.0, 0.5);
  JointPlan made = tool_ ? tool_->plan(now, *wanted.tool, start, watch)
                         : plan_asked(TrajectoryJoints::of(config, joints_), start, wanted);
  if (collisions_) {
    if (watch != nullptr) watch->begin_part(0.5, 1.0);
    collisions_->know(now.obstacles);
    made = collisions_->checked(std::move(made), state_for_plan(now, order_), watch);
  }
  take_options(wanted, made);
  return made;
}

BoundTrajectory::Made BoundTrajectory::handed_over(const StepScene& scene, JointPlan plan,
                                                   const PlanDesk::Start& start) const {
  const std::size_t waypoint = plan.failure().waypoint;
  if (name_of(waypoint) != fmt::format("{}", waypoint)) {
    plan.remark += (plan.remark.empty() ? "" : "; ") + ("waypoint " + name_of(waypoint));
  }
  const FollowPlan command = scene.plans->hand_over(std::move(plan), start, joints_);
  return {command, scene.plans->remark()};
}

}  // namespace jointrig::harness
