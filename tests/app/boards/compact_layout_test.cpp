// Drives with one PDO each way in a cycle: what a wire carries of them, and that they drive.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/boards/local_boards.h"
#include "app/rig/robot_loading.h"
#include "app/rig/wiring.h"

namespace jointrig::app {
namespace {

/// The arm with its seven joints on one wire, and the finger on another.
RobotConfig seven_on_a_wire(TimeNs cycle, bool compact) {
  RobotConfig robot = load_robot(harness::find_robot("models/franka/two_wires.yaml")).config;
  for (JointConfig& joint : robot.joints) {
    joint.drive.feed_forward = false;
    if (compact) joint.drive.layout = DriveLayout::kCompact;
    if (joint.name != "panda_finger_joint1") joint.drive.bus = "shoulder";
  }
  for (BusConfig& bus : robot.buses) bus.cycle_ns = cycle;
  return robot;
}

constexpr TimeNs kMillisecond = 1'000'000;

TEST(CompactLayout, SevenJointsFitOnAWireAtThreeMilliseconds) {
  const RobotConfig robot = seven_on_a_wire(3 * kMillisecond, true);
  EXPECT_TRUE(wiring_problems(robot).empty()) << wiring_problems(robot).front();
  // SYNC has 55 bits, a frame of 8 bytes 135: 55 + 7 · 2 · 135 = 1945 of 3000.
  ASSERT_EQ(bus_loads(robot).size(), 2U);
  EXPECT_EQ(bus_loads(robot)[0],
            "bus shoulder: 7 joints, 0 sensors, 3 ms: 64.8 % of the wire, 70 % is the limit, "
            "2.779 ms the shortest cycle; 1 × 55 µs + 14 × 135 µs = 1945 µs of 3000 µs");
}

TEST(CompactLayout, WhatCantFitIsRefusedWithTheSum) {
  const auto full = wiring_problems(seven_on_a_wire(3 * kMillisecond, false));
  ASSERT_EQ(full.size(), 1U);
  EXPECT_NE(full[0].find("1 × 55 µs + 21 × 135 µs = 2890 µs of 3000 µs"), std::string::npos)
      << full[0];
  const auto fast = wiring_problems(seven_on_a_wire(2 * kMillisecond, true));
  ASSERT_EQ(fast.size(), 1U);
  EXPECT_NE(fast[0].find("1 × 55 µs + 14 × 135 µs = 1945 µs of 2000 µs"), std::string::npos)
      << fast[0];
}

struct CompactBoards {
  /// All joints follow a sine of 0.1 rad at 0.5 Hz from where they are.
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      backend->wait();
      backend->read(state);
      if (start.empty()) {
        began = state.cycle;
        for (const JointState& joint : state.joints) start.push_back(joint.q);
      }
      command.cycle = state.cycle;
      command.joints.resize(state.joints.size());
      const double t = 1e-3 * static_cast<double>(state.cycle - began);
      for (std::size_t j = 0; j < start.size(); ++j) {
        command.joints[j].drive = DriveMode::kPosition;
        command.joints[j].q = start[j] + kReach * (1.0 - std::cos(kOmega * t));
      }
      backend->write(command);
    }
  }

  static constexpr double kReach = 0.01;               // [rad or m]
  static constexpr double kOmega = 3.141592653589793;  // [rad/s]
  RobotConfig robot = seven_on_a_wire(3 * kMillisecond, true);
  LocalBoards boards{robot};
  std::unique_ptr<hw::HwBackend> backend = boards.make_backend();
  RobotState state;
  RobotCommand command;
  std::vector<double> start;
  std::uint64_t began = 0;
};

TEST(CompactLayout, DrivesFollowAndTellTheirVelocityByTheirPosition) {
  CompactBoards on;
  on.backend->start();
  on.run(300);
  double fastest = 0.0;
  for (int i = 0; i < 600; ++i) {
    on.run(1);
    for (std::size_t j = 0; j < 7; ++j) {
      const JointState& joint = on.state.joints[j];
      ASSERT_EQ(joint.missed, 0U);
      ASSERT_EQ(joint.status, BoardStatus::kEnabled);
      fastest = std::max(fastest, std::abs(joint.v));
      if (joint.extrapolated) continue;
      const sim::JointTruth truth = on.boards.robot().plant().joint(j);
      const double step = on.robot.joints[j].board.encoder_step;
      EXPECT_NEAR(joint.q, truth.q, step + 1e-6);
      // The mean over the last 3 ms lags by half of that: a/2 · T, with an eighth of it for ripple.
      EXPECT_NEAR(joint.v, truth.v,
                  2.0 * step / 3e-3 + 0.2 * CompactBoards::kReach * 9.87 * 3e-3 + 2e-3);
    }
  }
  // They move as fast as asked; the elbow, which sags when its motor gets on, faster.
  EXPECT_GT(fastest, 0.8 * CompactBoards::kReach * CompactBoards::kOmega);
}

TEST(CompactLayout, AFaultArrivesWithItsCode) {
  CompactBoards on;
  on.backend->start();
  on.run(100);
  on.boards.robot().boards()[2].inject(sim::SimFault::kOverCurrent);
  on.run(100);
  EXPECT_EQ(on.state.joints[2].status, BoardStatus::kHwFault);
  EXPECT_EQ(on.state.joints[2].fault, FaultCode::kOverCurrent);
  EXPECT_EQ(on.state.joints[1].status, BoardStatus::kEnabled);
}

}  // namespace
}  // namespace jointrig::app
