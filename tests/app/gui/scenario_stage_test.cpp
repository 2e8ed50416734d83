/// A scenario in the window's loop: its verdicts, its breakpoints, its ends.

#include "app/gui/scenario_stage.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "app/gui/gui_robot.h"
#include "app/gui/live_loop.h"
#include "app/run/scenario_job.h"
#include "harness/runner/scenario_reader.h"
#include "tests/app/gui/scratch.h"

namespace jointrig::app {
namespace {

constexpr const char* kPushed = R"(schema: 1
scenario: pushed
robot: franka
config: {collision_detection: {on: false}}  # it is pushed on purpose
setup:
  - set_mode: {joints: arm, mode: position}
steps:
  - {name: bend, move: {joints: {panda_joint4: -100 deg}, speed: 60 deg/s}}
  - force: {body: panda_hand, force: [0, 0, -40 N], for: 0.2 s}
  - wait: 300 ms
  - {name: back, move: {joints: {panda_joint4: -110 deg}, speed: 60 deg/s}}
teardown:
  - set_mode: {joints: arm, mode: idle}
assert:
  always:
    - {expr: abs(panda_joint4.q_err) < 2 deg}
metrics:
  - {name: sag, of: panda_joint4.q_err, stat: peak}
)";
enum : std::size_t { kSetUp, kBend, kForce, kWait, kBack, kTearDown };

struct ScenarioStageTest : ::testing::Test {
  void open(const char* text) {
    scenario = harness::read_scenarios(scratch.write("scenario.yaml", text)).front();
    const GuiRobot robot = robot_for(scenario, GuiRobot{}, true);
    loop.emplace(config_of(robot), BackendKind::kSim, plant_options_of(robot));
    loop->set_speed(5.0);
    stage = &loop->stage(scenario);
  }
  void start() { loop->start({.priority = 0, .lock_memory = false}); }
  /// Slowly enough that it is seen on its way, whatever else the machine does meanwhile.
  void start_slowly() {
    loop->set_speed(0.2);
    start();
  }
  bool wait_for(const std::function<bool()>& is_so) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      loop->newest(snapshot);
      if (is_so()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  [[nodiscard]] const JointSnapshot& elbow() {
    return snapshot.joints[joint_named(loop->rig().stack().config(), "panda_joint4")];
  }

  testing::Scratch scratch;
  harness::Scenario scenario;
  std::optional<LiveLoop> loop;
  ScenarioStage* stage = nullptr;
  Snapshot snapshot;
};

TEST_F(ScenarioStageTest, ComesToWhatAHeadlessRunComesToInTheSameCycles) {
  open(kPushed);
  start();
  ASSERT_TRUE(wait_for([&] { return stage->finished(); }));
  const harness::Result& here = stage->result();
  const harness::Result there = run_scenario(scenario, JobOptions{}).result;
  EXPECT_EQ(here.outcome, harness::Outcome::kPassed) << here.reason;
  EXPECT_EQ(here.cycles, there.cycles);
  ASSERT_EQ(here.verdicts.size(), there.verdicts.size());
  for (std::size_t i = 0; i < here.verdicts.size(); ++i) {
    EXPECT_EQ(here.verdicts[i].status, there.verdicts[i].status) << here.verdicts[i].name;
    EXPECT_EQ(here.verdicts[i].value, there.verdicts[i].value) << here.verdicts[i].name;
    if (here.verdicts[i].kind == harness::VerdictKind::kStep) {
      EXPECT_EQ(here.verdicts[i].since, there.verdicts[i].since) << here.verdicts[i].name;
    }
  }
  for (std::size_t i = 0; i < stage->steps().size(); ++i) {
    EXPECT_EQ(stage->state(i), gui::StepState::kPassed) << i;
  }
}

TEST_F(ScenarioStageTest, HoldsAtABreakpointWithTimeStandingStill) {
  open(kPushed);
  stage->set_break(kForce, true);
  start();
  ASSERT_TRUE(wait_for([&] { return stage->held() && loop->paused(); }));
  EXPECT_EQ(stage->current(), kForce);
  EXPECT_EQ(stage->state(kBend), gui::StepState::kPassed);
  EXPECT_EQ(stage->state(kForce), gui::StepState::kHeld);
  EXPECT_EQ(stage->state(kWait), gui::StepState::kWaiting);
  wait_for([] { return true; });
  const std::uint64_t cycle = snapshot.cycle;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  wait_for([] { return true; });
  EXPECT_EQ(snapshot.cycle, cycle);
  stage->go_on(false);
  loop->pause(false);
  ASSERT_TRUE(wait_for([&] { return stage->finished(); }));
  EXPECT_TRUE(stage->outcome().passed) << stage->outcome().reason;
}

TEST_F(ScenarioStageTest, GoesOnStepByStep) {
  open(kPushed);
  stage->hold();
  start();
  for (const std::size_t step : {kSetUp, kBend, kForce, kWait}) {
    ASSERT_TRUE(wait_for([&] { return stage->held() && stage->current() == step; })) << step;
    EXPECT_EQ(stage->state(step), gui::StepState::kHeld);
    stage->go_on(true);
    loop->pause(false);
  }
  ASSERT_TRUE(wait_for([&] { return stage->held() && stage->current() == kBack; }));
}

constexpr const char* kSideBySide = R"(schema: 1
scenario: sides
robot: franka
steps:
  - parallel:
      - [{wait: 2 s}]
      - [{wait: 100 ms}, {wait: 200 ms}]
  - state_machine:
      states:
        go: {do: [{wait: 50 ms}], next: [{to: end, when: time > 2.3 s}, {to: rest}]}
        rest: {do: [{wait: 50 ms}], next: [{to: go}]}
)";
enum : std::size_t { kParallel, kLong, kShort, kNext, kMachine, kGo, kRest };

TEST_F(ScenarioStageTest, StepsSideBySideAreShownAsTheyAre) {
  open(kSideBySide);
  ASSERT_EQ(stage->steps().size(), 7U);
  start_slowly();
  ASSERT_TRUE(wait_for([&] { return stage->state(kNext) == gui::StepState::kRunning; }));
  EXPECT_EQ(stage->state(kParallel), gui::StepState::kRunning);
  EXPECT_EQ(stage->state(kLong), gui::StepState::kRunning);
  EXPECT_EQ(stage->state(kShort), gui::StepState::kPassed);
  EXPECT_EQ(stage->state(kMachine), gui::StepState::kWaiting);
  loop->set_speed(5.0);
  ASSERT_TRUE(wait_for([&] { return stage->finished(); }));
  for (std::size_t i = 0; i < stage->steps().size(); ++i) {
    EXPECT_EQ(stage->state(i), gui::StepState::kPassed) << i;
  }
}

TEST_F(ScenarioStageTest, OneListThatHoldsStopsTimeAndIsTheOneThatGoesOn) {
  open(kSideBySide);
  stage->set_break(kShort, true);
  stage->set_break(kRest, true);
  start();
  // The first list begins before it, and the second one holds in the same cycle.
  ASSERT_TRUE(wait_for([&] { return stage->held() && loop->paused(); }));
  EXPECT_EQ(stage->state(kShort), gui::StepState::kHeld);
  EXPECT_EQ(stage->state(kLong), gui::StepState::kRunning);
  stage->go_on(false);
  loop->pause(false);
  // Each time that the state is entered.
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(wait_for([&] {
      return stage->held() && loop->paused() && stage->state(kRest) == gui::StepState::kHeld;
    })) << round;
    stage->go_on(false);
    loop->pause(false);
    ASSERT_TRUE(wait_for([&] { return !stage->held(); }));
  }
}

TEST_F(ScenarioStageTest, BrokenOffItSendsNothingMoreAndTheRobotBrakes) {
  open(kPushed);
  start_slowly();
  ASSERT_TRUE(
      wait_for([&] { return stage->state(kBend) == gui::StepState::kRunning && elbow().moving; }));
  stage->break_off("STOP", true);
  ASSERT_TRUE(wait_for([&] { return stage->finished() && !elbow().moving; }));
  EXPECT_EQ(stage->outcome().word, "could_not_run");
  EXPECT_EQ(stage->outcome().reason, "STOP");
  EXPECT_EQ(elbow().mode, JointMode::kPosition) << "no teardown";
  EXPECT_EQ(stage->state(kBack), gui::StepState::kSkipped);
}

TEST_F(ScenarioStageTest, TakenOverByHandTheRobotGoesOnToItsGoal) {
  open(kPushed);
  start_slowly();
  ASSERT_TRUE(
      wait_for([&] { return stage->state(kBend) == gui::StepState::kRunning && elbow().moving; }));
  stage->break_off("taken over by hand", false);
  ASSERT_TRUE(wait_for([&] { return stage->finished() && !elbow().moving; }));
  EXPECT_NEAR(elbow().reference.q, -100.0 * 3.14159265358979 / 180.0, 1e-6);
}

TEST_F(ScenarioStageTest, CanBeBrokenOffWhileTimeStands) {
  open(kPushed);
  stage->set_break(kBend, true);
  start();
  ASSERT_TRUE(wait_for([&] { return stage->held() && loop->paused(); }));
  stage->break_off("STOP", true);
  EXPECT_TRUE(wait_for([&] { return stage->finished(); }));
}

TEST_F(ScenarioStageTest, WhatFailsIsToldWithWhatWasExpected) {
  open(R"(schema: 1
scenario: fails
robot: franka
steps:
  - set_mode: {joints: arm, mode: position}
  - expect: panda_joint4.mode == torque
  - wait: 1 s
)");
  start();
  ASSERT_TRUE(wait_for([&] { return stage->finished(); }));
  EXPECT_EQ(stage->outcome().word, "failed");
  EXPECT_EQ(stage->state(1), gui::StepState::kFailed);
  EXPECT_EQ(stage->state(2), gui::StepState::kSkipped);
  EXPECT_TRUE(stage->outcome().verdicts[1].failed);
  EXPECT_NE(stage->outcome().verdicts[1].expected, "");
}

TEST_F(ScenarioStageTest, AScenarioThatDoesNotFitTheRobotIsRefusedWithItsPlace) {
  try {
    open("schema: 1\nscenario: typo\nrobot: franka\nsteps:\n  - stop: {joints: panda_jiont4}\n");
    FAIL();
  } catch (const harness::FileError& error) {
    EXPECT_EQ(error.line(), 5);
  }
}

}  // namespace
}  // namespace jointrig::app
