#include "app/serve/served_planner.h"

#include <stdexcept>
#include <utility>

#include "app/planner/plan_report.h"
#include "control/planning/arm_trajectory.h"

namespace jointrig::app {

remote::PlannedMotion ServedPlanner::plan(const remote::Trajectory& trajectory,
                                          const std::function<bool()>& is_wanted) {
  constexpr std::chrono::milliseconds kLookEach{20};
  const std::shared_ptr<Snapshot> now = std::make_shared<Snapshot>();
  if (!snapshots_->read(*now)) throw std::runtime_error("the loop doesn't run");
  Start start;
  {
    const std::lock_guard lock(mutex_);
    // A tool's path begins at rest.
    start = desk_.start(*now, trajectory.joints, trajectory.goes_on && !trajectory.tool,
                        trajectory.wants_report ? kPanelLead : harness::PlanDesk::kLead);
  }
  const std::shared_ptr<ArmTrajectory> tool = tool_of(trajectory);
  const auto report = std::make_shared<PlanReport>();  // the planner's thread's, until it is done
  const Planner::Job job = planner_.submit(
      trajectory.joints, [this, trajectory, tool, state = start.state, now, report](auto& watch) {
        return make(trajectory, tool.get(), state, *now, *report, watch);
      });
  while (!job->wait_for(kLookEach)) {
    if (!is_wanted()) job->cancel();
  }
  std::optional<JointPlan> plan = job->take();
  if (plan) {
    remote::PlannedMotion planned{{trajectory.joints, {}, {}}, plan->remark};
    const bool is_refused = trajectory.wants_report && plan->failure();
    if (!is_refused) planned = hand_over(std::move(*plan), start, trajectory);
    if (trajectory.wants_report) planned.report = std::move(*report);
    return planned;
  }
  if (job->state() == PlanJobState::kBroken) throw std::runtime_error(job->error());
  throw remote::PlanDropped(job->state() == PlanJobState::kSuperseded
                                ? "trajectory: a later one for the same joints supersedes it"
                                : "trajectory: cancelled while it was planned");
}

std::shared_ptr<ArmTrajectory> ServedPlanner::tool_of(const remote::Trajectory& trajectory) {
  if (!trajectory.tool) return nullptr;
  const std::lock_guard lock(mutex_);
  try {
    if (!tree_) tree_.emplace(stack_->config());
    return std::make_shared<ArmTrajectory>(stack_->config(), *tree_, trajectory.tool->arm,
                                           trajectory.tool->frame, trajectory.tool->endpoint);
  } catch (const ModelError& error) {
    throw std::invalid_argument(std::string("trajectory: ") + error.what());
  }
}

/// On the planner's thread.
JointPlan ServedPlanner::make(const remote::Trajectory& trajectory, ArmTrajectory* tool,
                              const TrajectoryStart& start, const Snapshot& now, PlanReport& report,
                              PlanWatch& watch) {
  const TrajectoryJoints moved = TrajectoryJoints::of(stack_->config(), trajectory.joints);
  JointPlan plan = tool != nullptr ? tool->plan(now, trajectory.tool->waypoints, &watch)
                                   : plan_asked(moved, start, trajectory);
  report.start = start.q;
  if (trajectory.wants_report && !plan.failure()) report_path(plan, report);
  if (trajectory.checks_collisions && !plan.failure()) {
    plan = checked(std::move(plan), moved.index, now, report, watch);
  }
  report_refusal(plan, stack_->config(), report);
  return plan;
}

JointPlan ServedPlanner::checked(JointPlan plan, const std::vector<JointIndex>& moved,
                                 const Snapshot& now, PlanReport& report, PlanWatch& watch) {
  if (stack_->config().model_path.empty()) return plan;
  if (!collisions_) collisions_ = std::make_unique<PathCollision>(stack_->config());
  collisions_->know(now.obstacles);
  const auto meeting = collisions_->first_on(plan, state_for_plan(now, moved), &watch);
  if (!meeting) return plan;
  report_meeting(*meeting, report);
  return PathCollision::refusal_of(*meeting);
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
