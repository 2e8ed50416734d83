#include "app/bus/bus_choice.h"

#include <gtest/gtest.h>

namespace jointrig::app {
namespace {

RobotConfig two_buses() {
  RobotConfig robot;
  robot.name = "arm";
  robot.buses = {{.name = "left", .address = "socketcan:can0", .bit_rate = 500'000},
                 {.name = "right", .address = "socketcan:can1"}};
  for (const auto& [name, bus, node] :
       {std::tuple{"shoulder", "left", 3}, {"elbow", "right", 3}, {"wrist", "right", 4}}) {
    JointConfig& joint = robot.joints.emplace_back();
    joint.name = name;
    joint.drive.bus = bus;
    joint.drive.node = node;
    joint.drive.encoder_increments = 4096;
    joint.drive.rated_torque = 0.1;
  }
  return robot;
}

std::string refusal(const std::vector<ChosenBus>& buses, const std::string& word) {
  try {
    static_cast<void>(choose_node(buses, word));
    return "taken";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(BusChoice, ARobotsBusesCarryTheirDrives) {
  const auto buses = buses_of(two_buses());
  ASSERT_EQ(buses.size(), 2U);
  EXPECT_EQ(buses[0].rates.nominal, 500'000);
  EXPECT_TRUE(buses[1].of_robot);
  EXPECT_EQ(buses[1].joint_at(4), "wrist");
  EXPECT_EQ(buses[0].joint_at(4), "");
}

TEST(BusChoice, ABusOfAnotherProtocolHasNoDrivesOfOurs) {
  RobotConfig robot = two_buses();
  robot.buses[0].protocol = BusProtocol::kMoteus;
  const auto buses = buses_of(robot);
  EXPECT_TRUE(buses[0].drives.empty());
  EXPECT_EQ(buses[1].drives.size(), 2U);
}

TEST(BusChoice, ARobotWithoutBusesSaysWhatToWrite) {
  RobotConfig robot = two_buses();
  robot.buses.clear();
  EXPECT_THROW(static_cast<void>(buses_of(robot)), std::invalid_argument);
}

TEST(BusChoice, AnAddressIsABusOfItsOwnWithItsBitRate) {
  const auto buses = choose_buses("slcan:/dev/ttyACM0@250000");
  ASSERT_EQ(buses.size(), 1U);
  EXPECT_EQ(buses[0].rates.nominal, 250'000);
  EXPECT_FALSE(buses[0].of_robot);
  EXPECT_EQ(choose_buses("socketcan:can0")[0].rates.nominal, 1'000'000);
  EXPECT_EQ(choose_buses("socketcan:can0", 125'000)[0].rates.nominal, 125'000);
}

TEST(BusChoice, ANodeIsANumberOnTheOnlyBusOrAJoint) {
  const auto buses = buses_of(two_buses());
  EXPECT_EQ(choose_node(buses, "wrist").bus, &buses[1]);
  EXPECT_EQ(choose_node(buses, "wrist").node, 4);
  EXPECT_EQ(choose_node({buses.data(), buses.data() + 1}, "3").node, 3);
  EXPECT_NE(refusal(buses, "3").find("is on which bus?"), std::string::npos);
  EXPECT_EQ(refusal(buses, "wirst"), "\"wirst\" is no number of a node; did you mean \"wrist\"?");
  EXPECT_EQ(refusal(buses, "128"), "node 128 is outside 1 to 127");
  EXPECT_EQ(refusal(buses, "0"), "node 0 is outside 1 to 127");
}

}  // namespace
}  // namespace jointrig::app
