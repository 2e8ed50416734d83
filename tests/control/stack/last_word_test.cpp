/// Torque limits are applied last: for every source of a torque, whoever closes the loop, and with
/// the board's own additions. A limit that acts is counted.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "tests/control/stack/swaying_joints.h"

namespace jointrig {
namespace {

/// The boards of a Franka arm, all of one kind.
struct Kind {
  const char* name;
  DriveModes modes;
  bool compensates_gravity;
};

/// The stack alone, on states that are made up: joints that sway, a payload that comes and goes.
struct Swaying {
  explicit Swaying(const Kind& boards_of)
      : kind(boards_of),
        config(make_config()),
        stack(config, boards(), std::make_unique<RobotModel>(config)),
        client(stack.config(), stack.inbox(), "test"),
        model(config) {}

  [[nodiscard]] RobotConfig make_config() const {
    RobotConfig robot = app::load_robot(harness::find_robot("franka")).config;
    for (JointConfig& joint : robot.joints) {
      joint.limits.tau_max *= 0.3;  // so that gravity alone is near them
      joint.limits.tau_rate_max *= 0.2;
      joint.board_closes_position = kind.modes.has(DriveMode::kPosition);
    }
    return robot;
  }
  [[nodiscard]] std::vector<JointCapabilities> boards() const {
    std::vector<JointCapabilities> boards;
    for (const JointConfig& joint : config.joints) {
      JointCapabilities board;
      board.joint = joint.name;
      board.drive_modes = kind.modes;
      board.senses_velocity = board.reports_status = true;
      board.compensates_gravity = kind.compensates_gravity;
      board.senses_torque = true;
      boards.push_back(board);
    }
    return boards;
  }

  void cycle() {
    testing::sway(state, config, stack.state().cycle + 1, 0.2);
    stack.cycle(state, command);
    model.update(state);
  }

  /// Torque on the joint, as far as it is known outside of the board.
  [[nodiscard]] double driving(std::size_t i) const {
    const JointSetpoint& s = command.joints[i];
    double tau =
        s.tau + s.stiffness * (s.q - state.joints[i].q) + s.damping * (s.v - state.joints[i].v);
    if (kind.compensates_gravity) tau += model.gravity(static_cast<JointIndex>(i));
    return tau;
  }

  Kind kind;
  RobotConfig config;
  Stack stack;
  RobotClient client;
  RobotModel model;
  RobotState state;
  RobotCommand command;
};

class LastWord : public ::testing::TestWithParam<Kind> {};

TEST_P(LastWord, TheTorqueOfAJointStaysWithinItsLimitAndRate) {
  Swaying robot(GetParam());
  robot.cycle();
  std::mt19937 engine(7);
  const auto number = [&](double most) {
    return std::uniform_real_distribution<>(-most, most)(engine);
  };
  // Modes that every kind of board has; cartesian and torque for those that take torque.
  std::vector<ModeRequest> modes{ModeRequest::kPosition, ModeRequest::kPositionDirect,
                                 ModeRequest::kMixed};
  if (GetParam().modes.has(DriveMode::kTorque)) {
    modes.insert(modes.end(), {ModeRequest::kTorque, ModeRequest::kCartesian});
  }
  robot.client.set_mode(robot.client.select("arm"), ModeRequest::kPosition);
  for (int i = 0; i < 5; ++i) robot.cycle();
  std::array<double, 7> before{};
  for (std::size_t i = 0; i < 7; ++i) before[i] = robot.driving(i);
  std::array<LimitCycles, 7> counted{};
  for (std::size_t i = 0; i < 7; ++i) {
    counted[i] = robot.stack.snapshot().joints[i].limit_cycles;
  }
  for (int n = 0; n < 6000; ++n) {
    const JointSet arm = robot.client.select("arm");
    if (engine() % 300 == 0) robot.client.set_mode(arm, modes[engine() % modes.size()]);
    if (engine() % 200 == 0) {
      robot.client.set_interaction(
          arm, engine() % 2 == 0 ? InteractionMode::kStiff : InteractionMode::kCompliant);
    }
    if (engine() % 100 == 0) {
      robot.client.post(SetPayload{.arm = 0, .mass = 5.0 + number(5.0), .centre = {0, 0, 0.2}});
    }
    if (engine() % 50 == 0) robot.client.move(arm, number(1.0));
    StreamTorque torque;
    torque.joints = arm;
    for (std::size_t i = 0; i < 7; ++i) {
      torque.values.push_back({number(robot.config.joints[i].limits.tau_max)});
    }
    robot.client.post(torque);
    robot.cycle();
    for (std::size_t i = 0; i < 7; ++i) {
      const JointLimits& limits = robot.config.joints[i].limits;
      const JointSnapshot& joint = robot.stack.snapshot().joints[i];
      const double tau = robot.driving(i);
      ASSERT_LE(std::abs(tau), limits.tau_max + 1e-9) << n << " joint " << i;
      ASSERT_LE(std::abs(tau - before[i]), limits.tau_rate_max * 1e-3 + 1e-9)
          << n << " joint " << i << " " << to_string(joint.setpoint.drive);
      before[i] = tau;
      for (const Limit limit : kAllLimit) {
        counted[i][static_cast<std::size_t>(limit)] += joint.limits.has(limit) ? 1 : 0;
      }
      ASSERT_EQ(joint.limit_cycles, counted[i]) << n;
    }
  }
  for (const Limit limit : {Limit::kTorque, Limit::kTorqueRate}) {
    std::uint32_t all = 0;
    for (const LimitCycles& of_joint : counted) all += of_joint[static_cast<std::size_t>(limit)];
    EXPECT_GT(all, 50U) << to_string(limit) << " had something to do";
  }
}

TEST(LastWordHandedOver, FromALoopOfTheBoardTorqueGoesOnFromWhatTheJointMakes) {
  const Kind kind{"both", {DriveMode::kOff, DriveMode::kTorque, DriveMode::kPosition}, false};
  Swaying robot(kind);
  robot.cycle();
  robot.client.set_mode(robot.client.select("arm"), ModeRequest::kPosition);
  for (int i = 0; i < 20; ++i) robot.cycle();
  ASSERT_EQ(robot.command.joints[1].drive, DriveMode::kPosition);
  // Something leans on it: the board's loop pushes back by as much.
  for (JointState& joint : robot.state.joints) joint.tau = 11.0;
  for (int i = 0; i < 20; ++i) robot.cycle();
  robot.client.set_mode(robot.client.select("arm"), ModeRequest::kTorque);
  robot.cycle();
  for (std::size_t i = 0; i < 7; ++i) {
    const JointLimits& limits = robot.config.joints[i].limits;
    ASSERT_EQ(robot.command.joints[i].drive, DriveMode::kTorque);
    const double from = std::min(11.0, limits.tau_max);
    EXPECT_LE(std::abs(robot.command.joints[i].tau - from), limits.tau_rate_max * 1e-3 + 1e-9) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Boards, LastWord,
    ::testing::Values(
        Kind{"torque", {DriveMode::kOff, DriveMode::kTorque}, false},
        Kind{"torque_on_top", {DriveMode::kOff, DriveMode::kTorque}, true},
        Kind{"impedance", {DriveMode::kOff, DriveMode::kImpedance, DriveMode::kPosition}, false},
        Kind{"position", {DriveMode::kOff, DriveMode::kPosition}, false},
        Kind{"position_on_top", {DriveMode::kOff, DriveMode::kPosition}, true},
        Kind{"velocity", {DriveMode::kOff, DriveMode::kVelocity}, false}),
    [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace jointrig
