#include "gui/panel/guards.h"

#include <gtest/gtest.h>

#include "gui/panel/hold_button.h"

namespace jointrig::gui {
namespace {

TEST(AccessGuard, BeginsByOnlyLooking) { EXPECT_EQ(AccessGuard{}.access(), Access::kObserve); }

TEST(AccessGuard, ArmedFallsBackToControlAMinuteAfterItsLastUse) {
  AccessGuard guard;
  guard.set(Access::kArmed, 10.0);
  guard.tick(40.0);
  EXPECT_DOUBLE_EQ(guard.armed_left(40.0), 30.0);
  guard.used(40.0);
  guard.tick(99.9);
  EXPECT_TRUE(guard.armed());
  guard.tick(100.0);
  EXPECT_EQ(guard.access(), Access::kControl);
  EXPECT_DOUBLE_EQ(guard.armed_left(100.0), 0.0);
}

TEST(HoldGuard, FiresOnceAfterEightTenthsOfASecond) {
  HoldGuard guard;
  EXPECT_FALSE(guard.update(true, 5.0));
  EXPECT_FALSE(guard.update(true, 5.79));
  EXPECT_NEAR(guard.progress(5.4), 0.5, 1e-9);
  EXPECT_TRUE(guard.update(true, 5.81));
  EXPECT_FALSE(guard.update(true, 9.0)) << "held on: it has fired already";
  EXPECT_DOUBLE_EQ(guard.progress(9.0), 1.0);
}

TEST(HoldGuard, LettingGoBeginsAnew) {
  HoldGuard guard;
  guard.update(true, 0.0);
  guard.update(false, 0.7);
  EXPECT_DOUBLE_EQ(guard.progress(0.7), 0.0);
  EXPECT_FALSE(guard.update(true, 0.75));
  EXPECT_FALSE(guard.update(true, 1.5)) << "0.75 s after the second press";
  EXPECT_TRUE(guard.update(true, 1.6));
}

TEST(LiveGuard, EndsWithFocusPageAndHalfAMinuteOfQuiet) {
  LiveGuard guard;
  EXPECT_TRUE(guard.update(true, true, 0, 0.0));
  EXPECT_TRUE(guard.update(true, false, 0, 29.9));
  EXPECT_FALSE(guard.update(true, false, 0, 30.1));
  EXPECT_TRUE(guard.update(true, true, 0, 31.0));
  EXPECT_FALSE(guard.update(false, true, 0, 32.0)) << "the window lost the focus";
  EXPECT_FALSE(guard.update(true, true, 1, 33.0)) << "another page";
  EXPECT_TRUE(guard.update(true, true, 1, 34.0));
}

TEST(HoldButton, SaysItTenTimesASecondAndTellsWhatWasLetGoOf) {
  HoldButton<int> button;
  EXPECT_TRUE(button.hold(7, 0.3));
  EXPECT_EQ(button.begin_frame(), std::nullopt) << "it was held in the frame before";
  EXPECT_FALSE(button.hold(7, 0.35));
  button.begin_frame();
  EXPECT_TRUE(button.hold(7, 0.45));
  EXPECT_EQ(button.held(), 7);
  button.begin_frame();
  EXPECT_EQ(button.begin_frame(), 7) << "nobody held it for a frame";
  EXPECT_EQ(button.held(), std::nullopt);
  EXPECT_EQ(button.begin_frame(), std::nullopt) << "once";
  EXPECT_TRUE(button.hold(7, 0.46)) << "pressed anew";
}

TEST(HoldButton, AnotherThingWaitsUntilThisOneIsLetGoOf) {
  HoldButton<int> button;
  EXPECT_TRUE(button.hold(1, 0.0));
  button.begin_frame();
  EXPECT_FALSE(button.hold(2, 0.2));
  EXPECT_EQ(button.begin_frame(), 1);
  EXPECT_TRUE(button.hold(2, 0.22));
}

TEST(HoldButton, OneThatIsSpentSaysNothingUntilItIsPressedAnew) {
  HoldButton<int> button;
  EXPECT_TRUE(button.hold(1, 0.0));
  button.spend();
  button.begin_frame();
  EXPECT_TRUE(button.spent());
  EXPECT_FALSE(button.hold(1, 5.0));
  button.begin_frame();
  button.stay_down();
  EXPECT_EQ(button.begin_frame(), std::nullopt);
  EXPECT_TRUE(button.spent()) << "still down";
  EXPECT_EQ(button.begin_frame(), 1);
  EXPECT_FALSE(button.spent());
  EXPECT_TRUE(button.hold(1, 5.1));
}

TEST(HoldButton, APatientOneActsAfterEightTenthsOfASecond) {
  HoldButton<int> button;
  EXPECT_FALSE(button.hold(1, 5.0, /*patient=*/true));
  EXPECT_NEAR(button.progress(5.4), 0.5, 1e-9);
  EXPECT_FALSE(button.hold(1, 5.79, true));
  EXPECT_TRUE(button.hold(1, 5.81, true));
  EXPECT_DOUBLE_EQ(button.progress(5.82), 1.0);
  EXPECT_FALSE(button.hold(1, 5.85, true));
  EXPECT_TRUE(button.hold(1, 5.92, true));
}

}  // namespace
}  // namespace jointrig::gui
