#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/motion/reference_generator.h"
#include "tests/control/motion/motion_limits.h"

namespace jointrig {
namespace {

/// 0.4 rad to and fro: at most 0.8 rad/s, 3.2 rad/s² (6.4 rad/s³).
MotionState swing(double t) {
  return {0.2 * (1 - std::cos(4 * t)), 0.8 * std::sin(4 * t), 3.2 * std::cos(4 * t)};
}

TEST(TrajectoryStream, SampledEachCycleTheReferenceIsTheSampleWithoutDelay) {
  ReferenceGenerator motion;
  motion.start(0.0, 0.0);
  for (int i = 0; i < 3000; ++i) {
    const MotionState sample = swing(i * kDt);
    motion.stream(sample, kDt, kLimits);
    const JointReference now = motion.advance(kDt, kLimits);
    ASSERT_DOUBLE_EQ(now.q, sample.q) << i;
    ASSERT_DOUBLE_EQ(now.v, sample.v);
    ASSERT_DOUBLE_EQ(now.a, sample.a);
    ASSERT_FALSE(motion.limited().notices().any());
  }
}

TEST(TrajectoryStream, BetweenSamplesItGoesOnAsSpeedAndAccelerationSay) {
  ReferenceGenerator motion;
  motion.start(0.5, 0.0);
  const MotionState sample{0.5, 0.005, 3.0};
  motion.stream(sample, kDt, kLimits);
  for (int i = 0; i < 200; ++i) {
    const double t = i * kDt;
    const JointReference now = motion.advance(kDt, kLimits);
    ASSERT_NEAR(now.q, 0.5 + 0.005 * t + 1.5 * t * t, 1e-12) << i;
    ASSERT_NEAR(now.v, 0.005 + 3.0 * t, 1e-12);
    ASSERT_DOUBLE_EQ(now.a, 3.0);
  }
}

TEST(TrajectoryStream, AtAHundredHertzItStaysWithinTheThirdOrderOfTheInterval) {
  ReferenceGenerator motion;
  motion.start(0.0, 0.0);
  for (int i = 0; i < 3000; ++i) {
    if (i % 10 == 0) motion.stream(swing(i * kDt), 10 * kDt, kLimits);
    const JointReference now = motion.advance(kDt, kLimits);
    // jerk t³ / 6 with 12.8 rad/s³, and as much again while the last error is made good
    ASSERT_NEAR(now.q, swing(i * kDt).q, 2 * 12.8 * 1e-6 / 6) << i;
  }
}

TEST(TrajectoryStream, GoesOnNoFasterThanTheJointMay) {
  ReferenceGenerator motion;
  motion.start(-1.5, 0.0);
  double v = 0.0;
  for (int i = 0; i < 600; ++i) {
    if (i == 0) motion.stream(MotionState{-1.5, 0.0, 8.0}, kDt, kLimits);
    const JointReference now = motion.advance(kDt, kLimits);
    ASSERT_LE(now.v, 2.0);
    v = now.v;
    if (now.v == 2.0) {
      EXPECT_EQ(now.a, 0.0);
    }
  }
  EXPECT_EQ(v, 2.0);
}

TEST(TrajectoryStream, UnderASpeedOverrideItGoesNoFasterThanThatShareAndSaysSo) {
  ReferenceGenerator motion;
  motion.start(0.0, 0.0);
  motion.set_speed_override(0.2);
  double peak = 0.0;
  bool told = false;
  for (int i = 0; i < 3000; ++i) {
    motion.stream(swing(i * kDt), kDt, kLimits);  // up to 0.8 rad/s
    const JointReference now = motion.advance(kDt, kLimits);
    ASSERT_LE(std::abs(now.v), 0.2 * kLimits.v_max + 1e-12) << i;
    peak = std::max(peak, std::abs(now.v));
    told = told || motion.limited().has(Limit::kVelocity);
  }
  EXPECT_NEAR(peak, 0.2 * kLimits.v_max, 1e-12);
  EXPECT_TRUE(told);
}

TEST(TrajectoryStream, BrakesInTimeForTheSoftLimitThatItLeadsBeyond) {
  ReferenceGenerator motion;
  motion.start(1.0, 0.0);
  motion.stream(MotionState{1.0, 0.0, 10.0}, kDt, kLimits);
  double before = 0.0;
  double v_before = 0.0;
  for (int i = 0; i < 2000; ++i) {
    const JointReference now = motion.advance(kDt, kLimits);
    ASSERT_LE(now.q, 1.9 + 1e-12);
    ASSERT_GE(now.v - v_before, -4 * 10.0 * kDt - 1e-9) << i;
    v_before = now.v;
    before = now.q;
  }
  EXPECT_NEAR(before, 1.9, 1e-9);
}

TEST(TrajectoryStream, AFarSampleIsCutAndNotedAndNeverAJolt) {
  ReferenceGenerator motion;
  motion.start(0.0, 0.0);
  motion.stream(MotionState{1.0, 5.0, -90.0}, kDt, kLimits);
  double v_before = 0.0;
  const JointReference first = motion.advance(kDt, kLimits);
  EXPECT_TRUE(motion.limited().notices().has(Limit::kStep));
  EXPECT_TRUE(motion.limited().notices().has(Limit::kVelocity));
  EXPECT_TRUE(motion.limited().notices().has(Limit::kAcceleration));
  v_before = first.v;
  for (int i = 0; i < 100; ++i) {
    const JointReference now = motion.advance(kDt, kLimits);
    ASSERT_LE(std::abs(now.v - v_before), 2 * 4 * 10.0 * kDt + 1e-9);
    v_before = now.v;
  }
}

TEST(TrajectoryStream, CatchesUpWithASenderThatIsAhead) {
  ReferenceGenerator motion;
  motion.start(0.0, 0.0);
  double q = 0.0;
  double longest = 0.0;
  for (int i = 0; i < 400; ++i) {
    const MotionState sample{0.15 + 0.5 * i * kDt, 0.5, 0.0};
    motion.stream(sample, kDt, kLimits);
    q = motion.advance(kDt, kLimits).q;
    if (std::abs(q - sample.q) > 1e-6) longest = i * kDt;
  }
  EXPECT_NEAR(q, 0.15 + 0.5 * 0.399, 1e-12);
  // 0.15 rad at 1.5 rad/s more than the sample's, and 2 x 1.5 / 40 s to get there and back.
  EXPECT_LT(longest, 0.2);
}

TEST(TrajectoryStream, AModeLeftInMotionForItGoesOnWithoutAJump) {
  ReferenceGenerator motion;
  motion.start(0.0, 0.0);
  motion.move(1.0, 1.0, kLimits);
  JointReference before{};
  for (int i = 0; i < 800; ++i) before = motion.advance(kDt, kLimits);
  motion.stream(MotionState{before.q, 0.0, 0.0}, kDt, kLimits);
  const JointReference now = motion.advance(kDt, kLimits);
  EXPECT_LE(std::abs(now.v - before.v), 4 * 10.0 * kDt + 1e-9);
}

}  // namespace
}  // namespace jointrig
