// Plans of a scenario in real time: made on another thread, and by nobody once they are unwanted.

#include "app/run/scenario_plans.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

namespace jointrig::app {
namespace {

using namespace std::chrono_literals;

/// Looks until the plan is there, for at most ten seconds on any machine.
std::optional<JointPlan> taken(harness::PlanBeside& plan) {
  for (int i = 0; i < 10'000; ++i) {
    if (std::optional<JointPlan> made = plan.take()) return made;
    std::this_thread::sleep_for(1ms);
  }
  return std::nullopt;
}

JointPlan named(const char* remark) {
  JointPlan plan(PlanFailure{});
  plan.remark = remark;
  return plan;
}

TEST(ScenarioPlans, AreMadeOnAnotherThreadInTheirOrderAndTakenOnce) {
  ScenarioPlans plans;
  std::thread::id makes;
  const auto first = plans.begin([&makes](PlanWatch&) {
    makes = std::this_thread::get_id();
    return named("first");
  });
  const auto second = plans.begin([](PlanWatch&) { return named("second"); });
  const auto from_second = taken(*second);
  const auto from_first = taken(*first);
  ASSERT_TRUE(from_first && from_second) << "neither supersedes the other";
  EXPECT_EQ(from_first->remark, "first");
  EXPECT_EQ(from_second->remark, "second");
  EXPECT_NE(makes, std::this_thread::get_id());
  EXPECT_FALSE(first->take());
}

TEST(ScenarioPlans, ABrokenOneThrowsItsSentence) {
  ScenarioPlans plans;
  const auto plan = plans.begin(
      [](PlanWatch&) -> JointPlan { throw std::runtime_error("the model has no such body"); });
  try {
    taken(*plan);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the model has no such body");
  }
}

TEST(ScenarioPlans, AnUnwantedOneIsLeftWithoutWaitingForItsMaking) {
  ScenarioPlans plans;
  std::atomic<bool> is_making{false};
  std::atomic<bool> may_look{false};
  std::atomic<bool> was_cancelled{false};
  std::atomic<bool> was_made{false};
  auto plan = plans.begin([&](PlanWatch& watch) -> JointPlan {
    is_making = true;
    while (!may_look) std::this_thread::sleep_for(1ms);  // between two looks at its watch
    was_cancelled = watch.is_cancelled();
    watch.reach(0.5);
    return named("never");
  });
  auto waiting = plans.begin([&](PlanWatch&) {
    was_made = true;
    return named("never");
  });
  while (!is_making) std::this_thread::sleep_for(1ms);
  waiting.reset();
  plan.reset();  // would wait for ever, if it did
  may_look = true;
  EXPECT_EQ(taken(*plans.begin([](PlanWatch&) { return named("next"); }))->remark, "next");
  EXPECT_TRUE(was_cancelled);
  EXPECT_FALSE(was_made) << "its turn came after it was left";
}

TEST(ScenarioPlans, TheirEndWaitsUntilNothingIsMadeAnyMore) {
  auto belongs_to_the_steps = std::make_unique<std::atomic<int>>(0);
  auto plans = std::make_unique<ScenarioPlans>();
  const auto plan =
      plans->begin([count = belongs_to_the_steps.get()](PlanWatch& watch) -> JointPlan {
        for (;;) {
          ++*count;
          watch.reach(0.5);
        }
      });
  while (belongs_to_the_steps->load() == 0) std::this_thread::sleep_for(1ms);
  plans.reset();
  const int last = belongs_to_the_steps->load();
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(belongs_to_the_steps->load(), last);
  belongs_to_the_steps.reset();  // a sanitizer would see who touches it
}

}  // namespace
}  // namespace jointrig::app
