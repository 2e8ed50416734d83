/// Mode cartesian on the Franka arm: in physics, and with made-up states where a run has to be
/// repeated or chaos is wanted.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "app/rig/rig.h"
#include "control/core/command_facts.h"
#include "control/exchange/robot_client.h"
#include "control/model/robot_model.h"
#include "tests/control/stack/franka_in_physics.h"
#include "tests/control/stack/swaying_joints.h"
#include "tests/support/requests.h"

namespace jointrig {
namespace {

constexpr std::size_t kJoints = 8;  // seven of the arm, a finger
/// Torque of a stiff hold: by the encoders' steps, 2 µrad or 2 mrad/s in a cycle [N·m a cycle]
constexpr double kHold = 0.3;

struct Physics : testing::FrankaInPhysics {
  Physics() : FrankaInPhysics(app::load_robot(harness::find_robot("franka")).config) {}
  void enter() {
    client.set_mode(client.select("arm"), ModeRequest::kCartesian);
    run(1);
  }
};

TEST(Arm, IsEnteredAndLeftWithoutAJumpAndStaysWhereItIs) {
  Physics p;
  const ToolPose before = p.arm().tool;
  p.client.set_mode(p.client.select("arm"), ModeRequest::kCartesian);
  EXPECT_LT(p.hardest_step(500), kHold);
  EXPECT_TRUE(p.arm().runs);
  p.client.set_mode(p.client.select("arm"), ModeRequest::kPosition);
  EXPECT_LT(p.hardest_step(500), kHold);
  EXPECT_FALSE(p.arm().runs);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(p.arm().tool.position[i], before.position[i], 5e-4);
  }
}

TEST(Arm, NewGainsAndTermsAreBlendedIn) {
  Physics p;
  p.enter();
  SetToolTarget push{{0, p.arm().tool.position, p.arm().tool.orientation}};
  for (double& x : push.position) x -= 0.05;
  p.client.post(push);
  p.run(400);  // on the way: springs are stretched
  p.client.post(testing::arm_request(CommandKind::kSetToolStiffness, {50, 50, 50, 2, 2, 2}));
  p.client.post(SetArmTerm{0, ArmTerm::kGravity, false});
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
      : config(standing_franka()),
        stack(config, capabilities(config), std::make_unique<RobotModel>(config)),
        client(stack.config(), stack.inbox(), "test") {}

  /// No torque moves it, which looks like a contact.
  static RobotConfig standing_franka() {
    RobotConfig franka = app::load_robot(harness::find_robot("franka")).config;
    franka.detection->on = false;
    return franka;
  }
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
  bare.client.post(SetPayload{0, 1.0, {0.0, 0.0, 0.05}});
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

/// Mostly values that admission accepts.
Request anything_for_the_arm(std::mt19937& engine) {
  constexpr auto kFirst = static_cast<std::size_t>(CommandKind::kSetToolTarget);
  const CommandKind kind = kAllCommandKind[kFirst + engine() % (kAllCommandKind.size() - kFirst)];
  const auto number = [&](double most) {
    return std::uniform_real_distribution<>(-most, most)(engine);
  };
  const double size = engine() % 2 == 0 ? 1.0 : 1000.0;
  const bool is_signed = kind == CommandKind::kSetToolTarget ||
                         kind == CommandKind::kStreamToolTarget || engine() % 10 == 0;
  std::vector<double> numbers;
  const auto of = [&](const FieldInfo& field) {
    if (field.range == Range::kFlag) return static_cast<double>(engine() % 2);
    if (!field.words.empty()) return static_cast<double>(engine() % field.words.size());
    if (field.range == Range::kGrasp) return number(0.04);
    const double any = engine() % 3 == 0 ? std::round(number(4.0)) : number(size);
    return is_signed ? any : std::abs(any);
  };
  for (const FieldInfo& field : fields_of(kind)) {
    constexpr std::array<std::size_t, 4> kSizes{0, 6, 7, 36};
    const std::size_t count = field.is_list ? kSizes[engine() % 4] : field.most;
    for (std::size_t i = 0; i < std::min(count, field.most); ++i) {
      const bool is_quaternion = field.range == Range::kUnitLength;
      numbers.push_back(is_quaternion ? (i == 0 ? 1.0 : 0.0) : of(field));
    }
  }
  if (!numbers.empty() && engine() % 50 == 0) numbers[0] = HUGE_VAL;
  return testing::arm_request(kind, numbers);
}

TEST(Arm, WhateverItIsAskedTorqueStaysWithinItsLimitAndRate) {
  Bare bare;
  bare.cycle();
  bare.client.set_mode(bare.client.select("arm"), ModeRequest::kCartesian);
  for (int i = 0; i < 5; ++i) bare.cycle();  // from off the motors come on carrying the arm
  std::mt19937 engine(5);
  int ran = 0;
  for (int n = 0; n < 20000; ++n) {
    if (engine() % 4 == 0) {
      bare.client.post(anything_for_the_arm(engine));
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
