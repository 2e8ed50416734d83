// A virtual drive that is no board of the project has the objects of its profile, and a robot of
// such drives has its own buses where the boards are in the program.

#include "app/boards/profiled_drive.h"

#include <gtest/gtest.h>

#include <variant>

#include "app/boards/local_boards.h"
#include "app/boards/seats.h"
#include "app/boards/virtual_drive.h"
#include "app/rig/robot_loading.h"

namespace jointrig::app {
namespace {

constexpr std::uint32_t kTheirToken = 77;

RobotConfig robot_called(const char* name) { return load_robot(harness::find_robot(name)).config; }

/// The shoulder of models/three_makes, by its profile models/drives/local_node.yaml.
class Shoulder {
 public:
  explicit Shoulder(const RobotConfig& robot)
      : board_(sim::make_board_spec(robot.joints[0], robot.plant, 1e-3)),
        drive_(std::get<VirtualDriveSpec>(seats_of(robot, kTheirToken)[0].board), board_) {}

  canopen::Entry* find(std::uint16_t index, std::uint8_t sub = 0) {
    return drive_.node().objects().find(index, sub);
  }
  std::uint64_t value(std::uint16_t index, std::uint8_t sub) { return find(index, sub)->bits(); }

 private:
  sim::SimBoard board_;
  VirtualDrive drive_;
};

TEST(ProfiledDrive, LacksWhatItsProfileLeavesOutAndWhatTheProjectsBoardHas) {
  Shoulder shoulder(robot_called("three_makes"));
  for (const std::uint16_t index : {0x1006, 0x1016, 0x605C, 0x605E, 0x6007, 0x60C2, 0x2010}) {
    EXPECT_EQ(shoulder.find(index, index == 0x60C2 || index == 0x1016 || index == 0x2010 ? 1 : 0),
              nullptr)
        << std::hex << index;
  }
  EXPECT_EQ(shoulder.value(0x1018, 1), 0x66FU);
  EXPECT_EQ(shoulder.value(0x2011, 0), kTheirToken);
}

TEST(ProfiledDrive, OfAFixedMappingHasItUnderItsOwnIdentifiersAndRefusesAnother) {
  Shoulder shoulder(robot_called("three_makes"));
  // As the profile says, by hand.
  EXPECT_EQ(shoulder.value(0x1401, 1), 0x342U);
  EXPECT_EQ(shoulder.value(0x1601, 0), 2U);
  EXPECT_EQ(shoulder.value(0x1601, 2), 0x607A0020U);
  EXPECT_EQ(shoulder.value(0x1800, 1), 0x1C1U);
  EXPECT_EQ(shoulder.value(0x1A01, 1), 0x606C0020U);
  EXPECT_EQ(shoulder.find(0x1404, 1), nullptr);
  for (const std::uint16_t index : {0x1400, 0x1600, 0x1800, 0x1A00}) {
    EXPECT_EQ(canopen::ObjectDictionary::may_write(*shoulder.find(index, 1), 4),
              canopen::AbortCode::kReadOnly);
  }
}

TEST(ProfiledDrive, ThatIsMappedAnewHasEightPdosEachWayThatAreOff) {
  RobotConfig robot = robot_called("three_makes");
  robot.joints[0].drive.remaps_pdos = true;
  Shoulder shoulder(robot);
  for (const std::uint16_t first : {0x1400, 0x1800}) {
    for (std::uint16_t number = 0; number < 8; ++number) {
      const auto index = static_cast<std::uint16_t>(first + number);
      ASSERT_NE(shoulder.find(index, 1), nullptr);
      EXPECT_NE(shoulder.value(index, 1) & 0x8000'0000U, 0U);
    }
  }
  EXPECT_EQ(shoulder.value(0x1401, 1), 0x8000'0309U);  // of CiA 301, and node 9
}

TEST(LocalBoards, OfOtherMakesAreOnTheBusesOfRobotYaml) {
  const RobotConfig own =
      LocalBoards::wired(robot_called("three_makes"), BusPlan{.own_buses = true});
  ASSERT_EQ(own.buses.size(), 3U);
  EXPECT_EQ(own.buses[1].protocol, BusProtocol::kMoteus);
  EXPECT_EQ(own.buses[2].protocol, BusProtocol::kDynamixel);
  EXPECT_EQ(own.joints[0].drive.node, 9);
}

TEST(LocalBoards, OfTheProjectAndOfAnIncompleteFileAreOnThePlansBuses) {
  const BusPlan its_own{.own_buses = true};
  EXPECT_EQ(LocalBoards::wired(robot_called("franka"), its_own).buses.front().address, "");
  RobotConfig robot = robot_called("three_makes");
  robot.joints[2].drive.bus.clear();
  EXPECT_EQ(LocalBoards::wired(robot, its_own).buses.front().address, "");
}

TEST(LocalBoards, OfABusThatCarriesTooMuchAreRefused) {
  RobotConfig robot = robot_called("three_makes");
  robot.buses[0].bit_rate = 250'000;
  try {
    static_cast<void>(LocalBoards::wired(robot, BusPlan{.own_buses = true}));
    FAIL() << "it was wired";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(": can: its cyclic frames"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace jointrig::app
