#pragma once
/// Plans of a scenario's trajectories where robot time goes on meanwhile, on a planner's thread.

#include <functional>
#include <memory>

#include "app/planner/planner.h"
#include "harness/runner/plan_desk.h"

namespace jointrig::app {

/// One after the other; none supersedes another, since a scenario's steps stand side by side.
class ScenarioPlans final : public harness::PlansBeside {
 public:
  std::unique_ptr<harness::PlanBeside> begin(std::function<JointPlan(PlanWatch&)> make) override;

 private:
  Planner planner_;
};

}  // namespace jointrig::app
