#include "harness/runner/plan_desk.h"

#include <algorithm>
#include <utility>

namespace jointrig::harness {
namespace {

constexpr std::size_t kRemembered = 16;  // as many as a pool of the stack has

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

PlanDesk::Branch PlanDesk::branch(const Snapshot& snapshot, const JointSet& joints,
                                  double lead) const {
  for (const PlanSnapshot& now : snapshot.plans) {
    if (now.joints != joints) continue;
    for (const Known& known : known_) {
      if (known.ticket != PlanTicket{now.slot, now.round}) continue;
      Branch branch;
      branch.ticket = known.ticket;
      branch.time = std::min(now.time + lead * now.pace, known.plan->duration());
      branch.states.resize(known.plan->joints().size());
      JointPlan::Cursor cursor;
      known.plan->at(branch.time, cursor, branch.states);
      return branch;
    }
  }
  return {};
}

}  // namespace jointrig::harness
