#include "app/serve/served_planner.h"

#include <stdexcept>
#include <utility>

#include "control/planning/arm_trajectory.h"

namespace jointrig::app {
namespace {

JointPlan planned(const remote::Trajectory& trajectory, const TrajectoryJoints& moved,
                  const TrajectoryStart& start) {
  if (trajectory.has_times) {
    std::vector<TimedWaypoint> points;
    for (const remote::Waypoint& to : trajectory.waypoints) {
      points.push_back({to.time, to.q, to.v, to.a});
    }
    return plan_timed(moved, start, points);
  }
  std::vector<JointWaypoint> waypoints;
  for (const remote::Waypoint& to : trajectory.waypoints) {
    waypoints.push_back({to.q, to.speed, to.acceleration});
  }
  return plan_through(moved, start, waypoints);
}

}  // namespace

remote::PlannedMotion ServedPlanner::plan(const remote::Trajectory& trajectory) {
  const std::lock_guard lock(mutex_);
  take_back_unused();
  const auto now = std::make_unique<Snapshot>();
  if (!snapshots_->read(*now)) throw std::runtime_error("the loop doesn't run");
  const TrajectoryJoints moved = TrajectoryJoints::of(stack_->config(), trajectory.joints);
  const harness::PlanDesk::Start start = desk_.start(*now, trajectory.joints, true);
  JointPlan plan = planned(trajectory, moved, start.state);
  if (trajectory.checks_collisions) plan = checked(std::move(plan), *now, moved);
  for (const remote::Trajectory::Tolerance& one : trajectory.tolerances) {
    plan.tolerances.push_back({one.path, one.goal});
  }
  plan.settling_time = trajectory.settling_time;
  const FollowPlan command = desk_.hand_over(std::move(plan), start, trajectory.joints);
  handed_.push_back({command.slot, command.round});
  return {command, desk_.remark()};
}

JointPlan ServedPlanner::checked(JointPlan plan, const Snapshot& now,
                                 const TrajectoryJoints& moved) {
  if (stack_->config().model_path.empty()) return plan;
  if (!collisions_) collisions_ = std::make_unique<PathCollision>(stack_->config());
  return collisions_->checked(std::move(plan), state_for_plan(now, moved.index));
}

void ServedPlanner::take_back_unused() {
  stack_->plans().collect();
  while (handed_.size() >= kWaiting) {
    stack_->plans().withdraw(handed_.front());  // no effect where the loop has or had it
    handed_.pop_front();
  }
}

}  // namespace jointrig::app
