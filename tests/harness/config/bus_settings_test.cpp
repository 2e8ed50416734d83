#include "harness/config/robot_file.h"
#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

constexpr const char* kTwoDrives =
    "backend: hw\nvirtual_boards: 127.0.0.1:20010\n"
    "buses: {left: {address: 'slcan:/dev/ttyACM0@1000000'}, right: {address: 'socketcan:can0',\n"
    "        protocol: moteus, budget: 50 %}}\n"
    "defaults: {drive: {encoder_increments: 4096, rated_torque: 0.5 Nm, gear: 100}}\n"
    "joints: {l_elbow: {drive: {bus: left, node: 3, reversed: true, vendor: 0x17c}},\n"
    "         r_elbow: {drive: {bus: right, node: 1}}}\n";

TEST(BusSettings, ADriveHasItsOwnKeysAndItsGroups) {
  const RobotConfig robot = a_robot_with(kTwoDrives);
  EXPECT_EQ(robot.backend, BackendKind::kHw);
  EXPECT_EQ(robot.virtual_boards, "127.0.0.1:20010");
  ASSERT_EQ(robot.buses.size(), 2U);
  EXPECT_EQ(robot.buses[0].name, "left");
  EXPECT_EQ(robot.buses[0].address, "slcan:/dev/ttyACM0@1000000");
  EXPECT_EQ(robot.buses[0].budget, 0.7);
  EXPECT_EQ(robot.buses[1].protocol, BusProtocol::kMoteus);
  EXPECT_EQ(robot.buses[1].budget, 0.5);
  const DriveConfig& drive = robot.joints[0].drive;
  EXPECT_EQ(drive.bus, "left");
  EXPECT_EQ(drive.node, 3);
  EXPECT_EQ(drive.encoder_increments, 4096.0);
  EXPECT_EQ(drive.gear, 100.0);
  EXPECT_TRUE(drive.reversed);
  EXPECT_EQ(drive.vendor, 0x17CU);
  EXPECT_EQ(drive.serial, std::nullopt);
  EXPECT_EQ(robot.joints[2].drive.bus, "right");
  EXPECT_FALSE(robot.joints[2].drive.reversed);
}

TEST(BusSettings, ACycleIsAWholeMultipleOfThePeriod) {
  const std::string bus = "buses: {left: {address: 'socketcan:can0', cycle: ";
  const RobotConfig robot = a_robot_with(bus + "4 ms}}\n");
  EXPECT_EQ(robot.buses[0].cycle_ns, 4'000'000);
  RobotConfig again = a_robot();
  apply_robot_file(parse_yaml(to_yaml(robot), "again.yaml"), again);
  EXPECT_EQ(again, robot);
  EXPECT_EQ(a_robot_with("buses: {left: {address: 'socketcan:can0'}}\n").buses[0].cycle_ns, 0)
      << "the period, whatever it is";

  const std::string odd = sentence_in(bus + "2.5 ms}}\n");
  EXPECT_NE(odd.find("the cycle of bus left, 2.5 ms, is no whole multiple of the robot's period, "
                     "1 ms; take 2 ms or 3 ms"),
            std::string::npos)
      << odd;
  const std::string below = sentence_in("period: 2 ms\n" + bus + "1 ms}}\n");
  EXPECT_NE(below.find("1 ms, is no whole multiple of the robot's period, 2 ms; take 2 ms or 4 ms"),
            std::string::npos)
      << below;
}

TEST(BusSettings, WhatIsWrittenIsReadAgain) {
  const RobotConfig robot = a_robot_with(kTwoDrives);
  RobotConfig again = a_robot();
  apply_robot_file(parse_yaml(to_yaml(robot), "again.yaml"), again);
  EXPECT_EQ(again, robot);
}

TEST(BusSettings, ABusThatIsntThereIsRefusedWithTheNearest) {
  const std::string said = sentence_in(
      "buses: {left: {address: 'socketcan:can0'}}\n"
      "joints: {l_elbow: {drive: {bus: lift, node: 1, encoder_increments: 9, rated_torque: 1}}}\n");
  EXPECT_NE(said.find("l_elbow is on bus lift, which `buses` doesn't have"), std::string::npos)
      << said;
  EXPECT_NE(said.find("\"left\""), std::string::npos) << said;
}

TEST(BusSettings, TwoDrivesOfOneNumberOnABusAreRefused) {
  const std::string said = sentence_in(
      "buses: {left: {address: 'socketcan:can0'}}\n"
      "defaults: {drive: {bus: left, encoder_increments: 4096, rated_torque: 0.5, feed: 0.01}}\n"
      "joints: {l_elbow: {drive: {node: 3}}, lift: {drive: {node: 4}}, r_elbow: {drive: {node: "
      "3}}}\n");
  EXPECT_NE(said.find("l_elbow and r_elbow are both node 3 of bus left"), std::string::npos)
      << said;
}

TEST(BusSettings, ADriveWithoutItsUnitsIsRefused) {
  const std::string bus = "buses: {left: {address: 'socketcan:can0'}}\njoints: {l_elbow: {drive: ";
  EXPECT_NE(sentence_in(bus + "{bus: left, node: 1}}}\n").find("has no encoder_increments"),
            std::string::npos);
  EXPECT_NE(sentence_in(bus + "{bus: left, node: 1, encoder_increments: 9}}}\n")
                .find("has no rated_torque"),
            std::string::npos);
  EXPECT_NE(sentence_in(bus + "{bus: left, encoder_increments: 9}}}\n").find("has no node"),
            std::string::npos);
  EXPECT_NE(sentence_in(bus + "{bus: left, node: 1, encoder_increments: 9, torque_base: "
                              "rated_current, rated_current: 2}}}\n")
                .find("has no torque_constant"),
            std::string::npos);
}

}  // namespace
}  // namespace jointrig::harness
