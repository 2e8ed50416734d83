#include "app/wiggle/wiggle_record.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "control/discovery/discovery.h"
#include "tests/hw/matrix/two_parts.h"

namespace jointrig::app {
namespace {

struct WiggleRecord : ::testing::Test {
  WiggleRecord() : folder(::testing::TempDir() + "jointrig_wiggle_" + test_name()) {
    std::filesystem::remove_all(folder);
    setenv("XDG_STATE_HOME", folder.c_str(), 1);
    robot.name = "two_parts";
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      robot.joints[i].drive.bus = "wire";
      robot.joints[i].drive.node = static_cast<int>(i + 1);
    }
    robot.buses = {{.name = "wire", .address = "socketcan:can0"}};
  }
  ~WiggleRecord() override { std::filesystem::remove_all(folder); }
  WiggleRecord(const WiggleRecord&) = delete;
  WiggleRecord& operator=(const WiggleRecord&) = delete;

  static std::string test_name() {
    return ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  static WiggleVerdict verdict(std::size_t joint, WiggleFinding finding) {
    WiggleVerdict one;
    one.joint = static_cast<JointIndex>(joint);
    one.finding = finding;
    return one;
  }
  void pass(std::size_t from, std::size_t to) const {
    std::vector<WiggleVerdict> all;
    for (std::size_t i = from; i < to; ++i) all.push_back(verdict(i, WiggleFinding::kPassed));
    remember_wiggles(robot, all);
  }
  [[nodiscard]] std::string refusal() const { return why_not_wiggled(robot); }

  std::filesystem::path folder;
  matrix::TwoParts model;
  RobotConfig robot = model.config();
};

TEST_F(WiggleRecord, ARobotThatNobodyTestedIsRefusedWithWhatToRun) {
  EXPECT_EQ(not_wiggled(robot).size(), robot.joints.size());
  const std::string said = refusal();
  EXPECT_NE(said.find("no joint of two_parts has passed the wiggle test"), std::string::npos)
      << said;
  EXPECT_NE(said.find("`jointrig wiggle two_parts`"), std::string::npos) << said;
  EXPECT_NE(said.find("--no-wiggle-check"), std::string::npos) << said;
}

TEST_F(WiggleRecord, JointsAddUpUntilAllHavePassed) {
  pass(0, 4);
  EXPECT_EQ(not_wiggled(robot), (std::vector<JointIndex>{4, 5}));
  EXPECT_NE(refusal().find("left"), std::string::npos) << refusal();
  pass(4, 6);
  EXPECT_EQ(refusal(), "");
}

TEST_F(WiggleRecord, AJointThatFailsLaterHasNotPassed) {
  pass(0, 6);
  const std::vector<WiggleVerdict> later{verdict(2, WiggleFinding::kSign)};
  remember_wiggles(robot, later);
  EXPECT_EQ(not_wiggled(robot), std::vector<JointIndex>{2});
}

TEST_F(WiggleRecord, AnotherDriveBusOrOrderOfJointsIsAnotherRobotLimitsAreNot) {
  pass(0, 6);
  const RobotConfig tested = robot;
  robot.joints[0].limits.v_max *= 0.5;
  robot.joints[0].gains.kp *= 0.5;
  EXPECT_EQ(refusal(), "") << "limits and gains say nothing of who is who";
  const auto is_refused = [&](const auto& change) {
    robot = tested;
    change();
    return not_wiggled(robot).size() == robot.joints.size();
  };
  EXPECT_TRUE(is_refused([&] { robot.joints[3].drive.reversed = true; }));
  EXPECT_TRUE(is_refused([&] { robot.joints[3].drive.gear = 2.0; }));
  EXPECT_TRUE(
      is_refused([&] { std::swap(robot.joints[0].drive.node, robot.joints[1].drive.node); }));
  EXPECT_TRUE(is_refused([&] { robot.joints[3].drive.serial = 7; }));
  EXPECT_TRUE(is_refused([&] { robot.buses[0].address = "socketcan:can1"; }));
  EXPECT_TRUE(is_refused([&] { std::swap(robot.joints[0], robot.joints[1]); }));
  const odd::TempModel other{std::string(matrix::kTwoParts) + "<!-- turned -->"};
  EXPECT_TRUE(is_refused([&] { robot.model_path = other.path(); }));
}

TEST_F(WiggleRecord, AFileThatIsNoRecordCountsAsNone) {
  pass(0, 6);
  std::ofstream(wiggle_record_path(robot)) << "{\"joints\": [1, 2";
  EXPECT_EQ(not_wiggled(robot).size(), robot.joints.size());
  pass(0, 6);
  EXPECT_EQ(refusal(), "");
}

}  // namespace
}  // namespace jointrig::app
