#include "gui/plot/trigger.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gui/plot/plot_set.h"
#include "tests/support/ideal_robot.h"

namespace jointrig::gui {
namespace {

using testing::ideal_config;

struct TriggerTest : ::testing::Test {
  TriggerTest() {
    snapshot.joints.resize(2);
    plots.trigger.settings.signal = history.signal(0, JointTrace::kTorque);
    plots.trigger.settings.level = 5.0;
    plots.trigger.settings.span = 0.4;
    plots.trigger.settings.before = 0.25;
  }
  /// So many cycles, then a frame of the panel.
  void cycles(int count, double torque = 0.0) {
    for (int i = 0; i < count; ++i) {
      snapshot.joints[0].state.tau = torque;
      history.push(snapshot);
      ++snapshot.cycle;
      snapshot.time_ns += 1'000'000;
    }
    plots.update(history);
  }
  void arm(TriggerRun run) {
    plots.trigger.settings.run = run;
    plots.trigger.arm(history);
  }
  void expect_shown(double from, double to) {
    EXPECT_NEAR(plots.time.shown().low, from, 1e-9);
    EXPECT_NEAR(plots.time.shown().high, to, 1e-9);
    EXPECT_FALSE(plots.time.follows());
  }

  History history{ideal_config(2), 5.0};
  PlotSet plots;
  Snapshot snapshot;
};

TEST_F(TriggerTest, ShowsAQuarterBeforeTheEdgeAndTheRestAfterIt) {
  cycles(1000);
  arm(TriggerRun::kSingle);
  cycles(500);
  cycles(1, 7.0);  // sample 1500
  cycles(298);
  EXPECT_TRUE(plots.trigger.triggered());
  EXPECT_TRUE(plots.time.follows()) << "its end is still to come";
  cycles(1);
  expect_shown(1.4, 1.8);
  EXPECT_NEAR(*plots.trigger.at(), 1.5, 1e-9);
  EXPECT_FALSE(plots.trigger.armed()) << "a single one rests";
  EXPECT_FALSE(plots.time.can_undo()) << "nobody zoomed";
}

TEST_F(TriggerTest, ASpikeOfOneCycleIsCaughtHoweverSeldomThePanelLooks) {
  arm(TriggerRun::kSingle);
  for (int i = 0; i < 2000; ++i) {
    snapshot.joints[0].state.tau = i == 777 ? 6.0 : 0.0;
    history.push(snapshot);
    ++snapshot.cycle;
    snapshot.time_ns += 1'000'000;
  }
  plots.update(history);
  plots.update(history);
  expect_shown(0.677, 1.077);
}

TEST_F(TriggerTest, WhatLiesBeforeItWasArmedDoesNotCount) {
  cycles(100, 7.0);
  arm(TriggerRun::kSingle);
  cycles(900, 7.0);
  EXPECT_FALSE(plots.trigger.triggered()) << "it is above, but doesn't rise";
}

TEST_F(TriggerTest, FallingIsTheOtherEdge) {
  plots.trigger.settings.kind = TriggerKind::kFalling;
  cycles(100);
  arm(TriggerRun::kSingle);
  cycles(100, 7.0);
  EXPECT_FALSE(plots.trigger.triggered());
  cycles(1, 4.0);
  EXPECT_TRUE(plots.trigger.triggered());
}

TEST_F(TriggerTest, AMissingSampleIsNoEdge) {
  cycles(10);
  arm(TriggerRun::kSingle);
  cycles(10, std::nan(""));
  cycles(10, 7.0);
  EXPECT_FALSE(plots.trigger.triggered());
}

TEST_F(TriggerTest, NormalShowsTheNextOneOnceItIsWhole) {
  cycles(100);
  arm(TriggerRun::kNormal);
  cycles(1, 7.0);  // sample 100
  cycles(600);
  expect_shown(0.0, 0.4);
  EXPECT_TRUE(plots.trigger.armed());
  cycles(1, 7.0);  // sample 701
  cycles(100);
  expect_shown(0.0, 0.4);
  cycles(300);
  expect_shown(0.601, 1.001);
}

TEST_F(TriggerTest, AutoFollowsWhileNothingHappensAndShowsWhatDoes) {
  cycles(100);
  arm(TriggerRun::kAuto);
  cycles(1, 7.0);
  cycles(310);
  expect_shown(0.0, 0.4);
  cycles(600);
  EXPECT_TRUE(plots.time.follows());
  cycles(1, 7.0);
  cycles(310);
  EXPECT_FALSE(plots.time.follows());
}

TEST_F(TriggerTest, AModeChangeAndAFaultAreTriggersOfTheirOwn) {
  cycles(100);
  plots.trigger.settings.kind = TriggerKind::kFault;
  arm(TriggerRun::kSingle);
  snapshot.joints[0].mode = JointMode::kPosition;
  cycles(50);
  EXPECT_FALSE(plots.trigger.triggered());
  snapshot.joints[1].mode = JointMode::kHwFault;
  cycles(50);
  EXPECT_FALSE(plots.trigger.triggered()) << "another joint's";
  snapshot.joints[0].mode = JointMode::kHwFault;
  cycles(50);
  ASSERT_TRUE(plots.trigger.triggered());
  EXPECT_NEAR(*plots.trigger.at(), 0.2, 1e-9);

  plots.trigger.settings.kind = TriggerKind::kModeChange;
  arm(TriggerRun::kSingle);
  cycles(10);
  EXPECT_FALSE(plots.trigger.triggered());
  snapshot.joints[0].mode = JointMode::kIdle;
  cycles(10);
  EXPECT_TRUE(plots.trigger.triggered());
}

TEST_F(TriggerTest, TurnedOffItShowsNothingMore) {
  cycles(100);
  arm(TriggerRun::kNormal);
  plots.trigger.disarm();
  cycles(1, 7.0);
  cycles(1000);
  EXPECT_TRUE(plots.time.follows());
}

}  // namespace
}  // namespace jointrig::gui
