#include "app/run/scenario_plans.h"

#include <mutex>
#include <stdexcept>
#include <utility>

namespace jointrig::app {
namespace {

/// `make` reads data of the one who waits for the plan, and none of it once that one has gone.
struct Making {
  std::mutex mutex;  ///< held while the plan is made
  bool is_unwanted = false;
};

class ScenarioPlan final : public harness::PlanBeside {
 public:
  ScenarioPlan(Planner::Job job, std::shared_ptr<Making> making)
      : job_(std::move(job)), making_(std::move(making)) {}
  /// Waits until the planner's thread has seen it, which is at the next PlanWatch::reach().
  ~ScenarioPlan() override {
    job_->cancel();
    const std::lock_guard lock(making_->mutex);
    making_->is_unwanted = true;
  }
  ScenarioPlan(const ScenarioPlan&) = delete;
  ScenarioPlan& operator=(const ScenarioPlan&) = delete;

  std::optional<JointPlan> take() override {
    std::optional<JointPlan> plan = job_->take();
    if (!plan && job_->state() == PlanJobState::kBroken) throw std::runtime_error(job_->error());
    return plan;
  }

 private:
  Planner::Job job_;
  std::shared_ptr<Making> making_;
};

}  // namespace

std::unique_ptr<harness::PlanBeside> ScenarioPlans::begin(
    std::function<JointPlan(PlanWatch&)> make) {
  auto making = std::make_shared<Making>();
  Planner::Job job =
      planner_.submit(JointSet(), [making, make = std::move(make)](PlanWatch& watch) {
        const std::lock_guard lock(making->mutex);
        if (making->is_unwanted) throw PlanCancelled{};
        return make(watch);
      });
  return std::make_unique<ScenarioPlan>(std::move(job), std::move(making));
}

}  // namespace jointrig::app
