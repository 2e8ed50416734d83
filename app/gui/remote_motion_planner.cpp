#include "app/gui/remote_motion_planner.h"

#include <utility>

#include "app/gui/motion_lines.h"
#include "app/gui/motion_request.h"

namespace jointrig::app {
namespace {

bool has_the_same_arms(const RobotConfig& a, const RobotConfig& b) {
  if (a.arms.size() != b.arms.size()) return false;
  for (std::size_t i = 0; i < a.arms.size(); ++i) {
    if (a.arms[i].name != b.arms[i].name) return false;
  }
  return true;
}

}  // namespace

RemoteMotionPlanner::RemoteMotionPlanner(RemoteLoop& loop, const std::optional<RobotConfig>& own)
    : loop_(&loop) {
  if (!own || own->model_path.empty() || !has_the_same_arms(*own, loop.config())) return;
  own_ = own;
  tree_.emplace(*own_);
}

std::string RemoteMotionPlanner::why_not() const {
  const gui::ServedNow now = loop_->now();
  if (!now.lost.empty()) return now.lost;
  if (now.is_ours) return {};
  return "plans are made for who holds the robot: take it with CONTROL first";
}

void RemoteMotionPlanner::ask(const gui::MotionList& list, const RobotConfig& config,
                              const Snapshot& now, bool goes_on) {
  cancel();
  pending_ = Pending{loop_->connection(), nullptr, list, now};
  if (!pending_->at) return;  // take() tells
  pending_->call = pending_->at->begin_plan(asked_of(list, config, goes_on));
}

void RemoteMotionPlanner::ask_marks(const gui::MotionList& list, const RobotConfig& /*config*/,
                                    const Snapshot& now) {
  marks_.reset();
  if (tree_) marks_ = motion_marks(list, *own_, *tree_, now);
}

std::optional<std::vector<gui::MotionLine>> RemoteMotionPlanner::take_marks() {
  return std::exchange(marks_, std::nullopt);
}

void RemoteMotionPlanner::cancel() {
  pending_.reset();
  plan_.reset();
  planned_at_.reset();
}

gui::MotionAnswer RemoteMotionPlanner::refused(std::string why) const {
  gui::MotionAnswer answer;
  answer.refusal = std::move(why);
  if (tree_) answer.lines = motion_marks(pending_->list, *own_, *tree_, pending_->now);
  return answer;
}

std::optional<gui::MotionAnswer> RemoteMotionPlanner::take() {
  if (!pending_) return std::nullopt;
  // A lost connection has ended; another one has no plan of it.
  const bool is_lost = !pending_->at || loop_->connection() != pending_->at;
  std::optional<remote::PlannedMotion> planned;
  if (!is_lost) planned = pending_->call->take();
  if (!is_lost && !planned) return std::nullopt;
  gui::MotionAnswer answer;
  if (is_lost) {
    answer = refused("the connection was lost before it was planned");
  } else if (!planned->report) {
    answer = refused(planned->remark.empty() ? "the server sent no report" : planned->remark);
  } else {
    const RobotConfig& config = loop_->config();
    answer = answer_of(*planned->report, pending_->list, config, pending_->now);
    if (tree_) {
      answer.lines = lines_of(*planned->report, pending_->list, *own_, *tree_, pending_->now);
    }
    if (answer.has_passed()) {
      plan_ = planned->command;
      planned_at_ = pending_->at;
    }
  }
  pending_.reset();
  return answer;
}

std::optional<FollowPlan> RemoteMotionPlanner::hand_over() {
  const bool is_there = planned_at_ && planned_at_ == loop_->connection();
  planned_at_.reset();
  const std::optional<FollowPlan> plan = std::exchange(plan_, std::nullopt);
  return is_there ? plan : std::nullopt;
}

}  // namespace jointrig::app
