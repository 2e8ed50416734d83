#include "hw/driver/joint_track.h"

#include <gtest/gtest.h>

namespace jointrig::hw {
namespace {

TEST(JointTrack, CarriesOnForTwoCyclesWhereBusAndLoopAreOne) {
  JointTrack track(1e-3, 0.0);
  track.take(1.0, 2.0);
  EXPECT_DOUBLE_EQ(track.q(), 1.0);
  track.carry_on();
  EXPECT_DOUBLE_EQ(track.q(), 1.002);
  track.carry_on();
  EXPECT_DOUBLE_EQ(track.q(), 1.004);
  track.carry_on();
  EXPECT_DOUBLE_EQ(track.q(), 1.004) << "stays";
  EXPECT_EQ(track.age(), 3U);
}

TEST(JointTrack, GoesOnBetweenTheCyclesOfASlowerBusUntilTheThirdMiss) {
  JointTrack track(4e-3, 0.0, 1e-3);
  track.take(1.0, 2.0);
  EXPECT_DOUBLE_EQ(track.q(0.0), 1.0);
  EXPECT_DOUBLE_EQ(track.q(3e-3), 1.006);
  EXPECT_DOUBLE_EQ(track.q(6e-3), 1.012) << "the next answers may take until 0.6 T";
  track.carry_on();
  EXPECT_DOUBLE_EQ(track.q(2e-3), 1.012) << "the same instant, with the miss known";
  track.carry_on();
  EXPECT_DOUBLE_EQ(track.q(3e-3), 1.022) << "the last period before the third SYNC without answer";
  EXPECT_DOUBLE_EQ(track.q(4e-3), 1.022);
  track.carry_on();
  EXPECT_DOUBLE_EQ(track.q(0.0), 1.022) << "no step back";
}

TEST(JointTrack, ALateSampleIsOneCycleOld) {
  JointTrack track(4e-3, 0.0, 1e-3);
  track.take(1.0, 2.0);
  track.was_late();
  EXPECT_EQ(track.age(), 1U);
  EXPECT_DOUBLE_EQ(track.q(1e-3), 1.010);
}

TEST(JointTrack, AJumpIsJudgedOverTheCycleOfTheBus) {
  JointTrack track(4e-3, 1.0, 1e-3);  // 2 v_max T = 8 mrad
  track.take(1.0, 0.0);
  EXPECT_EQ(track.take(1.0079, 0.0), JointTrack::Verdict::kTaken);
  EXPECT_EQ(track.take(1.0160, 0.0), JointTrack::Verdict::kReplaced);
}

TEST(JointTrack, CyclesThatTheHostLeftOutAreTimeInWhichTheJointMovedAndNoSilence) {
  constexpr double kT = 0.001;
  constexpr double kFast = 2.0;  // [rad/s], v_max
  JointTrack track(kT, kFast);
  track.take(0.0, kFast);
  track.skip(19);
  EXPECT_EQ(track.age(), 0U);
  // It went on for five cycles, then stopped.
  EXPECT_EQ(track.take(5 * kT * kFast, 0.0), JointTrack::Verdict::kTaken);
  EXPECT_EQ(track.take(0.5, 0.0), JointTrack::Verdict::kReplaced) << "only once";
}

}  // namespace
}  // namespace jointrig::hw
