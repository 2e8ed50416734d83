#include "harness/runner/plan_desk.h"

#include <algorithm>
#include <utility>

namespace jointrig::harness {
namespace {

constexpr std::size_t kRemembered = 32;  // as many as a pool of the stack has

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

PlanDesk::Start PlanDesk::start(const Snapshot& snapshot, const JointSet& joints, bool goes_on,
                                double lead) const {
  Start start;
  for (const PlanSnapshot& now : snapshot.plans) {
    if (!goes_on || now.joints != joints) continue;
    for (const Known& known : known_) {
      if (known.ticket != PlanTicket{now.slot, now.round}) continue;
      start.after = known.ticket;
      start.time = std::min(now.time + lead * now.pace, known.plan->duration());
      std::vector<MotionState> states(known.plan->joints().size());
      JointPlan::Cursor cursor;
      known.plan->at(start.time, cursor, states);
      for (const MotionState& state : states) {
        start.state.q.push_back(state.q);
        start.state.v.push_back(state.v);
      }
      return start;
    }
  }
  for (std::size_t i = 0; i < snapshot.joints.size(); ++i) {
    if (joints.test(i)) start.state.q.push_back(start_for_plan(snapshot.joints[i]));
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
