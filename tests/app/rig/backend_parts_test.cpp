// The backend of each joint of a robot.

#include "control/core/backend_parts.h"

#include <gtest/gtest.h>

namespace jointrig {
namespace {

RobotConfig four_joints() {
  RobotConfig robot;
  robot.joints.resize(4);
  for (std::size_t i = 0; i < 4; ++i) robot.joints[i].name = std::string(1, "abcd"[i]);
  return robot;
}

JointSet set(const char* bits) { return JointSet(bits); }

TEST(BackendParts, ARobotWhoseJointsNameNoneHasOnePart) {
  const auto parts = backend_parts(four_joints());
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].kind, BackendKind::kSim);
  EXPECT_EQ(parts[0].cycle_ns, 1'000'000);
  EXPECT_EQ(parts[0].joints, set("1111"));
  EXPECT_EQ(name_of(parts), "sim");
  EXPECT_EQ(backend_parts(RobotConfig{}).size(), 1U);
}

TEST(BackendParts, BusesComeFirstAndEachCycleIsAPart) {
  RobotConfig robot = four_joints();
  robot.backend = BackendKind::kKinematic;
  robot.joints[0].cycle_ns = 4'000'000;
  robot.joints[1].backend = BackendKind::kHw;
  robot.joints[1].cycle_ns = 2'000'000;  // refused in a file: its bus has the cycle
  robot.joints[3].backend = BackendKind::kSim;
  const auto parts = backend_parts(robot);
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(parts[0].kind, BackendKind::kHw);
  EXPECT_EQ(parts[0].cycle_ns, robot.period_ns);
  EXPECT_EQ(parts[0].joints, set("0010"));
  EXPECT_EQ(parts[1].kind, BackendKind::kSim);
  EXPECT_EQ(parts[2].cycle_ns, robot.period_ns);
  EXPECT_EQ(parts[2].joints, set("0100"));
  EXPECT_EQ(parts[3].cycle_ns, 4'000'000);
  EXPECT_EQ(parts[3].joints, set("0001"));
  EXPECT_EQ(name_of(parts), "hw+sim+kinematic");
  EXPECT_EQ(why_not_together(parts), "");
}

TEST(BackendParts, TwoClocksAndTwoPhysicsAreRefused) {
  RobotConfig robot = four_joints();
  robot.joints[0].backend = BackendKind::kHw;
  robot.joints[1].backend = BackendKind::kBoards;
  EXPECT_NE(why_not_together(backend_parts(robot)).find("one clock"), std::string::npos);
  robot.joints[1].backend.reset();
  EXPECT_EQ(why_not_together(backend_parts(robot)), "");
  robot.joints[1].cycle_ns = 2'000'000;
  EXPECT_NE(why_not_together(backend_parts(robot)).find("one physics"), std::string::npos);
}

TEST(BackendParts, APartsRobotHasItsCycleAndTheOthersElsewhere) {
  RobotConfig robot = four_joints();
  robot.backend = BackendKind::kKinematic;
  robot.joints[2].backend = BackendKind::kHw;
  const RobotConfig arm = part_on(robot, BackendKind::kHw);
  EXPECT_EQ(arm.backend, BackendKind::kHw);
  EXPECT_EQ(arm.elsewhere, set("1011"));
  // Read again from a file it is the same part: nothing depends on the robot's own word.
  EXPECT_EQ(part_on(arm, BackendKind::kHw).elsewhere, arm.elsewhere);
  EXPECT_TRUE(part_on(robot, BackendKind::kBoards).elsewhere.none());
}

TEST(BackendParts, ABackendThatIsAskedForIsTheWholeRobots) {
  RobotConfig robot = four_joints();
  robot.joints[2].backend = BackendKind::kHw;
  robot.joints[3].cycle_ns = 2'000'000;
  const RobotConfig whole = as_asked(robot, BackendKind::kSim);
  EXPECT_EQ(backend_parts(whole).size(), 1U);
  EXPECT_EQ(as_asked(robot, std::nullopt), robot);
  EXPECT_TRUE(runs_on(BackendKind::kHw, robot, std::nullopt));
  EXPECT_FALSE(runs_on(BackendKind::kHw, robot, BackendKind::kSim));
  EXPECT_TRUE(runs_on(BackendKind::kBoards, robot, BackendKind::kBoards));
}

}  // namespace
}  // namespace jointrig
