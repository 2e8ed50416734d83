#include "gui/plot/axes.h"

#include <gtest/gtest.h>

namespace jointrig::gui {
namespace {

TEST(Axes, ZoomingKeepsThePointUnderTheMouse) {
  const Span zoomed_in = zoomed({10.0, 20.0}, 0.5, 12.0);
  EXPECT_DOUBLE_EQ(zoomed_in.low, 11.0);
  EXPECT_DOUBLE_EQ(zoomed_in.high, 16.0);
  // A fifth of the way from the left, before and after.
  EXPECT_DOUBLE_EQ((12.0 - zoomed_in.low) / zoomed_in.size(), 0.2);
}

TEST(Axes, FittingLeavesAirAndABandAroundASingleValue) {
  EXPECT_EQ(fitted(0.0, 10.0), (Span{-0.5, 10.5}));
  EXPECT_LT(fitted(3.0, 3.0).low, 3.0);
  EXPECT_GT(fitted(3.0, 3.0).high, 3.0);
  EXPECT_EQ(fitted(1.0, -1.0), (Span{-1.0, 1.0})) << "nothing to fit";
}

TEST(Axes, ASpanIsNoSmallerThanAskedAndStaysCentred) {
  // 0.002 of values in a span of 0.01: 0.004 of air on each side.
  const Span small = fitted(5.000, 5.002, 0.01);
  EXPECT_NEAR(small.low, 4.996, 1e-12);
  EXPECT_NEAR(small.high, 5.006, 1e-12);
  EXPECT_EQ(fitted(0.0, 10.0, 0.01), (Span{-0.5, 10.5})) << "large enough by itself";
}

TEST(Axes, ThreeTicksStandInAnySpan) {
  for (double low = -1.3; low < 1.0; low += 0.17) {
    for (double size = 1e-4; size < 2e3; size *= 1.37) {
      EXPECT_GE(ticks({low, low + size}, 3, 3).size(), 3U) << low << " + " << size;
      EXPECT_LE(ticks({low, low + size}, 3, 3).size(), 8U) << low << " + " << size;
    }
  }
}

TEST(Axes, TicksAreRound) {
  EXPECT_EQ(ticks({0.0, 10.0}, 5), (std::vector<double>{0.0, 2.0, 4.0, 6.0, 8.0, 10.0}));
  EXPECT_EQ(ticks({-1.5, 1.5}, 3), (std::vector<double>{-1.0, 0.0, 1.0}));
  const std::vector<double> fine = ticks({0.013, 0.021}, 4);
  ASSERT_EQ(fine.size(), 4U);
  EXPECT_NEAR(fine.front(), 0.014, 1e-12);
  EXPECT_NEAR(fine.back(), 0.020, 1e-12);
  EXPECT_TRUE(ticks({1.0, 1.0}, 5).empty());
  EXPECT_EQ(tick_text(0.016, 0.002), "0.016");
  EXPECT_EQ(tick_text(20.0, 10.0), "20");
}

TEST(TimeAxis, FollowsTheNewestUntilSomebodyPans) {
  TimeAxis axis(10.0);
  axis.update(0.0, 30.0);
  EXPECT_EQ(axis.shown(), (Span{20.0, 30.0}));
  axis.pan(-0.5);
  EXPECT_FALSE(axis.follows());
  axis.update(0.0, 40.0);
  EXPECT_EQ(axis.shown(), (Span{15.0, 25.0})) << "frozen while recording goes on";
  axis.follow(true);
  axis.update(0.0, 41.0);
  EXPECT_EQ(axis.shown(), (Span{31.0, 41.0}));
}

TEST(TimeAxis, ZoomingWhileItFollowsKeepsTheNewestAtTheEdge) {
  TimeAxis axis(10.0);
  axis.update(0.0, 30.0);
  axis.zoom(0.5, 22.0);
  EXPECT_TRUE(axis.follows());
  EXPECT_EQ(axis.shown(), (Span{25.0, 30.0}));
}

TEST(TimeAxis, ABoxIsUndoneInOneStepAndSoIsARowOfWheelTurns) {
  TimeAxis axis(10.0);
  axis.update(0.0, 30.0);
  axis.show({22.0, 24.0});
  EXPECT_EQ(axis.shown(), (Span{22.0, 24.0}));
  for (int i = 0; i < 5; ++i) axis.zoom(0.8, 23.0);
  axis.end_gesture();
  axis.undo();
  EXPECT_EQ(axis.shown(), (Span{22.0, 24.0}));
  axis.undo();
  EXPECT_TRUE(axis.follows());
  EXPECT_EQ(axis.shown(), (Span{20.0, 30.0}));
  EXPECT_FALSE(axis.can_undo());
  axis.undo();
}

TEST(TimeAxis, NeverShowsLessThanFiveSamplesNorOnlyWhatIsNotThere) {
  TimeAxis axis(10.0);
  axis.update(0.0, 30.0);
  axis.show({5.0, 5.0});
  EXPECT_NEAR(axis.shown().size(), TimeAxis::kShortest, 1e-9);
  axis.show({5.0, 6.0});
  for (int i = 0; i < 50; ++i) axis.pan(1.0);
  EXPECT_LE(axis.shown().low, 30.0);
  for (int i = 0; i < 100; ++i) axis.pan(-1.0);
  EXPECT_GE(axis.shown().high, 0.0);
}

}  // namespace
}  // namespace jointrig::gui
