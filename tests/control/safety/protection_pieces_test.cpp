/// Protections beside every mode, each by itself.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "control/safety/admission.h"
#include "control/safety/contact_detector.h"
#include "control/safety/repulsion.h"
#include "control/safety/suppression.h"

namespace jointrig {
namespace {

constexpr double kDt = 1e-3;

TEST(Repulsion, IsTheSlopeOfHalfKTimesTheOverlapSquared) {
  CollisionAvoidanceConfig config;
  config.margin = 0.04;
  config.stiffness = 3000.0;
  const auto potential = [&](double d) {
    const double o = std::max(config.margin - d, 0.0);
    return 0.5 * config.stiffness * o * o;
  };
  constexpr double kStep = 1e-6;
  for (double d = -0.02; d < 0.06; d += 0.0013) {
    const double slope = (potential(d + kStep) - potential(d - kStep)) / (2.0 * kStep);
    EXPECT_NEAR(repulsion(config, d, 0.0), -slope, 1e-2) << d;
  }
}

TEST(Repulsion, DampsApproachAloneAndHasNoStep) {
  const CollisionAvoidanceConfig config;
  const double d = 0.5 * config.margin;
  const double still = repulsion(config, d, 0.0);
  EXPECT_EQ(repulsion(config, d, 0.7), still);
  EXPECT_DOUBLE_EQ(repulsion(config, d, -0.7), still + config.damping * 0.7 * 0.5);
  EXPECT_LT(repulsion(config, config.margin - 1e-6, -2.0), 0.01);
  EXPECT_EQ(repulsion(config, config.margin, -2.0), 0.0);
}

TEST(ContactThresholds, AreSharesOfTheTorqueLimitAboveWhatFrictionLooksLike) {
  JointConfig joint;
  joint.limits.tau_max = 100.0;
  EXPECT_DOUBLE_EQ(impact_threshold(joint), 15.0);
  EXPECT_DOUBLE_EQ(squish_threshold(joint), 25.0);
  joint.gains.friction = 12.0;
  EXPECT_DOUBLE_EQ(impact_threshold(joint), 18.0);
  EXPECT_DOUBLE_EQ(squish_threshold(joint), 25.0);
  joint.gains.friction = 60.0;
  EXPECT_DOUBLE_EQ(impact_threshold(joint), 90.0);
  EXPECT_DOUBLE_EQ(squish_threshold(joint), 90.0);
  joint.impact_torque = 8.0;
  joint.squish_torque = 9.0;
  EXPECT_DOUBLE_EQ(impact_threshold(joint), 8.0) << "as the file says";
  EXPECT_DOUBLE_EQ(squish_threshold(joint), 9.0);
}

TEST(Suppression, LastsAFifthOfASecondAfterTheLastMessage) {
  Suppression suppression(2);
  EXPECT_TRUE(suppression.take(1, Suppressible::kCuff));
  EXPECT_FALSE(suppression.take(1, Suppressible::kCuff));
  int cycles = 0;
  while (suppression.is_suppressed(1, Suppressible::kCuff)) {
    EXPECT_FALSE(suppression.is_suppressed(0, Suppressible::kCuff));
    EXPECT_FALSE(suppression.is_suppressed(1, Suppressible::kContactSafety));
    const Suppression::Outcome outcome = suppression.advance(kDt);
    ++cycles;
    const bool still = suppression.is_suppressed(1, Suppressible::kCuff);
    EXPECT_EQ(outcome.ended.has(Suppressible::kCuff), !still);
    if (!still) {
      EXPECT_EQ(outcome.joint[static_cast<std::size_t>(Suppressible::kCuff)], 1);
    }
    ASSERT_LT(cycles, 1000);
  }
  EXPECT_EQ(cycles, 200);
}

TEST(Suppression, GoesOnAsLongAsMessagesComeFasterThanFiveAFifth) {
  Suppression suppression(1);
  for (int i = 0; i < 3000; ++i) {
    if (i % 190 == 0) suppression.take(0, Suppressible::kGravityCompensation);
    suppression.advance(kDt);
    EXPECT_TRUE(suppression.is_suppressed(0, Suppressible::kGravityCompensation)) << i;
  }
  EXPECT_NEAR(suppression.suppressed_for(Suppressible::kGravityCompensation), 3.0, 1e-9);
}

TEST(Suppression, OfSlowerMessagesFallsBackInBetween) {
  Suppression suppression(1);
  int off = 0;
  for (int i = 0; i < 1000; ++i) {
    if (i % 250 == 0) suppression.take(0, Suppressible::kCollisionAvoidance);
    suppression.advance(kDt);
    if (!suppression.is_suppressed(0, Suppressible::kCollisionAvoidance)) ++off;
  }
  EXPECT_EQ(off, 4 * 51);  // the cycle of the message counts
}

TEST(Suppression, IsBlendedInAndOut) {
  Suppression suppression(1);
  double before = 1.0;
  for (int i = 0; i < 1000; ++i) {
    if (i < 300 && i % 100 == 0) suppression.take(0, Suppressible::kGravityCompensation);
    suppression.advance(kDt);
    const double share = suppression.share(0, Suppressible::kGravityCompensation);
    EXPECT_LE(std::abs(share - before), kDt / Suppression::kBlendTime + 1e-12);
    if (i > 150 && i < 390) {
      EXPECT_NEAR(share, 0.0, 1e-12);
    }
    before = share;
  }
  EXPECT_NEAR(before, 1.0, 1e-12);
}

class Detector : public ::testing::Test {
 protected:
  /// Runs for so long; returns true if it reported a contact, which is kept.
  bool feels(double tau0, double tau1, double seconds) {
    joints_[0].tau = tau0;
    joints_[1].tau = tau1;
    for (int i = 0; i < std::lround(seconds / kDt); ++i) {
      ++cycles_;
      if (const auto contact = detector_.advance(config_, joints_, kDt)) {
        contact_ = *contact;
        return true;
      }
    }
    return false;
  }
  CollisionDetectionConfig config_;
  std::array<ContactDetector::Joint, 2> joints_{
      ContactDetector::Joint{0.0, {10.0, 20.0}, true, true},
      ContactDetector::Joint{0.0, {4.0, 8.0}, true, true}};
  ContactDetector detector_;
  ContactDetector::Contact contact_;
  int cycles_ = 0;
};

TEST_F(Detector, TellsASuddenTorqueAtOnceWithTheLargestShare) {
  EXPECT_FALSE(feels(0.0, 0.0, 0.1));
  cycles_ = 0;
  // 11 of 10 and 6 of 4, less the part that the low-pass has followed in a cycle.
  EXPECT_TRUE(feels(11.0, -6.0, 0.1));
  EXPECT_EQ(cycles_, 1);
  EXPECT_EQ(contact_.kind, ContactKind::kImpact);
  EXPECT_EQ(contact_.joint, 1);
  EXPECT_NEAR(contact_.value, 6.0 * (1.0 - kDt / config_.impact_time), 1e-9);
  EXPECT_EQ(contact_.threshold, 4.0);
}

TEST_F(Detector, TakesNoSlowTorqueForAnImpact) {
  for (double tau = 0.0; tau < 19.0; tau += 0.05) EXPECT_FALSE(feels(tau, 0.0, kDt)) << tau;
}

TEST_F(Detector, TellsASquishOnceItHasLasted) {
  for (double tau = 0.0; tau < 7.9; tau += 0.01) EXPECT_FALSE(feels(0.0, tau, kDt));
  cycles_ = 0;
  EXPECT_TRUE(feels(0.0, 8.5, 1.0));
  EXPECT_EQ(cycles_, 100);
  EXPECT_EQ(contact_.kind, ContactKind::kSquish);
  EXPECT_EQ(contact_.joint, 1);
  EXPECT_EQ(contact_.value, 8.5);
}

TEST_F(Detector, CountsASquishAnewAfterABreak) {
  for (double tau = 0.0; tau < 7.9; tau += 0.01) EXPECT_FALSE(feels(0.0, tau, kDt));
  EXPECT_FALSE(feels(0.0, 8.5, 0.09));
  EXPECT_FALSE(feels(0.0, 7.5, kDt));
  EXPECT_FALSE(feels(0.0, 8.5, 0.09));
  EXPECT_TRUE(feels(0.0, 8.5, 0.02));
}

TEST_F(Detector, LooksAwayFromJointsThatAreNotWatched) {
  EXPECT_FALSE(feels(0.0, 0.0, 0.1));
  joints_[0].watch_impact = joints_[0].watch_squish = false;
  EXPECT_FALSE(feels(100.0, 0.0, 1.0));
  EXPECT_EQ(detector_.impact(), 0.0);
}

TEST_F(Detector, TakesNoNoiseOfAnEncoderForAnImpactAndFindsABlowInIt) {
  std::mt19937 random;
  std::normal_distribution<double> noise(0.0, 4.0);  // of 10 N·m, the threshold
  for (int i = 0; i < 60'000; ++i) ASSERT_FALSE(feels(noise(random), 0.0, kDt)) << i;
  // 7 · 4 N·m: a blow of 45, which rises in 5 ms.
  bool is_felt = false;
  for (int i = 0; i < 20 && !is_felt; ++i) {
    is_felt = feels(45.0 * -std::expm1(-i / 5.0) + noise(random), 0.0, kDt);
  }
  EXPECT_TRUE(is_felt);
  EXPECT_NEAR(contact_.threshold, 28.0, 4.0);
  // The noise is over: three seconds later the threshold is the own one again.
  for (int i = 0; i < 3000; ++i) feels(0.0, 0.0, kDt);
  EXPECT_TRUE(feels(11.0, 0.0, kDt));
  EXPECT_EQ(contact_.threshold, 10.0);
}

TEST_F(Detector, SurvivesATorqueThatIsNoNumber) {
  EXPECT_FALSE(feels(0.0, 0.0, 0.1));
  EXPECT_FALSE(feels(std::nan(""), 0.0, 0.1));
  EXPECT_TRUE(feels(15.0, 0.0, 0.1));
}

TEST(Admission, TakesNoSuppressionOrProtectionThatThereIsNot) {
  const JointSet one = JointSet{}.set(0);
  EXPECT_FALSE(check_shape(Suppress{one, static_cast<Suppressible>(3)}, 1, 0));
  EXPECT_EQ(check_shape(Suppress{one, static_cast<Suppressible>(4)}, 1, 0).reason,
            RejectReason::kOutOfRange);
  EXPECT_EQ(check_shape(Suppress{}, 1, 0).reason, RejectReason::kSizeMismatch) << "of no joint";
  EXPECT_FALSE(check_shape(SetProtection{static_cast<Protection>(1), true}, 1, 0));
  EXPECT_EQ(check_shape(SetProtection{static_cast<Protection>(2), true}, 1, 0).reason,
            RejectReason::kOutOfRange);
}

}  // namespace
}  // namespace jointrig
