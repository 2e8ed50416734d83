// Modes of the whole-body controller that robot.yaml chooses.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "control/stack/config_error.h"

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

TEST(WholeBodyModes, InverseKinematicsIsRefusedAsNothingLeadsTheJointsByIt) {
  RobotConfig config = icub_by(CoreMode::kInverseDynamics);
  config.laws.clear();  // its law is made when the robot is opened
  config.whole_body->mode = CoreMode::kInverseKinematics;
  const std::string why = refusal_of(config);
  EXPECT_EQ(why.find(config.whole_body->place), 0U) << why;
  EXPECT_NE(why.find("whole_body: mode inverse_kinematics"), std::string::npos) << why;
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
