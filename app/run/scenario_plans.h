#pragma once
/// Plans of a scenario's trajectories where robot time goes on meanwhile, on a planner's thread.

#include <functional>
#include <memory>

#include "app/planner/planner.h"
#include "harness/runner/plan_desk.h"

namespace jointrig::app {

/// One after the other; none supersedes another, since a scenario's steps stand side by side. Its
/// end waits until nothing is made any more: it has to come before that of the runner, whose steps
/// own what the thread reads.
class ScenarioPlans final : public harness::PlansBeside {
 public:
  std::unique_ptr<harness::PlanBeside> begin(std::function<JointPlan(PlanWatch&)> make) override;

 private:
  Planner planner_;
};

}  // namespace jointrig::app
