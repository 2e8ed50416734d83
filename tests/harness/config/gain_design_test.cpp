#include "harness/config/gain_design.h"

#include <cmath>
#include <complex>
#include <numbers>

#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

// Roots of I s^2 + (kd + b) s + kp: the closed loop without its integral.
std::pair<std::complex<double>, std::complex<double>> poles(const JointGains& gains) {
  const double b = gains.kd + gains.viscous;
  const std::complex<double> root =
      std::sqrt(std::complex<double>(b * b - 4.0 * gains.inertia * gains.kp));
  return {(-b + root) / (2.0 * gains.inertia), (-b - root) / (2.0 * gains.inertia)};
}

TEST(GainDesign, BandwidthPutsThePolesOfAnUndampedJointThere) {
  JointConfig joint = a_joint("r_elbow", false);
  change_bandwidth(joint, 5.0);
  const auto [first, second] = poles(joint.gains);
  EXPECT_NEAR(first.real(), -2.0 * std::numbers::pi * 5.0, 1e-5);
  EXPECT_NEAR(std::abs(first - second), 0.0, 1e-4);  // critical, as it was
}

TEST(GainDesign, BandwidthPutsOnePoleOfADampedJointThere) {
  JointConfig joint = a_joint("r_elbow", false);
  joint.gains.viscous = 3.0;
  joint.gains.kp = 0.25 * 20.0 * 20.0 + 3.0 * 20.0;
  change_bandwidth(joint, 5.0);
  EXPECT_NEAR(poles(joint.gains).first.real(), -2.0 * std::numbers::pi * 5.0, 1e-6);
}

TEST(GainDesign, BandwidthKeepsDampingRatioAndIntegral) {
  JointConfig joint = a_joint("r_elbow", false);
  joint.gains.kd = 7.0;  // damping ratio 0.7
  change_bandwidth(joint, 40.0 / (2.0 * std::numbers::pi));
  EXPECT_NEAR(joint.gains.kp, 400.0, 1e-10);  // 0.25 * 40^2
  EXPECT_NEAR(joint.gains.kd, 2 * 0.7 * 0.25 * 40, 1e-12);
  EXPECT_NEAR(joint.gains.ki, 400.0 * 40.0 / 10.0, 1e-9);  // a tenth of kp w
}

TEST(GainDesign, TheBandwidthThatThereWasChangesNothing) {
  JointConfig joint = a_joint("r_elbow", false);
  joint.gains.viscous = 3.0;
  const JointGains before = joint.gains;
  // I w^2 + b w = kp, by hand: w = (-3 + sqrt(9 + 100)) / 0.5
  change_bandwidth(joint, (-3.0 + std::sqrt(109.0)) / 0.5 / (2.0 * std::numbers::pi));
  EXPECT_NEAR(joint.gains.kp, before.kp, 1e-10);
  EXPECT_NEAR(joint.gains.kd, before.kd, 1e-12);
  EXPECT_NEAR(joint.gains.ki, before.ki, 1e-10);
}

TEST(GainDesign, DampingRatioChangesTheDampingAlone) {
  JointConfig joint = a_joint("r_elbow", false);
  change_damping_ratio(joint, 0.5);
  EXPECT_NEAR(joint.gains.kd, 5.0, 1e-12);
  EXPECT_EQ(joint.gains.kp, 100.0);
  EXPECT_EQ(joint.gains.ki, 200.0);
}

TEST(GainDesign, InertiaChangesGainsInProportion) {
  JointConfig joint = a_joint("r_elbow", false);
  change_inertia(joint, 0.5);
  EXPECT_EQ(joint.gains.inertia, 0.5);
  EXPECT_NEAR(joint.gains.kp, 200.0, 1e-10);
  EXPECT_NEAR(joint.gains.ki, 400.0, 1e-9);
  EXPECT_NEAR(joint.gains.kd, 20.0, 1e-12);
  EXPECT_NEAR(joint.gains.stiffness, 32.0, 1e-12);
  EXPECT_NEAR(joint.gains.damping, 8.0, 1e-12);
}

TEST(GainDesign, TheInertiaThatThereWasChangesNoBit) {
  JointConfig joint = a_joint("r_elbow", false);
  joint.gains.viscous = 0.3;
  const JointGains before = joint.gains;
  change_inertia(joint, before.inertia);
  EXPECT_EQ(joint.gains, before);
}

TEST(GainDesign, InertiaOfAJointThatHadNoneSetsItAlone) {
  JointConfig joint;
  change_inertia(joint, 0.5);
  EXPECT_EQ(joint.gains.inertia, 0.5);
  EXPECT_EQ(joint.gains.kp, 0.0);
}

}  // namespace
}  // namespace jointrig::harness
