#include "sim/kinematic_backend.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jointrig::sim {
namespace {

RobotConfig two_joints() {
  RobotConfig robot;
  robot.joints.resize(2);
  robot.joints[0].name = "pan";
  robot.joints[0].q_start = 0.2;
  robot.joints[0].limits.v_max = 2.0;
  robot.joints[0].limits.q_min = -1.0;
  robot.joints[0].limits.q_max = 0.5;
  robot.joints[1].name = "rail";
  robot.joints[1].limits.v_max = 0.1;
  return robot;
}

struct Fixture {
  explicit Fixture(const RobotConfig& robot, const KinematicOptions& options = {})
      : backend(robot, options) {
    backend.start();
    command.joints.resize(robot.joints.size());
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      ASSERT_TRUE(backend.wait().is_due);
      backend.read(state);
      backend.write(command);
    }
  }
  KinematicBackend backend;
  RobotCommand command;
  RobotState state;
};

TEST(KinematicBackend, OffersPositionAndVelocityOnly) {
  const KinematicBackend backend(two_joints());
  const DriveModes modes = backend.description().joints[0].drive_modes;
  EXPECT_TRUE(modes.has(DriveMode::kPosition) && modes.has(DriveMode::kVelocity));
  EXPECT_TRUE(modes.has(DriveMode::kOff));
  EXPECT_FALSE(modes.has(DriveMode::kTorque) || modes.has(DriveMode::kDuty));
  EXPECT_FALSE(modes.has(DriveMode::kImpedance));
  EXPECT_FALSE(backend.description().joints[0].senses_torque);
}

TEST(KinematicBackend, GoesToItsSetpointNoFasterThanVMax) {
  Fixture fixture(two_joints());
  fixture.command.joints[0].drive = DriveMode::kPosition;
  fixture.command.joints[0].q = -0.3;
  fixture.run(1);
  EXPECT_EQ(fixture.state.joints[0].q, 0.2);
  EXPECT_EQ(fixture.state.joints[0].status, BoardStatus::kReady);
  fixture.run(2);  // the command of cycle 0 acts from cycle 1: cycle 2 is the first to show it
  EXPECT_NEAR(fixture.state.joints[0].q, 0.2 - 0.002, 1e-15);
  EXPECT_NEAR(fixture.state.joints[0].v, -2.0, 1e-9);
  EXPECT_EQ(fixture.state.joints[0].status, BoardStatus::kEnabled);
  fixture.run(249);  // 0.5 rad at 2 rad/s
  EXPECT_NEAR(fixture.state.joints[0].q, -0.3, 1e-12);
  fixture.run(1);
  EXPECT_EQ(fixture.state.joints[0].v, 0.0);
  EXPECT_EQ(fixture.state.joints[1].q, 0.0);
  EXPECT_EQ(fixture.state.joints[1].status, BoardStatus::kReady);
}

TEST(KinematicBackend, IntegratesVelocityWithinItsRange) {
  Fixture fixture(two_joints());
  fixture.command.joints[0].drive = DriveMode::kVelocity;
  fixture.command.joints[0].v = 1.0;
  fixture.command.joints[1].drive = DriveMode::kVelocity;
  fixture.command.joints[1].v = -5.0;
  fixture.run(202);
  EXPECT_NEAR(fixture.state.joints[0].q, 0.2 + 0.2, 1e-12);
  EXPECT_NEAR(fixture.state.joints[1].q, -0.1 * 0.2, 1e-12);
  fixture.run(200);
  EXPECT_EQ(fixture.state.joints[0].q, 0.5);
  EXPECT_EQ(fixture.state.joints[0].v, 0.0);
}

TEST(KinematicBackend, StaysWhereItIsWithTheMotorOffOrASetpointThatIsNotFinite) {
  Fixture fixture(two_joints());
  fixture.command.joints[0].drive = DriveMode::kVelocity;
  fixture.command.joints[0].v = std::nan("");
  fixture.run(50);
  EXPECT_EQ(fixture.state.joints[0].q, 0.2);
  fixture.command.joints[0].v = 1.0;
  fixture.backend.stop();
  fixture.run(50);
  EXPECT_EQ(fixture.state.joints[0].q, 0.2);
  EXPECT_EQ(fixture.state.joints[0].status, BoardStatus::kReady);
}

TEST(KinematicBackend, IsCalibratedBeforeItDrivesWhereTheBoardNeedsIt) {
  RobotConfig robot = two_joints();
  robot.joints[0].board.needs_calibration = true;
  Fixture fixture(robot);
  fixture.command.joints[0].drive = DriveMode::kVelocity;
  fixture.command.joints[0].v = 1.0;
  fixture.run(10);
  EXPECT_EQ(fixture.state.joints[0].status, BoardStatus::kConfigured);
  EXPECT_EQ(fixture.state.joints[0].q, 0.2);
  fixture.command.joints[0] = {};
  fixture.command.joints[0].request = BoardRequest::kCalibrate;
  fixture.run(3);
  EXPECT_EQ(fixture.state.joints[0].status, BoardStatus::kCalibrating);
  fixture.run(1);
  EXPECT_EQ(fixture.state.joints[0].status, BoardStatus::kCalibDone);
  fixture.command.joints[0] = {};
  fixture.command.joints[0].drive = DriveMode::kPosition;
  fixture.run(3);
  EXPECT_EQ(fixture.state.joints[0].status, BoardStatus::kEnabled);
}

TEST(KinematicBackend, EndsWhenItsTimeIsOverOrItIsClosed) {
  KinematicOptions options;
  options.end_ns = 10'000'000;
  Fixture fixture(two_joints(), options);
  fixture.run(10);
  EXPECT_FALSE(fixture.backend.wait().is_due);
  Fixture other(two_joints());
  other.run(1);
  other.backend.close();
  EXPECT_FALSE(other.backend.wait().is_due);
}

TEST(KinematicBackend, TwoRunsGiveTheSameHashAndAnotherCommandAnother) {
  const auto hash_of = [](double v) {
    Fixture fixture(two_joints());
    fixture.command.joints[1].drive = DriveMode::kVelocity;
    fixture.command.joints[1].v = v;
    fixture.run(100);
    return fixture.backend.hash();
  };
  EXPECT_EQ(hash_of(0.05), hash_of(0.05));
  EXPECT_NE(hash_of(0.05), hash_of(0.06));
}

}  // namespace
}  // namespace jointrig::sim
