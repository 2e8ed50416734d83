// Modes of the whole-body controller that robot.yaml chooses.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "control/stack/config_error.h"
#include "tests/support/alloc_guard.h"

namespace jointrig {
namespace {

RobotConfig icub_by(CoreMode mode) {
  return app::load_robot(harness::find_robot("icub"),
                         [mode](RobotConfig& config) {
                           config.pin_base = false;
                           config.scene_path = "scenes/empty_floor.xml";
                           config.whole_body->mode = mode;
                         })
      .config;
}

struct ModalIcub {
  explicit ModalIcub(const RobotConfig& config)
      : rig(config, {}),
        client(rig.stack().config(), rig.stack().inbox(), "test"),
        all(client.select("all")) {
    rig.start();
    run(1);
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }
  LawState state() { return rig.stack().snapshot().laws[0].state; }
  std::array<double, 3> place() { return rig.plant()->base().position; }

  app::Rig rig;
  RobotClient client;
  JointSet all;
};

std::string refusal_of(const RobotConfig& config) {
  try {
    app::Rig rig(config, {});
    rig.start();
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

TEST(WholeBodyModes, ABoardThatTakesNoTorqueIsRefusedWithThePlaceOfTheSection) {
  for (const CoreMode mode : {CoreMode::kInverseDynamics, CoreMode::kVirtualModel}) {
    RobotConfig config = icub_by(mode);
    config.joints[7].board.drive_modes = {DriveMode::kPosition};
    const std::string why = refusal_of(config);
    EXPECT_EQ(why.find(config.whole_body->place), 0U) << why;
    EXPECT_NE(why.find(to_string(mode)), std::string::npos) << why;
    EXPECT_NE(why.find("the board of joint \"" + config.joints[7].name + "\" takes none"),
              std::string::npos)
        << why;
  }
}

/// Stiffness of a joint's drive: as in scenarios/whole_body/whole_body_inverse_kinematics.yaml.
double stiffness_of(const std::string& joint) {
  const auto has = [&](const char* word) { return joint.find(word) != std::string::npos; };
  if (has("neck") || has("wrist")) return 30.0;
  return has("shoulder") || has("elbow") ? 500.0 : 2000.0;
}

/// The iCub with drives that close a loop of position, and take no torque.
RobotConfig icub_by_positions() {
  RobotConfig config = icub_by(CoreMode::kInverseKinematics);
  for (JointConfig& joint : config.joints) {
    joint.board.drive_modes = {DriveMode::kOff, DriveMode::kPosition};
    joint.gains.kp = stiffness_of(joint.name);
    joint.gains.ki = 0.0;
    joint.gains.kd = 0.02 * joint.gains.kp;
    joint.gains.is_pid = true;
  }
  return config;
}

TEST(WholeBodyModes, InverseKinematicsIsRefusedForALoopThatTheStackMakesForAHangingLeg) {
  const RobotConfig config = icub_by(CoreMode::kInverseKinematics);
  const std::string why = refusal_of(config);
  EXPECT_EQ(why.find(config.whole_body->place), 0U) << why;
  EXPECT_NE(why.find("joint \"" + config.joints[0].name + "\" has none"), std::string::npos) << why;
  EXPECT_NE(why.find("closes_position: board"), std::string::npos) << why;
  EXPECT_EQ(refusal_of(icub_by_positions()), "");
}

TEST(WholeBodyModes, ByInverseKinematicsItStandsOnDrivesThatTakeNoTorque) {
  ModalIcub robot(icub_by_positions());
  robot.client.set_mode(robot.all, ModeRequest::kPosition);
  robot.run(3000);
  ASSERT_EQ(robot.state(), LawState::kRuns);
  for (const JointSnapshot& joint : robot.rig.stack().snapshot().joints) {
    EXPECT_EQ(joint.setpoint.drive, DriveMode::kPosition);
  }
  robot.run(3000);
  const std::array<double, 3> start = robot.place();
  robot.run(3000);
  EXPECT_EQ(robot.state(), LawState::kRuns);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(robot.place()[i], start[i], 2e-3);
}

TEST(WholeBodyModes, TheReferencesBeginWhereTheyAreAndNoneJumps) {
  ModalIcub robot(icub_by_positions());
  robot.client.set_mode(robot.all, ModeRequest::kPosition);
  std::vector<double> before;
  bool has_begun = false;
  for (int k = 0; k < 1500; ++k) {
    robot.run(1);
    const auto& joints = robot.rig.stack().snapshot().joints;
    const bool both_drive = !before.empty() && joints[0].setpoint.drive == DriveMode::kPosition;
    for (std::size_t i = 0; i < joints.size() && both_drive && k > 100; ++i) {
      // 200 deg/s, the largest speed of a joint, over a cycle is 3.5 mrad.
      EXPECT_LT(std::abs(joints[i].setpoint.q - before[i]), 1e-4) << i << " in cycle " << k;
    }
    before.clear();
    for (const JointSnapshot& joint : joints) before.push_back(joint.setpoint.q);
    has_begun = has_begun || robot.state() == LawState::kRuns;
  }
  EXPECT_TRUE(has_begun);
}

TEST(WholeBodyModes, AReferenceIsHeldNearItsJointAndThatIsTold) {
  RobotConfig config = icub_by_positions();
  config.whole_body->away_max = 2e-3;  // its knees carry 4 N·m with that
  ModalIcub robot(config);
  EventRing::Reader reader(robot.rig.stack().events());
  robot.client.set_mode(robot.all, ModeRequest::kPosition);
  const auto told = [&] {
    bool found = false;
    for (Event e; reader.next(e);) {
      found = found || (e.kind == EventKind::kGaveWay &&
                        e.detail == static_cast<std::uint8_t>(BodyConstraint::kReference) &&
                        e.limit > 2e-3 && e.value < 32.0);
    }
    return found;
  };
  int led = 0;
  for (int k = 0; k < 1000 && led < 50; ++k) {
    robot.run(1);
    led = robot.state() == LawState::kRuns ? led + 1 : 0;
    if (led < 5)
      continue;  // it comes in from where its references were, no faster than they may go
    for (const JointSnapshot& joint : robot.rig.stack().snapshot().joints) {
      EXPECT_LE(std::abs(joint.setpoint.q - joint.state.q), 2e-3 + 1e-9) << led;
    }
  }
  EXPECT_EQ(led, 50);
  EXPECT_TRUE(told());
}

TEST(WholeBodyModes, AJointThatAnybodyMovesEndsTheLeadUntilAModeIsAskedFor) {
  ModalIcub robot(icub_by_positions());
  robot.client.set_mode(robot.all, ModeRequest::kPosition);
  robot.run(1500);
  ASSERT_EQ(robot.state(), LawState::kRuns);
  const JointSet head = robot.client.select("neck_yaw");
  robot.client.move(head, 0.2, 0.5);
  robot.run(300);
  EXPECT_EQ(robot.state(), LawState::kWaits);
  robot.run(500);
  EXPECT_EQ(robot.state(), LawState::kWaits) << "it is no joint of the controller's";
  robot.client.set_mode(robot.all, ModeRequest::kPosition);
  robot.run(300);
  EXPECT_EQ(robot.state(), LawState::kRuns);
}

TEST(WholeBodyModes, ByInverseKinematicsACycleAllocatesLocksThrowsAndPrintsNothing) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  ModalIcub robot(icub_by_positions());
  robot.client.set_mode(robot.all, ModeRequest::kPosition);
  RealtimeGuard guard;
  robot.run(1500);
  const ViolationCounts counts = guard.violations();
  EXPECT_EQ(counts, kNoViolations) << guard.report();
  EXPECT_EQ(robot.state(), LawState::kRuns);
}

TEST(WholeBodyModes, ByVirtualModelItStandsInModeTorque) {
  ModalIcub robot(icub_by(CoreMode::kVirtualModel));
  robot.client.set_mode(robot.all, ModeRequest::kTorque);
  robot.run(3000);
  ASSERT_EQ(robot.state(), LawState::kRuns);
  const std::array<double, 3> start = robot.place();
  robot.run(3000);
  EXPECT_EQ(robot.state(), LawState::kRuns);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(robot.place()[i], start[i], 1e-3);
}

}  // namespace
}  // namespace jointrig
