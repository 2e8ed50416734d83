#include "app/gui/motion_planner.h"

#include <utility>

#include "app/gui/motion_lines.h"
#include "app/gui/motion_request.h"
#include "app/planner/plan_report.h"
#include "control/planning/asked_planner.h"

namespace jointrig::app {
namespace {

/// Where a plan begins: at the references, or where nothing holds a joint at its place.
Snapshot from_here(const Snapshot& now) {
  Snapshot start = now;
  for (JointSnapshot& joint : start.joints) {
    if (!follows_position(joint.mode)) joint.reference = {.q = joint.state.q};
  }
  return start;
}

}  // namespace

struct MotionPlanner::Work {
  gui::MotionList list;
  RobotConfig config;
  Snapshot now;
  AskedTrajectory asked;
  harness::PlanDesk::Start start;
  gui::MotionAnswer answer;  ///< the planner's thread, until the job is done
};

/// The planner's thread alone.
struct MotionPlanner::Workers {
  JointPlan make(Work& work, PlanWatch& watch);
  void mark(Work& work);

 private:
  const KinematicTree* learn(const RobotConfig& config);

  RobotConfig robot_;  ///< with the parameters of the present work
  AskedPlanner planner_{robot_};
};

// On the planner's thread -----------------------------------------------------------------------

/// @returns null for a robot without a model
const KinematicTree* MotionPlanner::Workers::learn(const RobotConfig& config) {
  robot_ = config;
  return config.model_path.empty() ? nullptr : &planner_.tree();
}

void MotionPlanner::Workers::mark(Work& work) {
  const KinematicTree* tree = learn(work.config);
  if (tree != nullptr) work.answer.lines = motion_marks(work.list, work.config, *tree, work.now);
}

JointPlan MotionPlanner::Workers::make(Work& work, PlanWatch& watch) {
  const KinematicTree* tree = learn(work.config);
  PlanReport report;
  report.start = work.start.state.q;
  const PlanTold told{
      .path = [&](const JointPlan& path) { report_path(path, report); },
      .meeting = [&](const PathCollision::Meeting& at) { report_meeting(at, report); }};
  JointPlan plan = planner_.plan(work.asked, work.start.state, work.now, &watch, told);
  report_refusal(plan, work.config, report);
  work.answer = answer_of(report, work.list, work.config, work.now);
  // The lines are drawn of a path that is refused, too.
  if (tree != nullptr) {
    work.answer.lines = lines_of(report, work.list, work.config, *tree, work.now);
  }
  return plan;
}

// On the window's thread ------------------------------------------------------------------------

MotionPlanner::MotionPlanner(Stack& stack)
    : stack_(&stack), desk_(&stack.plans()), workers_(std::make_shared<Workers>()) {}

MotionPlanner::~MotionPlanner() = default;

void MotionPlanner::ask(const gui::MotionList& list, const RobotConfig& config, const Snapshot& now,
                        bool goes_on) {
  cancel();
  work_ = std::make_shared<Work>();
  work_->list = list;
  work_->config = config;
  work_->now = from_here(now);
  work_->asked = asked_of(list, config, goes_on);
  work_->start = desk_.start(work_->now, work_->asked.joints, goes_on, kPanelLead);
  job_ = planner_.submit(work_->asked.joints, [workers = workers_, work = work_](PlanWatch& watch) {
    return workers->make(*work, watch);
  });
}

/// A job without joints, which supersedes no plan, and whose plan nobody takes.
void MotionPlanner::ask_marks(const gui::MotionList& list, const RobotConfig& config,
                              const Snapshot& now) {
  if (marks_job_) marks_job_->cancel();
  marks_ = std::make_shared<Work>();
  marks_->list = list;
  marks_->config = config;
  marks_->now = from_here(now);
  marks_job_ = planner_.submit({}, [workers = workers_, work = marks_](PlanWatch& /*watch*/) {
    workers->mark(*work);
    return JointPlan(PlanFailure{RejectReason::kNoPlan, kNoJoint, 0, 0.0, 0.0});
  });
}

std::optional<std::vector<gui::MotionLine>> MotionPlanner::take_marks() {
  if (!marks_job_ || marks_job_->state() < PlanJobState::kMade) return std::nullopt;
  marks_job_.reset();
  return std::move(marks_->answer.lines);
}

std::optional<double> MotionPlanner::progress() const {
  return job_ ? std::optional(job_->progress()) : std::nullopt;
}

void MotionPlanner::cancel() {
  if (job_) job_->cancel();
  job_.reset();
  plan_.reset();
}

std::optional<gui::MotionAnswer> MotionPlanner::take() {
  if (!job_ || job_->state() < PlanJobState::kMade) return std::nullopt;
  const Planner::Job job = std::exchange(job_, nullptr);
  plan_ = job->take();
  gui::MotionAnswer answer = std::move(work_->answer);
  if (!plan_) {
    answer.refusal = job->error().empty() ? "it was cancelled" : job->error();
    return answer;
  }
  if (plan_->failure()) plan_.reset();
  return answer;
}

std::optional<FollowPlan> MotionPlanner::hand_over() {
  if (!plan_) return std::nullopt;
  stack_->plans().collect();
  JointPlan plan = std::move(*plan_);
  plan_.reset();
  return desk_.hand_over(std::move(plan), work_->start, work_->asked.joints);
}

}  // namespace jointrig::app
