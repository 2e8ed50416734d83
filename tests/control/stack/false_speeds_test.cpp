/// An encoder that reads a speed that isn't there, of a joint beside one that is well. Two links of
/// 1 m, level and stretched out, by the controller's model:
///
///     M = [[4.31, 2], [2, 1.01]] kg·m²
///
/// The joints themselves don't move: what their setpoints say is all by what was read.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/discovery/discovery.h"
#include "control/exchange/robot_client.h"
#include "control/model/robot_model.h"
#include "control/stack/loop.h"
#include "control/stack/stack.h"
#include "tests/support/ideal_robot.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

constexpr std::size_t kShoulder = 0;
constexpr std::size_t kElbow = 1;
constexpr double kViscous = 1.0;  // [N·m·s/rad]

constexpr const char* kTwoLinks = R"(
<mujoco model="two links">
  <option gravity="0 0 0"/>
  <default><joint armature="0.01" damping="1" range="-2 2.5" limited="true"/></default>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 0 1"/>
      <inertial pos="1 0 0" mass="0.3" diaginertia="1e-6 1e-6 1e-6"/>
      <body name="lower" pos="1 0 0">
        <joint name="elbow" axis="0 0 1"/>
        <inertial pos="1 0 0" mass="1" diaginertia="1e-6 1e-6 1e-6"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="shoulder" ctrlrange="-50 50" ctrllimited="true"/>
    <motor joint="elbow" ctrlrange="-50 50" ctrllimited="true"/>
  </actuator>
</mujoco>)";

struct Readings {
  Readings()
      : robot(config()),
        stack(config(), robot.capabilities, std::make_unique<RobotModel>(config())),
        loop(robot, stack),
        client(stack.config(), stack.inbox(), "test") {
    client.set_mode(client.select("all"), ModeRequest::kPosition);
    run(200);
  }

  static RobotConfig config() {
    static const odd::TempModel file(kTwoLinks);
    RobotConfig config = discover(file.path()).config;
    config.arms.clear();
    const JointConfig ideal = testing::ideal_config(1).joints[0];
    for (JointConfig& joint : config.joints) {
      joint.limits = ideal.limits;
      joint.board = ideal.board;
    }
    return config;
  }

  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      for (std::size_t j : {kShoulder, kElbow}) {
        robot.joint[j].q = 0.0;
        robot.joint[j].v = 0.0;
      }
      robot.joint[kElbow].v = false_speed;
      robot.joint[kElbow].q = -1e-3 * false_speed;  // so that its position is read as 0
      loop.step();
      const double tau = stack.snapshot().joints[kShoulder].setpoint.tau;
      most = std::max(most, std::abs(tau));
    }
  }

  testing::IdealRobot robot;
  Stack stack;
  Loop loop;
  RobotClient client;
  double false_speed = 0.0;  ///< of the elbow, as read [rad/s]
  double most = 0.0;         ///< torque of the shoulder [N·m]
};

// Its viscous friction is all that the shoulder may feel of it, M_12 / M_22 of that at twice v_max.
// The shoulder doesn't move by this torque, so its observer takes it for a load, in the end once
// more.
TEST(FalseSpeeds, AJointBesideOneThatReadsAnImpossibleSpeedFeelsNoMoreThanItsFrictionAtTwiceVMax) {
  for (const double speed : {-3000.0, 300.0, 30.0}) {
    for (const int cycles : {1, 20}) {
      SCOPED_TRACE(speed);
      SCOPED_TRACE(cycles);
      Readings rig;
      ASSERT_EQ(rig.stack.snapshot().joints[kShoulder].mode, JointMode::kPosition);
      ASSERT_NEAR(rig.most, 0.0, 1e-9);
      rig.false_speed = speed;
      rig.run(cycles);
      rig.false_speed = 0.0;
      rig.run(100);
      EXPECT_EQ(rig.stack.snapshot().joints[kElbow].fault.code, FaultCode::kOverSpeed);
      const double v_max = rig.stack.config().joints[kElbow].limits.v_max;
      const double friction = 2.0 / 1.01 * kViscous * 2.0 * v_max;
      EXPECT_LE(rig.most, cycles == 1 ? friction + 1e-9 : 2.0 * friction);
    }
  }
}

}  // namespace
}  // namespace jointrig
