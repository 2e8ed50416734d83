#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/config/robot_file.h"
#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

namespace fs = std::filesystem;

/// A robot.yaml beside a profile.
class DriveProfile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("jointrig_drive_profile_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }

  /// With `drive` as given, of l_elbow.
  RobotConfig robot_with(const std::string& drive, const std::string& more = "") {
    write("robot.yaml", "schema: 1\nmodel: odd.xml\nbuses: {left: {address: 'socketcan:can0'}}\n" +
                            more + "joints: {l_elbow: {drive: " + drive + "}}\n");
    RobotConfig robot = a_robot();
    apply_robot_file(load_yaml(folder_ / "robot.yaml"), robot);
    return robot;
  }

  fs::path folder_;
};

constexpr const char* kProfile =
    "schema: 1\nabout: odd\ndrive:\n  encoder_increments: 4096\n  rated_torque: 0.5 Nm\n"
    "  gear: 20\n  without: [0x605C, 0x1016]\n  sdo_timeout: 2 s\n  status_time: 300 ms\n"
    "  following_window: 2 deg\n"
    "  remaps_pdos: false\n"
    "  pdos:\n    rpdo1: {cob_id: 0x241, objects: [0x60400010, 0x607A0020]}\n"
    "    tpdo5: {cob_id: $NODEID+0x1C0, type: 255, objects: [0x60410010, 0x60640020]}\n";

TEST_F(DriveProfile, ItsKeysAreTheDrivesAndWhatTheRobotSaysOverridesThem) {
  write("odd.yaml", kProfile);
  const RobotConfig robot = robot_with("{bus: left, node: 3, profile: odd.yaml, gear: 50}");
  const DriveConfig& drive = robot.joints[0].drive;
  EXPECT_EQ(drive.node, 3);
  EXPECT_EQ(drive.gear, 50.0);
  EXPECT_EQ(drive.encoder_increments, 4096.0);
  EXPECT_EQ(drive.sdo_timeout, 2.0);
  EXPECT_DOUBLE_EQ(drive.status_time, 0.3);
  EXPECT_DOUBLE_EQ(drive.following_window, 2.0 * 3.14159265358979323846 / 180.0);
  EXPECT_FALSE(drive.remaps_pdos);
  EXPECT_EQ(drive.without, (std::vector<std::uint16_t>{0x605C, 0x1016}));
  ASSERT_EQ(drive.pdos.size(), 2U);
  const DrivePdo in{
      .sent = false, .number = 1, .cob_id = 0x241, .objects = {0x60400010, 0x607A0020}};
  const DrivePdo out{.sent = true,
                     .number = 5,
                     .cob_id = 0x1C0,
                     .cob_id_adds_node = true,
                     .type = 255,
                     .objects = {0x60410010, 0x60640020}};
  EXPECT_EQ(drive.pdos[0], in);
  EXPECT_EQ(drive.pdos[1], out);
}

TEST_F(DriveProfile, OfDefaultsItIsSharedByAllDrivesAndAJointsOwnMappingReplacesIt) {
  write("odd.yaml", kProfile);
  const RobotConfig robot =
      robot_with("{bus: left, node: 3, without: [], pdos: {tpdo1: {objects: [0x60410010]}}}",
                 "defaults: {drive: {profile: odd.yaml, feed: 1 mm}}\n");
  EXPECT_EQ(robot.joints[1].drive.pdos.size(), 2U);
  EXPECT_EQ(robot.joints[1].drive.without.size(), 2U);
  EXPECT_TRUE(robot.joints[0].drive.without.empty());
  ASSERT_EQ(robot.joints[0].drive.pdos.size(), 1U);
  EXPECT_EQ(robot.joints[0].drive.pdos[0].cob_id, 0U);
}

TEST_F(DriveProfile, AWholeFileHasItAllAgain) {
  write("odd.yaml", kProfile);
  const RobotConfig robot = robot_with("{bus: left, node: 3, profile: odd.yaml}");
  RobotConfig again = a_robot();
  apply_robot_file(parse_yaml(to_yaml(robot), "again.yaml"), again);
  EXPECT_EQ(again.joints[0].drive, robot.joints[0].drive);
}

TEST_F(DriveProfile, ANameIsSearchedInModelsDrives) {
  fs::create_directories(folder_ / "models/drives");
  write("models/drives/odd.yaml", kProfile);
  EXPECT_EQ(robot_with("{bus: left, node: 3, profile: odd}").joints[0].drive.sdo_timeout, 2.0);
  const std::string text = sentence_of([&] { robot_with("{bus: left, node: 3, profile: ood}"); });
  EXPECT_EQ(text, "there is no drive profile \"ood\"; did you mean \"odd\"?");
}

TEST_F(DriveProfile, WhatIsWrongInItIsToldWithItsLine) {
  struct Case {
    const char *line, *place, *sentence;
  };
  for (const Case& wrong : {
           Case{"  gaer: 20", "odd.yaml:3:3", "did you mean \"gear\"?"},
           Case{"  node: 4", "odd.yaml:3:3", "`node` is no key of a profile"},
           Case{"  serial: 4", "odd.yaml:3:3", "`serial` is no key of a profile"},
           Case{"  profile: odd.yaml", "odd.yaml:3:3", "`profile` is no key of a profile"},
           Case{"  without: [0x6041]", "odd.yaml:3:13", "the driver can't do without 0x6041"},
           Case{"  pdos: {tdpo1: {objects: [0x60410010]}}", "odd.yaml:3:10",
                "unknown PDO \"tdpo1\"; did you mean \"tpdo1\"?"},
           Case{"  pdos: {tpdo5: {objects: [0x60410010]}}", "odd.yaml:3:10", "tpdo5 has no cob_id"},
           Case{"  pdos: {tpdo1: {objects: [0x60410007]}}", "odd.yaml:3:28",
                "its last two digits are the size in bits"},
           Case{"  pdos: {tpdo1: {objects: [0x60640020, 0x606C0020, 0x60410010]}}", "odd.yaml:3:10",
                "tpdo1 maps 10 bytes, a frame has 8"},
           Case{"  pdos: {tpdo1: {cob_id: 0x800, objects: [0x60410010]}}", "odd.yaml:3:26",
                "cob_id: expected a number from 0x1 to 0x7FF"},
           Case{"  pdos: {tpdo1: {cob_id: $NODE+3, objects: [0x60410010]}}", "odd.yaml:3:26",
                "behind \"$NODEID+\", got \"$NODE+3\""},
           Case{"  pdos: {tpdo1: {type: 2, objects: [0x60410010]}}", "odd.yaml:3:24",
                "tpdo1 has type 2: the driver needs"},
           Case{"  sdo_timeout: 2 m", "odd.yaml:3:16", "sdo_timeout"},
       }) {
    write("odd.yaml", "schema: 1\ndrive:\n" + std::string(wrong.line) + "\n");
    const std::string text =
        error_of([&] { robot_with("{bus: left, node: 3, profile: odd.yaml}"); });
    EXPECT_NE(text.find(wrong.place), std::string::npos) << wrong.line << "\n" << text;
    EXPECT_NE(text.find(wrong.sentence), std::string::npos) << wrong.line << "\n" << text;
  }
}

}  // namespace
}  // namespace jointrig::harness
