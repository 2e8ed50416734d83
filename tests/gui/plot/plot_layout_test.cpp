#include "gui/plot/plot_layout.h"

#include <gtest/gtest.h>

#include "tests/support/ideal_robot.h"

namespace jointrig::gui {
namespace {

using testing::ideal_config;

struct PlotLayoutTest : ::testing::Test {
  History history{ideal_config(3), 5.0};
  PlotSet plots;
  const PlotLayout layout{
      "mine",
      2.5,
      {{"selected.q", "selected.q_ref"}, {"joint3.tau", "joint3.q (right)"}, {"loop.jitter"}}};
};

TEST_F(PlotLayoutTest, ShowsTheSelectedJointWhereItSaysSo) {
  EXPECT_TRUE(show_layout(layout, history, 1, plots).empty());
  ASSERT_EQ(plots.plots.size(), 3U);
  EXPECT_EQ(history.name(plots.plots[0].lines[0].signal), "joint2.q");
  EXPECT_EQ(history.name(plots.plots[0].lines[1].signal), "joint2.q_ref");
  EXPECT_EQ(history.name(plots.plots[1].lines[0].signal), "joint3.tau");
  EXPECT_FALSE(plots.plots[1].lines[0].right);
  EXPECT_EQ(history.name(plots.plots[1].lines[1].signal), "joint3.q");
  EXPECT_TRUE(plots.plots[1].lines[1].right);
  EXPECT_EQ(history.name(plots.plots[2].lines[0].signal), "loop.jitter");
  EXPECT_DOUBLE_EQ(plots.time.shown().size(), 2.5);
}

TEST_F(PlotLayoutTest, IsKeptAsItWasShown) {
  show_layout(layout, history, 1, plots);
  EXPECT_EQ(layout_of(plots, history, 1, "mine"), layout);
  EXPECT_EQ(layout_of(plots, history, 0, "mine").plots[0][0], "joint2.q");
}

TEST_F(PlotLayoutTest, NamesWhatThisRobotHasNot) {
  const PlotLayout other{"other", 1.0, {{"r_elbow.q", "joint1.v"}}};
  EXPECT_EQ(show_layout(other, history, 0, plots), std::vector<std::string>{"r_elbow.q"});
  ASSERT_EQ(plots.plots.size(), 1U);
  EXPECT_EQ(plots.plots[0].lines.size(), 1U);
}

TEST_F(PlotLayoutTest, TheLoopsOwnSignalsBelongToNoJoint) {
  const std::size_t signal = history.signal(LoopTrace::kWrite);
  EXPECT_EQ(history.name(signal), "loop.write");
  EXPECT_EQ(history.unit(signal), "µs");
  EXPECT_EQ(history.joint_of(signal), kNoJoint);
  EXPECT_EQ(history.signal_named("loop.write"), signal);
  EXPECT_FALSE(history.reference_of(signal));
  Snapshot snapshot;
  snapshot.joints.resize(3);
  snapshot.times = {1.0F, 2.0F, 3.0F, 4.0F};
  history.push(snapshot);
  EXPECT_EQ(history.series(signal).at(0), 3.0F);
}

}  // namespace
}  // namespace jointrig::gui
