#include "app/serve/served_planner.h"

#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/planner/plan_report.h"
#include "harness/runner/reach_answer.h"

namespace jointrig::app {

namespace {

/// The loop's newest state. There is none before the cycle after the first who asks, and a machine
/// with much to do may hold the loop just where it writes one.
void read_newest(const SnapshotExchange& snapshots, Snapshot& now) {
  constexpr std::chrono::milliseconds kLongest{1000};
  constexpr std::chrono::milliseconds kPause{1};
  const auto end = std::chrono::steady_clock::now() + kLongest;
  while (!snapshots.read(now)) {
    if (std::chrono::steady_clock::now() >= end) throw std::runtime_error("the loop doesn't run");
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

remote::PlannedMotion ServedPlanner::plan(const remote::Trajectory& trajectory,
                                          const std::function<bool()>& is_wanted) {
  constexpr std::chrono::milliseconds kLookEach{20};
  const std::shared_ptr<Snapshot> now = std::make_shared<Snapshot>();
  read_newest(*snapshots_, *now);
  Start start;
  {
    const std::lock_guard lock(mutex_);
    paths_.check(trajectory);
    start =
        desk_.start(*now, trajectory.joints, trajectory.goes_on,
                    trajectory.wants_report ? kPanelLead : harness::PlanDesk::lead_for(trajectory));
  }
  const auto report = std::make_shared<PlanReport>();  // the planner's thread's, until it is done
  const Planner::Job job = planner_.submit(
      trajectory.joints, [this, trajectory, state = start.state, now, report](PlanWatch& watch) {
        return make(trajectory, state, *now, *report, watch);
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

ReachAnswer ServedPlanner::reach(const AskedReach& asked) {
  const auto now = std::make_unique<Snapshot>();
  read_newest(*snapshots_, *now);
  const KinematicTree* tree = nullptr;
  {
    const std::lock_guard lock(mutex_);
    tree = &paths_.tree();  // made once, and read from then on
  }
  return harness::answer_reach(asked, stack_->config(), *tree, *now);
}

/// On the planner's thread.
JointPlan ServedPlanner::make(const remote::Trajectory& trajectory, const TrajectoryStart& start,
                              const Snapshot& now, PlanReport& report, PlanWatch& watch) {
  PlanTold told;
  if (trajectory.wants_report) {
    told.path = [&](const JointPlan& plan) { report_path(plan, report); };
  }
  told.meeting = [&](const PathCollision::Meeting& meeting) { report_meeting(meeting, report); };
  report.start = start.q;
  JointPlan plan = paths_.plan(trajectory, start, now, &watch, told);
  report_refusal(plan, stack_->config(), report);
  return plan;
}

remote::PlannedMotion ServedPlanner::hand_over(JointPlan plan, const Start& start,
                                               const remote::Trajectory& trajectory) {
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
