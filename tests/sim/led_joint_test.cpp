// A joint that another backend drives: felt by the joints of the physics, and as rigid as its
// leader.

#include <gtest/gtest.h>

#include <cmath>

#include "sim/plant.h"
#include "tests/sim/odd_robot.h"

namespace jointrig::sim {
namespace {

constexpr double kG = 9.81;
constexpr double kH = 0.001;  // [s], of the model

/// Two heavy balls on weightless arms that swing in a plane: 2 kg at 0.3 m, and 1 kg at 0.2 m from
/// an elbow at 0.6 m. The elbow has all that its leader has overcome: friction, damping, a spring,
/// a range that it leaves.
constexpr double kUpper = 2.0, kFore = 1.0, kAt = 0.3, kElbow = 0.6, kReach = 0.2;
constexpr const char* kBalls = R"(<mujoco model="balls">
  <compiler angle="radian"/>
  <option gravity="0 0 GRAVITY" timestep="0.001" integrator="Euler"/>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="sphere" pos="0.3 0 0" size="0.001" mass="2" contype="0" conaffinity="0"/>
      <body name="fore" pos="0.6 0 0">
        <joint name="elbow" axis="0 1 0" range="-0.1 0.5" limited="true" damping="3" frictionloss="2"
               stiffness="50"/>
        <geom type="sphere" pos="0.2 0 0" size="0.001" mass="1" contype="0" conaffinity="0"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";

std::string balls(const std::string& gravity) {
  std::string text = kBalls;
  return text.replace(text.find("GRAVITY"), 7, gravity);
}

RobotConfig two_joints(const TemporaryFile& file) {
  RobotConfig robot;
  robot.model_path = file.path();
  robot.joints.resize(2);
  robot.joints[0].name = "elbow";  // not in the model's order
  robot.joints[1].name = "shoulder";
  for (JointConfig& joint : robot.joints) joint.limits.tau_max = 100.0;
  robot.elsewhere.set(0);
  return robot;
}

/// Inertia about the shoulder, and its coupling with the elbow, at an elbow's angle.
double inertia(double q) {
  return kUpper * kAt * kAt +
         kFore * (kElbow * kElbow + kReach * kReach + 2 * kElbow * kReach * std::cos(q));
}
double coupling(double q) { return kFore * (kReach * kReach + kElbow * kReach * std::cos(q)); }

TEST(LedJoint, HangsOnTheOtherJointsAsOneWithThem) {
  const TemporaryFile file(balls("-9.81"));
  Plant plant(two_joints(file));
  plant.lead(0, 0.0, 0.0);
  ASSERT_TRUE(plant.step());
  const double torque = kG * (kUpper * kAt + kFore * (kElbow + kReach));  // +y turns it down
  EXPECT_NEAR(plant.joint(1).v, kH * torque / inertia(0.0), 2e-6);
  EXPECT_NEAR(plant.joint(0).v, 0.0, 1e-6);
}

TEST(LedJoint, ItsWeightIsCarriedByTheOthers) {
  const TemporaryFile file(balls("-9.81"));
  Plant plant(two_joints(file));
  plant.lead(0, 0.0, 0.0);
  plant.set_torque(1, -kG * (kUpper * kAt + kFore * (kElbow + kReach)));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(plant.step());
  // 0.04 kg·m² · 1e5 against 1.96 N·m bend the elbow, and w² holds it: 20 nrad.
  EXPECT_NEAR(plant.joint(0).q, 0.0, 1e-6);
  EXPECT_NEAR(plant.joint(1).q, 0.0, 1e-5);
}

TEST(LedJoint, ItsMotionTurnsTheOthersByItsInertia) {
  const TemporaryFile file(balls("0"));
  Plant plant(two_joints(file));
  for (int i = 1; i <= 300; ++i) {
    // From rest to 1.5 rad, out of the range that the model states, and to rest.
    const double s = std::min(1.0, i / 250.0);
    const double q = 1.5 * (10 * s * s * s - 15 * s * s * s * s + 6 * s * s * s * s * s);
    const double v = 1.5 / 0.25 * (30 * s * s - 60 * s * s * s + 30 * s * s * s * s);
    plant.lead(0, q, v);
    ASSERT_TRUE(plant.step());
    // Nothing turns the shoulder from outside: its momentum stays 0. The elbow's path turns it.
    const JointTruth elbow = plant.joint(0);
    const double expected = -coupling(elbow.q) / inertia(elbow.q) * elbow.v;
    ASSERT_NEAR(plant.joint(1).v, expected, 0.01) << i;
  }
  EXPECT_NEAR(plant.joint(0).q, 1.5, 1e-3);
  EXPECT_LT(plant.joint(1).q, -0.2);
}

TEST(LedJoint, FollowsASteadyMotionWithoutLag) {
  const TemporaryFile file(balls("-9.81"));
  Plant plant(two_joints(file));
  for (int i = 1; i <= 400; ++i) {
    plant.lead(0, 0.5 * kH * (i - 1), 0.5);
    ASSERT_TRUE(plant.step());
  }
  EXPECT_NEAR(plant.joint(0).q, 0.5 * 0.4, 1e-5);
  EXPECT_NEAR(plant.joint(0).v, 0.5, 1e-4);
}

TEST(LedJoint, IsPutWhereItsLeaderIsWhileTheRobotIsHeld) {
  const TemporaryFile file(balls("-9.81"));
  Plant plant(two_joints(file));
  plant.lead(0, 0.3, 0.0);
  plant.stand_still();
  EXPECT_EQ(plant.joint(0).q, 0.3);
  EXPECT_EQ(plant.joint(1).q, 0.0);
}

TEST(LedJoint, GoesOnFromASavedStateWithTheSameBits) {
  const TemporaryFile file(balls("-9.81"));
  Plant plant(two_joints(file));
  const auto run = [&] {
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(plant.step());
  };
  plant.lead(0, 0.3, 0.2);
  run();
  const PlantState saved = plant.save();
  run();
  const double q = plant.joint(1).q;
  plant.lead(0, -1.0, 0.0);
  plant.restore(saved);
  run();
  EXPECT_EQ(plant.joint(1).q, q);
}

TEST(LedJoint, ATorqueOnItHasNoEffect) {
  const TemporaryFile file(balls("0"));
  Plant plant(two_joints(file));
  plant.set_torque(0, 50.0);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(plant.step());
  EXPECT_EQ(plant.joint(0).q, 0.0);
}

}  // namespace
}  // namespace jointrig::sim
