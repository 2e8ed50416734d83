#include "gui/plot/kept_windows.h"

#include <gtest/gtest.h>

#include "gui/plot/plot_set.h"
#include "tests/support/ideal_robot.h"

namespace jointrig::gui {
namespace {

/// Two joints at 1 kHz whose record holds a second; joint 0 has the torque t - begin of its run.
struct KeptWindowsTest : ::testing::Test {
  KeptWindowsTest() : config(testing::ideal_config(2)), history(config, 1.0) {
    snapshot.joints.resize(2);
    plots.show_joint(history, 0);
    plots.update(history);
  }
  void run(int cycles, double torque = 0.0, JointMode mode = JointMode::kPosition) {
    for (int i = 0; i < cycles; ++i, ++cycle) {
      snapshot.cycle = cycle;
      snapshot.time_ns = static_cast<TimeNs>(cycle) * config.period_ns;
      snapshot.joints[0].state.tau = torque;
      snapshot.joints[0].mode = mode;
      history.push(snapshot);
      if (i % 16 == 0) plots.update(history);
    }
    plots.update(history);
    history.look_at(plots.kept.shown_window());
  }
  [[nodiscard]] std::size_t tau() const { return history.signal(0, JointTrace::kTorque); }

  RobotConfig config;
  History history;
  Snapshot snapshot;
  PlotSet plots;
  std::uint64_t cycle = 0;
};

TEST_F(KeptWindowsTest, AFrozenViewStaysWhenTheRecordHasMovedOn) {
  plots.time.set_span(0.5);
  run(600, 3.0);
  plots.freeze_or_follow(history);
  ASSERT_EQ(plots.kept.size(), 1U);
  EXPECT_NEAR(plots.kept[0].time.low, 0.1, 2e-3);
  EXPECT_NEAR(plots.kept[0].time.high, 0.6, 2e-3);
  run(5000, 7.0);
  EXPECT_TRUE(std::isnan(value_at(history, tau(), 0.3))) << "the record has moved on";
  plots.show_kept(0);
  run(10, 7.0);
  EXPECT_EQ(value_at(history, tau(), 0.3), 3.0);
  EXPECT_EQ(plots.time.shown(), plots.kept[0].time);
  EXPECT_EQ(history.live(tau()).at(history.end() - 1), 7.0F) << "recording goes on";
  const Span window = plots.kept[0].time;
  const std::string csv =
      to_csv(history, {tau(), history.signal(1, JointTrace::kTorque)}, window.low, window.high);
  EXPECT_NE(csv.find(",3,"), std::string::npos) << "it is exported, too";
  EXPECT_EQ(csv.find(",7"), std::string::npos);
  plots.freeze_or_follow(history);
  EXPECT_FALSE(plots.kept.shown()) << "Follow leads back to what is recorded";
  EXPECT_TRUE(plots.time.follows());
}

TEST_F(KeptWindowsTest, EachCatchOfTheTriggerIsKeptAndTwoLieOnTheSameZero) {
  plots.trigger.settings = {.kind = TriggerKind::kRising,
                            .run = TriggerRun::kNormal,
                            .signal = tau(),
                            .level = 1.0,
                            .before = 0.25,
                            .span = 0.2};
  plots.trigger.arm(history);
  run(400, 0.0);
  run(300, 2.0);  // rises at sample 400
  run(500, 0.0);
  run(300, 4.0);  // and at 1200
  ASSERT_EQ(plots.kept.size(), 2U);
  EXPECT_EQ(plots.kept[0].name, "trigger " + history.name(tau()));
  EXPECT_NEAR(plots.kept[0].zero, 0.4, 1e-9);
  EXPECT_NEAR(plots.kept[1].zero, 1.2, 1e-9);
  plots.show_kept(1);
  plots.kept.lay_over(0);
  EXPECT_NEAR(plots.over_shift(), 0.8, 1e-9);
  // The axis has room for both: 0 to 4 N·m with a twentieth at either end.
  plots.show_kept(0);
  EXPECT_FALSE(plots.kept.laid_over()) << "a window isn't laid over itself";
  plots.kept.lay_over(1);
  history.look_at(plots.kept.shown_window());
  EXPECT_NEAR(plots.values_of(plots.plots[3], history).high, 4.2, 1e-6);
}

TEST_F(KeptWindowsTest, AroundAFaultTheSecondBeforeAndTheMomentAfterAreKept) {
  run(1500, 1.0);
  run(1, 1.0, JointMode::kHwFault);
  EXPECT_EQ(plots.kept.size(), 0U) << "the moment after isn't there yet";
  run(400, 0.0, JointMode::kHwFault);
  ASSERT_EQ(plots.kept.size(), 1U);
  EXPECT_EQ(plots.kept[0].name, "fault of " + history.joint_name(0));
  EXPECT_NEAR(plots.kept[0].zero, 1.5, 1e-9);
  EXPECT_NEAR(plots.kept[0].time.high, 1.7, 2e-3);
  run(2000, 0.0, JointMode::kHwFault);
  EXPECT_EQ(plots.kept.size(), 1U) << "one fault, one window";
}

TEST_F(KeptWindowsTest, OverTheRecordAWindowBeginsAtTheLeft) {
  plots.time.set_span(0.5);
  run(600);
  plots.freeze_or_follow(history);
  plots.follow();
  run(800);
  plots.kept.lay_over(0);
  EXPECT_NEAR(plots.over_shift() + plots.kept[0].time.low, plots.time.shown().low, 1e-9);
}

TEST_F(KeptWindowsTest, WhatHasNoRoomIsRefusedWithAWordAndNothingKeptIsDropped) {
  run(900, 1.0);
  ASSERT_TRUE(plots.kept.keep(history, {tau()}, {0.2, 0.8}, 0.2, "first"));
  plots.kept.most_bytes = plots.kept.bytes() + 100;
  EXPECT_FALSE(plots.kept.keep(history, {tau()}, {0.2, 0.8}, 0.2, "second"));
  EXPECT_NE(plots.kept.note().find("second isn't kept: there is no room"), std::string::npos)
      << plots.kept.note();
  ASSERT_EQ(plots.kept.size(), 1U);
  EXPECT_EQ(plots.kept[0].name, "first");
  EXPECT_LE(plots.kept.bytes(), plots.kept.most_bytes);
  plots.kept.erase(0);
  EXPECT_TRUE(plots.kept.keep(history, {tau()}, {0.2, 0.8}, 0.2, "second"));
  EXPECT_EQ(plots.kept.note(), "");
  EXPECT_FALSE(plots.kept.keep(history, {tau()}, {-5.0, -4.0}, -5.0, "gone"));
  EXPECT_NE(plots.kept.note().find("no samples of that time"), std::string::npos);
}

TEST_F(KeptWindowsTest, AreBoundedInTheirNumber) {
  run(300);
  for (std::size_t i = 0; i < KeptWindows::kMost; ++i) {
    ASSERT_TRUE(plots.kept.keep(history, {tau()}, {0.1, 0.2}, 0.1, "one"));
  }
  EXPECT_FALSE(plots.kept.keep(history, {tau()}, {0.1, 0.2}, 0.1, "one more"));
  EXPECT_NE(plots.kept.note().find("one more isn't kept: 100 windows are"), std::string::npos);
}

TEST_F(KeptWindowsTest, OfADeletedWindowTheOthersKeepTheirPlaces) {
  run(300);
  for (const char* name : {"a", "b", "c"}) {
    ASSERT_TRUE(plots.kept.keep(history, {tau()}, {0.1, 0.2}, 0.1, name));
  }
  plots.show_kept(2);
  plots.kept.lay_over(1);
  plots.kept.erase(0);
  EXPECT_EQ(plots.kept[*plots.kept.shown()].name, "c");
  EXPECT_EQ(plots.kept.over_window()->name, "b");
  plots.kept.erase(0);
  EXPECT_EQ(plots.kept.over_window(), nullptr);
  EXPECT_EQ(plots.kept[*plots.kept.shown()].name, "c");
}

}  // namespace
}  // namespace jointrig::gui
