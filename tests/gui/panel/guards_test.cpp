#include "gui/panel/guards.h"

#include <gtest/gtest.h>

namespace jointrig {
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

}  // namespace
}  // namespace jointrig
