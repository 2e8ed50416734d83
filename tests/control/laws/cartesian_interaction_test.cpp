/// Interaction control axis by axis: against figures by hand, and its springs against the energy
/// in them.

#include "control/laws/cartesian_interaction.h"

#include <gtest/gtest.h>

#include <random>

#include "control/laws/arm_math.h"
#include "control/laws/tool_error.h"

namespace jointrig {
namespace {

using Eigen::Vector3d;
using Axis = InteractionAxis;

/// x: impedance, y: force, z: impedance with a limit of 5 N; about x: force with motion limit,
/// about y and z: impedance.
InteractionLaw mixed() {
  InteractionLaw law;
  law.axes = {Axis::kImpedance,
              Axis::kForce,
              Axis::kImpedanceWithForceLimit,
              Axis::kForceWithMotionLimit,
              Axis::kImpedance,
              Axis::kImpedance};
  law.stiffness << 500, 0, 800, 0, 20, 30;
  law.damping = Vector6(40, 100, 50, 5, 2, 2).asDiagonal();
  law.force << 0, -10, 5, 2, 0, 0;
  law.motion_max << 0.12, 0.12, 0.12, 0.25, 0.25, 0.25;
  law.wall_stiffness << 1300, 1300, 1300, 30, 30, 30;
  law.error_max << 0.1, 0.1, 0.1, 0.6, 0.6, 0.6;
  law.rotation_max = 1.4;
  return law;
}

InteractionOutput at(const InteractionLaw& law, const Vector3d& way,
                     const Vector3d& turn = {0, 0, 0}, const Vector6& twist = Vector6::Zero()) {
  ToolState tool;
  tool.jacobian = Matrix6::Identity();
  tool.twist = twist;
  const Placement reference{way, rotation_of(turn)};
  return interact(law, Eigen::Matrix3d::Identity(), tool, reference);
}

TEST(Interaction, AnAxisUnderImpedancePullsAsASpringAndOneUnderForcePushesAsAsked) {
  const InteractionOutput out = at(mixed(), {0.02, 0.5, 0.001});
  EXPECT_NEAR(out.spring[0], 500 * 0.02, 1e-12);
  EXPECT_EQ(out.spring[1], 0.0) << "wherever the reference is";
  EXPECT_NEAR(out.spring[2], 800 * 0.001, 1e-12);
  EXPECT_EQ(out.force[1], -10.0);
  EXPECT_EQ(out.force[0], 0.0);
}

TEST(Interaction, AForceLimitBoundsSpringAndDamperTogether) {
  const InteractionOutput far = at(mixed(), {0, 0, 0.05});
  EXPECT_NEAR(far.spring[2] + far.damper[2], 5.0, 1e-12);
  EXPECT_TRUE(far.limits.has(ArmLimit::kForceLimit));
  Vector6 fast = Vector6::Zero();
  fast[2] = -1.0;  // its damper alone would push with 50 N
  const InteractionOutput moving = at(mixed(), {0, 0, 0.001}, {0, 0, 0}, fast);
  EXPECT_NEAR(moving.spring[2] + moving.damper[2], 5.0, 1e-12);
  const InteractionOutput near = at(mixed(), {0, 0, 0.006});
  EXPECT_NEAR(near.spring[2], 4.8, 1e-12);
  EXPECT_FALSE(near.limits.has(ArmLimit::kForceLimit));
}

TEST(Interaction, AMotionLimitTakesTheForceBackAndPushesBackFromBeyond) {
  // 2 N·m about x, a limit of 0.25 rad, a wall of 30 N·m/rad: the force fades from 0.25 - 2/30 on.
  const auto torque_turned_by = [](double angle) { return at(mixed(), {0, 0, 0}, {-angle, 0, 0}); };
  EXPECT_NEAR(torque_turned_by(0.18).force[3], 2.0, 1e-9);
  EXPECT_FALSE(torque_turned_by(0.18).limits.has(ArmLimit::kMotionLimit));
  EXPECT_NEAR(torque_turned_by(0.22).force[3], 30 * 0.03, 1e-9);
  EXPECT_NEAR(torque_turned_by(0.25).force[3], 0.0, 1e-9);
  EXPECT_NEAR(torque_turned_by(0.30).force[3], -30 * 0.05, 1e-9);
  EXPECT_NEAR(torque_turned_by(-0.35).force[3], 30 * 0.10, 1e-9);
  EXPECT_TRUE(torque_turned_by(0.30).limits.has(ArmLimit::kMotionLimit));
}

TEST(Interaction, TheWallOnRotationIsThereWhereAnAxisIsFreeToo) {
  InteractionLaw law = mixed();
  law.axes.fill(Axis::kImpedance);
  law.stiffness.setZero();
  EXPECT_EQ(at(law, {0, 0, 0}, {0, 0, 1.39}).spring[5], 0.0);
  EXPECT_NEAR(at(law, {0, 0, 0}, {0, 0, 1.5}).spring[5], 30 * 0.1, 1e-9);
  EXPECT_TRUE(at(law, {0, 0, 0}, {0, 0, 1.5}).limits.has(ArmLimit::kRotationWall));
  law.rotation_max = std::numeric_limits<double>::infinity();
  EXPECT_EQ(at(law, {0, 0, 0}, {0, 0, 1.5}).spring[5], 0.0);
}

TEST(Interaction, DampersOfAxesThatAreLimitedOrUnderForceAreTheirOwn) {
  InteractionLaw law = mixed();
  law.damping(0, 1) = law.damping(1, 0) = 30.0;  // x with y, which is under force
  law.damping(0, 4) = law.damping(4, 0) = 1.0;   // x with the rotation about y: both springs
  Vector6 twist = Vector6::Zero();
  twist[0] = 0.1;
  const InteractionOutput out = at(law, {0, 0, 0}, {0, 0, 0}, twist);
  EXPECT_NEAR(out.damper[0], -4.0, 1e-12);
  EXPECT_EQ(out.damper[1], 0.0);
  EXPECT_NEAR(out.damper[4], -0.1, 1e-12);
}

class Random {
 public:
  double number(double most) { return std::uniform_real_distribution<>(-most, most)(engine_); }
  Vector3d vector(double most) { return {number(most), number(most), number(most)}; }

 private:
  std::mt19937 engine_{7};
};

/// The power of the springs on a tool that moves by `twist` equals the loss of their energy: the
/// derivative by a central difference.
void expect_power_is_change_of_energy(bool turns_with_tool) {
  Random random;
  for (int trial = 0; trial < 300; ++trial) {
    InteractionLaw law;
    for (int i = 0; i < 6; ++i) law.stiffness[i] = std::abs(random.number(i < 3 ? 1300 : 30));
    law.error_max.setConstant(10.0);
    law.turns_with_tool = turns_with_tool;
    const Placement reference{random.vector(0.3), rotation_of(random.vector(1.0))};
    ToolState tool;
    tool.jacobian = Matrix6::Identity();
    tool.pose = {random.vector(0.3), rotation_of(random.vector(1.0))};
    const Eigen::Matrix3d in_tool = rotation_of(random.vector(2.0));
    const auto axes = [&](const Placement& pose) {
      return turns_with_tool ? Eigen::Matrix3d(pose.rotation * in_tool) : in_tool;
    };
    const Vector3d v = random.vector(1.0);
    const Vector3d w = random.vector(1.0);
    const auto energy = [&](double t) {
      const Placement moved{tool.pose.position + t * v, rotation_of(t * w) * tool.pose.rotation};
      const Vector6 e = turned(axes(moved).transpose(), tool_error(reference, moved));
      return 0.5 * e.dot(law.stiffness.cwiseProduct(e));
    };
    const InteractionOutput out = interact(law, axes(tool.pose), tool, reference);
    const double power = out.spring.head<3>().dot(v) + out.spring.tail<3>().dot(w);
    constexpr double kStep = 1e-5;
    const double lost = (energy(-kStep) - energy(kStep)) / (2.0 * kStep);
    EXPECT_NEAR(power, lost, 1e-4 + 1e-6 * std::abs(power)) << trial;
  }
}

TEST(Interaction, WhatSpringsDoIsWhatTheyLose) { expect_power_is_change_of_energy(false); }
TEST(Interaction, SoDoSpringsThatTurnWithTheTool) { expect_power_is_change_of_energy(true); }

TEST(Interaction, AtAPointOfTheToolItsSpeedAndJacobianAreThatPoints) {
  Random random;
  ToolState tool;
  tool.jacobian = Matrix6::Random();
  const Vector6 v = Vector6::Random();
  tool.twist = tool.jacobian * v;
  tool.pose = {random.vector(1.0), rotation_of(random.vector(1.0))};
  const Vector3d offset(0.1, -0.2, 0.05);
  const ToolState moved = moved_to(tool, offset);
  constexpr double kStep = 1e-6;
  const Vector3d turn = tool.twist.tail<3>();
  const Vector3d later = tool.pose.position + kStep * tool.twist.head<3>() +
                         rotation_of(kStep * turn) * tool.pose.rotation * offset;
  const Vector3d speed = (later - moved.pose.position) / kStep;
  EXPECT_LT((speed - moved.twist.head<3>()).norm(), 1e-5);
  EXPECT_LT((moved.jacobian * v - moved.twist).norm(), 1e-12);
}

TEST(InertiaShaping, AFreeToolMovesAsIfItHadTheInertiaAskedFor) {
  // A tool of odd inertia: its acceleration by Λ⁻¹ F is the wrench over the inertia wanted.
  const Matrix6 root = Matrix6::Random() + 3.0 * Matrix6::Identity();
  const ArmJacobian jacobian = root;
  ToolInertia felt;
  felt.update(jacobian, jacobian);
  const Vector6 wanted(2, 3, 4, 0.1, 0.2, 0.3);
  const Vector6 wrench(1, -2, 3, 0.5, -0.1, 0.2);
  const Eigen::Matrix3d axes = rotation_of({0.4, 0.2, -0.7});
  const Vector6 force = shaped(felt, wanted, axes, turned(axes, wrench));
  const Vector6 acceleration = turned(axes.transpose(), Vector6(felt.mobility() * force));
  EXPECT_LT((acceleration - wrench.cwiseQuotient(wanted)).norm(), 1e-9);
}

TEST(InertiaShaping, DampingByRatioIsThatOfEachAxisAlone) {
  const Vector6 stiffness(400, 900, 100, 10, 20, 30);
  const Vector6 wanted(4, 1, 2, 0.1, 0.2, 0.3);
  const Matrix6 damping = shaped_inertia(wanted).damping(stiffness.asDiagonal(), 0.7);
  const Vector6 expected = 1.4 * stiffness.cwiseProduct(wanted).cwiseSqrt();
  EXPECT_LT((damping - Matrix6(expected.asDiagonal())).norm(), 1e-9);
}

}  // namespace
}  // namespace jointrig
