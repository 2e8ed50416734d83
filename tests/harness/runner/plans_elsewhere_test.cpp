/// Plans that another program or another thread makes take their time, and the run's cycles go on.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/harness/runner/runner_fixture.h"

namespace jointrig::harness {
namespace {

/// A planner that is asked each cycle, and has its plan after so many.
class PaperPlans final : public PlansElsewhere {
 public:
  int cycles = 0;  ///< until a plan is there
  FollowPlan made;
  std::string remark;
  int begun = 0;
  int alive = 0;  ///< plans that somebody waits for

  std::unique_ptr<PlanElsewhere> begin(const AskedTrajectory& asked) override {
    ++begun;
    made.joints = asked.joints;
    return std::make_unique<Plan>(*this);
  }

 private:
  class Plan final : public PlanElsewhere {
   public:
    explicit Plan(PaperPlans& plans) : plans_(&plans), left_(plans.cycles) { ++plans.alive; }
    ~Plan() override { --plans_->alive; }
    std::optional<FollowPlan> take(std::string& remark) override {
      if (left_-- > 0) return std::nullopt;
      remark = plans_->remark;
      return plans_->made;
    }

   private:
    PaperPlans* plans_;
    int left_;
  };
};

struct PlansElsewhereTest : RunnerTest {
  Result run_with(const std::string& body) {
    renew();
    RunSetup with = setup();
    with.is_elsewhere = true;
    with.plans_elsewhere = &plans;
    Runner runner(scenario(body), with);
    for (int i = 0; i < 200'000 && !runner.finished(); ++i) {
      fake->cycle();
      runner.on_cycle(fake->snapshot(), fake->events());
      most_alive = std::max(most_alive, plans.alive);
      alive_at_end = plans.alive;
    }
    EXPECT_TRUE(runner.finished());
    return runner.result();
  }

  PaperPlans plans;
  int most_alive = 0;
  int alive_at_end = 0;
};

TEST_F(PlansElsewhereTest, AStreamBesideItGoesOnWhileAPlanIsMade) {
  plans.cycles = 300;
  plans.made.slot = 3;
  const Result result = run_with(R"yaml(
steps:
  - set_mode: {joints: elbow, mode: position_direct}
  - set_mode: {joints: 'rail/z-1', mode: position}
  - mark: before
  - stream: {position: {elbow: "0.1 * time"}, background: turn}
  - trajectory: {waypoints: [{joints: {'rail/z-1': 0.5 m}}], wait: false, timeout: 1 s}
  - expect: ["abs(elbow.q_ref - 0.1 * time) < 0.001", "time - at(time, before) > 0.29 s"]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_EQ(plans.begun, 1) << "asked for once, then looked at";
  EXPECT_EQ(alive_at_end, 0);
}

TEST_F(PlansElsewhereTest, APlanIsWaitedForUntilTheStepsOwnTimeoutAndIsCancelledThen) {
  plans.cycles = std::numeric_limits<int>::max();
  const Result result = run_with(R"yaml(
steps:
  - set_mode: {joints: elbow, mode: position}
  - trajectory: {waypoints: [{joints: {elbow: 1 rad}}], timeout: 9 s}
teardown: [{wait: 100 ms}]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kFailed) << result.reason;
  const Verdict& step = verdict(result, VerdictKind::kStep, 1);
  EXPECT_EQ(step.got, "it was still being planned");
  EXPECT_NEAR(step.at - step.since, 9.0, 0.002);
  EXPECT_EQ(most_alive, 1);
  EXPECT_EQ(alive_at_end, 0) << "cancelled with the step, not with the run";
}

TEST_F(PlansElsewhereTest, AStateThatIsLeftCancelsItsPlan) {
  plans.cycles = std::numeric_limits<int>::max();
  const Result result = run_with(R"yaml(
steps:
  - set_mode: {joints: elbow, mode: position}
  - state_machine:
      states:
        planning:
          do: [{trajectory: {waypoints: [{joints: {elbow: 1 rad}}], timeout: 20 s}}]
          next: [{to: end, after: 1 s}]
  - wait: 100 ms
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_EQ(most_alive, 1);
  EXPECT_EQ(alive_at_end, 0);
}

TEST_F(PlansElsewhereTest, ARefusalThatIsExpectedIsWaitedFor) {
  plans.cycles = 1500;
  plans.remark = "the forearm and the base";
  const Result result = run_with(R"yaml(
steps:
  - set_mode: {joints: elbow, mode: idle}
  - expect_rejected: {command: {trajectory: {waypoints: [{joints: {elbow: 1 rad}}]}}, reason: plan_reach}
)yaml");
  const Verdict& step = verdict(result, VerdictKind::kStep, 1);
  EXPECT_EQ(step.got, "accepted") << "the fake takes any plan";
  EXPECT_GT(step.at - step.since, 1.5);
  EXPECT_EQ(plans.begun, 1);
}

// On another thread -------------------------------------------------------------------------------

/// A thread of which a cycle is as good as another: it has made its plan after so many.
class PaperThread final : public PlansBeside {
 public:
  int cycles = 0;
  int begun = 0;
  int alive = 0;
  std::string breaks;  ///< its sentence; empty: it makes them

  std::unique_ptr<PlanBeside> begin(std::function<JointPlan(PlanWatch&)> make) override {
    ++begun;
    return std::make_unique<Plan>(*this, std::move(make));
  }

 private:
  class Plan final : public PlanBeside {
   public:
    Plan(PaperThread& thread, std::function<JointPlan(PlanWatch&)> make)
        : thread_(&thread), make_(std::move(make)), left_(thread.cycles) {
      ++thread.alive;
    }
    ~Plan() override { --thread_->alive; }
    std::optional<JointPlan> take() override {
      if (left_-- > 0) return std::nullopt;
      if (!thread_->breaks.empty()) throw std::runtime_error(thread_->breaks);
      PlanWatch watch;
      return make_(watch);
    }

   private:
    PaperThread* thread_;
    std::function<JointPlan(PlanWatch&)> make_;
    int left_;
  };
};

struct PlansBesideTest : RunnerTest {
  Result run_beside(const std::string& body) {
    renew();
    RunSetup with = setup();
    with.plans = &pool;
    with.plans_beside = &thread;
    Runner runner(scenario(body), with);
    for (int i = 0; i < 200'000 && !runner.finished(); ++i) {
      fake->cycle();
      runner.on_cycle(fake->snapshot(), fake->events());
      alive_at_end = thread.alive;
    }
    EXPECT_TRUE(runner.finished());
    return runner.result();
  }

  PaperThread thread;
  JointPlanPool pool{4};
  int alive_at_end = 0;
};

constexpr const char* kPlansBesideAStream = R"yaml(
steps:
  - set_mode: {joints: elbow, mode: position_direct}
  - set_mode: {joints: 'rail/z-1', mode: position}
  - mark: before
  - stream: {position: {elbow: "0.1 * time"}, background: turn}
  - trajectory: {waypoints: [{joints: {'rail/z-1': 0.1 m}}], check_collisions: false, wait: false, timeout: 1 s}
  - expect: ["abs(elbow.q_ref - 0.1 * time) < 0.001", "time - at(time, before) > 0.29 s"]
)yaml";

TEST_F(PlansBesideTest, AStreamGoesOnWhileAPlanIsMade) {
  thread.cycles = 300;
  const Result result = run_beside(kPlansBesideAStream);
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_EQ(thread.begun, 1) << "asked for once, then looked at";
  EXPECT_EQ(alive_at_end, 0);
}

TEST_F(PlansBesideTest, ABrokenPlannerIsToldInItsOwnWords) {
  thread.breaks = "no memory for a plan";
  EXPECT_THROW(
      try { run_beside(kPlansBesideAStream); } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "no memory for a plan");
        throw;
      },
      std::runtime_error);
}

TEST_F(PlansBesideTest, ItsStepsTimeoutCancelsIt) {
  thread.cycles = std::numeric_limits<int>::max();
  const Result result = run_beside(R"yaml(
steps:
  - set_mode: {joints: elbow, mode: position}
  - trajectory: {waypoints: [{joints: {elbow: 1 rad}}], check_collisions: false, timeout: 2 s}
teardown: [{wait: 100 ms}]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kFailed) << result.reason;
  EXPECT_EQ(verdict(result, VerdictKind::kStep, 1).got, "it was still being planned");
  EXPECT_EQ(alive_at_end, 0);
}

}  // namespace
}  // namespace jointrig::harness
