#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <random>

#include "control/laws/joint_torques.h"
#include "control/laws/posture.h"
#include "tests/support/algebra.h"

namespace jointrig {
namespace {

/// Seven joints with some Jacobian and inertia.
struct Arm {
  explicit Arm(unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<> number(-1.0, 1.0);
    jacobian.resize(6, 7);
    for (double& entry : jacobian.reshaped()) entry = number(engine);
    ArmMatrix root(7, 7);
    for (double& entry : root.reshaped()) entry = number(engine);
    inertia = root * root.transpose() + 0.5 * ArmMatrix::Identity(7, 7);
    mass_solved = (testing::inverse(inertia) * jacobian.transpose()).transpose();
    tool.update(jacobian, mass_solved);
    q = target = v = ArmVector::Zero(7);
    for (double& entry : target) entry = number(engine);
    for (double& entry : v) entry = number(engine);
  }

  ArmVector posture(Projector projector, double torque_max = 1e3, bool* clipped = nullptr) const {
    const PostureGains gains{ArmVector::Constant(7, 10.0), ArmVector::Constant(7, 2.0), torque_max};
    ArmVector tau = ArmVector::Zero(7);
    const bool is_clipped =
        add_posture(gains, projector, target, q, v, jacobian, mass_solved, tool, tau);
    if (clipped != nullptr) *clipped = is_clipped;
    return tau;
  }

  ArmJacobian jacobian;
  ArmMatrix inertia;
  ArmJacobian mass_solved;
  ToolInertia tool;
  ArmVector q, target, v;
};

TEST(Posture, WithoutAProjectorIsSpringAndDamperInTheJoints) {
  const Arm arm(1);
  EXPECT_LT((arm.posture(Projector::kNone) - (10.0 * arm.target - 2.0 * arm.v)).norm(), 1e-12);
}

TEST(Posture, DynamicallyConsistentAcceleratesNoTool) {
  int looked_at = 0;
  for (unsigned seed = 1; seed < 20; ++seed) {
    const Arm arm(seed);
    if (arm.tool.least_mobility() < ToolInertia::kFloor) continue;  // fades out there
    ++looked_at;
    const ArmVector tau = arm.posture(Projector::kDynamicallyConsistent);
    const ArmVector acceleration = testing::inverse(arm.inertia) * tau;
    EXPECT_LT((arm.jacobian * acceleration).norm(), 1e-9);
    EXPECT_GT(tau.norm(), 1e-3) << "yet it pulls";
  }
  EXPECT_GT(looked_at, 10);
}

TEST(Posture, KinematicPutsNoWrenchOnATool) {
  int looked_at = 0;
  for (unsigned seed = 1; seed < 20; ++seed) {
    const Arm arm(seed);
    const Matrix6 square = arm.jacobian * arm.jacobian.transpose();
    if (testing::symmetric_eigenvalues(square)[0] < 1e-2) continue;
    ++looked_at;
    const ArmVector tau = arm.posture(Projector::kKinematic);
    // The wrench that would hold the tool against it, by least squares: (J Jᵀ)⁻¹ J tau.
    EXPECT_LT((arm.jacobian * tau).norm(), 1e-9);
    EXPECT_GT(tau.norm(), 1e-3);
  }
  EXPECT_GT(looked_at, 10);
}

TEST(Posture, PullsNoHarderThanItsCap) {
  const Arm arm(3);
  bool clipped = false;
  EXPECT_LE(arm.posture(Projector::kNone, 2.0, &clipped).cwiseAbs().maxCoeff(), 2.0);
  EXPECT_TRUE(clipped);
  arm.posture(Projector::kNone, 100.0, &clipped);
  EXPECT_FALSE(clipped);
}

TEST(FrictionTorque, IsCoulombPlusViscousFarFromRest) {
  const FrictionConfig f{.coulomb = 2.0, .viscous = 0.5, .stribeck = 1.0};
  EXPECT_NEAR(friction_torque(f, 1.0), 2.0 + 0.5, 1e-9);
  EXPECT_NEAR(friction_torque(f, -1.0), -2.5, 1e-9);
}

TEST(FrictionTorque, GivesNothingAtRestAndMoreThanCoulombAtASlowSpeed) {
  const FrictionConfig f{
      .coulomb = 2.0, .viscous = 0.5, .stribeck = 1.0, .stribeck_speed = 0.1, .sign_speed = 0.01};
  EXPECT_EQ(friction_torque(f, 0.0), 0.0);
  // tanh(1) (2 + e^-0.01) + 0.5 · 0.01
  EXPECT_NEAR(friction_torque(f, 0.01), 0.7615941559557649 * (2.0 + 0.9900498337491681) + 0.005,
              1e-12);
  // tanh(10) is 1 to within 5e-9; e^-1 of the rest is left.
  EXPECT_NEAR(friction_torque(f, 0.1), 2.0 + 0.36787944117144233 + 0.05, 1e-7);
}

TEST(LimitTorque, PushesOnlyBackAndOnlyWithinTheMargin) {
  const auto tau = [](double q, double v) {
    return limit_torque(q, v, -1.0, 2.0, {0.1, 50, 4, 6});
  };
  EXPECT_EQ(tau(0.0, 1.0), 0.0);
  EXPECT_EQ(tau(-0.9, -1.0), 0.0);
  EXPECT_NEAR(tau(-0.95, 0.0), 50 * 0.05, 1e-12);
  EXPECT_NEAR(tau(-0.95, -0.5), 50 * 0.05 + 4 * 0.5 * 0.5, 1e-12) << "brakes what goes out";
  EXPECT_NEAR(tau(-0.95, 0.5), 50 * 0.05 - 4 * 0.5 * 0.5, 1e-12) << "and what comes back";
  EXPECT_NEAR(tau(1.95, 0.5), -50 * 0.05 - 4 * 0.5 * 0.5, 1e-12);
  EXPECT_EQ(tau(-0.95, 5.0), 0.0) << "never towards the limit";
  EXPECT_NEAR(tau(-1.01, 0.0), 50 * 0.11, 1e-12);
  EXPECT_EQ(tau(-1.2, 0.0), 6.0) << "no more than its cap";
}

TEST(LimitTorque, BeginsWithoutAStepHoweverFastTheJointComes) {
  const LimitSpring spring{0.1, 50, 4, 100};
  EXPECT_EQ(limit_torque(-0.9, -3.0, -1.0, 2.0, spring), 0.0);
  // One cycle further in, at 3 rad/s: 3 mrad of 50 N·m/rad and of 4 N·m·s/rad at 3 %.
  EXPECT_NEAR(limit_torque(-0.903, -3.0, -1.0, 2.0, spring), 0.15 + 0.36, 1e-12);
}

TEST(LimitTorque, OfAPullIntoALimitNothingIsLeftThere) {
  EXPECT_EQ(into_limit(8.0, 1.9, -1.0, 2.0, 0.1), 0.0);
  EXPECT_NEAR(into_limit(8.0, 1.975, -1.0, 2.0, 0.1), 6.0, 1e-12);
  EXPECT_EQ(into_limit(8.0, 2.01, -1.0, 2.0, 0.1), 8.0);
  EXPECT_EQ(into_limit(-8.0, 1.99, -1.0, 2.0, 0.1), 0.0) << "out of it it may";
  EXPECT_NEAR(into_limit(-8.0, -0.95, -1.0, 2.0, 0.1), -4.0, 1e-12);
}

/// A joint of 0.05 kg·m², pulled into its stop by 4 N·m: it comes to rest, and turns back seldom.
TEST(LimitTorque, AJointThatIsPulledIntoItsStopComesToRestThere) {
  const double inertia = 0.05;
  const LimitSpring spring{0.1, 50, 2.0 * std::sqrt(50 * inertia), 100};
  double q = -0.6;
  double v = -2.0;
  int turns = 0;
  for (int cycle = 0; cycle < 1500; ++cycle) {
    const double before = v;
    v += 1e-3 * (-4.0 + limit_torque(q, v, -1.0, 2.0, spring)) / inertia;
    q += 1e-3 * v;
    turns += before * v < 0.0 && std::abs(q + 0.98) > 1e-4 ? 1 : 0;
  }
  EXPECT_LE(turns, 2);
  EXPECT_LT(std::abs(v), 1e-3);
  EXPECT_NEAR(q, -0.9 - 4.0 / 50.0, 1e-3);
}

TEST(PostureGains, OfALightJointAreWhatTheLoopCarriesAndOfAHeavyOneWhatWasAskedFor) {
  PostureGains asked{ArmVector::Constant(2, 10.0), ArmVector::Constant(2, 1.0), 5.0};
  ArmVector felt(2);
  felt << 1e-6, 0.5;
  const LoopBounds bounds{5000.0, 200.0};
  const PostureGains now = within(bounds, felt, asked);
  EXPECT_DOUBLE_EQ(now.stiffness[0], 0.5 * 5000.0 * 1e-6);
  EXPECT_DOUBLE_EQ(now.damping[0], 0.5 * 200.0 * 1e-6);
  EXPECT_EQ(now.stiffness[1], 10.0);
  EXPECT_EQ(now.damping[1], 1.0);
  EXPECT_EQ(now.torque_max, 5.0);
}

}  // namespace
}  // namespace jointrig
