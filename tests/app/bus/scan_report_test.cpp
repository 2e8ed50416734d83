#include "app/bus/scan_report.h"

#include <gtest/gtest.h>

namespace jointrig::app {
namespace {

using Problems = std::vector<std::string>;

FoundNode drive(std::uint8_t number, std::uint32_t serial) {
  FoundNode node;
  node.node = number;
  node.answers = true;
  node.device_type = 0x20192;
  node.vendor = 0x2FF;
  node.product = 0x402;
  node.revision = 1;
  node.serial = serial;
  return node;
}

ChosenBus arm() {
  ChosenBus bus;
  bus.name = "arm";
  bus.of_robot = true;
  bus.drives.push_back({.node = 1, .joint = "shoulder", .identity = {}, .units = {}});
  bus.drives.push_back({.node = 2, .joint = "elbow", .identity = {}, .units = {}});
  bus.drives.back().identity.serial = 0x1234;
  return bus;
}

TEST(ScanReport, NothingIsSaidOfABusThatIsAsTheFileHasIt) {
  FoundNode host;
  host.node = 127;
  EXPECT_EQ(scan_problems(arm(), {drive(1, 7), drive(2, 0x1234), host}), Problems{});
}

TEST(ScanReport, NamesWhatIsMissingAndWhereItsSerialNumberIs) {
  EXPECT_EQ(scan_problems(arm(), {drive(1, 0x1234)}),
            (Problems{"bus arm, node 2 (elbow) is missing: look at its power, its number and the "
                      "bit rate; its serial number is at node 1"}));
}

TEST(ScanReport, NamesADeviceThatIsAnother) {
  EXPECT_EQ(scan_problems(arm(), {drive(1, 7), drive(2, 8)}),
            (Problems{"bus arm, node 2 (elbow) is another device: serial 8h, robot.yaml says "
                      "1234h"}));
}

TEST(ScanReport, NamesWhatIsNoDriveAndWhatIsForeign) {
  FoundNode io = drive(1, 7);
  io.device_type = 0x191;
  EXPECT_EQ(
      scan_problems(arm(), {io, drive(2, 0x1234), drive(9, 1)}),
      (Problems{"bus arm, node 1 (shoulder) is no CiA 402 drive: 1000h is 191h",
                "bus arm, node 9 is foreign: robot.yaml has no joint there; take it off the bus or "
                "write it down"}));
}

TEST(ScanReport, NamesNumbersThatSeveralHaveOnAnyBus) {
  FoundNode twice = drive(4, 1);
  twice.doubled = true;
  ChosenBus bus;
  bus.name = "slcan:/dev/ttyACM0@1000000";
  const Problems problems = scan_problems(bus, {twice, drive(5, 2)});
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("node 4: more answers than questions"), std::string::npos);
}

TEST(ScanReport, AStoppedNodeIsNotCalledMissing) {
  FoundNode stopped;
  stopped.node = 2;
  stopped.nmt = canopen::NmtState::kStopped;
  const Problems problems = scan_problems(arm(), {drive(1, 7), stopped});
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("is heard, and answers no SDO"), std::string::npos);
}

TEST(ScanReport, ItsTableNamesJointDeviceAndState) {
  FoundNode found = drive(2, 0x1234);
  found.nmt = canopen::NmtState::kPreOperational;
  found.statusword = 0x0240;
  found.name = "EC motor";
  const std::string table = scan_table(arm(), {found});
  for (const char* word : {"elbow", "drive", "2FFh", "402h", "1234h", "pre-operational",
                           "SWITCH ON DISABLED", "EC motor"}) {
    EXPECT_NE(table.find(word), std::string::npos) << word << "\n" << table;
  }
}

}  // namespace
}  // namespace jointrig::app
