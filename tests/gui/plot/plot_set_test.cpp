#include "gui/plot/plot_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <sstream>

#include "tests/support/ideal_robot.h"

namespace jointrig::gui {
namespace {

struct PlotSetTest : ::testing::Test {
  PlotSetTest() : config(testing::ideal_config(2)), history(config, 10.0) {
    snapshot.joints.resize(2);
    for (std::uint64_t i = 0; i < 1000; ++i) {  // torque climbs by 1 N·m a second
      snapshot.cycle = i;
      snapshot.time_ns = static_cast<TimeNs>(i) * config.period_ns;
      snapshot.joints[0].state.tau = 1e-3 * static_cast<double>(i);
      history.push(snapshot);
    }
    set.time.update(history.oldest(), history.newest());
  }
  RobotConfig config;
  History history;
  Snapshot snapshot;
  PlotSet set;
};

/// Joint 1 stands at 135°, seen by an encoder of 1 mrad.
struct StandingJoint {
  StandingJoint() : config(testing::ideal_config(1)) {
    config.joints[0].board.encoder_step = 1e-3;
    history.emplace(config, 1.0);
    Snapshot snapshot;
    snapshot.joints.resize(1);
    snapshot.joints[0].state.q = 0.75 * std::numbers::pi;
    history->push(snapshot);
    set.time.update(0.0, 1e-3);
    set.add_plot();
  }
  RobotConfig config;
  std::optional<History> history;
  PlotSet set;
};

TEST(PlotSet, AnAxisSpansTwentyStepsOfTheEncoderAtLeast) {
  StandingJoint t;
  t.set.add(0, t.history->signal(0, JointTrace::kPosition));
  const Span span = t.set.values_of(t.set.plots[0], *t.history);
  EXPECT_NEAR(span.size(), 20.0 * 0.0572958, 1e-4);  // 1 mrad = 0.0573°
  EXPECT_NEAR(0.5 * (span.low + span.high), 135.0, 1e-4);
}

TEST(PlotSet, AnAxisTellsTheUnitsOfItsLinesOnceEach) {
  StandingJoint t;
  t.set.add(0, t.history->signal(0, JointTrace::kPosition));
  t.set.add(0, t.history->signal(0, JointTrace::kReference));
  t.set.add(0, t.history->signal(0, JointTrace::kTorque), /*right=*/true);
  EXPECT_EQ(axis_unit(t.set.plots[0], *t.history, false), "°");
  EXPECT_EQ(axis_unit(t.set.plots[0], *t.history, true), "N·m");
  t.set.to_other_axis(0, t.history->signal(0, JointTrace::kTorque));
  EXPECT_EQ(axis_unit(t.set.plots[0], *t.history, false), "°, N·m");
}

TEST_F(PlotSetTest, AJointIsShownWithMeasuredAndReferenceInOnePlot) {
  set.show_joint(history, 1);
  ASSERT_EQ(set.plots.size(), 4U);
  EXPECT_EQ(history.name(set.plots[0].lines[0].signal), "joint2.q");
  EXPECT_EQ(history.name(set.plots[0].lines[1].signal), "joint2.q_ref");
  EXPECT_NE(set.plots[0].lines[0].colour, set.plots[0].lines[1].colour);
}

TEST_F(PlotSetTest, ASignalIsInAPlotOnceAndAFreedColourIsUsedAgain) {
  set.add_plot();
  for (const std::size_t signal : {4U, 5U, 4U, 6U}) set.add(0, signal);
  ASSERT_EQ(set.plots[0].lines.size(), 3U);
  set.remove(0, 5);
  set.add(0, 9);
  EXPECT_EQ(set.plots[0].lines.back().colour, 1);
  EXPECT_EQ(set.plots[0].lines[1].colour, 2) << "the others keep theirs";
}

TEST_F(PlotSetTest, SoloHidesTheOthersAndOnceMoreShowsThem) {
  set.add_plot();
  for (const std::size_t signal : {4U, 5U, 6U}) set.add(0, signal);
  set.solo(0, 5);
  EXPECT_TRUE(set.plots[0].lines[0].hidden);
  EXPECT_FALSE(set.plots[0].lines[1].hidden);
  set.solo(0, 5);
  for (const PlotLine& line : set.plots[0].lines) EXPECT_FALSE(line.hidden);
}

TEST_F(PlotSetTest, ALineKeepsTheLookItWasGiven) {
  set.add_plot();
  set.add(0, 4);
  set.set_look(0, 4, 6, LineStyle::kThick);
  set.set_look(0, 99, 1, LineStyle::kDashed);
  ASSERT_EQ(set.plots[0].lines.size(), 1U);
  EXPECT_EQ(set.plots[0].lines[0].colour, 6);
  EXPECT_EQ(set.plots[0].lines[0].style, LineStyle::kThick);
}

TEST_F(PlotSetTest, ValuesAreFittedToWhatIsSeenUnlessChosen) {
  set.add_plot();
  set.add(0, history.signal(0, JointTrace::kTorque));
  set.time.show({0.2, 0.4});
  const Span span = set.values_of(set.plots[0], history);
  EXPECT_NEAR(span.low, 0.2 - 0.01, 1e-3);
  EXPECT_NEAR(span.high, 0.4 + 0.01, 1e-3);
  set.plots[0].values = Span{-5.0, 5.0};
  EXPECT_EQ(set.values_of(set.plots[0], history), (Span{-5.0, 5.0}));
}

TEST_F(PlotSetTest, CursorsReadBothEndsAndWhatIsBetween) {
  const CursorReading reading =
      read_cursors(history, history.signal(0, JointTrace::kTorque), {true, 0.6, 0.2});
  EXPECT_NEAR(reading.at_a, 0.6, 1e-6);
  EXPECT_NEAR(reading.at_b, 0.2, 1e-6);
  EXPECT_EQ(reading.between.count, 401U) << "both ends count, whichever comes first";
  EXPECT_NEAR(reading.between.mean, 0.4, 1e-6);
}

TEST_F(PlotSetTest, ACursorBesideTheRecordReadsNothing) {
  const CursorReading reading = read_cursors(history, 0, {true, -1.0, 99.0});
  EXPECT_TRUE(std::isnan(reading.at_a));
  EXPECT_TRUE(std::isnan(reading.at_b));
}

TEST_F(PlotSetTest, ThereAreAtMostEightPlots) {
  for (int i = 0; i < 20; ++i) set.add_plot();
  EXPECT_EQ(set.plots.size(), PlotSet::kMostPlots);
}

TEST_F(PlotSetTest, WhatTheCursorsReadIsATableForASpreadsheet) {
  set.add_plot();
  const std::size_t signal = history.signal(0, JointTrace::kTorque);
  set.add(0, signal);
  set.cursors = {true, 0.2, 0.6};
  const std::string text = cursor_table_text(set, history);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << "a heading and a line";
  EXPECT_EQ(std::count(text.begin(), text.end(), '\t'), 18);
  const CursorReading reading = read_cursors(history, signal, set.cursors);
  std::istringstream row(text.substr(text.find('\n') + 1));
  std::string name, unit;
  double at_a = 0.0, at_b = 0.0, step = 0.0;
  row >> name >> unit >> at_a >> at_b >> step;
  EXPECT_EQ(name, "joint1.tau");
  EXPECT_NEAR(at_a, reading.at_a, 1e-6);
  EXPECT_NEAR(step, reading.at_b - reading.at_a, 1e-6);
}

TEST_F(PlotSetTest, ALineOnTheRightHasAnAxisOfItsOwn) {
  const std::size_t torque = history.signal(0, JointTrace::kTorque);   // 0 to 1
  const std::size_t angle = history.signal(0, JointTrace::kPosition);  // 0
  set.add_plot();
  set.add(0, angle);
  set.add(0, torque);
  EXPECT_FALSE(set.plots[0].has_right());
  EXPECT_GT(set.values_of(set.plots[0], history).high, 0.9);
  set.plots[0].values = Span{-5.0, 5.0};
  set.to_other_axis(0, torque);
  EXPECT_TRUE(set.plots[0].has_right());
  EXPECT_LT(set.values_of(set.plots[0], history).high, 0.9) << "what was chosen is forgotten";
  EXPECT_GT(set.values_of(set.plots[0], history, /*right=*/true).high, 0.9);
  set.toggle(0, torque);
  EXPECT_FALSE(set.plots[0].has_right()) << "it is hidden";
  set.toggle(0, torque);
  set.to_other_axis(0, torque);
  EXPECT_FALSE(set.plots[0].has_right());
}

}  // namespace
}  // namespace jointrig::gui
