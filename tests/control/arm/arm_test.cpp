/// Mode cartesian on the Franka arm: in physics, and with made-up states where a run has to be
/// repeated or chaos is wanted.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "control/model/robot_model.h"
#include "tests/control/stack/franka_in_physics.h"
#include "tests/control/stack/swaying_joints.h"

namespace jointrig {
namespace {

constexpr std::size_t kJoints = 8;  // seven of the arm, a finger

Command for_the_arm(CommandKind kind, std::initializer_list<double> numbers) {
  Command command;
  command.kind = kind;
  command.arm = 0;
  for (const double number : numbers) command.numbers.push_back(number);
  return command;
}

struct Physics : testing::FrankaInPhysics {
  Physics() : FrankaInPhysics(load_robot(find_robot("franka")).config) {}
  void enter() {
    client.set_mode(client.select("arm"), ModeRequest::kCartesian);
    run(1);
  }
};

TEST(Arm, IsEnteredAndLeftWithoutAJumpAndStaysWhereItIs) {
  Physics p;
  const ToolPose before = p.arm().tool;
  p.client.set_mode(p.client.select("arm"), ModeRequest::kCartesian);
  EXPECT_LT(p.hardest_step(500), 0.1);  // [N·m] a cycle
  EXPECT_TRUE(p.arm().runs);
  p.client.set_mode(p.client.select("arm"), ModeRequest::kPosition);
  EXPECT_LT(p.hardest_step(500), 0.1);
  EXPECT_FALSE(p.arm().runs);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(p.arm().tool.position[i], before.position[i], 5e-4);
  }
}

TEST(Arm, NewGainsAndTermsAreBlendedIn) {
  Physics p;
  p.enter();
  Command push = for_the_arm(CommandKind::kSetToolTarget, {});
  const ToolPose& tool = p.arm().tool;
  for (std::size_t i = 0; i < 3; ++i) push.numbers.push_back(tool.position[i] - 0.05);
  for (const double part : tool.orientation) push.numbers.push_back(part);
  p.client.post(push);
  p.run(400);  // on the way: springs are stretched
  Command soft = for_the_arm(CommandKind::kSetToolStiffness, {50, 50, 50, 2, 2, 2});
  p.client.post(soft);
  Command no_gravity =
      for_the_arm(CommandKind::kSetArmTerm, {static_cast<double>(ArmTerm::kGravity), 0.0});
  p.client.post(no_gravity);
  // 25 N·m of gravity at a joint go within 100 ms: 0.25 N·m a cycle.
  EXPECT_LT(p.hardest_step(100), 0.8);
  EXPECT_EQ(p.arm().stiffness[0], 50.0);
  EXPECT_EQ(p.arm().tau[static_cast<std::size_t>(ArmTerm::kGravity)][3], 0.0);
}

TEST(Arm, WhereOneJointGoesIdleTheOthersHold) {
  Physics p;
  p.enter();
  p.run(100);
  p.client.set_mode(p.client.select("panda_joint7"), ModeRequest::kIdle);
  p.run(1000);
  EXPECT_FALSE(p.arm().runs);
  EXPECT_EQ(p.now().joints[0].mode, JointMode::kCartesian);
  const double q = p.now().joints[3].state.q;
  p.run(1000);
  EXPECT_NEAR(p.now().joints[3].state.q, q, 1e-3);
  p.enter();
  p.run(50);
  EXPECT_TRUE(p.arm().runs) << "asked for again, by all of them";
}

/// The stack alone, on states that are made up.
struct Bare {
  Bare()
      : config(load_robot(find_robot("franka")).config),
        stack(config, capabilities(config), std::make_unique<RobotModel>(config)),
        client(stack.config(), stack.inbox(), "test") {}

  static std::vector<JointCapabilities> capabilities(const RobotConfig& config) {
    std::vector<JointCapabilities> boards;
    for (const JointConfig& joint : config.joints) {
      JointCapabilities board;
      board.joint = joint.name;
      board.drive_modes = {DriveMode::kOff, DriveMode::kTorque};
      board.senses_velocity = true;
      board.reports_status = true;
      boards.push_back(board);
    }
    return boards;
  }

  void cycle() {
    RobotState state;
    testing::sway(state, config, stack.state().cycle + 1, 0.05);
    stack.cycle(state, command);
  }

  RobotConfig config;
  Stack stack;
  RobotClient client;
  RobotCommand command;
};

TEST(Arm, GoesOnToTheBitFromAStateThatWasSaved) {
  Bare bare;
  bare.cycle();
  bare.client.set_mode(bare.client.select("arm"), ModeRequest::kCartesian);
  for (int i = 0; i < 20; ++i) bare.cycle();
  Command load = for_the_arm(CommandKind::kSetPayload, {1.0, 0.0, 0.0, 0.05});
  bare.client.post(load);
  for (int i = 0; i < 50; ++i) bare.cycle();
  ASSERT_TRUE(bare.stack.snapshot().arms[0].runs);
  const Stack::State saved = bare.stack.state();
  std::vector<RobotCommand> first;
  for (int i = 0; i < 200; ++i) {
    bare.cycle();
    first.push_back(bare.command);
  }
  bare.stack.restore(saved);
  for (int i = 0; i < 200; ++i) {
    bare.cycle();
    ASSERT_EQ(bare.command, first[static_cast<std::size_t>(i)]) << i;
  }
}

TEST(Arm, WhateverItIsAskedTorqueStaysWithinItsLimitAndRate) {
  Bare bare;
  bare.cycle();
  bare.client.set_mode(bare.client.select("arm"), ModeRequest::kCartesian);
  for (int i = 0; i < 5; ++i) bare.cycle();  // from off the motors come on carrying the arm
  std::mt19937 engine(5);
  const auto number = [&](double most) {
    return std::uniform_real_distribution<>(-most, most)(engine);
  };
  constexpr std::array<std::size_t, 8> kSizes{1, 2, 4, 6, 7, 36, 42, 49};
  int ran = 0;
  for (int n = 0; n < 20000; ++n) {
    if (engine() % 4 == 0) {
      Command c;
      c.kind =
          kAllCommandKind[static_cast<std::size_t>(CommandKind::kSetToolTarget) + engine() % 10];
      c.arm = 0;
      const double size = engine() % 2 == 0 ? 1.0 : 1000.0;
      const std::size_t count = kSizes[engine() % kSizes.size()];
      for (std::size_t i = 0; i < count; ++i) {
        c.numbers.push_back(engine() % 3 == 0 ? std::round(number(4.0)) : number(size));
      }
      if (c.kind == CommandKind::kSetCuff && count == 1) c.numbers[0] *= 0.01;
      if (c.kind == CommandKind::kSetInteractionControl && count >= 42) {
        for (std::size_t i = 0; i < count; ++i) c.numbers[i] = std::abs(c.numbers[i]);
        for (const std::size_t i : {34U, 35U, 36U, 37U}) c.numbers[i] = i == 34U ? 1.0 : 0.0;
        for (std::size_t i = 0; i < 6; ++i) {
          c.numbers[i] = static_cast<double>(engine() % 4);
          c.numbers[12 + i] = static_cast<double>(engine() % 2);
        }
        for (std::size_t i = 38; i < 42; ++i) c.numbers[i] = static_cast<double>(engine() % 2);
        c.numbers[18] = static_cast<double>(engine() % 3);
      }
      if (count == 7 && c.kind != CommandKind::kSetFreeAxes) {
        for (const std::size_t i : {3U, 4U, 5U, 6U}) c.numbers[i] = i == 3U ? 1.0 : 0.0;
      }
      if (engine() % 50 == 0) c.numbers[0] = HUGE_VAL;
      bare.client.post(c);
    }
    const RobotCommand before = bare.command;
    bare.cycle();
    ran += bare.stack.snapshot().arms[0].runs ? 1 : 0;
    for (std::size_t i = 0; i < 7; ++i) {
      const JointLimits& limits = bare.config.joints[i].limits;
      const double tau = bare.command.joints[i].tau;
      ASSERT_TRUE(std::isfinite(tau)) << n;
      ASSERT_LE(std::abs(tau), limits.tau_max + 1e-9) << n;
      ASSERT_LE(std::abs(tau - before.joints[i].tau), limits.tau_rate_max * 1e-3 + 1e-9) << n;
      ASSERT_EQ(bare.stack.snapshot().joints[i].mode, JointMode::kCartesian) << n;
    }
  }
  EXPECT_GT(ran, 5000);
}

}  // namespace
}  // namespace jointrig
