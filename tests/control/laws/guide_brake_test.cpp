/// The brake of a guided arm: it takes energy alone, and no faster than the loop can bear.

#include "control/laws/guide_brake.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <random>

#include "control/laws/cholesky.h"

namespace jointrig {
namespace {

constexpr Eigen::Index kJoints = 7;

/// An inertia like an arm's: of a joint at the wrist a thousandth of the shoulder's, and coupled.
ArmMatrix an_inertia(std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const Eigen::MatrixXd links =
      Eigen::MatrixXd::NullaryExpr(kJoints, kJoints, [&] { return any(random); });
  Eigen::VectorXd sizes(kJoints);
  for (Eigen::Index i = 0; i < kJoints; ++i) sizes[i] = std::pow(10.0, -0.25 * double(i));
  const Eigen::MatrixXd sum = links * links.transpose();
  return sizes.asDiagonal() * (sum + 0.05 * Eigen::MatrixXd::Identity(kJoints, kJoints)) *
         sizes.asDiagonal();
}

GuideBrake a_brake(std::mt19937& random) {
  std::uniform_real_distribution<double> size(0.0, 5.0);
  GuideBrake brake;
  brake.rate = size(random);
  brake.damping = size(random);
  brake.friction = ArmVector::NullaryExpr(kJoints, [&] { return size(random); });
  brake.friction[3] = 0.0;
  brake.slope = ArmVector::Zero(kJoints);
  return brake;
}

TEST(GuideBrake, TakesEnergyAlone) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-2.0, 2.0);
  for (int n = 0; n < 1000; ++n) {
    const ArmMatrix inertia = an_inertia(random);
    GuideBrake brake = a_brake(random);
    brake.fit(inertia, 0.005);
    const ArmVector v = ArmVector::NullaryExpr(kJoints, [&] { return any(random); });
    EXPECT_LE(brake.torque(inertia, v).dot(v), 0.0);
  }
}

TEST(GuideBrake, ItsFrictionIsNoSteeperThanTheLoopCanBear) {
  std::mt19937 random(6);
  for (int n = 0; n < 1000; ++n) {
    const ArmMatrix inertia = an_inertia(random);
    GuideBrake brake = a_brake(random);
    const double loop_time = 0.008;
    brake.fit(inertia, loop_time);
    const ArmMatrix slope = brake.slope.asDiagonal();
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(slope, inertia,
                                                                          Eigen::EigenvaluesOnly);
    EXPECT_LE(modes.eigenvalues().maxCoeff() * loop_time, GuideBrake::kBearable * 1.000001);
  }
}

TEST(GuideBrake, ItsFrictionGrowsNoFurtherWithTheHandsSpeed) {
  GuideBrake brake;
  const ArmMatrix inertia = ArmMatrix::Identity(1, 1);
  brake.friction = ArmVector::Constant(1, 2.0);
  brake.slope = ArmVector::Zero(1);
  brake.fit(inertia, 0.001);
  EXPECT_NEAR(brake.torque(inertia, ArmVector::Constant(1, 1.0))[0], -2.0, 0.01);
  EXPECT_NEAR(brake.torque(inertia, ArmVector::Constant(1, -10.0))[0], 2.0, 0.01);
  EXPECT_NEAR(brake.torque(inertia, ArmVector::Constant(1, GuideBrake::kCreep))[0],
              -2.0 / std::sqrt(2.0), 0.01);
}

}  // namespace
}  // namespace jointrig
