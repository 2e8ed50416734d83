#include "app/run/scenario_plans.h"

#include <stdexcept>
#include <utility>

namespace jointrig::app {
namespace {

class ScenarioPlan final : public harness::PlanBeside {
 public:
  explicit ScenarioPlan(Planner::Job job) : job_(std::move(job)) {}
  ~ScenarioPlan() override { job_->cancel(); }
  ScenarioPlan(const ScenarioPlan&) = delete;
  ScenarioPlan& operator=(const ScenarioPlan&) = delete;

  std::optional<JointPlan> take() override {
    std::optional<JointPlan> plan = job_->take();
    if (!plan && job_->state() == PlanJobState::kBroken) throw std::runtime_error(job_->error());
    return plan;
  }

 private:
  Planner::Job job_;
};

}  // namespace

std::unique_ptr<harness::PlanBeside> ScenarioPlans::begin(
    std::function<JointPlan(PlanWatch&)> make) {
  return std::make_unique<ScenarioPlan>(planner_.submit(JointSet(), std::move(make)));
}

}  // namespace jointrig::app
