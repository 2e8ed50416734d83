/// Loads on a joint whose motor turns before a series spring. Its board's torque loop leaves J_f =
/// k / w² of the motor's inertia, so the torque that is sent moves I = I_link + J_f, as it would
/// move a joint without a spring whose motor has J_f.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "control/discovery/discovery.h"
#include "control/exchange/robot_client.h"
#include "control/model/robot_model.h"
#include "control/stack/loop.h"
#include "control/stack/stack.h"
#include "tests/support/ideal_robot.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

constexpr double kLink = 0.25;  // [kg·m²], and 0.75 of the motor: 1, as the ideal robot has
constexpr double kFelt = 1.0 - kLink;  // [kg·m²]
constexpr double kLoopHz = 20.0;       // of the torque loop, in both joints

constexpr const char* kHinge = R"(<mujoco><option gravity="0 0 0"/><worldbody><body>
  <joint name="hinge" axis="0 0 1" range="-2 2.5" limited="true"/>
  <inertial pos="0 0 0" mass="1" diaginertia="0.25 0.25 0.25"/></body></worldbody>
  <actuator><motor joint="hinge" ctrlrange="-50 50" ctrllimited="true"/></actuator></mujoco>)";

/// On the ideal robot, which moves an inertia of 1 kg·m² by the torque that is sent.
struct HingeRig {
  HingeRig(bool has_spring, bool senses_torque)
      : robot(config(has_spring)),
        stack(config(has_spring), boards(robot, senses_torque),
              std::make_unique<RobotModel>(config(has_spring))),
        loop(robot, stack),
        client(stack.config(), stack.inbox(), "test") {}

  static RobotConfig config(bool has_spring) {
    static const odd::TempModel file(kHinge);
    RobotConfig config = discover(file.path(), {.keyframe = {}, .pin_base = true}).config;
    const JointConfig ideal = testing::ideal_config(1).joints[0];
    JointConfig& joint = config.joints[0];
    joint.limits = ideal.limits;
    joint.gains.inertia = 1.0;
    joint.board = ideal.board;
    if (has_spring) {
      const double w = 2.0 * std::numbers::pi * kLoopHz;
      joint.board.spring_stiffness = kFelt * w * w;
      joint.board.armature = 3.0 * kFelt;  // the loop leaves a third of it
      joint.board.deflection_bandwidth_hz = kLoopHz;
    } else {
      joint.board.armature = kFelt;
      joint.board.torque_bandwidth_hz = kLoopHz;
    }
    return config;
  }
  static std::vector<JointCapabilities> boards(testing::IdealRobot& robot, bool senses_torque) {
    robot.capabilities[0].senses_torque = senses_torque;
    return robot.capabilities;
  }

  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) loop.step();
  }
  void enter(ModeRequest mode) {
    client.set_mode(client.select("all"), mode);
    run(500);
  }

  testing::IdealRobot robot;
  Stack stack;
  Loop loop;
  RobotClient client;
};

struct Release {
  std::vector<double> sent;  // by cycle [N·m]
  double fastest = 0.0;      // after the release [rad/s]
  double v_max = 0.0;
};

/// A load of half the joint's torque comes, stays, and goes at once.
Release let_go(bool has_spring, double load = 25.0) {
  HingeRig rig(has_spring, true);
  rig.enter(ModeRequest::kPosition);
  Release result;
  result.v_max = rig.stack.config().joints[0].limits.v_max;
  const auto run = [&](int cycles, bool is_judged) {
    for (int i = 0; i < cycles; ++i) {
      rig.run(1);
      result.sent.push_back(rig.stack.snapshot().joints[0].setpoint.tau);
      if (is_judged) result.fastest = std::max(result.fastest, std::abs(rig.robot.joint[0].v));
    }
  };
  rig.robot.joint[0].load = load;
  run(1500, false);
  rig.robot.joint[0].load = 0.0;
  run(1500, true);
  return result;
}

TEST(SpringLoads, AMotorBeforeASpringCountsByWhatItsTorqueLoopLeavesOfItsInertia) {
  const Release spring = let_go(true);
  const Release rigid = let_go(false);
  ASSERT_EQ(spring.sent.size(), rigid.sent.size());
  double most = 0.0;
  for (std::size_t i = 0; i < spring.sent.size(); ++i) {
    most = std::max(most, std::abs(spring.sent[i] - rigid.sent[i]));
  }
  EXPECT_LT(most, 1e-6);
}

/// Law and observer against a step of load τ, without delay, ζ = 1 and ω_o = ω/2:
///
///     v(s) = τ/I 1 / ((s + ω)² (s + ω/2)) s      v(t) = τ/(I ω) (2e^{−x} + 2x e^{−x} − 2e^{−x/2})
///
/// with x = ω t; its peak is at x = 0.74, 0.279 τ/(I ω). The delay adds no more than τ T/I.
TEST(SpringLoads, LetGoTheJointIsAsFastAsItsLawAndObserverMakeIt) {
  const double load = 5.0;  // [N·m], far from v_max: the envelope rests
  const JointConfig joint = HingeRig::config(true).joints[0];
  JointCapabilities board;
  board.senses_velocity = true;
  const double time = loop_time(joint, board, 1e-3, 1);
  const double w = servo_design(time, joint).w;
  double peak = 0.0;
  for (double x = 0.0; x < 5.0; x += 1e-3) {
    peak = std::max(peak, 2.0 * (1.0 + x) * std::exp(-x) - 2.0 * std::exp(-0.5 * x));
  }
  const double fastest = let_go(true, load).fastest;
  EXPECT_GT(fastest, load / w * peak);
  EXPECT_LT(fastest, load / w * peak + load * time);
}

TEST(SpringLoads, PushedWithHalfItsTorqueItStaysBelowElevenTenthsOfItsSpeed) {
  const Release spring = let_go(true);
  EXPECT_LE(spring.fastest, 1.1 * spring.v_max);
}

TEST(SpringLoads, WhatItsOwnMotorAcceleratesIsNoExternalTorqueWhereTheBoardSensesNone) {
  HingeRig rig(true, false);
  rig.enter(ModeRequest::kTorque);
  double most = 0.0;
  for (int i = 0; i < 300; ++i) {
    rig.client.send<StreamTorque>({{0, {4.0}}});  // 4 rad/s²: 1.2 rad/s after 0.3 s
    rig.run(1);
    most = std::max(most, std::abs(rig.stack.snapshot().joints[0].effort.external));
  }
  EXPECT_GT(rig.robot.joint[0].v, 1.0);
  EXPECT_LT(most, 0.1 * kFelt * 4.0);  // the torque comes a cycle later than it is sent
}

}  // namespace
}  // namespace jointrig
