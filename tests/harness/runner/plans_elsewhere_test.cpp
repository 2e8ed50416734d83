/// Plans that another program makes take their time, and the run's cycles go on.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>

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
  EXPECT_EQ(step.got, "it was still being planned by the robot's program");
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

}  // namespace
}  // namespace jointrig::harness
