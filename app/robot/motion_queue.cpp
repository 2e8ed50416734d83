#include "app/robot/motion_queue.h"

#include <algorithm>
#include <stdexcept>

namespace jointrig {
namespace {

/// A plan is joined to one that has at least so long to go, so that the command comes in time [s].
constexpr double kLeastLead = 0.01;

const PlanSnapshot* find(const Snapshot& now, const PlanTicket& ticket) {
  for (const PlanSnapshot& plan : now.plans) {
    if (PlanTicket{plan.slot, plan.round} == ticket) return &plan;
  }
  return nullptr;
}

}  // namespace

bool stands_in_position(const JointSet& joints, const Snapshot& now, JointMode mode) {
  for (std::size_t i = 0; i < now.joints.size(); ++i) {
    const JointSnapshot& joint = now.joints[i];
    if (!joints.test(i)) continue;
    const bool is_on = joint.mode == mode && joint.state.status == BoardStatus::kEnabled;
    if (!is_on || joint.moving || joint.reference.v != 0.0) return false;
  }
  return true;
}

void MotionQueue::clear_waiting(const JointSet& joints) {
  std::erase_if(waiting_, [&](const QueuedMotion& m) {
    const bool is_meant = (m.joints & joints).any();
    if (is_meant && m.job) m.job->cancel();
    return is_meant;
  });
}

void MotionQueue::clear(const JointSet& joints) {
  clear_waiting(joints);
  std::erase_if(followed_, [&](const Followed& f) { return (f.joints & joints).any(); });
}

std::optional<MotionQueue::Ending> MotionQueue::take_back(const JointSet& joints) {
  clear_waiting(joints);
  std::optional<Ending> ending;
  std::vector<Followed> kept;
  for (Followed& last : followed_) {
    if ((last.joints & joints).none()) {
      kept.push_back(std::move(last));
    } else if (last.before) {
      kept.push_back(*last.before);
      ending = Ending{last.before->goal, last.before->arrival};
    }
  }
  followed_ = std::move(kept);
  return ending;
}

std::size_t MotionQueue::waiting(std::span<const JointIndex> joints) const {
  return static_cast<std::size_t>(
      std::count_if(waiting_.begin(), waiting_.end(), [&](const QueuedMotion& motion) {
        return std::any_of(joints.begin(), joints.end(),
                           [&](JointIndex joint) { return motion.joints.test(joint); });
      }));
}

bool MotionQueue::comes_late(const QueuedMotion& motion, const Snapshot& now) {
  if (!motion.job || !motion.from.after) return false;
  const PlanSnapshot* plan = find(now, motion.from.after);
  return plan == nullptr || plan->time > motion.from.time;
}

/// Plans that are over are forgotten.
void MotionQueue::look_at(const Snapshot& now) {
  std::erase_if(followed_, [&](Followed& f) {
    const bool is_seen = find(now, f.ticket) != nullptr;
    const bool is_over = f.was_seen && !is_seen;
    f.was_seen = f.was_seen || is_seen;
    return is_over;
  });
}

std::optional<MotionQueue::Turn> MotionQueue::turn_of(const QueuedMotion& motion,
                                                      const Snapshot& now) const {
  const auto before = std::find_if(followed_.begin(), followed_.end(), [&](const Followed& f) {
    return (f.joints & motion.joints).any();
  });
  if (before == followed_.end()) {
    if (!stands_in_position(motion.joints, now, motion.mode)) return std::nullopt;
    return Turn{desk_.start(now, motion.joints, false), 0.0};
  }
  if (motion.job && motion.from.after) return Turn{motion.from, 0.0};  // planned from there
  const PlanSnapshot* plan = find(now, before->ticket);
  if (motion.ask && !motion.replaces) return std::nullopt;  // that begins at rest
  if (plan == nullptr || before->joints != motion.joints || plan->pace <= 0.0) return std::nullopt;
  if (before->duration - plan->time < kLeastLead * plan->pace)
    return std::nullopt;  // it stands soon
  if (motion.replaces) return joined(motion, *plan, now);
  Turn turn;
  turn.start.state.q = before->goal;
  turn.start.after = before->ticket;
  turn.start.time = before->duration;
  return turn;
}

MotionQueue::Turn MotionQueue::joined(const QueuedMotion& motion, const PlanSnapshot& plan,
                                      const Snapshot& now) const {
  // Time stands still while the queue waits for plans.
  const bool goes_on_meanwhile = motion.ask && !waits_;
  const double lead = goes_on_meanwhile ? motion.planning_lead : harness::PlanDesk::kLead;
  Turn turn{desk_.start(now, motion.joints, true, lead), 0.0};
  turn.lead = (turn.start.time - plan.time) / plan.pace;
  return turn;
}

/// The motion's plan; nothing while it is being made.
std::optional<JointPlan> MotionQueue::made(QueuedMotion& motion, const Turn& turn,
                                           const Snapshot& now) const {
  if (!motion.ask) return motion.make(turn.start, turn.lead);
  if (!motion.job) {
    motion.job = motion.ask(turn.start, now);
    motion.from = turn.start;
    motion.begin = to_seconds(now.time_ns) + turn.lead;
  }
  if (waits_) motion.job->wait();
  if (motion.job->state() == app::PlanJobState::kBroken) {
    throw std::runtime_error(motion.job->error());
  }
  std::optional<JointPlan> plan = motion.job->take();
  if (plan && !plan->failure()) {
    std::vector<MotionState> states(plan->joints().size());
    JointPlan::Cursor cursor;
    plan->at(plan->duration(), cursor, states);
    for (const MotionState& state : states) motion.goal.push_back(state.q);
    motion.begins(*plan, turn.start.after ? motion.begin : to_seconds(now.time_ns));
  }
  return plan;
}

std::optional<double> MotionQueue::planning(const JointSet& joints) const {
  for (const QueuedMotion& motion : waiting_) {
    if ((motion.joints & joints).none() || !motion.ask) continue;
    return motion.job ? motion.job->progress() : 0.0;
  }
  return std::nullopt;
}

std::vector<FollowPlan> MotionQueue::commands(const Snapshot& now) {
  look_at(now);
  std::vector<FollowPlan> commands;
  JointSet taken;
  for (std::size_t i = 0; i < waiting_.size();) {
    QueuedMotion& motion = waiting_[i];
    const bool is_first = (motion.joints & taken).none();
    taken |= motion.joints;
    if (comes_late(motion, now)) {  // it is asked for anew, from where the joints are then
      motion.job->cancel();
      motion.job.reset();
      motion.from = {};
      motion.planning_lead *= 2.0;
    }
    const std::optional<Turn> turn = is_first ? turn_of(motion, now) : std::nullopt;
    if (!turn) {
      ++i;
      continue;
    }
    std::optional<JointPlan> plan;
    try {
      plan = made(motion, *turn, now);
    } catch (...) {
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
      throw;
    }
    if (!plan) {
      ++i;
      continue;
    }
    const double duration = plan->duration();
    const FollowPlan command = desk_.hand_over(std::move(*plan), turn->start, motion.joints);
    commands.push_back(command);
    std::shared_ptr<const Followed> before;
    for (const Followed& f : followed_) {
      if (f.joints == motion.joints && turn->start.after == f.ticket) {
        before = std::make_shared<const Followed>(f);
      }
    }
    std::erase_if(followed_, [&](const Followed& f) { return (f.joints & motion.joints).any(); });
    const double begin = to_seconds(now.time_ns) + turn->lead;
    followed_.push_back({motion.joints,
                         {command.slot, command.round},
                         duration,
                         motion.goal,
                         false,
                         begin + duration / now.speed_override,
                         before});
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return commands;
}

bool MotionQueue::is_busy(const JointSet& joints, const Snapshot& now) const {
  const bool waits = std::any_of(waiting_.begin(), waiting_.end(),
                                 [&](const QueuedMotion& m) { return (m.joints & joints).any(); });
  const bool is_handed_over =
      std::any_of(followed_.begin(), followed_.end(),
                  [&](const Followed& f) { return (f.joints & joints).any() && !f.was_seen; });
  const bool follows = std::any_of(now.plans.begin(), now.plans.end(), [&](const PlanSnapshot& p) {
    return (p.joints & joints).any();
  });
  return waits || is_handed_over || follows;
}

}  // namespace jointrig
