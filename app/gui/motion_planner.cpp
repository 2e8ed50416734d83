#include "app/gui/motion_planner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/motion_lines.h"
#include "control/planning/arm_trajectory.h"
#include "control/planning/path_collision.h"
#include "harness/log/plan_text.h"

namespace jointrig::app {
namespace {

/// Shares of the work that the planner tells: a path, then its checks.
constexpr double kUntilPlanned = 0.5;
constexpr double kUntilChecked = 0.95;

/// Where a plan begins: at the references, or where nothing holds a joint at its place.
Snapshot from_here(const Snapshot& now) {
  Snapshot start = now;
  for (JointSnapshot& joint : start.joints) {
    if (!follows_position(joint.mode)) joint.reference = {.q = joint.state.q};
  }
  return start;
}

std::vector<double> posture_of(const gui::MotionWaypoint& waypoint,
                               const std::vector<JointIndex>& joints) {
  const bool has_one = std::any_of(waypoint.q.begin(), waypoint.q.end(),
                                   [](const auto& q) { return q.has_value(); });
  std::vector<double> posture;
  for (const JointIndex joint : joints) {
    if (has_one) posture.push_back(waypoint.q[joint].value_or(std::nan("")));
  }
  return posture;
}

std::string label_of(const gui::MotionList& list, std::size_t waypoint) {
  if (waypoint < 1 || waypoint > list.waypoints.size()) return {};
  const std::string& label = list.waypoints[waypoint - 1].label;
  return label.empty() ? "" : "waypoint \"" + label + "\"";
}

}  // namespace

struct MotionPlanner::Work {
  gui::MotionList list;
  RobotConfig config;
  Snapshot now;
  JointSet joints;
  harness::PlanDesk::Start start;
  gui::MotionAnswer answer;  ///< the planner's thread, until the job is done
};

struct MotionPlanner::Workers {
  std::unique_ptr<KinematicTree> tree;
  std::unique_ptr<PathCollision> collisions;

  JointPlan make(Work& work, PlanWatch& watch);
  void mark(Work& work);

 private:
  void learn(const RobotConfig& config);
  JointPlan path(const Work& work, PlanWatch& watch) const;
  static JointPlan through_joints(const Work& work);
  [[nodiscard]] JointPlan through_poses(const Work& work, PlanWatch& watch) const;
  JointPlan checked(JointPlan plan, Work& work, PlanWatch& watch);
  static void tell_meeting(const PathCollision::Meeting& meeting, const JointPlan& plan,
                           const RobotState& state, gui::MotionAnswer& answer);
};

// On the planner's thread -----------------------------------------------------------------------

JointPlan MotionPlanner::Workers::through_joints(const Work& work) {
  const TrajectoryJoints moved = TrajectoryJoints::of(work.config, work.joints);
  std::vector<JointWaypoint> waypoints;
  std::vector<double> q = work.start.state.q;
  for (const gui::MotionWaypoint& to : work.list.waypoints) {
    for (std::size_t j = 0; j < moved.index.size(); ++j) q[j] = to.q[moved.index[j]].value_or(q[j]);
    waypoints.push_back({q, to.speed.value_or(work.list.speed), work.list.acceleration});
  }
  return plan_through(moved, work.start.state, waypoints);
}

JointPlan MotionPlanner::Workers::through_poses(const Work& work, PlanWatch& watch) const {
  ArmTrajectory trajectory(work.config, *tree, work.list.arm, ToolFrame::kBase);
  std::vector<ArmWaypoint> waypoints;
  for (const gui::MotionWaypoint& from : work.list.waypoints) {
    ArmWaypoint& to = waypoints.emplace_back();
    to.position = from.tool->position;
    to.orientation = from.tool->orientation;
    to.corner_distance = work.list.corner_distance;
    to.linear_speed = work.list.linear_speed;
    to.rotational_speed = work.list.rotational_speed;
    to.speed_ratio = from.speed.value_or(work.list.speed);
    to.acceleration_ratio = work.list.acceleration;
    to.posture = posture_of(from, trajectory.joints());
  }
  return trajectory.plan(work.now, waypoints, &watch);
}

JointPlan MotionPlanner::Workers::path(const Work& work, PlanWatch& watch) const {
  return work.list.is_of_tool() ? through_poses(work, watch) : through_joints(work);
}

void MotionPlanner::Workers::tell_meeting(const PathCollision::Meeting& meeting,
                                          const JointPlan& plan, const RobotState& state,
                                          gui::MotionAnswer& answer) {
  answer.meets_at = meeting.time;
  answer.meets = meeting.a + " and " + meeting.b;
  for (const auto& joint : state.joints) answer.meets_q.push_back(joint.q);
  for (std::size_t j = 0; j < plan.joints().size(); ++j) {
    answer.meets_q[plan.joints()[j]] = meeting.q[j];
  }
}

JointPlan MotionPlanner::Workers::checked(JointPlan plan, Work& work, PlanWatch& watch) {
  if (!work.list.checks_collisions || work.config.model_path.empty()) return plan;
  if (!collisions) collisions = std::make_unique<PathCollision>(work.config);
  const std::vector<JointIndex> moved(plan.joints().begin(), plan.joints().end());
  const RobotState state = state_for_plan(work.now, moved);
  collisions->know(work.now.obstacles);
  const auto meeting = collisions->first_on(plan, state, &watch);
  if (!meeting) return plan;
  tell_meeting(*meeting, plan, state, work.answer);
  return PathCollision::refusal_of(*meeting);
}

void MotionPlanner::Workers::learn(const RobotConfig& config) {
  if (!tree && !config.model_path.empty()) tree = std::make_unique<KinematicTree>(config);
}

void MotionPlanner::Workers::mark(Work& work) {
  learn(work.config);
  if (tree) work.answer.lines = motion_marks(work.list, work.config, *tree, work.now);
}

JointPlan MotionPlanner::Workers::make(Work& work, PlanWatch& watch) {
  learn(work.config);
  watch.begin_part(0.0, kUntilPlanned);
  JointPlan plan = path(work, watch);
  if (plan.failure()) {
    mark(work);
    return plan;
  }
  work.answer.duration = plan.duration();
  work.answer.times.assign(plan.waypoints().begin(), plan.waypoints().end());
  watch.begin_part(kUntilPlanned, kUntilChecked);
  // The lines are drawn of a path that is refused, too.
  if (tree) work.answer.lines = motion_lines(plan, work.config, *tree, work.now);
  return checked(std::move(plan), work, watch);
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
  work_->joints = gui::joints_of(list, config);
  work_->start = desk_.start(work_->now, work_->joints, goes_on, kLead);
  work_->answer.start.resize(config.joints.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    if (work_->joints.test(i)) work_->answer.start[i] = work_->start.state.q[next++];
  }
  job_ = planner_.submit(work_->joints, [workers = workers_, work = work_](PlanWatch& watch) {
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
  if (!plan_->failure()) return answer;
  answer.waypoint = plan_->failure().waypoint;
  answer.refusal = harness::why_refused(*plan_, work_->config);
  const std::string label = label_of(work_->list, answer.waypoint);
  if (!label.empty()) answer.refusal += "; " + label;
  plan_.reset();
  return answer;
}

std::optional<FollowPlan> MotionPlanner::hand_over() {
  if (!plan_) return std::nullopt;
  const auto& tolerance = work_->list.goal_tolerance;
  for (const JointIndex joint : plan_->joints()) {
    plan_->tolerances.push_back({0.0, tolerance[work_->config.joints[joint].slide ? 1 : 0]});
  }
  stack_->plans().collect();
  JointPlan plan = std::move(*plan_);
  plan_.reset();
  return desk_.hand_over(std::move(plan), work_->start, work_->joints);
}

}  // namespace jointrig::app
