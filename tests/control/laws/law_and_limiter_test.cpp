#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "control/laws/joint_law.h"
#include "control/safety/limiter.h"
#include "tests/support/ideal_robot.h"

namespace jointrig {
namespace {

constexpr double kDt = 1e-3;
constexpr double kTauMax = 50.0;

JointGains gains(double kp, double ki, double kd) {
  JointGains g;
  g.inertia = 0.5;
  g.kp = kp;
  g.ki = ki;
  g.kd = kd;
  return g;
}

LawInput error(double e, double de = 0.0, double gravity = 0.0) {
  LawInput in;
  in.reference.q = e;
  in.reference.v = de;
  in.gravity = gravity;
  return in;
}

TEST(JointLaw, StiffIsPidWithGravityAndInertia) {
  JointLaw law;
  LawInput in = error(0.01, 0.2, 7.0);
  in.reference.a = 3.0;
  const double tau = law.torque(Law::kStiff, in, gains(100, 40, 5), kTauMax, kDt);
  EXPECT_NEAR(tau, 100 * 0.01 + 40 * 0.01 * kDt + 5 * 0.2 + 0.5 * 3.0 + 7.0, 1e-12);
}

TEST(JointLaw, InertiaTimesAccelerationIsTakenUpAtABoundedRate) {
  JointLaw law;
  LawInput in;
  in.feedforward_rate = 250.0;  // of 5 N·m: 20 ms
  in.reference.a = 10.0;
  const JointGains g = gains(0, 0, 0);
  for (int i = 1; i <= 20; ++i) {
    EXPECT_NEAR(law.torque(Law::kStiff, in, g, kTauMax, kDt), 0.25 * i, 1e-12);
  }
  EXPECT_NEAR(law.torque(Law::kStiff, in, g, kTauMax, kDt), 5.0, 1e-12);
}

TEST(JointLaw, AChangeOfLawInMotionIsBlendedWithoutTheAccelerationOfItsFirstCycle) {
  JointLaw law;
  LawInput in = error(0.0, 0.0, 3.0);
  in.feedforward_rate = 250.0;
  law.sent(law.torque(Law::kTorque, in, gains(0, 0, 0), kTauMax, kDt));  // 3 N·m: all is in balance
  in.reference.a = -10.0;                                                // braking, for 30 ms
  for (int i = 1; i <= 100; ++i) {
    if (i == 31) in.reference.a = 0.0;
    const double tau = law.torque(Law::kStiff, in, gains(0, 0, 0), kTauMax, kDt);
    law.sent(tau);
    // A blend that took the −5 N·m of the first cycle for the law's would still add 2.5 here.
    if (i >= 51) {
      EXPECT_NEAR(tau, 3.0, 0.25 + 1e-9) << i;
    }
  }
}

TEST(JointLaw, OutOfADutyComputedTorqueBrakesAtOnce) {
  JointLaw law;
  LawInput in;
  in.reference.tau = -1.1;  // drives it down
  law.sent(law.torque(Law::kDuty, in, gains(0, 0, 0), kTauMax, kDt));
  in = error(0.0, 0.0, -0.3);
  in.computed = 1.0;  // brakes it
  // A blend from the torque of the duty would drive it on, by -1.1 here and -0.2 after 50 ms.
  EXPECT_NEAR(law.torque(Law::kStiff, in, gains(0, 0, 0), kTauMax, kDt), 1.0 - 0.3, 1e-12);
}

TEST(JointLaw, CompliantIsASpringAndADamperWithGravity) {
  JointLaw law;
  LawInput in = error(0.3, -0.1, 2.0);
  in.stiffness = 20.0;
  in.damping = 1.5;
  EXPECT_NEAR(law.torque(Law::kCompliant, in, gains(1e3, 1e3, 1e2), kTauMax, kDt),
              20 * 0.3 - 1.5 * 0.1 + 2.0, 1e-12);
}

TEST(JointLaw, AChangeOfLawGoesOnFromTheTorqueLastSentAndIsOverInATenthOfASecond) {
  JointLaw law;
  LawInput in = error(0.1);
  in.stiffness = 10.0;
  law.sent(law.torque(Law::kStiff, in, gains(100, 0, 0), kTauMax, kDt));  // 10 N·m
  double last = 10.0;
  for (int i = 0; i < 100; ++i) {
    const double tau = law.torque(Law::kCompliant, in, gains(100, 0, 0), kTauMax, kDt);
    if (i == 0) {
      EXPECT_NEAR(tau, 10.0, 1e-12);
    }
    EXPECT_LE(std::abs(tau - last), 9.0 * kDt / JointLaw::kBlendTime + 1e-9);
    law.sent(tau);
    last = tau;
  }
  EXPECT_NEAR(law.torque(Law::kCompliant, in, gains(100, 0, 0), kTauMax, kDt), 1.0, 1e-9);
}

TEST(JointLaw, AChangeOfStiffnessWhileItActsGoesOnWithoutAStep) {
  JointLaw law;
  LawInput in = error(0.2);
  in.stiffness = 10.0;
  law.sent(law.torque(Law::kCompliant, in, gains(0, 0, 0), kTauMax, kDt));
  in.stiffness = 100.0;
  EXPECT_NEAR(law.torque(Law::kCompliant, in, gains(0, 0, 0), kTauMax, kDt), 2.0, 1e-12);
}

TEST(JointLaw, TheIntegralDoesNotGrowAgainstALimit) {
  JointLaw law;
  const JointGains g = gains(10, 1000, 0);
  for (int i = 0; i < 1000; ++i) {
    law.torque(Law::kStiff, error(1.0), g, kTauMax, kDt);
    law.sent(5.0);  // safety lets only 5 N·m through
  }
  // Released, the law asks for its proportional part and one step of the integral.
  EXPECT_NEAR(law.torque(Law::kStiff, error(1.0), g, kTauMax, kDt), 10.0 + 1.0, 1e-9);
}

TEST(JointLaw, AJointThatWasOffStartsWithTheLawAtOnce) {
  JointLaw law;
  EXPECT_NEAR(law.torque(Law::kStiff, error(0, 0, 12.0), gains(100, 0, 1), kTauMax, kDt), 12.0,
              1e-12);
}

// ---- limiter

JointConfig joint() { return testing::ideal_config(1).joints[0]; }

TEST(Limiter, TheTorqueStepFromCycleToCycleIsBoundedByItsRate) {
  Limiter limiter;
  ActingLimits limited;
  limiter.reset(0.0, 0.0);
  double last = 0.0;
  for (int i = 0; i < 100; ++i) {
    const double wish = i % 7 < 3 ? 1e6 : -1e6;
    const double tau = limiter.feedforward(wish, joint().limits, kDt, limited);
    EXPECT_LE(std::abs(tau - last), joint().limits.tau_rate_max * kDt + 1e-12);
    EXPECT_LE(std::abs(tau), joint().limits.tau_max);
    last = tau;
  }
  EXPECT_TRUE(limited.has(Limit::kTorque));
  EXPECT_TRUE(limited.has(Limit::kTorqueRate));
}

TEST(Limiter, FarFromItsLimitsItChangesNothing) {
  Limiter limiter;
  ActingLimits limited;
  limiter.reset(0.0, 0.0);
  EXPECT_EQ(limiter.feedforward(1.25, joint().limits, kDt, limited), 1.25);
  EXPECT_FALSE(limited.any());
}

TEST(Limiter, PositionsMoveNoFasterThanTheJointMay) {
  Limiter limiter;
  ActingLimits limited;
  limiter.reset(0.5, 0.0);
  const JointLimits limits = joint().limits;
  EXPECT_DOUBLE_EQ(limiter.position(2.0, limits, kDt, limited), 0.5 + limits.v_max * kDt);
  EXPECT_TRUE(limited.has(Limit::kVelocity));
  EXPECT_NEAR(limited.cut(Limit::kVelocity).wanted, 1.5 / kDt, 1e-9);  // rad/s
  EXPECT_EQ(limited.cut(Limit::kVelocity).bound, limits.v_max);
  for (int i = 0; i < 5000; ++i) limiter.position(99.0, limits, kDt, limited);
  EXPECT_DOUBLE_EQ(limiter.position(99.0, limits, kDt, limited), limits.q_max);
}

TEST(Limiter, NotANumberIsHandedOnForTheFiniteCheckAndNotRemembered) {
  Limiter limiter;
  ActingLimits limited;
  limiter.reset(0.0, 0.0);
  limiter.feedforward(1.0, joint().limits, kDt, limited);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(limiter.feedforward(nan, joint().limits, kDt, limited)));
  EXPECT_EQ(limiter.last_torque(), 1.0);
}

}  // namespace
}  // namespace jointrig
