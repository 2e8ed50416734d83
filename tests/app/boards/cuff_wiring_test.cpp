// Effect of a cuff in robot.yaml on the boards that read it, virtual and driven.

#include <gtest/gtest.h>

#include "app/boards/seats.h"
#include "app/boards/virtual_drive.h"
#include "app/rig/robot_loading.h"
#include "app/rig/wiring.h"

namespace jointrig::app {
namespace {

constexpr std::size_t kWrist = 6;

RobotConfig franka(bool active_low = false) {
  RobotConfig robot = load_robot(harness::find_robot("franka")).config;
  robot.arms[0].zero_g.cuff_joint = kWrist;
  robot.arms[0].zero_g.cuff_input = 2;
  robot.arms[0].zero_g.cuff_active_low = active_low;
  return robot;
}

TEST(CuffWiring, TheBoardOfItsJointAloneIsAskedForInputs) {
  const RobotConfig robot = franka(true);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    EXPECT_EQ(reads_a_cuff(robot, i), i == kWrist);
    EXPECT_EQ(inputs_active_low(robot, i), i == kWrist ? 0b100 : 0);
  }
  EXPECT_FALSE(reads_a_cuff(load_robot(harness::find_robot("franka")).config, kWrist));
  EXPECT_EQ(inputs_active_low(franka(), kWrist), 0);
}

TEST(CuffWiring, ItsFrameCountsAsLoad) {
  RobotConfig robot = franka();
  // SYNC 55 bits, a command and two answers of 8 bytes 135 each: 460 of 1000 in a millisecond. The
  // inputs are 4 bytes: 34 + 32 + 13 bits and (34 + 32 - 1) / 4 stuffed ones, 95.
  robot.buses[kWrist].budget = 0.556;
  EXPECT_TRUE(wiring_problems(robot).empty());
  robot.buses[kWrist].budget = 0.554;
  ASSERT_EQ(wiring_problems(robot).size(), 1U);
  EXPECT_NE(wiring_problems(robot)[0].find("wire7"), std::string::npos)
      << wiring_problems(robot)[0];
}

TEST(CuffWiring, ANodeWithoutAnIdentifierForTheInputsIsRefused) {
  RobotConfig robot = franka();
  robot.joints[kWrist].drive.node = 95;
  EXPECT_TRUE(wiring_problems(robot).empty());
  robot.joints[kWrist].drive.node = 96;
  EXPECT_EQ(wiring_problems(robot),
            std::vector<std::string>{"the drive of panda_joint7: it reads a cuff, which nodes 1 to "
                                     "95 have an identifier for, and is node 96"});
  robot.joints[kWrist].drive.life_counter = false;  // not the project's: it has room in TPDO3
  EXPECT_TRUE(wiring_problems(robot).empty());
}

/// 60FDh of the wrist's virtual drive after a SYNC, with its input 2 pressed or not.
std::uint32_t voltages(const RobotConfig& robot, bool pressed) {
  sim::SimBoard board(sim::make_board_spec(robot.joints[kWrist], robot.plant, 1e-3));
  board.power_on({});
  if (pressed) board.inject(sim::SimFault::kDigitalInput, 2.0);
  VirtualDrive drive(std::get<VirtualDriveSpec>(seats_of(robot, 1)[kWrist].board), board);
  drive.power_on(0);
  board.act(nullptr);
  board.sense({});
  drive.sample(0);
  return drive.node().objects().object<std::uint32_t>(0x60FD).get();
}

TEST(CuffWiring, AVirtualBoardShowsTheVoltageAtItsInput) {
  EXPECT_EQ(voltages(franka(), false), 0U);
  EXPECT_EQ(voltages(franka(), true), 0x0004'0000U);
  EXPECT_EQ(voltages(franka(true), false), 0x0004'0000U) << "a pull-up";
  EXPECT_EQ(voltages(franka(true), true), 0U) << "and a switch to ground";
}

}  // namespace
}  // namespace jointrig::app
