#include "harness/config/arm_settings.h"

#include <nlohmann/json.hpp>

#include "harness/config/units.h"
#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

using nlohmann::json;

constexpr const char* kParts = "parts: {pair: [l_elbow, r_elbow], left: [l_elbow]}\n";

std::string arm(const std::string& keys) {
  return std::string(kParts) + "arms: {reach: {part: pair, tool: tip" + keys + "}}\n";
}

TEST(ArmSettings, TwoWordsAreEnough) {
  const RobotConfig robot = a_robot_with(arm(""));
  ASSERT_EQ(robot.arms.size(), 1U);
  const ArmConfig& reach = robot.arms[0];
  EXPECT_EQ(reach.name, "reach");
  EXPECT_EQ(reach.part, "pair");
  EXPECT_EQ(reach.tool, "tip");
  EXPECT_EQ(reach.joints, (std::vector<JointIndex>{0, 2}));
  EXPECT_EQ(reach.posture_weights, (std::vector<double>{1.0, 1.0}));
  ASSERT_EQ(reach.friction.size(), 2U);
  EXPECT_EQ(reach.friction[0].coulomb, robot.joints[0].gains.friction);
  EXPECT_TRUE(reach.terms.has(ArmTerm::kPosture));
  EXPECT_FALSE(reach.terms.has(ArmTerm::kFriction));
}

TEST(ArmSettings, ADefaultStiffnessIsWithinTheCapsThatAFileSets) {
  const RobotConfig robot = a_robot_with(arm(", stiffness_max: [450, 700, 450, 6, 25, 6]"));
  EXPECT_EQ(robot.arms[0].stiffness, (Six{450, 600, 450, 6, 20, 6}));
}

TEST(ArmSettings, NumbersHaveUnitsAndListsGoByJoint) {
  const RobotConfig robot = a_robot_with(
      arm(", stiffness: [1 N/mm, 500, 500, 10 Nm/rad, 10, 10], timeout: 150 ms, frame: tool,\n"
          "  speed_max: 50 cm/s, posture_weights: [1, 0.5], terms: [friction, limits],\n"
          "  friction: {coulomb: [0.3, 0.4 Nm], viscous: 0.1}, projector: kinematic,\n"
          "  payload: {mass: 200 g, centre: [0, 0, 5 cm], inertia: [0.01, 2e4 kg mm^2, 0.02, 0, 0, "
          "-0.001]}"));
  const ArmConfig& reach = robot.arms[0];
  EXPECT_EQ(reach.stiffness, (Six{1000, 500, 500, 10, 10, 10}));
  EXPECT_DOUBLE_EQ(reach.timeout, 0.15);
  EXPECT_DOUBLE_EQ(reach.speed_max, 0.5);
  EXPECT_EQ(reach.frame, ToolFrame::kTool);
  EXPECT_EQ(reach.projector, Projector::kKinematic);
  EXPECT_EQ(reach.posture_weights, (std::vector<double>{1.0, 0.5}));
  EXPECT_DOUBLE_EQ(reach.friction[1].coulomb, 0.4);
  EXPECT_DOUBLE_EQ(reach.friction[1].viscous, 0.1);
  EXPECT_DOUBLE_EQ(reach.payload.mass, 0.2);
  EXPECT_DOUBLE_EQ(reach.payload.centre[2], 0.05);
  EXPECT_EQ(reach.payload.inertia, (LoadInertia{0.01, 0.02, 0.02, 0, 0, -0.001}));
  EXPECT_TRUE(reach.terms.has(ArmTerm::kLimits));
  EXPECT_FALSE(reach.terms.has(ArmTerm::kGravity));
}

TEST(ArmSettings, AnInertiaThatNoBodyHasIsRefused) {
  EXPECT_EQ(
      sentence_in(arm(", payload: {mass: 1, inertia: [0.01, 0.01, 0.03, 0, 0, 0]}")),
      "no rigid body has this inertia: its largest principal moment is 0.03 kg·m², above the "
      "sum of the other two, 0.02 kg·m²; give Ixx Iyy Izz Ixy Ixz Iyz about the load's centre "
      "of mass, along the flange's axes");
  EXPECT_EQ(sentence_in(arm(", payload: {mass: 0, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}")),
            "an inertia of 0.01 kg·m² without a mass is no rigid body; give the mass, or six zeros "
            "as inertia");
}

TEST(ArmSettings, WhatIsWrittenReadsBackTheSame) {
  const RobotConfig robot = a_robot_with(
      arm(", frame: world, payload: {mass: 1, inertia: [0.01, 0.02, 0.02, 0, 0, 1e-3]},\n"
          "  damping_ratio: 0.9, interaction: {force_max: [40, 40, 40, 4, 4, 4],\n"
          "  rotation_max: 60 deg}, zero_g: {damping: 0.5, cuff: {joint: r_elbow, input: 3,\n"
          "  active: low}}"));
  EXPECT_EQ(robot.arms[0].interaction.force_max[3], 4.0);
  EXPECT_EQ(robot.arms[0].zero_g.cuff_joint, 2);
  EXPECT_EQ(robot.arms[0].zero_g.cuff_input, 3);
  EXPECT_TRUE(robot.arms[0].zero_g.cuff_active_low);
  RobotConfig back = robot;
  back.arms.clear();
  apply_robot_file(parse_yaml(to_yaml(robot, ""), "written"), back);
  EXPECT_EQ(back.arms, robot.arms);
}

TEST(ArmSettings, ABoardWithoutTorqueIsRefusedByName) {
  EXPECT_EQ(sentence_in(arm("") + "joints: {r_elbow: {board: {drive_modes: [off, position]}}}\n"),
            "arm reach is controlled by torque, and the board of its joint r_elbow takes none: its "
            "drive_modes lack \"torque\"; give it a board that does, or leave the arm out");
}

TEST(ArmSettings, WhatCantBeAnArmIsToldWithItsPlace) {
  EXPECT_EQ(sentence_in(std::string(kParts) + "arms: {reach: {part: pai, tool: tip}}\n"),
            "there is no part \"pai\"; did you mean \"pair\"?");
  EXPECT_EQ(sentence_in(std::string(kParts) + "arms: {reach: {part: pair}}\n"),
            "arm reach has no tool; name a site or a body");
  EXPECT_EQ(sentence_in(std::string(kParts) + "arms: {reach: {tool: tip}}\n"),
            "arm reach has no part; name one");
  EXPECT_EQ(sentence_in(std::string(kParts) +
                        "arms: {a: {part: pair, tool: tip}, b: {part: left, tool: tip}}\n"),
            "joint l_elbow is in two arms, a and b: it can have one owner");
  EXPECT_EQ(sentence_in(arm(", stiffness: [2000, 1, 1, 1, 1, 1]")),
            "stiffness of arm reach, 2000 as its number 1, is above its stiffness_max, 1300");
  EXPECT_EQ(sentence_in(arm(", posture_weights: [1, 2, 3]")), "the arm has 2 joints, got 3 values");
  EXPECT_EQ(sentence_in(arm(", zero_g: {cuff: {joint: r_elbo}}")),
            "there is no joint \"r_elbo\"; did you mean \"r_elbow\"?");
  const std::string wrong_frame = error_of([] { return a_robot_with(arm(", frame: hand")); });
  EXPECT_NE(wrong_frame.find("frame: \"hand\" is not one of base, world, tool"), std::string::npos)
      << wrong_frame;
}

TEST(ArmSettings, AForceSensorIsASiteAndHowItIs) {
  const RobotConfig robot = a_robot_with(
      arm(", force_sensor: {site: wrist, mass: 300 g, centre: [0, 0, 4 cm], filter: 12 Hz,\n"
          "  force_max: 0.2 kN, torque_noise: 5 mNm, force_bias: [1, -2 N, 0]}") +
      "external_torque: {gain: 80 1/s, friction: false}\n");
  const ForceSensorConfig& sensor = robot.arms[0].force_sensor;
  EXPECT_EQ(sensor.site, "wrist");
  EXPECT_EQ(sensor.mass, 0.3);
  EXPECT_DOUBLE_EQ(sensor.centre[2], 0.04);
  EXPECT_EQ(sensor.filter_hz, 12.0);
  EXPECT_EQ(sensor.force_max, 200.0);
  EXPECT_EQ(sensor.torque_noise, 0.005);
  EXPECT_EQ(sensor.force_bias, (std::array<double, 3>{1, -2, 0}));
  EXPECT_EQ(robot.external_torque, (ExternalTorqueConfig{80.0, false}));
  RobotConfig again = a_robot_with("");
  apply_robot_file(parse_yaml(to_yaml(robot, {}), "written.yaml"), again);
  EXPECT_EQ(again.arms, robot.arms);
  EXPECT_EQ(again.external_torque, robot.external_torque);
}

constexpr const char* kSensorBuses =
    "buses: {left: {address: 'socketcan:can0'}, right: {address: 'socketcan:can1', protocol: "
    "moteus}}\n";

std::string sensor_at(const std::string& device) {
  return kSensorBuses + arm(", force_sensor: {site: wrist, device: {" + device + "}}");
}

TEST(ArmSettings, AForceSensorMayBeANodeOfABus) {
  const RobotConfig robot = a_robot_with(sensor_at("bus: left, node: 9, serial: 0x2F"));
  const SensorNodeConfig& device = robot.arms[0].force_sensor.device;
  EXPECT_EQ(device.bus, "left");
  EXPECT_EQ(device.node, 9);
  EXPECT_EQ(device.serial, 0x2FU);
  EXPECT_EQ(device.vendor, std::nullopt);
  RobotConfig again = a_robot_with("");
  apply_robot_file(parse_yaml(to_yaml(robot, {}), "written.yaml"), again);
  EXPECT_EQ(again.arms, robot.arms);
}

TEST(ArmSettings, ANodeThatAForceSensorCantBeIsToldWithItsPlace) {
  const auto expect_said = [](const std::string& device, const std::string& sentence) {
    const std::string said = sentence_in(sensor_at(device));
    EXPECT_NE(said.find("the force/torque sensor of arm reach " + sentence), std::string::npos)
        << said;
  };
  expect_said("bus: lift, node: 9", "is on bus lift, which `buses` doesn't have");
  expect_said("bus: right, node: 9", "is on bus right, which speaks moteus");
  expect_said("bus: left", "has no node");
  try {
    static_cast<void>(a_robot_with(sensor_at("bus: lift, node: 9")));
    ADD_FAILURE() << "is taken";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("robot.yaml:5:"), std::string::npos) << error.what();
  }
  const std::string twice = sentence_in(
      "joints: {l_elbow: {drive: {bus: left, node: 9, encoder_increments: 4096, rated_torque: "
      "0.5}}}\n" +
      sensor_at("bus: left, node: 9"));
  EXPECT_NE(
      twice.find("the drive of l_elbow and the force/torque sensor of arm reach are both node 9 of "
                 "bus left"),
      std::string::npos)
      << twice;
}

TEST(ArmSettings, AnArmWithoutAForceSensorMayHaveAPeriodLongerThanThatOfItsFilter) {
  EXPECT_EQ(sentence_in("period: 20 ms\n" + arm("")), "");
}

TEST(ArmSettings, AForceSensorThatCantBeIsToldWithItsPlace) {
  const std::string nowhere = sentence_in(arm(", force_sensor: {filter: 10 Hz}"));
  EXPECT_NE(nowhere.find("the force sensor has no site"), std::string::npos) << nowhere;
  const std::string centre = sentence_in(arm(", force_sensor: {site: a, centre: [0, 0, 1]}"));
  EXPECT_NE(centre.find("centre is that of `mass`, which isn't given"), std::string::npos)
      << centre;
  const std::string fast = sentence_in(arm(", force_sensor: {site: a, filter: 600 Hz}"));
  EXPECT_NE(fast.find("600 Hz, above half the rate of its samples, 500"), std::string::npos)
      << fast;
}

TEST(ArmSettings, DefaultsOfTheSchemaAreThoseOfTheStruct) {
  const json schema = json::parse(robot_schema_text());
  const json& keys = schema.at("definitions").at("arm").at("properties");
  const ArmConfig arm;
  for (const auto& number : kArmNumbers) {
    SCOPED_TRACE(number.key);
    const json& value = keys.at(std::string(number.key)).at("default");
    const double told = value.is_number()
                            ? value.get<double>()
                            : quantity(parse_yaml(value.get<std::string>(), "d"), number.units);
    EXPECT_EQ(told, arm.*number.field);
  }
  for (const auto& six : kArmSixes) {
    SCOPED_TRACE(six.key);
    if (six.key == "stiffness") continue;  // by the inertia that the tool feels
    EXPECT_EQ(keys.at(std::string(six.key)).at("default").get<std::vector<double>>(),
              std::vector<double>((arm.*six.field).begin(), (arm.*six.field).end()));
  }
  const json& interaction = keys.at("interaction").at("properties");
  for (const auto& six : kInteractionSixes) {
    SCOPED_TRACE(six.key);
    const Six& told = arm.interaction.*six.field;
    EXPECT_EQ(interaction.at(std::string(six.key)).at("default").get<std::vector<double>>(),
              std::vector<double>(told.begin(), told.end()));
  }
  for (const auto& number : kZeroGNumbers) {
    SCOPED_TRACE(number.key);
    EXPECT_EQ(keys.at("zero_g").at("properties").at(std::string(number.key)).at("default"),
              arm.zero_g.*number.field);
  }
  EXPECT_EQ(
      quantity(parse_yaml(interaction.at("rotation_max").at("default").get<std::string>(), "d"),
               "rad"),
      arm.interaction.rotation_max);
  const json& sensor = keys.at("force_sensor").at("properties");
  for (const auto& number : kForceSensorNumbers) {
    SCOPED_TRACE(number.key);
    const json& value = sensor.at(std::string(number.key)).at("default");
    const double told = value.is_number()
                            ? value.get<double>()
                            : quantity(parse_yaml(value.get<std::string>(), "d"), number.units);
    EXPECT_EQ(told, arm.force_sensor.*number.field);
  }
  for (const json& word : keys.at("terms").at("default")) {
    ArmTerm term{};
    ASSERT_TRUE(parse(word.get<std::string>(), term));
    EXPECT_TRUE(arm.terms.has(term));
  }
}

}  // namespace
}  // namespace jointrig::harness
