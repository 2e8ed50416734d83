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

remote::PlannedMotion ServedPlanner::plan(const remote::Trajectory& trajectory,
                                          const std::function<bool()>& is_wanted) {
  constexpr std::chrono::milliseconds kLookEach{20};
  const std::shared_ptr<Snapshot> now = std::make_shared<Snapshot>();
  if (!snapshots_->read(*now)) throw std::runtime_error("the loop doesn't run");
  Start start;
  {
    const std::lock_guard lock(mutex_);
    start = desk_.start(*now, trajectory.joints, true);
  }
  const Planner::Job job =
      planner_.submit(trajectory.joints, [this, trajectory, state = start.state, now](auto& watch) {
        return make(trajectory, state, *now, watch);
      });
  while (!job->wait_for(kLookEach)) {
    if (!is_wanted()) job->cancel();
  }
  std::optional<JointPlan> plan = job->take();
  if (plan) return hand_over(std::move(*plan), start, trajectory);
  if (job->state() == PlanJobState::kBroken) throw std::runtime_error(job->error());
  throw remote::PlanDropped(job->state() == PlanJobState::kSuperseded
                                ? "trajectory: a later one for the same joints supersedes it"
                                : "trajectory: cancelled while it was planned");
}

/// On the planner's thread.
JointPlan ServedPlanner::make(const remote::Trajectory& trajectory, const TrajectoryStart& start,
                              const Snapshot& now, PlanWatch& watch) {
  const TrajectoryJoints moved = TrajectoryJoints::of(stack_->config(), trajectory.joints);
  JointPlan plan = planned(trajectory, moved, start);
  if (!trajectory.checks_collisions || stack_->config().model_path.empty()) return plan;
  if (!collisions_) collisions_ = std::make_unique<PathCollision>(stack_->config());
  collisions_->know(now.obstacles);
  return collisions_->checked(std::move(plan), state_for_plan(now, moved.index), &watch);
}

remote::PlannedMotion ServedPlanner::hand_over(JointPlan plan, const Start& start,
                                               const remote::Trajectory& trajectory) {
  for (const remote::Trajectory::Tolerance& one : trajectory.tolerances) {
    plan.tolerances.push_back({one.path, one.goal});
  }
  plan.settling_time = trajectory.settling_time;
  const std::lock_guard lock(mutex_);
  take_back_unused();
  const FollowPlan command = desk_.hand_over(std::move(plan), start, trajectory.joints);
  handed_.push_back({command.slot, command.round});
  return {command, desk_.remark()};
}

void ServedPlanner::take_back_unused() {
  stack_->plans().collect();
  while (handed_.size() >= kWaiting) {
    stack_->plans().withdraw(handed_.front());  // no effect where the loop has or had it
    handed_.pop_front();
  }
}

}  // namespace jointrig::app
