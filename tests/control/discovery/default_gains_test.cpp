#include "control/discovery/default_gains.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>

#include "control/discovery/default_limits.h"
#include "control/discovery/tool_stiffness.h"

namespace jointrig {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(DefaultGains, TenHertzCriticallyDampedByHand) {
  const JointGains gains = default_gains({0.5, 0.5, 0.0}, 10.0);

  EXPECT_NEAR(gains.kp, 0.5 * 3947.84, 1e-2);  // (20 pi)^2
  EXPECT_NEAR(gains.kd, 62.832, 1e-3);         // 2 * 0.5 * 20 pi
  EXPECT_NEAR(gains.ki, gains.kp * 6.2832, 1e-1);
  EXPECT_NEAR(gains.stiffness, 0.5 * 157.914, 1e-3);  // (4 pi)^2
  EXPECT_NEAR(gains.damping, 12.566, 1e-3);
}

TEST(DefaultGains, ALoopWithMoreDelayGetsLessBandwidth) {
  EXPECT_EQ(stiff_bandwidth_hz(0.001, 1), 10.0);
  EXPECT_EQ(stiff_bandwidth_hz(0.0005, 1), 10.0);
  EXPECT_DOUBLE_EQ(stiff_bandwidth_hz(0.004, 1), 2.5);
  EXPECT_DOUBLE_EQ(stiff_bandwidth_hz(0.001, 3), 5.0);
}

/// A mass under the stiff law, sampled, delayed by `delay` cycles, with a velocity that is a
/// filtered difference, as boards give it. Returns the position error after `seconds`, from 0.01
/// at rest, with a constant disturbance of `push`.
double error_after(double seconds, double inertia, double period, int delay,
                   const JointGains& gains, double push = 0.0, double viscous = 0.0) {
  double q = 0.01;
  double v = 0.0;
  double last_q = q;
  double velocity = 0.0;
  double integral = 0.0;
  std::deque<double> pipe(static_cast<std::size_t>(delay), 0.0);
  const double forget = 1.0 - std::exp(-2.0 * kPi * 200.0 * period);
  for (double t = 0.0; t < seconds; t += period) {
    velocity += forget * ((q - last_q) / period - velocity);
    last_q = q;
    integral += -q * period;
    pipe.push_back(-gains.kp * q - gains.kd * velocity + gains.ki * integral);
    const double force = pipe.front() + push;
    pipe.pop_front();
    // Implicit in the damping, which may be stiff.
    const double v_next = (v + period * force / inertia) / (1.0 + period * viscous / inertia);
    q += 0.5 * period * (v + v_next);
    v = v_next;
  }
  return std::abs(q);
}

TEST(DefaultGains, SettleWithTheDelayOfTheLoopAtAnyPeriod) {
  const double inertia = 0.3;
  for (const double period : {0.0005, 0.001, 0.002, 0.005}) {
    for (const int delay : {0, 1, 2, 4}) {
      const double hz = stiff_bandwidth_hz(period, delay);
      const JointGains gains = default_gains({inertia, inertia, 0.0}, hz);
      // The integral is the slowest part: 1 / (0.1 ω); after fifteen of those a millionth is left.
      const double settled = 15.0 / (kIntegralFraction * 2.0 * kPi * hz);
      EXPECT_LT(error_after(settled, inertia, period, delay, gains), 1e-7)
          << "period " << period << " delay " << delay;
    }
  }
}

TEST(DefaultGains, StayStableWhereTheTrueInertiaIsFourTimesLessOrTenTimesMore) {
  const JointGains gains = default_gains({1.0, 1.0, 0.0}, 10.0);
  for (const double truth : {0.25, 0.5, 2.0, 10.0}) {
    EXPECT_LT(error_after(30.0, truth, 0.001, 1, gains), 1e-6) << truth;
  }
  EXPECT_FALSE(error_after(30.0, 0.15, 0.001, 1, gains) < 1.0) << "the gain margin is 4.7";
}

TEST(DefaultGains, TheIntegralTakesAwayWhatAnUnknownLoadLeaves) {
  const JointGains gains = default_gains({1.0, 1.0, 0.0}, 10.0);
  const double push = 0.05 * gains.kp;
  EXPECT_GT(error_after(0.1, 1.0, 0.001, 1, gains, push), 0.02);
  EXPECT_LT(error_after(3.0, 1.0, 0.001, 1, gains, push), 1e-5);
}

TEST(DefaultGains, AJointsOwnDampingIsCarriedByTheProportionalGain) {
  const double w = 20.0 * kPi;
  const double b = 3.0;
  const JointGains gains = default_gains({0.01, 0.01, b}, 10.0);

  EXPECT_NEAR(gains.kp, 0.01 * w * w + b * w, 1e-9);
  EXPECT_EQ(gains.viscous, b);
  // (s + w)(I s + I w + b) at s = -w is zero: I w² - (2 I w + b) w + kp.
  EXPECT_NEAR(0.01 * w * w - (gains.kd + b) * w + gains.kp, 0.0, 1e-9);
  for (const double truth : {0.3, 1.0, 3.0}) {
    EXPECT_LT(error_after(3.0, 0.01, 0.001, 1, gains, 0.0, truth * b), 1e-5) << truth;
  }
}

TEST(DefaultGains, TheIntegralIsSlowWhereAPoseIsMuchHeavier) {
  const JointGains even = default_gains({1.0, 1.0, 0.0}, 10.0);
  const JointGains uneven = default_gains({1.0, 50.0, 0.0}, 10.0);

  EXPECT_NEAR(uneven.ki, even.ki / 10.0, 1e-9);  // 1/100 of the bandwidth instead of 1/10
  EXPECT_LT(error_after(40.0, 50.0, 0.001, 1, uneven), 1e-4);
  EXPECT_FALSE(error_after(40.0, 50.0, 0.001, 1, even) < 0.01) << "unstable with the faster one";
}

JointFacts an_elbow() {
  JointFacts joint;
  joint.q_min = -1.0;
  joint.q_max = 2.0;
  joint.q_start = 0.5;
  joint.tau_max = 40.0;
  joint.inertia = 0.5;
  joint.load = 10.0;
  return joint;
}

TEST(DefaultLimits, FollowTheirRules) {
  const JointLimits limits = default_limits(an_elbow());

  EXPECT_EQ(limits.q_min, -1.0);
  EXPECT_EQ(limits.q_max, 2.0);
  EXPECT_DOUBLE_EQ(limits.soft_margin, 0.02);     // 1 % would be 0.03
  EXPECT_DOUBLE_EQ(limits.v_max, 2.0);            // the range would allow 6
  EXPECT_DOUBLE_EQ(limits.a_max, 10.0);           // half of 30 N·m would give 30
  EXPECT_DOUBLE_EQ(limits.tau_rate_max, 2000.0);  // full torque in 20 ms
  EXPECT_DOUBLE_EQ(limits.step_max, 0.02);
}

TEST(DefaultLimits, AShortRangeIsCrossedInHalfASecond) {
  JointFacts finger = an_elbow();
  finger.slide = true;
  finger.q_min = 0.0;
  finger.q_max = 0.04;
  finger.q_start = 0.02;
  const JointLimits limits = default_limits(finger);

  EXPECT_DOUBLE_EQ(limits.v_max, 0.08);
  EXPECT_DOUBLE_EQ(limits.a_max, 0.4);
  EXPECT_DOUBLE_EQ(limits.soft_margin, 0.0004);
}

TEST(DefaultLimits, ATinyRangeLeavesASpeedThatBoardsTakeForMotion) {
  JointFacts joint = an_elbow();
  joint.q_min = 0.45;
  joint.q_max = 0.55;
  EXPECT_DOUBLE_EQ(default_limits(joint).v_max, 0.5);
}

TEST(DefaultLimits, TheStartIsAlwaysAllowed) {
  JointFacts joint = an_elbow();
  joint.q_start = 1.995;
  EXPECT_NEAR(default_limits(joint).soft_margin, 0.005, 1e-12);
  joint.q_start = joint.q_min;
  EXPECT_EQ(default_limits(joint).soft_margin, 0.0);
}

constexpr Six kLeast{600.0, 600.0, 600.0, 20.0, 20.0, 20.0};
constexpr Six kMost{1300.0, 1300.0, 1300.0, 30.0, 30.0, 30.0};
using Mobility = Eigen::Matrix<double, 6, 6>;

Mobility mobility_of(const Six& inertia) {
  Mobility mobility = Mobility::Zero();
  for (int i = 0; i < 6; ++i) mobility(i, i) = 1.0 / inertia[static_cast<std::size_t>(i)];
  return mobility;
}

// k = m (4π)²: 157.914 N/m for 1 kg.
TEST(ToolStiffness, IsTwoHertzOnTheInertiaFeltBetweenItsFloorAndItsCap) {
  const Six stiffness =
      stiffness_by_inertia(mobility_of({2.0, 5.0, 20.0, 0.01, 0.15, 1.0}), kLeast, kMost);
  EXPECT_EQ(stiffness[0], 600.0);
  EXPECT_NEAR(stiffness[1], 789.568, 1e-2);
  EXPECT_EQ(stiffness[2], 1300.0);
  EXPECT_EQ(stiffness[3], 20.0);
  EXPECT_NEAR(stiffness[4], 23.687, 1e-3);
  EXPECT_EQ(stiffness[5], 30.0);
}

TEST(ToolStiffness, ACapBelowTheFloorWins) {
  const Six cap{450.0, 450.0, 450.0, 6.0, 6.0, 6.0};
  EXPECT_EQ(stiffness_by_inertia(mobility_of({1.0, 5.0, 20.0, 0.01, 0.15, 1.0}), kLeast, cap), cap);
}

TEST(ToolStiffness, WhereTheJointsCantMoveTheToolItIsTheCap) {
  EXPECT_EQ(stiffness_by_inertia(Mobility::Zero(), kLeast, kMost), kMost);
}

// Axes that move each other: K x = λ Λ x, whose λ are the eigenvalues of A K.
TEST(ToolStiffness, TheMeanOfTheModesIsTwoHertzWhereAxesMoveEachOther) {
  Mobility root = Mobility::Zero();
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k <= i; ++k) root(i, k) = i == k ? 0.5 : 0.1 * (i + 2 * k % 3);
  }
  const Mobility mobility = root * root.transpose();
  Six free{};
  Six any;
  any.fill(1e9);
  const Six k = stiffness_by_inertia(mobility, free, any);
  const Mobility modes =
      mobility * Eigen::Map<const Eigen::Matrix<double, 6, 1>>(k.data()).asDiagonal();
  EXPECT_NEAR(modes.eigenvalues().real().mean(), std::pow(2.0 * kPi * 2.0, 2), 1e-6);
}

TEST(DefaultLimits, AWeakMotorAcceleratesWithHalfOfWhatGravityLeaves) {
  JointFacts joint = an_elbow();
  joint.tau_max = 12.0;
  EXPECT_DOUBLE_EQ(default_limits(joint).a_max, 0.5 * 2.0 / 0.5);
}

TEST(DefaultLimits, AJointWithoutRangeHasNone) {
  JointFacts wheel = an_elbow();
  wheel.q_min = -std::numeric_limits<double>::infinity();
  wheel.q_max = std::numeric_limits<double>::infinity();
  const JointLimits limits = default_limits(wheel);

  EXPECT_TRUE(std::isinf(limits.q_max));
  EXPECT_EQ(limits.soft_margin, 0.0);
  EXPECT_EQ(limits.v_max, 2.0);
}

TEST(DefaultLimits, AMotorThatIsQuickerThanTheUsualSpeedMayBeAsFastAsItIsInFiveMilliseconds) {
  JointFacts wrist = an_elbow();
  wrist.tau_max = 7.0;

  EXPECT_DOUBLE_EQ(default_speed(wrist, 0.5), 2.0) << "0.07 rad/s in 5 ms";
  EXPECT_DOUBLE_EQ(default_speed(wrist, 0.01), 3.5) << "7 N·m / 0.01 kg·m² for 5 ms";
  EXPECT_DOUBLE_EQ(default_speed(wrist, 0.001), 2.0 * std::numbers::pi);
  wrist.slide = true;
  EXPECT_DOUBLE_EQ(default_speed(wrist, 0.01), 0.25) << "a finger is not meant to be fast";
}

TEST(DefaultLimits, ASpeedThatNoMotorReachesIsNoLimit) {
  JointFacts joint = an_elbow();
  EXPECT_FALSE(is_no_speed_limit(joint, 99.0));
  EXPECT_TRUE(is_no_speed_limit(joint, 100.0)) << "what files write where there is none";
  EXPECT_TRUE(is_no_speed_limit(joint, 1000.0));

  JointFacts finger = joint;
  finger.slide = true;
  finger.q_min = 0.0;
  finger.q_max = 0.05;
  EXPECT_FALSE(is_no_speed_limit(finger, 2.4));
  EXPECT_TRUE(is_no_speed_limit(finger, 5.0)) << "across in 10 ms";
  finger.q_max = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(is_no_speed_limit(finger, 5.0));
}

TEST(DefaultLimits, AnEstimatedTorqueCoversLoadFrictionAndMotionTwice) {
  JointFacts joint = an_elbow();
  joint.friction = 3.0;
  EXPECT_DOUBLE_EQ(estimated_torque(joint), 2.0 * (10.0 + 3.0 + 0.5 * 100.0));
}

}  // namespace
}  // namespace jointrig
