#include <limits>
#include <random>

#include "harness/config/joint_settings.h"
#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

// A robot whose every setting differs from its default, and from a round number.
RobotConfig an_unusual_robot() {
  std::mt19937_64 random(20);
  const auto some = [&random] { return std::uniform_real_distribution<>(0.01, 0.9)(random); };
  RobotConfig robot = a_robot();
  robot.name = "yes";  // a word that YAML might take for something else
  robot.keyframe = "12";
  robot.pin_base = true;
  robot.gravity = {{some(), -some(), some()}};
  robot.motors = true;
  robot.package_path = {"/opt/packages", "/a b"};
  robot.period_ns = 1'234'567;
  robot.delay_cycles = 3;
  for (JointConfig& joint : robot.joints) {
    kInertia.field(joint) = some();
    for (const JointNumber& number : kJointNumbers) number.field(joint) = some();
    for (const JointNumber& number : kBoardNumbers) number.field(joint) = some();
    for (const JointNumber& number : kBrakeNumbers) number.field(joint) = 0.4 * some();
    joint.gains.is_pid = true;  // its gains are written
    joint.limits.q_min = -some();
    joint.limits.q_max = 1.0 + some();
    joint.limits.soft_margin = 0.1 * some();
    joint.board.ambient_C = -some();
    joint.timeout = {some(), TimeoutReaction::kDecelerate};
    joint.board.drive_modes = {DriveMode::kTorque, DriveMode::kPosition, DriveMode::kImpedance};
    joint.board.needs_calibration = true;
    joint.gravity_in_torque = false;
    joint.board_closes_position = true;
    joint.board.armature = some();
    joint.board.viscous = some();
  }
  robot.joints[0].backend = BackendKind::kKinematic;
  robot.joints[0].cycle_ns = 3 * robot.period_ns;
  robot.joints[1].limits.q_min = -std::numeric_limits<double>::infinity();
  robot.parts = {{"arms", {2, 0}}, {"a part", {1}}};
  robot.poses = {{"home", {some(), std::nullopt, some()}}, {"null", {{}, {}, {}}}};
  robot.plant = {
      .payloads = {{"hand", some(), {some(), -some(), 0.0}, {0.2, 0.3, 0.4, 0.01, 0.02, 0.03}}},
      .mass_scale = some(),
      .friction_scale = some(),
      .keep_overlaps = true,
      .encoder_noise = some(),
      .torque_noise = some(),
      .seed = 9007199254740991U};
  return robot;
}

TEST(RobotYaml, ReadsBackToTheBit) {
  const RobotConfig robot = an_unusual_robot();
  RobotConfig back = a_robot();
  apply_robot_file(parse_yaml(to_yaml(robot), "effective.yaml"), back);
  EXPECT_EQ(back, robot);
}

TEST(RobotYaml, ReadsTheSettingsOfComputedTorqueBackToTheBit) {
  RobotConfig robot = a_robot();
  robot.joints[0].gains.bandwidth_hz = 1.0 / 3.0;
  robot.joints[0].gains.damping_ratio = 0.7;
  RobotConfig back = a_robot();
  apply_robot_file(parse_yaml(to_yaml(robot), "effective.yaml"), back);
  EXPECT_EQ(back.joints[0].gains.bandwidth_hz, 1.0 / 3.0);
  EXPECT_EQ(back.joints[0].gains.damping_ratio, 0.7);
  EXPECT_FALSE(back.joints[0].gains.is_pid);
  EXPECT_EQ(back.joints[1], robot.joints[1]);
}

TEST(RobotYaml, ReadsBackToTheBitWhereNothingWasSet) {
  RobotConfig robot;
  robot.model_path = "m.xml";
  robot.joints.resize(1);
  robot.joints[0].name = "j";
  RobotConfig back = robot;
  apply_robot_file(parse_yaml(to_yaml(robot), "effective.yaml"), back);
  EXPECT_EQ(back, robot);
}

TEST(RobotYaml, ReadsEachModeOfTheWholeBodyControllerBack) {
  for (const CoreMode mode : kAllCoreMode) {
    SCOPED_TRACE(std::string(to_string(mode)));
    RobotConfig robot = a_robot();
    WholeBodyConfig& body = robot.whole_body.emplace();
    FootConfig& foot = body.feet.emplace_back();
    foot.name = "sole";
    foot.frame = "foot";
    foot.size = {0.16, 0.072};
    body.mode = mode;
    body.servo_bandwidth = 1.0 / 3.0;
    body.balance_gain = 1.0 / 7.0;
    body.lead_max = 1.0 / 9.0;
    body.away_max = 1.0 / 11.0;
    RobotConfig back = a_robot();
    apply_robot_file(parse_yaml(to_yaml(robot), "effective.yaml"), back);
    ASSERT_TRUE(back.whole_body);
    EXPECT_EQ(back.whole_body->mode, mode);
    back.whole_body->place = body.place;  // it was read from another file
    EXPECT_EQ(back.whole_body, robot.whole_body);
  }
}

TEST(RobotYaml, WritesPathsRelativeToItsFolder) {
  RobotConfig robot = a_robot();
  robot.model_path = "models/odd/odd.xml";
  const std::string text = to_yaml(robot, "none/such");
  EXPECT_NE(text.find("\nmodel: \"../../models/odd/odd.xml\"\n"), std::string::npos) << text;

  RobotConfig back = a_robot();
  apply_robot_file(parse_yaml(text, "none/such/effective.yaml"), back);
  EXPECT_EQ(back.model_path, "models/odd/odd.xml");
}

}  // namespace
}  // namespace jointrig::harness
