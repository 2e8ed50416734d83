#include "app/robot/motion_queue.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "control/motion/plan_joints.h"

namespace jointrig {
namespace {

/// A plan is joined to one that has at least so long to go, so that the command comes in time [s].
constexpr double kLeastLead = 0.01;

/// Less of a plan behind its last waypoint is rounding [s].
constexpr double kLeastBraking = 1e-6;

const PlanSnapshot* find(const Snapshot& now, const PlanTicket& ticket) {
  for (const PlanSnapshot& plan : now.plans) {
    if (PlanTicket{plan.slot, plan.round} == ticket) return &plan;
  }
  return nullptr;
}

}  // namespace

std::shared_ptr<const PassedEnd> passed_end(const JointSet& joints,
                                            std::span<const ExpectedEnd> ends, double clock) {
  std::shared_ptr<const PassedEnd> passed;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!joints.test(i)) continue;
    const ExpectedEnd& end = ends[i];
    const bool is_in_time = end.passes_at >= clock + kLeastLead;
    if (!end.passed || end.passed->joints != joints || !is_in_time) return {};
    if (passed && passed != end.passed) return {};
    passed = end.passed;
  }
  return passed;
}

std::shared_ptr<const PassedEnd> passed_end(const JointPlan& plan) {
  const double at = plan.waypoints().empty() ? plan.duration() : plan.waypoints().back();
  if (!(plan.duration() - at > kLeastBraking)) return {};
  PassedEnd passed;
  passed.joints = set_of(plan);
  passed.brakes_for = plan.duration() - at;
  std::vector<MotionState> states(plan.joints().size());
  JointPlan::Cursor cursor;
  plan.at(at, cursor, states);
  for (const MotionState& state : states) {
    passed.q.push_back(state.q);
    passed.v.push_back(state.v);
  }
  return std::make_shared<const PassedEnd>(std::move(passed));
}

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
      ending = Ending{last.before->joints, last.before->goal, last.before->arrival};
    }
  }
  followed_ = std::move(kept);
  return ending;
}

std::size_t MotionQueue::waiting(const JointSet& joints) const {
  return static_cast<std::size_t>(
      std::count_if(waiting_.begin(), waiting_.end(),
                    [&](const QueuedMotion& motion) { return (motion.joints & joints).any(); }));
}

void MotionQueue::foretell(const Snapshot& now, std::span<ExpectedEnd> ends) const {
  for (const QueuedMotion& motion : waiting_) {
    const double clock = to_seconds(now.time_ns);
    double begin = motion.is_appended ? clock : motion.begin;
    const bool goes_on = motion.ask && passed_end(motion.joints, ends, clock);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (!motion.is_appended || !motion.joints.test(i)) continue;
      begin = std::max(begin, goes_on ? ends[i].passes_at : ends[i].arrival);
    }
    const double takes = motion.duration ? *motion.duration / now.speed_override
                                         : std::numeric_limits<double>::infinity();
    std::size_t place = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (!motion.joints.test(i)) continue;
      ends[i].arrival = begin + takes;
      ends[i].passed = motion.passed;
      if (motion.passed) {
        ends[i].passes_at = ends[i].arrival - motion.passed->brakes_for / now.speed_override;
      }
      ends[i].is_known = !motion.goal.empty();
      if (ends[i].is_known) ends[i].goal = motion.goal[place++];
    }
  }
}

std::uint32_t MotionQueue::number_of(const PlanSnapshot& plan) const {
  for (const Followed& f : followed_) {
    for (const Followed* each = &f; each != nullptr; each = each->before.get()) {
      if (each->ticket == PlanTicket{plan.slot, plan.round}) return each->number;
    }
  }
  return 0;
}

bool MotionQueue::comes_late(const QueuedMotion& motion, const Snapshot& now) const {
  if (!motion.job) return false;
  if (!motion.from.after) {
    return motion.keeps_time && to_seconds(now.time_ns) > motion.begin + 1.5 * period_;
  }
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
  if (before != followed_.end()) return turn_behind(motion, *before, now);
  if (!stands_in_position(motion.joints, now, motion.mode)) return std::nullopt;
  const bool waits_for_time = motion.keeps_time && !waits_;
  return Turn{desk_.start(now, motion.joints, false), waits_for_time ? motion.planning_lead : 0.0};
}

/// A plan begins in the midst of the one before it, which may have fewer joints; or, of the same
/// joints, at the last milestone of one that brakes behind that, or at its end.
std::optional<MotionQueue::Turn> MotionQueue::turn_behind(const QueuedMotion& motion,
                                                          const Followed& before,
                                                          const Snapshot& now) const {
  const PlanSnapshot* plan = find(now, before.ticket);
  if (motion.send || !(motion.replaces || motion.is_appended)) return std::nullopt;  // from rest
  const bool fits =
      motion.replaces ? (before.joints & ~motion.joints).none() : before.joints == motion.joints;
  if (plan == nullptr || !fits || plan->pace <= 0.0) return std::nullopt;
  Turn turn;
  if (motion.job && motion.from.after) {  // planned from there
    turn.start = motion.from;
  } else if (before.duration - plan->time < kLeastLead * plan->pace) {
    return std::nullopt;  // it stands soon
  } else if (motion.replaces) {
    // Time stands still while the queue waits for plans.
    const double lead = waits_ ? harness::PlanDesk::kLead : motion.planning_lead;
    turn.start = desk_.start(now, motion.joints, true, lead);
  } else {
    turn.start.after = before.ticket;
    turn.start.time = before.duration;
    turn.start.state.q = before.goal;
    const double passes = before.passed ? before.duration - before.passed->brakes_for : 0.0;
    if (passes - plan->time >= kLeastLead * plan->pace) {
      turn.start.time = passes;
      turn.start.state.q = before.passed->q;
      turn.start.state.v = before.passed->v;
    }
  }
  turn.lead = (turn.start.time - plan->time) / plan->pace;
  return turn;
}

/// The motion's plan; nothing while it is being made, or waits for its time.
std::optional<JointPlan> MotionQueue::made(QueuedMotion& motion, const Turn& turn,
                                           const Snapshot& now) const {
  const double clock = to_seconds(now.time_ns);
  if (!motion.job) {
    motion.from = turn.start;
    motion.begin = clock + turn.lead;
    motion.job = motion.ask(turn.start, now, motion.begin);
  }
  if (waits_) motion.job->wait();
  if (motion.job->state() == app::PlanJobState::kBroken) {
    throw std::runtime_error(motion.job->error());
  }
  const bool waits_for_time = motion.keeps_time && !motion.from.after;
  if (waits_for_time && clock < motion.begin - 0.5 * period_) return std::nullopt;
  std::optional<JointPlan> plan = motion.job->take();
  if (!plan || plan->failure()) return plan;
  std::vector<MotionState> states(plan->joints().size());
  JointPlan::Cursor cursor;
  plan->at(plan->duration(), cursor, states);
  motion.goal.clear();
  for (const MotionState& state : states) motion.goal.push_back(state.q);
  motion.begins(*plan, clock + turn.lead);
  return plan;
}

std::optional<double> MotionQueue::planning(const JointSet& joints) const {
  for (const QueuedMotion& motion : waiting_) {
    if ((motion.joints & joints).none() || !motion.ask) continue;
    return motion.job ? motion.job->progress() : 0.0;
  }
  return std::nullopt;
}

std::vector<FollowPlan> MotionQueue::commands(const Snapshot& now, const JointSet& commanded) {
  look_at(now);
  std::vector<FollowPlan> commands;
  JointSet taken;
  for (std::size_t i = 0; i < waiting_.size();) {
    QueuedMotion& motion = waiting_[i];
    const bool comes_too_soon = motion.is_appended && (motion.joints & commanded).any();
    const bool is_first = (motion.joints & taken).none() && !comes_too_soon;
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
    const auto place = waiting_.begin() + static_cast<std::ptrdiff_t>(i);
    if (motion.send) {
      const std::function<void()> send = std::move(motion.send);
      waiting_.erase(place);
      send();
      continue;
    }
    std::optional<JointPlan> plan;
    try {
      plan = made(motion, *turn, now);
    } catch (...) {
      waiting_.erase(place);
      throw;
    }
    if (!plan) {
      ++i;
      continue;
    }
    commands.push_back(hand_over(motion, *turn, std::move(*plan), now));
    waiting_.erase(place);
  }
  return commands;
}

FollowPlan MotionQueue::hand_over(const QueuedMotion& motion, const Turn& turn, JointPlan plan,
                                  const Snapshot& now) {
  const double duration = plan.duration();
  const std::shared_ptr<const PassedEnd> passed = passed_end(plan);
  const FollowPlan command = desk_.hand_over(std::move(plan), turn.start, motion.joints);
  std::shared_ptr<const Followed> before;
  for (const Followed& f : followed_) {
    if (turn.start.after == f.ticket) before = std::make_shared<const Followed>(f);
  }
  std::erase_if(followed_, [&](const Followed& f) { return (f.joints & motion.joints).any(); });
  const double begin = to_seconds(now.time_ns) + turn.lead;
  followed_.push_back({.joints = motion.joints,
                       .ticket = {command.slot, command.round},
                       .duration = duration,
                       .goal = motion.goal,
                       .number = ++number_,
                       .arrival = begin + duration / now.speed_override,
                       .passed = passed,
                       .before = before});
  return command;
}

bool MotionQueue::has_all_of(const JointSet& joints) const {
  return std::none_of(followed_.begin(), followed_.end(), [&](const Followed& f) {
    return (f.joints & joints).any() && (f.joints & ~joints).any();
  });
}

JointSet MotionQueue::joining(const Snapshot& now) const {
  JointSet joints;
  for (const Followed& f : followed_) {
    if (f.before && find(now, f.ticket) == nullptr) joints |= f.joints & ~f.before->joints;
  }
  return joints;
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
