// Binds a scenario to a robot: everything before the first cycle.

#include <functional>
#include <stdexcept>
#include <vector>

#include "harness/runner/runner.h"

namespace jointrig::harness {

Runner::Runner(Scenario scenario, const RunSetup& setup)
    : scenario_(std::move(scenario)),
      setup_(setup),
      signals_(*setup.config, setup.world, setup.force_torque_sensors),
      link_(*setup.inbox),
      actions_(setup.world),
      plans_(setup.plans, setup.plans_elsewhere, setup.plans_beside),
      marks_(signals_) {
  if (!link_.connected()) {
    throw std::runtime_error("no more clients can connect to the robot: disconnect one first");
  }
  fill_in_about();
  scene_.config = setup_.config;
  scene_.boards = setup_.boards;
  scene_.link = &link_;
  scene_.streams = &streams_;
  scene_.actions = &actions_;
  scene_.plans = &plans_;
  scene_.marks = &marks_;
  scene_.result = &record_.result();
  scene_.gate = setup_.gate;
  if (skips(nullptr)) return;
  marks_.define(scenario_);
  bind();
}

Runner::~Runner() = default;

void Runner::fill_in_about() {
  Result& result = record_.result();
  result.scenario = scenario_.name;
  result.family = scenario_.family;
  result.variation = scenario_.variation;
  result.file = scenario_.file.string();
  result.about = scenario_.about;
  result.tags = scenario_.tags;
  result.backend = setup_.backend;
  result.expected_failure = scenario_.expected_failure;
  result.notes = scenario_.notes;
}

// Ends a scenario that can't run here; returns true then. @param commanded joints that its steps
// command; null: unknown so far
bool Runner::skips(const JointSet* commanded) {
  const Offer offer{setup_.backend, setup_.boards, setup_.world != nullptr,
                    setup_.force_torque_sensors,
                    !setup_.is_elsewhere || setup_.plans_elsewhere != nullptr};
  const auto reason = commanded != nullptr ? reason_to_skip(scenario_, offer, *commanded)
                                           : reason_to_skip(scenario_, offer);
  if (!reason) return false;
  record_.result().reason = *reason;
  phase_ = Phase::kFinished;
  return true;
}

void Runner::bind() {
  const Binder binder(*setup_.config, signals_, bounds_);
  Problems problems;
  StepNeeds needs;
  for (const auto* list : {&scenario_.faults, &scenario_.disturbances}) {
    for (const TimedAction& timed : *list) {
      problems.collect(
          [&] { actions_.add(timed.name, timed.action, to_ns(timed.at), *setup_.config); });
    }
  }
  std::vector<std::function<void()>> later;
  const StepBinding with{binder,           actions_, streams_, marks_, result(),
                         stream_verdicts_, problems, needs,    later};
  setup_steps_.bind(scenario_.setup, with);
  steps_.bind(scenario_.steps, with);
  teardown_.bind(scenario_.teardown, with);
  for (const auto& check : later) problems.collect(check);
  judges_.bind(scenario_, setup_.config->period_ns, binder, problems);
  faults_.bind(scenario_, binder, problems);
  problems.collect([&] { traces_.choose(scenario_, needs, signals_); });
  problems.throw_if_any();

  if (skips(&needs.commanded)) return;
  record_.result().outcome = Outcome::kPassed;
  history_.reserve();
  std::size_t steps = 0;
  for_each_step(scenario_, [&steps](const Step&) { ++steps; });
  marks_.reserve(steps);
}

}  // namespace jointrig::harness
