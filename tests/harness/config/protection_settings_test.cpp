#include "harness/config/protection_settings.h"

#include <nlohmann/json.hpp>

#include "harness/config/units.h"
#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

using nlohmann::json;

constexpr const char* kKeys =
    "collision_avoidance: {on: true, margin: 4 cm, stiffness: 3 N/mm, torque_max: 20 Nm,\n"
    "                      exclude: [[left, right], [tip, table]]}\n"
    "collision_detection: {squish_time: 80 ms, hand_force_max: 60 N}\n"
    "joints: {l_elbow: {impact_torque: 3 Nm, squish_torque: 5 Nm}}\n";

TEST(ProtectionSettings, NumbersHaveUnitsAndTheRestItsDefaults) {
  const RobotConfig robot = a_robot_with(kKeys);
  ASSERT_TRUE(robot.avoidance && robot.detection);
  EXPECT_TRUE(robot.avoidance->on);
  EXPECT_DOUBLE_EQ(robot.avoidance->margin, 0.04);
  EXPECT_DOUBLE_EQ(robot.avoidance->stiffness, 3000.0);
  EXPECT_DOUBLE_EQ(robot.avoidance->torque_max, 20.0);
  EXPECT_EQ(robot.avoidance->damping, CollisionAvoidanceConfig{}.damping);
  ASSERT_EQ(robot.avoidance->exclude.size(), 2U);
  EXPECT_EQ(robot.avoidance->exclude[1].b, "table");
  EXPECT_FALSE(robot.detection->on);
  EXPECT_DOUBLE_EQ(robot.detection->squish_time, 0.08);
  EXPECT_DOUBLE_EQ(robot.detection->hand_force_max, 60.0);
  EXPECT_DOUBLE_EQ(robot.joints[0].impact_torque, 3.0);
  EXPECT_DOUBLE_EQ(robot.joints[0].squish_torque, 5.0);
}

TEST(ProtectionSettings, AreAbsentWhereTheFileHasNone) {
  const RobotConfig robot = a_robot_with("name: plain\n");
  EXPECT_FALSE(robot.avoidance.has_value());
  EXPECT_FALSE(robot.detection.has_value());
}

TEST(ProtectionSettings, AreOnForARobotWithArmsAndOneLineSwitchesEachOff) {
  const std::string arm =
      "parts: {reach: [l_elbow, r_elbow]}\narms: {reach: {part: reach, tool: hand}}\n";
  const RobotConfig robot = a_robot_with(arm.c_str());
  ASSERT_TRUE(robot.avoidance && robot.detection);
  EXPECT_TRUE(robot.avoidance->on && robot.detection->on);
  EXPECT_TRUE(a_robot_with((arm + "collision_avoidance: {margin: 3 cm}\n").c_str()).avoidance->on);
  const RobotConfig calm = a_robot_with((arm + "collision_avoidance: {on: false}\n").c_str());
  EXPECT_FALSE(calm.avoidance->on);
  EXPECT_TRUE(calm.detection->on);
  EXPECT_FALSE(a_robot_with((arm + "collision_detection: {on: false}\n").c_str()).detection->on);
}

TEST(ProtectionSettings, WhatIsWrittenReadsBackTheSame) {
  const RobotConfig robot = a_robot_with(kKeys);
  RobotConfig back = robot;
  back.avoidance.reset();
  back.detection.reset();
  back.joints[0].impact_torque = 0.0;
  apply_robot_file(parse_yaml(to_yaml(robot, ""), "written"), back);
  EXPECT_EQ(back.avoidance, robot.avoidance);
  EXPECT_EQ(back.detection, robot.detection);
  EXPECT_EQ(back.joints, robot.joints);
}

TEST(ProtectionSettings, WrongOnesAreToldWithTheirPlace) {
  const auto error_in = [](const char* keys) {
    return error_of([&] { return a_robot_with(keys); });
  };
  EXPECT_NE(error_in("collision_avoidance: {margin: 0}\n").find("margin"), std::string::npos);
  EXPECT_NE(error_in("collision_avoidance: {exclude: [[a]]}\n").find("exclude"), std::string::npos);
  EXPECT_NE(error_in("collision_detection: {stop_time: 5 N}\n").find("expected a time"),
            std::string::npos);
  EXPECT_NE(error_in("joints: {l_elbow: {squish_torque: -1}}\n").find("squish_torque"),
            std::string::npos);
}

TEST(ProtectionSettings, DefaultsOfTheSchemaAreThoseOfTheStructs) {
  const json definitions = json::parse(robot_schema_text()).at("definitions");
  const auto told = [&](const char* name, std::string_view key, std::string_view units) {
    const json& value = definitions.at(name).at("properties").at(std::string(key)).at("default");
    return value.is_number() ? value.get<double>()
                             : quantity(parse_yaml(value.get<std::string>(), "d"), units);
  };
  for (const auto& number : kAvoidanceNumbers) {
    // Each joint's own, where none is told: the schema has no number for it.
    if (number.field == &CollisionAvoidanceConfig::torque_max) continue;
    EXPECT_EQ(told("collision_avoidance", number.key, number.units),
              CollisionAvoidanceConfig{}.*number.field);
  }
  for (const auto& number : kDetectionNumbers) {
    EXPECT_EQ(told("collision_detection", number.key, number.units),
              CollisionDetectionConfig{}.*number.field);
  }
}

}  // namespace
}  // namespace jointrig::harness
