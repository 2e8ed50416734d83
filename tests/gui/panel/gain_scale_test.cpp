#include "gui/panel/gain_scale.h"

#include <gtest/gtest.h>

namespace jointrig::gui {
namespace {

TEST(GainScale, TheDefaultIsInTheMiddleAndHalvingTakesAsMuchRoomAsDoubling) {
  const GainScale scale({1.0, 10000.0}, 100.0);  // two decades to each side
  EXPECT_DOUBLE_EQ(scale.place(100.0), 0.5);
  EXPECT_NEAR(scale.place(200.0) - 0.5, 0.5 - scale.place(50.0), 1e-12);
  EXPECT_NEAR(scale.value(0.75), 1000.0, 1e-9);
  EXPECT_NEAR(scale.value(0.25), 10.0, 1e-9);
  EXPECT_DOUBLE_EQ(scale.value(0.0), 1.0);
  EXPECT_DOUBLE_EQ(scale.value(1.0), 10000.0);
}

TEST(GainScale, ZeroIsAtTheLeftEndWithTheFirstPartOfTheSlider) {
  const GainScale scale({0.0, 1000.0}, 10.0);
  EXPECT_EQ(scale.value(0.0), 0.0);
  EXPECT_EQ(scale.value(0.9 * GainScale::kZeroPart), 0.0);
  EXPECT_NEAR(scale.value(GainScale::kZeroPart), 0.1, 1e-12);  // a hundredth of the default
  EXPECT_EQ(scale.place(0.0), 0.0);
}

TEST(GainScale, PlaceAndValueAreInverse) {
  for (const auto& [range, standard] :
       {std::pair{Interval{0.0, 500.0}, 20.0}, std::pair{Interval{3.0, 90.0}, 30.0},
        std::pair{Interval{0.0, 25.0}, 0.0}, std::pair{Interval{0.05, 50.0}, 50.0}}) {
    const GainScale scale(range, standard);
    for (double place = GainScale::kZeroPart; place <= 1.0; place += 0.01) {
      EXPECT_NEAR(scale.place(scale.value(place)), place, 1e-9) << range.high;
    }
  }
}

TEST(GainScale, WithoutADefaultInsideItHasNoMiddle) {
  EXPECT_FALSE(GainScale({0.0, 25.0}, 0.0).has_middle());
  EXPECT_FALSE(GainScale({0.05, 50.0}, 50.0).has_middle());
  EXPECT_TRUE(GainScale({0.0, 25.0}, 3.0).has_middle());
  // Four decades: the middle of the logarithms lies two below the end.
  EXPECT_NEAR(GainScale({0.0, 25.0}, 0.0).value(0.5), 0.25, 1e-12);
}

TEST(GainScale, ARangeOfOneValueBreaksNothing) {
  const GainScale scale({0.0, 0.0}, 0.0);
  EXPECT_EQ(scale.value(0.3), 0.0);
  EXPECT_EQ(scale.place(0.0), 0.0);
}

}  // namespace
}  // namespace jointrig::gui
