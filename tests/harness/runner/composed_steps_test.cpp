// Steps side by side, and by states.

#include <gtest/gtest.h>

#include "tests/harness/runner/runner_fixture.h"
#include "tests/support/alloc_guard.h"

namespace jointrig::harness {
namespace {

using testing::FakeStack;

class ComposedStepsTest : public RunnerTest {
 protected:
  /// Time of a mark; of the nth time that it is set.
  static double time_of(const Result& result, const std::string& mark, int nth = 1) {
    for (const MarkRecord& one : result.marks) {
      if (one.name == mark && --nth == 0) return one.time;
    }
    ADD_FAILURE() << "mark " << mark << " was not set so often";
    return 0.0;
  }
  static std::size_t times_set(const Result& result, const std::string& mark) {
    std::size_t count = 0;
    for (const MarkRecord& one : result.marks) count += one.name == mark ? 1 : 0;
    return count;
  }
  static const Verdict& named(const Result& result, const std::string& name) {
    for (const Verdict& one : result.verdicts) {
      if (one.name == name) return one;
    }
    static const Verdict none;
    ADD_FAILURE() << "no verdict " << name;
    return none;
  }
};

TEST_F(ComposedStepsTest, ListsGoOnSideBySideAndTheStepIsOverWithTheLast) {
  const Result result = run(R"yaml(
steps:
  - parallel:
      - [{wait: 1 s}, {mark: a}]
      - [{wait: 0.5 s}, {wait: 1.5 s}, {mark: b}]
  - mark: after
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_DOUBLE_EQ(time_of(result, "a"), 1.0);
  EXPECT_DOUBLE_EQ(time_of(result, "b"), 2.0);
  EXPECT_DOUBLE_EQ(time_of(result, "after"), 2.0);
}

TEST_F(ComposedStepsTest, TwoMovesWaitEachForItsOwnGoal) {
  const Result result = run(R"yaml(
steps:
  - set_mode: {joints: all, mode: position}
  - parallel:
      - [{move: {joints: {elbow: 1.5}, duration: 3 s}, name: elbow there}]
      - [{move: {joints: {rail/z-1: 0.1 m}, duration: 1 s}, name: rail there}]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_NEAR(time_of(result, "rail there"), 1.0, 0.01);
  EXPECT_NEAR(time_of(result, "elbow there"), 3.0, 0.01);
}

TEST_F(ComposedStepsTest, AListThatFailsFailsTheStepAndBothSayWhy) {
  const Result result = run(R"yaml(
steps:
  - parallel:
      - [{wait: 10 s}]
      - [{wait: {until: elbow.q > 30 deg, timeout: 50 ms}}]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_LT(result.sim_time, 0.1);
  ASSERT_EQ(result.verdicts.size(), 4U);
  EXPECT_EQ(result.verdicts[0].name, "parallel of 2 lists");
  EXPECT_EQ(result.verdicts[0].status, VerdictStatus::kFailed);
  EXPECT_EQ(result.verdicts[0].expected,
            "2: wait until elbow.q > 30 deg: elbow.q > 30 deg within 0.05 s");
  EXPECT_EQ(result.verdicts[2].name, "2: wait until elbow.q > 30 deg");
  EXPECT_EQ(result.verdicts[2].status, VerdictStatus::kFailed);
  EXPECT_EQ(result.verdicts[2].got, "elbow.q = 0 deg");
  EXPECT_EQ(result.verdicts[1].status, VerdictStatus::kSkipped);
}

TEST_F(ComposedStepsTest, AMachineGoesByConditionByTimeByEventAndByTheEndOfItsSteps) {
  script = [](FakeStack& it) {
    it.snapshot().joints[0].state.tau = it.snapshot().cycle >= 300 ? 5.0 : 0.0;
    if (it.snapshot().cycle != 1200) return;
    Event event;
    event.kind = EventKind::kGoalReached;
    event.joint = 0;
    it.events().push_back(event);
  };
  const Result result = run(R"yaml(
steps:
  - state_machine:
      states:
        search:
          next: [{to: lost, after: 10 s}, {to: press, when: elbow.tau > 2, for: 0.1 s}]
        press:
          do: [{wait: 5 s}]
          next: [{to: hold, after: 0.3 s}]
        hold:
          do: [{wait: 100 ms}]
          next: [{to: home, event: goal_reached.elbow}]
        home:
          do: [{wait: 0.25 s}]
          next: [{to: end}]
        lost: {}
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_DOUBLE_EQ(time_of(result, "search.start"), 0.0);
  EXPECT_DOUBLE_EQ(time_of(result, "press.start"), 0.4);
  EXPECT_DOUBLE_EQ(time_of(result, "hold.start"), 0.7);
  EXPECT_DOUBLE_EQ(time_of(result, "home.start"), 1.2);
  EXPECT_DOUBLE_EQ(time_of(result, "home"), 1.45);
  EXPECT_EQ(times_set(result, "lost.start"), 0U);
  const Verdict& left = named(result, "press: wait 5 s");
  EXPECT_EQ(left.status, VerdictStatus::kPassed);
  EXPECT_EQ(left.got, "left early");
}

TEST_F(ComposedStepsTest, StatesAreEnteredAgainAndTheirStepsBeginAnew) {
  // The condition holds at once in each round: a wait that remembered its last round would end
  // without its 50 ms.
  const Result result = run(R"yaml(
steps:
  - state_machine:
      states:
        one:
          do: [{wait: {until: elbow.q < 1, for: 50 ms}, name: waited}]
          next: [{to: end, when: time > 1 s}, {to: two}]
        two:
          do: [{wait: 30 ms}]
          next: [{to: one}]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  for (int round = 1; round <= 3; ++round) {
    EXPECT_NEAR(time_of(result, "two.start", round) - time_of(result, "one.start", round), 0.05,
                1e-9);
    EXPECT_NEAR(time_of(result, "one.start", round + 1) - time_of(result, "two.start", round), 0.03,
                1e-9);
  }
  EXPECT_NEAR(time_of(result, "one", 13), 1.001, 1e-9);
}

TEST_F(ComposedStepsTest, LeavingAStateEndsItsStreamAndLeavesThatInTheBackground) {
  const Result result = run(R"yaml(
steps:
  - set_mode: {joints: all, mode: position_direct}
  - state_machine:
      states:
        wave:
          do:
            - stream: {position: {rail/z-1: "0.001 * time"}, background: slow}
            - stream: {position: {elbow: "sin(time)"}, for: 5 s}
          next: [{to: still, after: 0.2 s}]
        still:
          do: [{mark: quiet}, {wait: 0.3 s}]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  const double left = time_of(result, "quiet");
  EXPECT_NEAR(fake->snapshot().joints[0].reference.q, std::sin(left), 3e-3);
  EXPECT_NEAR(fake->snapshot().joints[1].reference.q, 0.001 * (left + 0.3), 3e-6);
}

TEST_F(ComposedStepsTest, AMachineThatTakesTooLongSaysInWhichStateItIs) {
  const Result result = run(R"yaml(
steps:
  - state_machine:
      timeout: 1 s
      states:
        approach: {do: [{wait: 0.4 s}]
                  , next: [{to: press}]}
        press: {next: [{to: end, when: elbow.q > 1}]}
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.verdicts[0].name, "state_machine approach, press");
  EXPECT_EQ(result.verdicts[0].expected, "the state machine over within 1 s");
  EXPECT_EQ(result.verdicts[0].got, "in state press for 0.601 s");
}

TEST_F(ComposedStepsTest, ACircleOfStatesThatIsAlwaysDueTakesACycleForEach) {
  const Result result = run(R"yaml(
steps:
  - state_machine:
      timeout: 50 ms
      states: {a: {next: [{to: b}]}, b: {next: [{to: a}]}}
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_GE(times_set(result, "b.start"), 25U);
}

TEST_F(ComposedStepsTest, ARepeatWithinAStateAndAMachineWithinARepeatHaveTheirRounds) {
  const Result result = run(R"yaml(
steps:
  - repeat:
      times: 2
      do:
        - state_machine:
            states:
              go: {do: [{repeat: {times: 3, do: [{wait: "${i} ms", name: w}]}}], next: [{to: rest}]}
              rest: {do: [{wait: 10 ms}]}
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_NEAR(time_of(result, "w[1][3]"), 0.006, 1e-9);
  EXPECT_NEAR(time_of(result, "go[2].start"), 0.016, 2e-3);
  EXPECT_NEAR(time_of(result, "rest[2]"), 0.032, 3e-3);
}

TEST_F(ComposedStepsTest, AnExpectedFaultThatLeadsToAStateEndsNoRun) {
  script = [](FakeStack& it) {
    if (it.snapshot().cycle == 100) it.fault(0, FaultCode::kEncoderJump);
  };
  const Result result = run(R"yaml(
steps:
  - state_machine:
      states:
        work: {next: [{to: care, event: fault.elbow.encoder_jump}]}
        care: {do: [{expect: "elbow.mode == hw_fault"}]}
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
}

TEST_F(ComposedStepsTest, AMachineThatCantBeFollowedIsRefusedAtItsPlace) {
  const auto refusal = [this](const std::string& states) {
    return error("steps: [{state_machine: {states: " + states + "}}]\n");
  };
  EXPECT_NE(refusal("{press: {next: [{to: lifte, after: 1 s}]}, lifted: {}}")
                .find("no state \"lifte\"; did you mean \"lifted\"?"),
            std::string::npos)
      << refusal("{press: {next: [{to: lifte, after: 1 s}]}, lifted: {}}");
  EXPECT_NE(refusal("{a: {}, b: {}}").find("no way leads from the first state to \"b\""),
            std::string::npos);
  EXPECT_NE(refusal("{end: {}}").find("\"end\" is where a machine ends"), std::string::npos);
  EXPECT_NE(refusal("{a: {next: [{to: end, after: 1 s, when: time > 1}]}}").find("has one reason"),
            std::string::npos);
  EXPECT_NE(refusal("{a: {next: [{to: end, after: 1 s, for: 2 s}]}}").find("belongs to \"when\""),
            std::string::npos);
  EXPECT_NE(refusal("{a: {next: [{to: end, when: elbo.q > 1}]}}").find("elbow"), std::string::npos);
}

TEST_F(ComposedStepsTest, WhatAStateBeginsAnEarlierOneMayEnd) {
  const Result result = run(R"yaml(
steps:
  - set_mode: {joints: elbow, mode: position_direct}
  - state_machine:
      states:
        calm: {do: [{stop_stream: wave}], next: [{to: end, when: time > 0.5 s}, {to: windy}]}
        windy:
          do: [{stream: {position: {elbow: "0.1 * sin(time)"}, background: wave}}, {wait: 0.1 s}]
          next: [{to: calm}]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_NE(error("steps: [{stop_stream: wav}, {stream: {position: {elbow: 0}, background: wave}}]")
                .find("did you mean \"wave\"?"),
            std::string::npos);
}

TEST_F(ComposedStepsTest, WhatRanWhenAnotherListFailedWasBrokenOff) {
  const Result result = run(R"yaml(
steps:
  - parallel:
      - [{state_machine: {states: {a: {do: [{wait: 9 s}]}}}}]
      - [{wait: {until: elbow.q > 30 deg, timeout: 50 ms}}, {wait: 1 s}]
)yaml");
  EXPECT_EQ(named(result, "1: state_machine a").got, "broken off");
  EXPECT_EQ(named(result, "a: wait 9 s").got, "broken off");
  EXPECT_EQ(named(result, "2: wait 1 s").got, "not reached");
}

TEST_F(ComposedStepsTest, ACycleAllocatesNothingThoughStatesComeAgain) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Runner runner(scenario(R"yaml(
steps:
  - set_mode: {joints: all, mode: position}
  - state_machine:
      states:
        there_and_further_on:
          do: [{move: {joints: {elbow: 0.9}, duration: 0.2 s}}]
          next: [{to: back_where_it_came_from, after: 0.1 s}]
        back_where_it_came_from:
          do:
            - parallel:
                - [{move: {joints: {elbow: 0.1}, duration: 50 ms}}]
                - [{wait: 70 ms}, {mark: m}]
          next: [{to: end, when: time > 5 s}, {to: there_and_further_on}]
)yaml"),
                setup());
  fake->events().reserve(100);
  std::uint64_t cycles = 0;
  RealtimeGuard guard;
  while (!runner.finished() && cycles < 2500) {
    fake->cycle();
    runner.on_cycle(fake->snapshot(), fake->events());
    ++cycles;
  }
  const auto violations = guard.violations();
  EXPECT_FALSE(runner.finished());
  EXPECT_EQ(violations, kNoViolations) << guard.report();
}

}  // namespace
}  // namespace jointrig::harness
