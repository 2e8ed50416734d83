#include "control/laws/sampled_loop.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>
#include <numbers>
#include <tuple>
#include <vector>

namespace jointrig {
namespace {

constexpr double kPeriod = 1e-3;

Eigen::MatrixXd mass_of(double kg) { return Eigen::MatrixXd::Constant(1, 1, kg); }

double rate_of(const LoopJoint& joint, double inertia, double share = 1.0) {
  return loop_growth({joint}, mass_of(inertia), share, kPeriod).rate;
}

// q += v dt + a dt²/2, v += a dt with a = −kp q − kd v: λ² − (2 − kd dt − kp dt²/2) λ
// + (1 − kd dt + kp dt²/2) = 0.
TEST(SampledLoop, DecaysAtTheEigenvalueOfASpringAndADamper) {
  const LoopJoint joint{.kp = 400.0, .kd = 4.0};
  const double trace = 2.0 - 4.0 * kPeriod - 0.5 * 400.0 * kPeriod * kPeriod;
  const double product = 1.0 - 4.0 * kPeriod + 0.5 * 400.0 * kPeriod * kPeriod;
  const std::complex<double> root = std::sqrt(std::complex<double>(trace * trace - 4.0 * product));
  const double by_hand = std::log(std::abs(0.5 * (trace + root))) / kPeriod;
  const LoopGrowth growth = loop_growth({joint}, mass_of(1.0), 1.0, kPeriod);
  EXPECT_NEAR(growth.rate, by_hand, 0.02);
  // ω² = kp − (kd/2)²
  EXPECT_NEAR(growth.frequency_hz, std::sqrt(400.0 - 4.0) / (2.0 * std::numbers::pi), 0.3);
}

// v += −(kd/M) dt v: |1 − kd dt/M| = 1 at kd = 2 M/dt; with a cycle of delay λ² − λ + kd dt/M = 0,
// |λ| = 1 at kd = M/dt.
TEST(SampledLoop, ADamperSwingsUpBeyondTwoMassesPerPeriodAndBeyondOneWithACycleOfDelay) {
  const double m = 0.2;
  EXPECT_LT(rate_of({.kd = 1.98 * m / kPeriod}, m), 0.0);
  EXPECT_GT(rate_of({.kd = 2.02 * m / kPeriod}, m), 0.0);
  EXPECT_LT(rate_of({.kd = 0.98 * m / kPeriod, .delay = 1}, m), 0.0);
  EXPECT_GT(rate_of({.kd = 1.02 * m / kPeriod, .delay = 1}, m), 0.0);
}

// On a bus of 2 ms the damper holds its torque for two periods.
TEST(SampledLoop, ASlowBusHalvesTheDampingThatIsStable) {
  EXPECT_LT(rate_of({.kd = 0.98 / kPeriod, .cycle = 2}, 1.0), 0.0);
  EXPECT_GT(rate_of({.kd = 1.02 / kPeriod, .cycle = 2}, 1.0), 0.0);
}

// M s³ + kd s² + kp s + ki = 0 (Routh): stable while kd kp > M ki.
TEST(SampledLoop, AnIntegralSwingsUpBeyondRouthsBound) {
  const double bound = 2.0 * 100.0;
  EXPECT_LT(rate_of({.kp = 100.0, .ki = 0.85 * bound, .kd = 2.0}, 1.0), 0.0);
  EXPECT_GT(rate_of({.kp = 100.0, .ki = 1.15 * bound, .kd = 2.0}, 1.0), 0.0);
}

// servo_law.h states from where to where the loop is stable; servo_law_test has its own servo.
TEST(SampledLoop, ComputedTorqueHasTheRangeOfInertiasThatItsHeaderStates) {
  const double lag = 1.0 / (2.0 * std::numbers::pi * 200.0);
  for (const auto& [delay, low, high] : {std::tuple{1, 0.10, 9.4}, std::tuple{3, 0.165, 9.0}}) {
    const double time = kPeriod * (delay + 1) + lag;
    const LoopJoint joint{.is_computed = true,
                          .servo = servo_design(time, JointGains{}),
                          .velocity_lag = lag,
                          .delay = delay};
    EXPECT_GT(rate_of(joint, 0.3, 0.85 * low), 0.0) << delay;
    EXPECT_LT(rate_of(joint, 0.3, 1.15 * low), 0.0) << delay;
    EXPECT_LT(rate_of(joint, 0.3, 0.9 * high), 0.0) << delay;
    EXPECT_GT(rate_of(joint, 0.3, 1.1 * high), 0.0) << delay;
  }
}

// Two joints with the same springs feel the inertia of both and of their difference: it is the
// light motion that a damper with delay swings up.
TEST(SampledLoop, FindsTheLightMotionOfTwoCoupledJoints) {
  Eigen::MatrixXd inertia(2, 2);
  inertia << 1.0, 0.9, 0.9, 1.0;  // eigenvalues 0.1 and 1.9
  const auto both = [](double kd) {
    return std::vector<LoopJoint>(2, LoopJoint{.kd = kd, .delay = 1});
  };
  EXPECT_LT(loop_growth(both(0.098 / kPeriod), inertia, 1.0, kPeriod).rate, 0.0);
  EXPECT_GT(loop_growth(both(0.102 / kPeriod), inertia, 1.0, kPeriod).rate, 0.0);
}

// b/M = 5000/s: its own damping alone stops the joint within a fifth of a ms, and swings nothing.
TEST(SampledLoop, ALightJointInMuchFrictionDoesntSwing) {
  EXPECT_LT(rate_of({.kp = 1e-4, .viscous = 0.01, .delay = 1}, 2e-6), 0.0);
}

TEST(SampledLoop, GainsBetweenJointsGrowAsThoseOfASingleOne) {
  const CoupledGains coupled{Eigen::MatrixXd::Constant(1, 1, 900.0),
                             Eigen::MatrixXd::Constant(1, 1, 12.0)};
  for (const int delay : {0, 3, 30}) {
    const LoopJoint alone{.kp = 900.0, .kd = 12.0, .velocity_lag = 1e-3, .delay = delay};
    const LoopJoint lags{.velocity_lag = 1e-3, .delay = delay};
    const double expected = rate_of(alone, 1.5);
    EXPECT_NEAR(loop_growth({lags}, mass_of(1.5), 1.0, kPeriod, &coupled).rate, expected, 1e-9);
    EXPECT_EQ(expected > 0.0, delay == 30);
  }
}

// A spring between two joints and one to the ground, k = 100 on 1 kg each: the modes of
// (3 ± √5)/2 k. With D = 2 ζ √K̄ (here M = 1) each has the ratio ζ, and the slow one decays last.
TEST(SampledLoop, TheSlowestOfTwoModesThatAreSprungTogetherDecaysByItsRatio) {
  constexpr double kRatio = 0.02;
  Eigen::MatrixXd k(2, 2);
  k << 200.0, -100.0, -100.0, 100.0;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(k);
  const CoupledGains coupled{k, 2.0 * kRatio * modes.operatorSqrt()};
  const double slow = std::sqrt(modes.eigenvalues()[0]);
  const std::vector<LoopJoint> joints(2);
  const Eigen::MatrixXd mass = Eigen::MatrixXd::Identity(2, 2);
  const double rate = loop_growth(joints, mass, 1.0, kPeriod, &coupled).rate;
  // Sampled springs take ω² dt / 4 of it, by half a period of hold; something of the fast one, with
  // a rate of 0.32, is left.
  const double slowest = kRatio * slow - 0.25 * kPeriod * slow * slow;
  EXPECT_LT(rate, -slowest + 0.01);
  EXPECT_GT(rate, -0.32);
}

}  // namespace
}  // namespace jointrig
