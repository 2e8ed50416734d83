#include "harness/runner/runner.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/harness/runner/runner_fixture.h"
#include "tests/support/alloc_guard.h"

namespace jointrig::harness {
namespace {

using testing::FakeStack;

TEST_F(RunnerTest, ASetModeTakesOneCycleToBeAnswered) {
  const Result result = run("steps: [{set_mode: {joints: elbow, mode: position}}]\n");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_EQ(result.cycles, 2U);  // asked in cycle 0, taken and read back in cycle 1
  EXPECT_DOUBLE_EQ(verdict(result, VerdictKind::kStep).at, 0.001);
  EXPECT_EQ(fake->snapshot().joints[0].mode, JointMode::kPosition);
}

TEST_F(RunnerTest, AMoveWaitsForItsGoal) {
  const Result result = run(R"yaml(
steps:
  - set_mode: {joints: elbow, mode: position, interaction: compliant, stiffness: 30}
  - {move: {joints: {elbow: 60 deg}, speed: 1 rad/s, within: 0.1 deg}, name: up}
assert:
  at_end: [{expr: "abs(elbow.q - 60 deg) < 0.1 deg"}, {expr: "elbow.stiffness == 30"},
           {expr: "elbow.interaction == compliant"}]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_GT(result.sim_time, 60.0 / 57.3);
  ASSERT_EQ(result.marks.size(), 2U);
  EXPECT_EQ(result.marks[0].name, "up.start");
  EXPECT_EQ(result.marks[1].name, "up");
}

TEST_F(RunnerTest, AParameterIsMeasuredAsItsKeyInTheRobotsFile) {
  EXPECT_EQ(error("steps: [{set_parameter: {joints: elbow, parameter: velocity_max, "
                  "value: 30 deg/s}}]\n"),
            "no error");
  EXPECT_NE(error("steps: [{set_parameter: {joints: elbow, parameter: velocity_max, "
                  "value: 30 Nm}}]\n"),
            "no error");
}

TEST_F(RunnerTest, ADurationGoesWithTheGoalOfEachJoint) {
  // The fake moves at the constant speed that arrives in time: a thirtieth of the way in 100 ms.
  run(R"yaml(
steps:
  - set_mode: {joints: all, mode: position}
  - {move: {joints: {elbow: 1.5, 'rail/z-1': 0.3 m}, duration: 3 s, wait: false}}
  - wait: 100 ms
)yaml");
  EXPECT_NEAR(fake->snapshot().joints[0].reference.q, 1.5 / 30.0, 1e-3);
  EXPECT_NEAR(fake->snapshot().joints[1].reference.q, 0.3 / 30.0, 2e-4);
}

TEST_F(RunnerTest, AValueOfEachJointGoesToThatJoint) {
  const Result result = run(R"yaml(
steps:
  - set_impedance: {joints: all, stiffness: {'rail/z-1': 20, elbow: 10}, damping: {elbow: 3}}
  - set_mode: {joints: all, mode: position}
  - {move: {joints: {elbow: 1.5, 'rail/z-1': 0.3 m}, duration: {elbow: 3 s, 'rail/z-1': 1 s}, wait: false}}
  - wait: 100 ms
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_EQ(fake->snapshot().joints[0].stiffness, 10.0);
  EXPECT_EQ(fake->snapshot().joints[1].stiffness, 20.0);
  EXPECT_EQ(fake->snapshot().joints[0].damping, 3.0);
  EXPECT_EQ(fake->snapshot().joints[1].damping, 0.0) << "it stays";
  EXPECT_NEAR(fake->snapshot().joints[0].reference.q, 1.5 / 30.0, 1e-3);
  EXPECT_NEAR(fake->snapshot().joints[1].reference.q, 0.3 / 10.0, 1e-3);
}

TEST_F(RunnerTest, AValueOfAJointThatIsNotMeantOrHasNoneIsAnError) {
  EXPECT_EQ(error("steps: [{set_impedance: {joints: elbow, stiffness: {'rail/z-1': 20}}}]\n"),
            "demo.yaml:4:53: joint \"rail/z-1\" has a value here, but the step doesn't name it");
  EXPECT_EQ(error("steps: [{set_parameter: {joints: all, parameter: kp, value: {elbow: 20}}}]\n"),
            "demo.yaml:4:62: joint \"rail/z-1\" is given no value");
  EXPECT_EQ(error("steps: [{move: {joints: {all: 0.1}, duration: {elbow: 2 s}}}]\n"),
            "demo.yaml:4:48: joint \"rail/z-1\" is given no duration");
  EXPECT_EQ(error("steps: [{move: {joints: {elbow: 0.1}, duration: {elbow: 2, 'rail/z-1': 2}}}]\n"),
            "demo.yaml:4:60: \"rail/z-1\" has a duration, but no goal");
}

TEST_F(RunnerTest, AHomeMoveGoesToAPose) {
  const Result result = run(R"yaml(
steps: [{set_mode: {joints: all, mode: position}}, {home: {pose: home}}]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed);
  EXPECT_DOUBLE_EQ(fake->snapshot().joints[0].reference.q, 0.25);
  EXPECT_DOUBLE_EQ(fake->snapshot().joints[1].reference.q, 0.1);
}

TEST_F(RunnerTest, ARejectionThatNobodyExpectsIsAFailureWithItsReason) {
  const Result result = run("steps: [{move: {joints: {elbow: 1}}}, {wait: 1 s}]\n");
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  const Verdict& step = verdict(result, VerdictKind::kStep);
  EXPECT_EQ(step.status, VerdictStatus::kFailed);
  EXPECT_EQ(step.expected, "move accepted");
  EXPECT_EQ(step.got,
            "elbow: rejected move (wrong_mode): the joint is in idle, which takes no move; ask for "
            "position or mixed first [scenario #1]");
  EXPECT_EQ(step.place, "demo.yaml:4:9");
  EXPECT_EQ(verdict(result, VerdictKind::kStep, 1).status, VerdictStatus::kSkipped);
  EXPECT_EQ(verdict(result, VerdictKind::kStep, 1).got, "not reached");
}

TEST_F(RunnerTest, ExpectRejectedWantsTheRightReasonOfTheRightJoint) {
  const auto with = [&](const std::string& tail) {
    return run("steps: [{expect_rejected: {command: {move: {elbow: 1}}, " + tail + "}}]\n");
  };
  EXPECT_EQ(with("reason: wrong_mode").outcome, Outcome::kPassed);
  EXPECT_EQ(with("reason: wrong_mode, joint: elbow").outcome, Outcome::kPassed);
  EXPECT_EQ(with("reason: stale").outcome, Outcome::kFailed);
  EXPECT_EQ(with("reason: wrong_mode, joint: 'rail/z-1'").outcome, Outcome::kFailed);
}

TEST_F(RunnerTest, ExpectRejectedFailsWhereTheCommandIsTaken) {
  const Result result = run(R"yaml(
steps: [{expect_rejected: {command: {set_mode: {joints: elbow, mode: torque}}, reason: not_idle}}]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(verdict(result, VerdictKind::kStep).expected, "rejected, not_idle");
  EXPECT_EQ(verdict(result, VerdictKind::kStep).got, "accepted");
}

TEST_F(RunnerTest, ExpectRejectedCanSendWhatNoOtherStepCan) {
  const Result result = run(R"yaml(
steps:
  - set_mode: {joints: elbow, mode: position}
  - expect_rejected: {command: {move: {elbow: nan}}, reason: not_finite}
  - expect_rejected: {command: {move: {elbow: 100}}, reason: out_of_range}
  - expect_rejected: {command: {stop: nobody}, reason: unknown_joint}
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
}

TEST_F(RunnerTest, AStreamSendsEverySampleForItsTime) {
  const Result result = run(R"yaml(
steps:
  - set_mode: {joints: elbow, mode: position_direct}
  - stream: {position: {elbow: "0.001 * cycle"}, for: 50 ms}
  - wait: 10 ms
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_EQ(fake->commands_taken(), 1U + 50U);
  // Asked in cycle 0, streamed from cycle 1 to cycle 50: the last sample is that of cycle 50.
  EXPECT_DOUBLE_EQ(fake->snapshot().joints[0].reference.q, 0.050);
}

TEST_F(RunnerTest, AStreamWithAccelerationsSendsItsNumbersInOneSampleWithItsTorque) {
  const Result result = run(R"yaml(
steps:
  - set_mode: {joints: arm, mode: position_direct}
  - stream:
      position: {arm: "0.001 * cycle"}
      acceleration: {elbow: 3}
      velocity: {elbow: 0.5}
      torque: {elbow: 2 Nm}
      for: 50 ms
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_EQ(fake->commands_taken(), 1U + 2 * 50U)
      << "the other joint of the part by positions alone";
  EXPECT_EQ(verdict(result, VerdictKind::kStep, 1).name, "stream arm, elbow");
  const JointReference& elbow = fake->snapshot().joints[0].reference;
  EXPECT_DOUBLE_EQ(elbow.q, 0.050);
  EXPECT_DOUBLE_EQ(elbow.v, 0.5);
  EXPECT_DOUBLE_EQ(elbow.a, 3.0);
  EXPECT_DOUBLE_EQ(elbow.tau, 2.0);
}

TEST_F(RunnerTest, AStreamInTheBackgroundFollowsASignalUntilItIsStopped) {
  const Result result = run(R"yaml(
steps:
  - set_mode: {joints: elbow, mode: position_direct}
  - set_mode: {joints: 'rail/z-1', mode: position_direct}
  - stream: {position: {'rail/z-1': "elbow.q / 10"}, rate: 500 Hz, background: follow}
  - stream: {position: {elbow: 1}, for: 1 s}
  - stop_stream: follow
  - wait: 20 ms
  - expect: "abs('rail/z-1'.q_ref - elbow.q / 10) < 0.001"
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.reason;
  EXPECT_EQ(fake->commands_taken(), 2U + 1000U + 500U);
}

TEST_F(RunnerTest, ARejectedSampleFailsTheStreamThatSentIt) {
  const Result result = run(R"yaml(
steps:
  - {stream: {torque: {elbow: 1 Nm}, background: push}, name: pushing}
  - wait: 1 s
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(verdict(result, VerdictKind::kStep, 0).status, VerdictStatus::kFailed);
  EXPECT_EQ(verdict(result, VerdictKind::kStep, 0).expected, "samples accepted");
  EXPECT_LT(result.cycles, 5U);
}

TEST_F(RunnerTest, AWaitOfATimeEndsInTheCycleThatReachesIt) {
  const Result result = run("steps: [{wait: 2 s}]\n");
  EXPECT_EQ(result.cycles, 2001U);  // cycles 0 to 2000
  EXPECT_DOUBLE_EQ(verdict(result, VerdictKind::kStep).at, 2.0);
}

TEST_F(RunnerTest, AConditionHasToHoldWithoutABreak) {
  // Holds from 0.1 s on, but for one cycle at 0.15 s.
  script = [](FakeStack& it) {
    const std::uint64_t cycle = it.snapshot().cycle;
    it.snapshot().joints[0].state.tau = cycle >= 100 && cycle != 150 ? 1.0 : 0.0;
  };
  const Result result =
      run("steps: [{wait: {until: 'elbow.tau > 0.5', for: 100 ms, timeout: 1 s}}]");
  EXPECT_DOUBLE_EQ(verdict(result, VerdictKind::kStep).at, 0.251);
}

TEST_F(RunnerTest, AConditionThatDoesNotComeTrueInTimeSaysWhatItMet) {
  const Result result = run("steps: [{wait: {until: 'elbow.q > 30 deg', timeout: 50 ms}}]\n");
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  const Verdict& step = verdict(result, VerdictKind::kStep);
  EXPECT_EQ(step.expected, "elbow.q > 30 deg within 0.05 s");
  EXPECT_EQ(step.got, "elbow.q = 0 deg");
  EXPECT_DOUBLE_EQ(step.at, 0.051);
}

TEST_F(RunnerTest, AlwaysKeepsTheFirstFailureAndTheWorstMargin) {
  script = [](FakeStack& it) {
    const std::uint64_t cycle = it.snapshot().cycle;
    it.snapshot().joints[0].state.tau = cycle == 70 ? 9.0 : cycle == 50 ? 7.0 : 1.0;
  };
  const Result result = run(R"yaml(
steps: [{wait: 100 ms}]
assert:
  always:
    - {expr: "abs(each.tau) <= 5 Nm", joints: elbow, name: torque}
    - {expr: "elbow.tau < 10"}
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  const Verdict& torque = verdict(result, VerdictKind::kAlways, 0);
  EXPECT_EQ(torque.expected, "always abs(elbow.tau) <= 5 Nm");
  EXPECT_EQ(torque.got, "abs(elbow.tau) = 7 N·m");
  EXPECT_EQ(torque.more, "worst abs(elbow.tau) = 9 N·m, at 0.070 s; in 2 of 101 cycles");
  EXPECT_DOUBLE_EQ(torque.at, 0.050);
  EXPECT_DOUBLE_EQ(*torque.margin, -4.0);
  EXPECT_DOUBLE_EQ(torque.margin_at, 0.070);
  const Verdict& other = verdict(result, VerdictKind::kAlways, 1);
  EXPECT_EQ(other.status, VerdictStatus::kPassed);
  EXPECT_DOUBLE_EQ(*other.margin, 1.0);
  EXPECT_DOUBLE_EQ(result.first_failure->time, 0.050);
  EXPECT_EQ(result.first_failure->name, "torque");
  EXPECT_EQ(result.cycles, 101U);  // the run goes on, so that every verdict is known
}

TEST_F(RunnerTest, AWindowIncludesBothItsEnds) {
  // True in exactly one cycle, 40 ms. Windows that touch it see it, windows beside it don't.
  const auto outcome = [this](const std::string& window) {
    script = [](FakeStack& it) {
      it.snapshot().joints[0].state.tau = it.snapshot().cycle == 40 ? 9.0 : 0.0;
    };
    return run("steps: [{wait: 40 ms, name: a}, {wait: 40 ms}]\nassert: {never: [{expr: "
               "'elbow.tau > 5', " +
               window + "}]}\n")
        .outcome;
  };
  EXPECT_EQ(outcome("from: 40 ms"), Outcome::kFailed);
  EXPECT_EQ(outcome("from: 41 ms"), Outcome::kPassed);
  EXPECT_EQ(outcome("to: 40 ms"), Outcome::kFailed);
  EXPECT_EQ(outcome("to: 39 ms"), Outcome::kPassed);
  EXPECT_EQ(outcome("from: a"), Outcome::kFailed);  // the mark is set at 40 ms
  EXPECT_EQ(outcome("to: a"), Outcome::kFailed);
  EXPECT_EQ(outcome("to: a.start"), Outcome::kPassed);
}

TEST_F(RunnerTest, AWindowThatNeverOpensIsAFailure) {
  const Result result = run(R"yaml(
steps: [{wait: 10 ms}]
assert: {always: [{expr: "elbow.q < 1", from: 1 s}]}
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(verdict(result, VerdictKind::kAlways).got,
            "never looked at: the moment that it begins from did not come");
}

// An event of cycle `at`, asked for within 20 ms after 100 ms.
class WithinTest : public RunnerTest {
 protected:
  Outcome outcome(std::uint64_t at, const std::string& assertion) {
    script = [at](FakeStack& it) {
      if (it.snapshot().cycle == at) it.fault(0, FaultCode::kEncoderFrozen);
      it.snapshot().joints[0].state.tau = it.snapshot().cycle == at ? 9.0 : 0.0;
    };
    last = run("steps: [{wait: 100 ms, name: a}, {wait: 50 ms}]\nassert: {within: [" + assertion +
               "], always: [{no_fault_except: [elbow]}]}\n");
    return last.outcome;
  }
  Result last;
};

TEST_F(WithinTest, AnEventInTheLastCycleOfItsTimeIsInTime) {
  const std::string fault = "{event: fault.elbow, after: 100 ms, max: 20 ms}";
  EXPECT_EQ(outcome(100, fault), Outcome::kPassed);
  EXPECT_EQ(outcome(120, fault), Outcome::kPassed);
  EXPECT_DOUBLE_EQ(*verdict(last, VerdictKind::kWithin).margin, 0.0);
  EXPECT_EQ(outcome(121, fault), Outcome::kFailed);
  EXPECT_DOUBLE_EQ(verdict(last, VerdictKind::kWithin).at, 0.121);
  EXPECT_EQ(verdict(last, VerdictKind::kWithin).expected, "fault.elbow within 0.02 s after 0.1 s");
  EXPECT_EQ(verdict(last, VerdictKind::kWithin).got, "it after 0.021 s, 0.001 s too late");
  EXPECT_EQ(outcome(99, fault), Outcome::kFailed);
  EXPECT_EQ(verdict(last, VerdictKind::kWithin).got, "nothing by then");
  EXPECT_EQ(verdict(last, VerdictKind::kWithin).more, "not until the end, at 0.15 s");
}

TEST_F(WithinTest, AMarkCountsInItsOwnCycle) {
  const std::string fault = "{event: fault.elbow, after: a, max: 20 ms}";
  EXPECT_EQ(outcome(100, fault), Outcome::kPassed);
  EXPECT_EQ(outcome(120, fault), Outcome::kPassed);
  EXPECT_EQ(outcome(121, fault), Outcome::kFailed);
}

TEST_F(WithinTest, TheDetailOfAnEventCounts) {
  EXPECT_EQ(outcome(110, "{event: fault.elbow.encoder_frozen, after: a, max: 20 ms}"),
            Outcome::kPassed);
  EXPECT_EQ(outcome(110, "{event: fault.elbow.encoder_jump, after: a, max: 20 ms}"),
            Outcome::kFailed);
  EXPECT_EQ(outcome(110, "{event: \"fault.rail/z-1\", after: a, max: 20 ms}"), Outcome::kFailed);
  EXPECT_EQ(outcome(110, "{event: fault.arm, after: a, max: 20 ms}"), Outcome::kPassed);
}

TEST_F(WithinTest, AConditionMayGoOnHoldingBeyondItsTime) {
  const std::string hold = "{expr: \"elbow.mode == hw_fault\", after: a, max: 20 ms, for: 30 ms}";
  EXPECT_EQ(outcome(120, hold), Outcome::kPassed);
  EXPECT_DOUBLE_EQ(verdict(last, VerdictKind::kWithin).at, 0.150);
  EXPECT_EQ(outcome(121, hold), Outcome::kFailed);
  EXPECT_EQ(verdict(last, VerdictKind::kWithin).got, "elbow.mode = idle");
  EXPECT_EQ(outcome(110, "{expr: \"elbow.tau > 5\", after: a, max: 20 ms, for: 1 ms}"),
            Outcome::kFailed);
  EXPECT_EQ(outcome(110, "{expr: \"elbow.tau > 5\", after: a, max: 20 ms}"), Outcome::kPassed);
}

TEST_F(WithinTest, TheRunGoesOnUntilItIsDecided) {
  EXPECT_EQ(outcome(300, "{event: fault.elbow, after: a, max: 500 ms}"), Outcome::kPassed);
  EXPECT_EQ(last.cycles, 301U);  // the steps end at 150 ms
  EXPECT_EQ(outcome(900, "{event: fault.elbow, after: a, max: 500 ms}"), Outcome::kFailed);
  EXPECT_EQ(last.cycles, 602U);
}

TEST_F(WithinTest, AMomentThatNeverComesIsAFailure) {
  EXPECT_EQ(outcome(10, "{event: fault.elbow, after: 1 s, max: 20 ms}"), Outcome::kFailed);
  EXPECT_EQ(verdict(last, VerdictKind::kWithin).got,
            "never looked at: the moment that it counts from did not come");
}

TEST_F(RunnerTest, WithinCountsFromEachTimeThatAMarkIsSet) {
  script = [](FakeStack& it) {
    // Rounds end at 100, 200 and 300 ms; the answer to the second comes late.
    const std::uint64_t cycle = it.snapshot().cycle;
    it.snapshot().joints[0].state.tau = cycle == 110 || cycle == 230 || cycle == 310 ? 9.0 : 0.0;
  };
  const Result result = run(R"yaml(
steps: [{repeat: {times: 3, do: [{wait: 100 ms, name: round}]}}]
assert: {within: [{expr: "elbow.tau > 5", after: round, max: 20 ms}]}
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  // It failed when its time was over; the later event is reported.
  EXPECT_DOUBLE_EQ(result.first_failure->time, 0.221);
  EXPECT_EQ(result.first_failure->got, "elbow.tau = 0 N·m");
  EXPECT_DOUBLE_EQ(verdict(result, VerdictKind::kWithin).at, 0.230);
  EXPECT_EQ(verdict(result, VerdictKind::kWithin).got, "it after 0.03 s, 0.01 s too late");
  ASSERT_EQ(result.marks.size(), 6U);
  EXPECT_EQ(result.marks[3].name, "round[2]");
}

TEST_F(RunnerTest, MetricsOfASecondOrderStepAreTheClosedForm) {
  const Result result = run(R"yaml(
steps:
  - set_mode: {joints: elbow, mode: position_direct}
  - {stream: {position: {elbow: 1}, for: 2 s}, name: step}
metrics:
  - {name: over, of: elbow.q, stat: overshoot, from: step.start, target: 1, max: 17 %}
  - {name: settle, of: elbow.q, stat: settling_time, from: step.start, target: 1, max: 300 ms}
  - {name: reference, of: elbow.q_ref, stat: final, min: 1, max: 1}
)yaml");
  // w = 20 rad/s, z = 0.5; the fake steps by Euler at 1 ms, so the closed form holds to a few 1e-3.
  const double expected = std::exp(-0.5 * std::numbers::pi / std::sqrt(0.75));
  EXPECT_NEAR(*verdict(result, VerdictKind::kMetric, 0).value, expected, 5e-3);
  EXPECT_EQ(verdict(result, VerdictKind::kMetric, 0).status, VerdictStatus::kPassed);
  const Verdict& settle = verdict(result, VerdictKind::kMetric, 1);
  EXPECT_EQ(settle.status, VerdictStatus::kFailed);  // 4 / (z w) is 0.4 s
  EXPECT_NEAR(*settle.value, 0.4, 0.05);
  EXPECT_EQ(settle.expected, "settling_time of elbow.q at most 300 ms");
  EXPECT_EQ(verdict(result, VerdictKind::kMetric, 2).status, VerdictStatus::kPassed);
}

TEST_F(RunnerTest, AMetricBetweenWarningAndBoundIsAWarning) {
  script = [](FakeStack& it) { it.snapshot().joints[0].state.tau = 2.5; };
  const Result result = run(R"yaml(
steps: [{wait: 10 ms}]
metrics: [{name: t, of: each.tau, joints: elbow, stat: peak, max: 3 Nm, warn: 2 Nm}]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed);
  const Verdict& metric = verdict(result, VerdictKind::kMetric);
  EXPECT_EQ(metric.status, VerdictStatus::kWarned);
  EXPECT_EQ(metric.name, "t[elbow]");
  EXPECT_EQ(metric.got, "2.5 N·m");
  EXPECT_EQ(metric.expected, "at most 2 N·m (warning)");
}

TEST_F(RunnerTest, AMetricsBoundIsALineInThePlotOfItsSignal) {
  const Result result = run(R"yaml(
steps: [{wait: 10 ms}]
metrics:
  - {name: both sides, of: elbow.tau, stat: peak, max: 3 Nm}
  - {name: spread, of: elbow.tau, stat: std, max: 2 Nm}
)yaml");
  std::vector<double> lines;
  for (const Trace& trace : result.traces.signals) {
    if (trace.name != "elbow.tau") continue;
    for (const PlotBound& bound : trace.bounds) {
      if (!bound.is_limit) lines.push_back(bound.value);
    }
  }
  EXPECT_EQ(lines, (std::vector<double>{3.0, -3.0}));
}

TEST_F(RunnerTest, TheModesOfAJointAreToldFromTheStartToEveryChange) {
  const Result result = run(R"yaml(
steps:
  - set_mode: {joints: elbow, mode: position}
  - wait: 10 ms
)yaml");
  std::vector<std::string> elbow;
  for (const ModeRecord& mode : result.modes) {
    if (mode.joint == "elbow") elbow.push_back(mode.mode + " " + mode.interaction);
  }
  ASSERT_GE(elbow.size(), 2U);
  EXPECT_EQ(elbow.front(), "idle stiff");
  EXPECT_EQ(elbow.back(), "position stiff");
  EXPECT_EQ(result.modes.front().time, 0.0);
}

TEST_F(RunnerTest, AnUnexpectedFaultEndsTheRun) {
  script = [](FakeStack& it) {
    if (it.snapshot().cycle == 30) it.fault(0, FaultCode::kEncoderFrozen);
  };
  const Result result = run(R"yaml(
steps: [{wait: 1 s}]
teardown: [{set_mode: {joints: elbow, mode: force_idle}}]
assert: {at_end: [{expr: "elbow.q < 1"}]}
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kSafetyStop);
  EXPECT_EQ(exit_code(result.outcome), 3);
  const Verdict& faults = verdict(result, VerdictKind::kFaults);
  EXPECT_EQ(faults.got,
            "elbow: fault encoder_frozen: the encoder stands still while the motor drives: 0.06 s "
            "against a limit of 0.05 s; remove the cause, then ask for force_idle");
  EXPECT_DOUBLE_EQ(faults.at, 0.030);
  EXPECT_EQ(verdict(result, VerdictKind::kStep, 1).status, VerdictStatus::kPassed);  // teardown
  EXPECT_EQ(fake->snapshot().joints[0].mode, JointMode::kIdle);
  EXPECT_EQ(verdict(result, VerdictKind::kAtEnd).status, VerdictStatus::kSkipped);
}

TEST_F(RunnerTest, AFaultThatIsWaitedForIsExpectedOthersAreNot) {
  const auto outcome = [this](FaultCode code) {
    script = [code](FakeStack& it) {
      if (it.snapshot().cycle == 30) it.fault(0, code);
    };
    return run("steps: [{wait: {event: fault.elbow.encoder_frozen, timeout: 1 s}}]\n").outcome;
  };
  EXPECT_EQ(outcome(FaultCode::kEncoderFrozen), Outcome::kPassed);
  EXPECT_EQ(outcome(FaultCode::kOverCurrent), Outcome::kSafetyStop);
}

TEST_F(RunnerTest, TheSimulatedTimeIsLimited) {
  const Result result = run(R"yaml(
timeout: {sim: 100 ms}
steps: [{wait: 1 s}]
teardown: [{wait: 1 s}]
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kTimeout);
  EXPECT_EQ(exit_code(result.outcome), 4);
  EXPECT_EQ(result.reason, "not over after 0.1 s of simulated time, in step wait 1 s");
  EXPECT_EQ(verdict(result, VerdictKind::kStep, 0).status, VerdictStatus::kFailed);
  EXPECT_EQ(verdict(result, VerdictKind::kStep, 1).status, VerdictStatus::kPassed);
}

TEST_F(RunnerTest, TheWallClockIsLimited) {
  const Result result = run("timeout: {sim: 1 h, wall: 1 ms}\nsteps: [{wait: 200 s}]\n");
  EXPECT_EQ(result.outcome, Outcome::kTimeout);
  EXPECT_EQ(result.reason, "not over after 0.001 s of the wall clock, in step wait 200 s");
}

TEST_F(RunnerTest, ASetUpThatFailsIsAnErrorAndNotAFailure) {
  const Result result = run("setup: [{expect: 'elbow.q > 1'}]\nsteps: [{wait: 1 s}]\n");
  EXPECT_EQ(result.outcome, Outcome::kCouldNotRun);
  EXPECT_EQ(verdict(result, VerdictKind::kStep, 0).status, VerdictStatus::kError);
}

TEST_F(RunnerTest, AnExpectedFailurePassesAndAnUnexpectedPassFails) {
  const Result fails = run("xfail: known\nsteps: [{expect: 'elbow.q > 1'}]\n");
  EXPECT_EQ(fails.outcome, Outcome::kPassed);
  EXPECT_EQ(fails.reason,
            "failed as expected (known): expect elbow.q > 1: expected elbow.q > 1, got elbow.q = "
            "0 rad");
  const Result passes = run("xfail: known\nsteps: [{expect: 'elbow.q < 1'}]\n");
  EXPECT_EQ(passes.outcome, Outcome::kFailed);
  EXPECT_EQ(passes.reason, "it was expected to fail (known) and passed: remove xfail");
}

TEST_F(RunnerTest, FaultsAndDisturbancesBeginAndEndInTheirCycles) {
  const Result result = run(R"yaml(
faults: [{at: 10 ms, joint: elbow, type: encoder_freeze, for: 20 ms}]
disturbances: [{at: 5 ms, name: shove, force: {body: hand, force: [1, 0, 0]}}]
steps:
  - wait: 20 ms
  - {payload: {body: hand, mass: 1 kg}, name: load}
  - wait: 20 ms
  - end: shove
)yaml");
  EXPECT_EQ(result.outcome, Outcome::kPassed);
  const std::vector<std::string> expected{"begin force hand",   "begin fault encoder_freeze",
                                          "begin payload hand", "end fault encoder_freeze",
                                          "end force hand",     "end payload hand"};
  EXPECT_EQ(world.log, expected);
}

TEST_F(RunnerTest, TruthIsJudgedWhereThereIsAWorldAndSkippedWhereNot) {
  const std::string body = "steps: [{wait: 1 ms}]\nassert: {always: [{expr: 'body.hand.x < 1'}]}\n";
  EXPECT_EQ(verdict(run(body), VerdictKind::kAlways).status, VerdictStatus::kPassed);
  world.truth_value = 2.0;
  EXPECT_EQ(verdict(run(body), VerdictKind::kAlways).status, VerdictStatus::kFailed);
  with_world = false;
  const Result result = run(body);
  EXPECT_EQ(result.outcome, Outcome::kPassed);
  EXPECT_EQ(verdict(result, VerdictKind::kAlways).status, VerdictStatus::kSkipped);
  EXPECT_EQ(verdict(result, VerdictKind::kAlways).got, "it needs the truth of a simulated world");
}

TEST_F(RunnerTest, WhatIsMissingSkipsTheScenario) {
  const auto reason = [this](const std::string& body) {
    const Result result = run(body + "steps: [{stop: {joints: elbow}}]\n");
    EXPECT_EQ(result.outcome, Outcome::kSkipped);
    EXPECT_EQ(result.cycles, 0U);
    return result.reason;
  };
  EXPECT_EQ(reason("backends: [hw]\n"), "it isn't meant for backend sim");
  EXPECT_EQ(reason("requires: [duty]\n"),
            "it requires duty, and the board of elbow takes no duty cycle");
  EXPECT_EQ(reason("requires: [force_torque]\n"),
            "it requires a force/torque sensor, and the robot has none");
  with_world = false;
  EXPECT_EQ(reason("requires: [truth]\n"),
            "it requires truth, and backend sim has no simulated world");
  EXPECT_EQ(reason("faults: [{at: 1 s, joint: elbow, type: motor_off}]\n"),
            "it injects faults or disturbances, and backend sim has no simulated world");
}

TEST_F(RunnerTest, BindingErrorsNameThePlaceInsideTheExpression) {
  EXPECT_EQ(error("steps:\n  - expect: \"elbow.q < elbow.qq\"\n"),
            "demo.yaml:5:24: no signal \"elbow.qq\"; did you mean \"elbow.q\"?");
  EXPECT_EQ(error("steps:\n  - expect: elbow.q < elbow.qq\n"),
            "demo.yaml:5:23: no signal \"elbow.qq\"; did you mean \"elbow.q\"?");
  EXPECT_EQ(error("steps: [{move: {joints: {elbov: 1}}}]\n"),
            "demo.yaml:4:26: no joint or part \"elbov\"; did you mean \"elbow\"?");
  EXPECT_EQ(error("steps: [{move: {joints: {elbow: 20 Nm}}}]\n"),
            "demo.yaml:4:33: expected an angle (rad, deg), got 20 Nm, a torque");
  EXPECT_EQ(error("steps: [{move: {joints: {'rail/z-1': 20 deg}}}]\n"),
            "demo.yaml:4:38: expected a length (m, mm), got 20 deg, an angle");
  EXPECT_EQ(error("steps: [{move: {joints: {arm: 1, elbow: 2}}}]\n"),
            "demo.yaml:4:34: joint \"elbow\" is given a value twice");
  EXPECT_EQ(error("steps: [{home: {pose: hme}}]\n"),
            "demo.yaml:4:23: no pose \"hme\"; did you mean \"home\"?");
  EXPECT_EQ(
      error("steps: [{stream: {position: {elbow: 1}, acceleration: {elbow: 2}, for: 1 s}}]\n"),
      "demo.yaml:4:56: a joint with an \"acceleration\" streams a trajectory: give its "
      "\"position\" and its \"velocity\" as well");
  EXPECT_EQ(error("steps: [{stop_stream: a}]\n"),
            "demo.yaml:4:23: no stream in the background \"a\"");
  EXPECT_EQ(error("steps: [{wait: {event: falt.elbow}}]\n"),
            "demo.yaml:4:24: no event \"falt\"; did you mean \"fault\"?");
  EXPECT_EQ(error("steps: [{wait: {event: fault.elbow.encoder_frozn}}]\n"),
            "demo.yaml:4:24: no fault \"encoder_frozn\"; did you mean \"encoder_frozen\"?");
  EXPECT_EQ(error("steps: [{mark: there}]\nassert: {always: [{expr: 'time < 9', from: ther}]}\n"),
            "demo.yaml:5:44: no mark or step \"ther\"; did you mean \"there\"?");
  EXPECT_EQ(error("steps: []\nassert: {always: [{expr: 'time < 9', joints: elbow}]}\n"),
            "demo.yaml:5:46: \"joints\" replace \"each\", which the expression lacks");
  EXPECT_EQ(error("requires: [torqe]\nsteps: []\n"),
            "demo.yaml:4:12: nothing is called \"torqe\" in requires; did you mean \"torque\"?");
  EXPECT_EQ(error("plots: [elbow.w]\nsteps: []\n"),
            "demo.yaml:4:9: no signal \"elbow.w\"; did you mean \"elbow.q\"?");
}

TEST_F(RunnerTest, WhatDoesNotFitOneOfManyJointsNamesIt) {
  EXPECT_EQ(error("steps: []\nassert: {always: [{expr: abs(each.q_err) < 2 deg}]}\n"),
            "demo.yaml:5:42: a length (m, mm) is compared with an angle (rad, deg), where each is "
            "rail/z-1");
  EXPECT_EQ(
      error("steps: []\nassert: {always: [{expr: abs(each.q_err) < 2 deg, joints: elbow}]}\n"),
      "no error");
}

TEST_F(RunnerTest, BoundsAndTargetsOfAMetricAreOfItsDimension) {
  const auto metric = [this](const std::string& keys) {
    return error("steps: []\nmetrics: [{name: m, of: elbow.q, " + keys + "}]\n");
  };
  EXPECT_EQ(metric("stat: peak, max: 3 deg, min: 1, target: 2 rad"), "no error");
  EXPECT_EQ(metric("stat: peak, max: 3 Nm"),
            "demo.yaml:5:51: expected an angle (rad, deg), got 3 Nm, a torque (Nm)");
  EXPECT_EQ(metric("stat: rise_time, max: 3 deg"),
            "demo.yaml:5:56: expected a time (s, ms), got 3 deg, an angle (rad, deg)");
  EXPECT_EQ(metric("stat: overshoot, target: 1 Nm"),
            "demo.yaml:5:59: expected an angle (rad, deg), got a torque (Nm)");
  EXPECT_EQ(metric("stat: settling_time, band: 2 mm"),
            "demo.yaml:5:61: expected an angle (rad, deg), got 2 mm, a length (m, mm)");
  EXPECT_EQ(metric("stat: settling_time, band: 5 %, max: 1 s"), "no error");
}

TEST_F(RunnerTest, AMetricThatFailsTellsWhenItsPeakWas) {
  script = [](FakeStack& it) {
    const std::uint64_t cycle = it.snapshot().cycle;
    it.snapshot().joints[0].state.tau = cycle == 70 ? -9.0 : cycle == 50 ? 7.0 : 1.0;
  };
  const Result result = run(R"yaml(
steps: [{wait: 20 ms}, {wait: 80 ms, name: later}]
metrics: [{name: m, of: elbow.tau, stat: peak, max: 5000 mNm, from: later.start}]
)yaml");
  const Verdict& metric = verdict(result, VerdictKind::kMetric);
  EXPECT_EQ(metric.status, VerdictStatus::kFailed);
  EXPECT_EQ(metric.got, "9000 mN·m");
  EXPECT_EQ(metric.expected, "peak of elbow.tau at most 5000 mN·m");
  EXPECT_DOUBLE_EQ(metric.at, 0.070);
  EXPECT_DOUBLE_EQ(*metric.value, 9.0);
  EXPECT_DOUBLE_EQ(result.first_failure->time, 0.050);  // when it first was too large
}

TEST_F(RunnerTest, AnActionThatDoesNotFitIsToldAtTheKeyThatIsWrong) {
  EXPECT_EQ(error("steps: [{force: {force: [1, 0, 0], body: hnd}}]\n"),
            "demo.yaml:4:42: there is no body \"hnd\"");
  EXPECT_EQ(error("steps: [{payload: {mass: 1 kg, body: hnd}}]\n"),
            "demo.yaml:4:38: there is no body \"hnd\"");
  EXPECT_EQ(error("disturbances: [{at: 1 s, force: {torque: [1, 0, 0], body: hnd}}]\nsteps: []\n"),
            "demo.yaml:4:59: there is no body \"hnd\"");
  const auto fault = [this](const std::string& keys) {
    return error("steps: [{inject_fault: {" + keys + "}}]\n");
  };
  EXPECT_EQ(fault("joint: elbov, type: motor_off"),
            "demo.yaml:4:32: no joint \"elbov\"; did you mean \"elbow\"?");
  EXPECT_EQ(fault("joint: elbow, type: motor_of"),
            "demo.yaml:4:45: no fault \"motor_of\"; did you mean \"motor_off\"?");
  EXPECT_EQ(fault("joint: elbow, type: encoder_jump"), "demo.yaml:4:24: the fault needs a value");
}

TEST_F(RunnerTest, TheValueOfAFaultHasItsDimensionOfAHingeAndOfASlide) {
  const auto fault = [this](const std::string& joint, const std::string& type,
                            const std::string& value) {
    return error("faults: [{at: 0, value: " + value + ", joint: '" + joint + "', type: " + type +
                 "}]\nsteps: []\n");
  };
  EXPECT_EQ(fault("elbow", "torque_sensor_offset", "3 Nm"), "no error");
  EXPECT_EQ(fault("elbow", "torque_sensor_offset", "3"), "no error");
  EXPECT_EQ(fault("elbow", "torque_sensor_offset", "3 deg"),
            "demo.yaml:4:25: expected a torque (Nm), got 3 deg, an angle");
  EXPECT_EQ(fault("elbow", "encoder_jump", "3 deg"), "no error");
  EXPECT_EQ(fault("elbow", "encoder_jump", "3 mm"),
            "demo.yaml:4:25: expected an angle (rad, deg), got 3 mm, a length");
  EXPECT_EQ(fault("rail/z-1", "encoder_jump", "3 mm"), "no error");
  EXPECT_EQ(fault("rail/z-1", "torque_sensor_offset", "3 Nm"),
            "demo.yaml:4:25: expected a force (N), got 3 Nm, a torque");
  EXPECT_EQ(fault("elbow", "motor_off", "1"),
            "demo.yaml:4:25: the fault \"motor_off\" takes no value");
}

TEST_F(RunnerTest, AForceOnAJointHasItsDimensionOfAHingeAndOfASlide) {
  const auto force = [this](const std::string& keys) {
    return error("steps: [{force: {" + keys + "}}]\n");
  };
  EXPECT_EQ(force("joint: elbow, along: 3 Nm"), "no error");
  EXPECT_EQ(force("joint: elbow, along: 3"), "no error");
  EXPECT_EQ(force("joint: elbow, along: 3 N"),
            "demo.yaml:4:39: expected a torque (Nm), got 3 N, a force");
  EXPECT_EQ(force("joint: 'rail/z-1', along: 3 N"), "no error");
  EXPECT_EQ(force("joint: 'rail/z-1', along: 3 Nm"),
            "demo.yaml:4:44: expected a force (N), got 3 Nm, a torque");
  EXPECT_EQ(force("joint: elbov, along: 3 Nm"),
            "demo.yaml:4:25: no joint \"elbov\"; did you mean \"elbow\"?");
  EXPECT_EQ(force("joint: elbow, force: [1, 0, 0]"),
            "demo.yaml:4:32: \"force\" is of a force on a body; on a joint it is \"along\"");
  EXPECT_EQ(force("body: hand, along: 3 Nm"),
            "demo.yaml:4:30: \"along\" is of a force on a joint: name it");
}

TEST_F(RunnerTest, TracesCarryLimitsBoundsAndTheFailingWindow) {
  script = [](FakeStack& it) {
    const auto cycle = static_cast<double>(it.snapshot().cycle);
    it.snapshot().joints[0].state.tau = cycle;
  };
  const Result result = run(R"yaml(
steps: [{wait: 1 s}]
assert: {always: [{expr: "elbow.tau < 500"}]}
plots: [elbow.tau]
)yaml");
  ASSERT_EQ(result.traces.signals.size(), 1U);
  const Trace& trace = result.traces.signals[0];
  EXPECT_EQ(trace.name, "elbow.tau");
  EXPECT_EQ(trace.unit, "N·m");
  EXPECT_EQ(trace.joint, "elbow");
  const std::vector<PlotBound> bounds{{500.0, false}, {-12.0, true}, {12.0, true}};
  EXPECT_EQ(trace.bounds, bounds);
  EXPECT_EQ(result.traces.times.size(), 1001U);
  // 250 ms to both sides of 0.5 s, sample by sample.
  ASSERT_EQ(trace.near_failure.size(), 501U);
  EXPECT_EQ(trace.near_failure.front(), 250.0);
  EXPECT_EQ(trace.near_failure.back(), 750.0);
  EXPECT_DOUBLE_EQ(result.traces.times_near_failure[250], 0.5);
}

TEST_F(RunnerTest, TwoRunsAreTheSameToTheBit) {
  const std::string body = R"yaml(
steps:
  - set_mode: {joints: all, mode: position_direct}
  - stream: {position: {elbow: "sin(3 * time)", 'rail/z-1': "elbow.q / 3"}, for: 3 s}
assert: {always: [{expr: "abs(each.q_err) < 2"}]}
metrics: [{name: m, of: elbow.q_err, stat: rms}]
)yaml";
  const Result a = run(body);
  const Result b = run(body);
  EXPECT_EQ(a.verdicts.size(), b.verdicts.size());
  EXPECT_EQ(a.cycles, b.cycles);
  for (std::size_t i = 0; i < a.verdicts.size(); ++i) {
    EXPECT_EQ(a.verdicts[i].margin, b.verdicts[i].margin);
    EXPECT_EQ(a.verdicts[i].value, b.verdicts[i].value);
  }
  for (std::size_t i = 0; i < a.traces.signals.size(); ++i) {
    EXPECT_EQ(a.traces.signals[i].least, b.traces.signals[i].least);
  }
}

TEST_F(RunnerTest, ACycleAllocatesNothing) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Runner runner(scenario(R"yaml(
steps:
  - set_mode: {joints: all, mode: position_direct, interaction: compliant, stiffness: 5}
  - stream: {position: {elbow: "sin(time)"}, background: wave}
  - repeat: {times: 50, do: [{wait: 20 ms, name: round}, {mark: m}]}
  - wait: {until: "peak(elbow.q, 100 ms) > 0.5 and not elbow.moving", timeout: 5 s}
  - stop_stream: wave
  - set_mode: {joints: elbow, mode: position}
  - move: {joints: {elbow: 0.9}, wait: false}
  - wait: {event: goal_reached.elbow, timeout: 2 s}
  - home: {pose: up}
  - wait: 10 s
assert:
  always: [{expr: "abs(each.tau) <= each.tau_max and each.mode != hw_fault"}]
  never: [{event: fault}, {expr: "abs(step(elbow.q)) > 1"}]
  within: [{expr: "time > 0", after: round, max: 1 s}]
metrics:
  - {name: over, of: elbow.q, stat: overshoot, from: round}
  - {name: rms, of: each.q_err, stat: rms}
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
  EXPECT_FALSE(runner.finished());  // what is put into words at the end may allocate
  EXPECT_EQ(violations, kNoViolations) << guard.report();
  EXPECT_GT(cycles, 1000U);
}

TEST_F(RunnerTest, BreakingOffKeepsWhatIsKnown) {
  Runner runner(scenario("steps: [{wait: 1 s}]\nassert: {at_end: [{expr: 'time > 0'}]}\n"),
                setup());
  fake->cycle();
  runner.on_cycle(fake->snapshot(), fake->events());
  EXPECT_EQ(runner.progress(), "steps 1/1 wait 1 s");
  runner.break_off(Outcome::kCouldNotRun, "the backend closed");
  EXPECT_TRUE(runner.finished());
  EXPECT_EQ(runner.result().outcome, Outcome::kCouldNotRun);
  EXPECT_EQ(runner.result().reason, "the backend closed");
  EXPECT_EQ(verdict(runner.result(), VerdictKind::kAtEnd).status, VerdictStatus::kSkipped);
}

}  // namespace
}  // namespace jointrig::harness
