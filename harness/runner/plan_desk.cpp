#include "harness/runner/plan_desk.h"

#include <algorithm>
#include <span>
#include <utility>

#include "control/motion/plan_joints.h"

namespace jointrig::harness {
namespace {

constexpr std::size_t kRemembered = 32;  // as many as a pool of the stack has

/// The plan from which one of these joints can go on; null: they begin at rest, and the loop
/// refuses what it can't begin.
const PlanSnapshot* predecessor(const Snapshot& snapshot, const JointSet& joints) {
  const PlanSnapshot* found = nullptr;
  for (const PlanSnapshot& now : snapshot.plans) {
    // One that is over, and only waits for its tolerances, makes way.
    if ((now.joints & joints).none() || now.time >= now.duration) continue;
    if (found != nullptr || (now.joints & ~joints).any()) return nullptr;
    found = &now;
  }
  return found;
}

}  // namespace

PlanTicket PlanDesk::hand_over(JointPlan plan) {
  if (pool_ == nullptr) return {};
  std::optional<JointPlanPool::Draft> draft = pool_->claim();
  if (!draft) return {};
  auto shared = std::make_shared<const JointPlan>(std::move(plan));
  **draft = shared;
  const PlanTicket ticket = pool_->hand_over(std::move(*draft));
  if (known_.size() == kRemembered) known_.erase(known_.begin());
  known_.push_back({ticket, std::move(shared)});
  return ticket;
}

/// One that a joint has left brakes: none goes on from it.
const PlanDesk::Known* PlanDesk::known(const PlanSnapshot& now) const {
  for (const Known& known : known_) {
    if (known.ticket != PlanTicket{now.slot, now.round}) continue;
    return set_of(*known.plan) == now.joints ? &known : nullptr;
  }
  return nullptr;
}

PlanDesk::Start PlanDesk::start(const Snapshot& snapshot, const JointSet& joints, bool goes_on,
                                double lead) const {
  Start start;
  std::vector<MotionState> by_joint(snapshot.joints.size());
  for (std::size_t i = 0; i < by_joint.size(); ++i) {
    by_joint[i].q = start_for_plan(snapshot.joints[i]);
  }
  const PlanSnapshot* now = goes_on ? predecessor(snapshot, joints) : nullptr;
  if (const Known* before = now != nullptr ? known(*now) : nullptr) {
    start.after = before->ticket;
    start.time = std::min(now->time + lead * now->pace, before->plan->duration());
    const std::span<const JointIndex> on = before->plan->joints();
    std::vector<MotionState> states(on.size());
    JointPlan::Cursor cursor;
    before->plan->at(start.time, cursor, states);
    for (std::size_t j = 0; j < on.size(); ++j) by_joint[on[j]] = states[j];
  }
  for (std::size_t i = 0; i < by_joint.size(); ++i) {
    if (!joints.test(i)) continue;
    start.state.q.push_back(by_joint[i].q);
    if (start.after) start.state.v.push_back(by_joint[i].v);
  }
  return start;
}

FollowPlan PlanDesk::hand_over(JointPlan plan, const Start& start, const JointSet& joints) {
  remark_ = plan.remark;
  plan.after_slot = start.after.slot;
  plan.after_round = start.after.round;
  plan.after_time = start.time;
  const PlanTicket ticket = hand_over(std::move(plan));
  return {joints, ticket.slot, ticket.round};
}

}  // namespace jointrig::harness
