#include "gui/panel/motion_desk.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace jointrig::gui {
namespace {

/// "planner: the arm ..." as a part of a sentence; events begin with who.
std::string joined(std::string_view what, const std::string& why) {
  return std::string(what) + (why.empty() ? "" : ": " + why);
}

}  // namespace

// Planning --------------------------------------------------------------------------------------

MotionState MotionDesk::state() const {
  if (is_planning_) return MotionState::kPlanning;
  if (!is_current()) return MotionState::kUnplanned;
  if (!answer_->has_passed()) return MotionState::kRefused;
  return is_used_ ? MotionState::kUsed : MotionState::kPassed;
}

std::optional<double> MotionDesk::progress() const {
  return is_planning_ && planning_ != nullptr ? planning_->progress() : std::nullopt;
}

bool MotionDesk::can_replace() const {
  const JointSet joints = joints_of(table.list, panel_->config());
  return run_ && !next_ && (run_->command.joints & ~joints).none();
}

std::string MotionDesk::why_not_plan() const {
  if (planning_ == nullptr) return "there is nobody who plans here";
  if (table.list.waypoints.empty()) return "record a waypoint first";
  if (is_planning_) return "it is being planned";
  if (panel_->watch.is_stale()) return "the loop is silent";
  if (std::string why = planning_->why_not(); !why.empty()) return why;
  if (run_ && !can_replace()) {
    return "it is followed, and only what moves all its joints goes on from it before it stands";
  }
  JointSet joints = joints_of(table.list, panel_->config());
  if (run_) joints &= ~run_->command.joints;
  for (std::size_t i = 0; i < panel_->config().joints.size(); ++i) {
    if (!joints.test(i) || !panel_->snapshot().joints[i].moving) continue;
    return panel_->config().joints[i].name +
           (run_ ? " moves, and joins the others at rest" : " moves, and a plan begins at rest");
  }
  return {};
}

void MotionDesk::plan() {
  if (std::string why = why_not_plan(); !why.empty()) return panel_->tell(std::move(why));
  planned_ = table.list;
  answer_.reset();
  is_planning_ = true;
  is_used_ = false;
  replaces_ = run_.has_value();
  planning_->ask(planned_, panel_->config(), panel_->snapshot(), replaces_);
}

void MotionDesk::cancel() {
  if (!is_planning_ || planning_ == nullptr) return;
  planning_->cancel();
  is_planning_ = false;
}

void MotionDesk::take_answer() {
  std::optional<MotionAnswer> made = planning_->take();
  if (!made) return;
  is_planning_ = false;
  answer_ = std::move(made);
  if (!answer_->has_passed()) {
    if (answer_->waypoint > 0) table.selected = answer_->waypoint - 1U;
    return panel_->tell(joined("the motion is refused", answer_->refusal));
  }
  if (!std::exchange(replaces_, false)) return;
  if (run_) return run();
  is_used_ = true;
  panel_->tell(
      "the motion was over before the one that goes on from it was planned: plan it again");
}

std::optional<std::size_t> MotionDesk::refused_row() const {
  if (state() != MotionState::kRefused || answer_->waypoint == 0) return std::nullopt;
  return answer_->waypoint - 1U;
}

// Running ---------------------------------------------------------------------------------------

std::string MotionDesk::why_not_joints() const {
  const JointSet joints = joints_of(planned_, panel_->config());
  for (std::size_t i = 0; i < panel_->config().joints.size(); ++i) {
    const JointMode mode = panel_->snapshot().joints[i].mode;
    const bool takes_plans = mode == JointMode::kPosition || mode == JointMode::kCartesian;
    if (!joints.test(i) || takes_plans) continue;
    return panel_->config().joints[i].name + " is in " + std::string(to_string(mode)) +
           ": a motion is followed in position, or by all joints of an arm in cartesian";
  }
  return {};
}

bool MotionDesk::is_at_start() const {
  const JointSet joints = joints_of(planned_, panel_->config());
  for (std::size_t i = 0; i < answer_->start.size(); ++i) {
    const JointSnapshot& joint = panel_->snapshot().joints[i];
    const double most = joint.mode == JointMode::kCartesian ? kNearStart : kAtStart;
    const double away = start_for_plan(joint) - answer_->start[i];
    if (joints.test(i) && !(std::abs(away) <= most)) return false;
  }
  return true;
}

std::string MotionDesk::why_not_run() const {
  if (run_) return "it is followed";
  switch (state()) {
    case MotionState::kUnplanned:
      return answer_ ? "the waypoints have changed: plan them first" : "plan it first";
    case MotionState::kPlanning:
      return "it is being planned";
    case MotionState::kRefused:
      return joined("the motion is refused", answer_->refusal);
    case MotionState::kUsed:
      return "the robot is elsewhere now: plan it again";
    case MotionState::kPassed:
      break;
  }
  if (std::string why = panel_->client.why_not(Access::kArmed); !why.empty()) return why;
  if (panel_->watch.is_stale()) return "the loop is silent";
  if (std::string why = why_not_joints(); !why.empty()) return why;
  return is_at_start() ? "" : "the robot isn't where the plan begins any more: plan it again";
}

void MotionDesk::run() {
  const bool goes_on = run_.has_value();
  if (!goes_on) {
    if (std::string why = why_not_run(); !why.empty()) return panel_->tell(std::move(why));
  }
  if (!panel_->client.allowed(panel_->client.why_not(Access::kArmed))) return;
  const std::optional<FollowPlan> command = planning_->hand_over();
  if (!command) return panel_->tell("the plan is gone: plan it again");
  is_used_ = true;
  panel_->client.note_motion();
  RobotClient& robot = panel_->client.robot();
  if (planned_.interaction && panel_->client.sent(robot.post(*planned_.interaction)) == 0) return;
  const std::uint64_t number = panel_->client.sent(robot.post(*command));
  if (number == 0) return;
  outcome_.clear();
  sent_.push_back({number, planned_, goes_on});
  (goes_on ? next_ : run_) = Run{number, *command, planned_, *answer_};
}

void MotionDesk::end(const std::string& why) {
  if (!run_) return;  // what is only planned moves nothing
  cancel();
  panel_->client.brake(run_->command.joints);
  panel_->tell(joined("the motion is ended", why));
  outcome_ = joined("ended", why);
  ended_ = run_->number;
  run_.reset();
  next_.reset();
}

void MotionDesk::finish(const PlanCourse& course) {
  outcome_ = course.text;
  ended_ = run_->number;
  run_.reset();
  next_.reset();
}

/// The motion that goes on from the run takes its place once it has started.
void MotionDesk::follow_next() {
  if (panel_->client.refused().number == next_->number) {
    next_.reset();  // the notice has told why; the run goes on
    return;
  }
  const PlanCourse* course = panel_->plans.of(next_->number);
  if (course == nullptr || !course->has_started) return;
  run_ = std::move(next_);
  next_.reset();
}

void MotionDesk::follow_run() {
  panel_->client.note_motion();
  if (panel_->watch.is_stale()) return end("the loop is silent");
  if (next_) follow_next();
  if (panel_->client.refused().number == run_->number) {
    outcome_ = "the loop has refused it: " + panel_->notice();
    run_.reset();
    return;
  }
  const PlanCourse* course = panel_->plans.of(run_->number);
  if (course != nullptr && course->is_over && !(next_ && course->last == PlanChange::kReplaced)) {
    finish(*course);
  }
}

/// Waypoints are seen as soon as they are recorded, before any plan.
void MotionDesk::look_at_marks() {
  if (std::optional<std::vector<MotionLine>> made = planning_->take_marks()) marks_ = *made;
  if (is_current() || table.list.waypoints.empty()) {
    marks_.clear();
    marked_ = {};
    return;
  }
  if (asks_the_same(marked_, table.list)) return;
  marked_ = table.list;
  planning_->ask_marks(marked_, panel_->config(), panel_->snapshot());
}

void MotionDesk::begin_frame() {
  if (planning_ != nullptr) look_at_marks();
  if (is_planning_ && planning_ != nullptr) take_answer();
  if (run_) return follow_run();
  // How a run that was ended here came to rest is told some time later.
  const PlanCourse* course = ended_ != 0 ? panel_->plans.of(ended_) : nullptr;
  if (course != nullptr && course->is_over) outcome_ = course->text;
}

const PlanSnapshot* MotionDesk::followed() const {
  if (!run_) return nullptr;
  for (const PlanSnapshot& plan : panel_->snapshot().plans) {
    if (plan.slot == run_->command.slot && plan.round == run_->command.round) return &plan;
  }
  return nullptr;
}

std::optional<double> MotionDesk::path_time() const {
  const PlanSnapshot* plan = followed();
  return plan != nullptr ? std::optional(plan->time) : std::nullopt;
}

std::optional<std::size_t> MotionDesk::running_row() const {
  const PlanSnapshot* plan = followed();
  if (plan == nullptr || !asks_the_same(run_->list, table.list)) return std::nullopt;
  return std::min<std::size_t>(plan->waypoint, run_->list.waypoints.size() - 1);
}

const MotionAnswer* MotionDesk::shown() const {
  if (run_) return &run_->answer;
  return answer_ ? &*answer_ : nullptr;
}

std::string MotionDesk::running_text() const {
  const PlanSnapshot* plan = followed();
  if (plan == nullptr) return "sent to the robot";
  const double left = (plan->duration - plan->time) / panel_->watch.speed_override();
  const std::uint32_t to = std::min(plan->waypoint + 1, plan->waypoints);
  return fmt::format("on the way to waypoint {} of {}, {:.1f} s left", to, plan->waypoints,
                     std::max(left, 0.0));
}

std::string MotionDesk::planning_text() const {
  const std::optional<double> share = progress();
  return share ? fmt::format("planning, {:.0f} %", 100.0 * *share) : "planning";
}

std::string MotionDesk::status_text() const {
  if (run_) return running_text() + (is_planning_ ? "; " + planning_text() : "");
  switch (state()) {
    case MotionState::kPlanning:
      return planning_text();
    case MotionState::kRefused:
      return joined("refused", answer_->refusal);
    case MotionState::kPassed:
      return fmt::format("it passes all checks, and takes {:.1f} s",
                         answer_->duration / panel_->watch.speed_override());
    case MotionState::kUnplanned:
    case MotionState::kUsed:
      break;
  }
  if (!outcome_.empty()) return outcome_;
  return table.list.waypoints.empty() ? "" : "not planned";
}

void MotionDesk::opened(MotionList read) {
  end("another was opened");
  table.take(std::move(read));
  own_file = file;
  outcome_.clear();
}

}  // namespace jointrig::gui
