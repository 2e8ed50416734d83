// The calls of a robot for its gripper, on backends kinematic, sim and boards.

#include "app/robot/robot_gripper.h"

#include <gtest/gtest.h>

#include <string>

namespace jointrig {
namespace {

class GripperOnBackends : public ::testing::TestWithParam<const char*> {
 protected:
  GripperOnBackends() : robot("franka", {.backend = GetParam()}), hand(robot.gripper("hand")) {
    robot.initialize();
    hand.open();
    robot.wait();
  }
  Robot robot;
  RobotGripper hand;
};
INSTANTIATE_TEST_SUITE_P(Robot, GripperOnBackends, ::testing::Values("kinematic", "sim", "boards"),
                         [](const auto& backend) { return std::string(backend.param); });

TEST_P(GripperOnBackends, OpensClosesAndMovesToAWidth) {
  EXPECT_EQ(hand.state(), GripperState::kOpen);
  EXPECT_NEAR(hand.width(), 0.08, 1e-3);
  hand.close(0.1);
  robot.wait();
  EXPECT_EQ(hand.state(), GripperState::kClosed);
  EXPECT_NEAR(hand.share(), 0.0, 0.02);
  hand.move(0.05);
  robot.wait();
  EXPECT_EQ(hand.state(), GripperState::kIdle);
  EXPECT_NEAR(hand.width(), 0.05, 1e-3);
  hand.move_share(0.25);
  robot.wait();
  EXPECT_NEAR(hand.width(), 0.02, 1e-3);
}

TEST(RobotGripper, WaitsForAGraspAndTellsThatItMissed) {
  Robot robot("franka");
  robot.initialize();
  RobotGripper hand = robot.gripper();
  hand.grasp(20.0);
  robot.wait();
  EXPECT_EQ(hand.state(), GripperState::kMissed);
  EXPECT_FALSE(hand.is_grasped());
}

TEST(RobotGripper, RefusesWithTheStacksSentenceAndTheNearestName) {
  Robot robot("franka");
  robot.initialize();
  robot.gripper().grasp(100.0);
  try {
    robot.step();
    FAIL() << "100 N are more than the hand has";
  } catch (const Refused& refused) {
    EXPECT_NE(std::string(refused.what()).find("its force is 100 N"), std::string::npos)
        << refused.what();
  }
  try {
    static_cast<void>(robot.gripper("hnad"));
    FAIL() << "there is no such gripper";
  } catch (const std::exception& unknown) {
    EXPECT_NE(std::string(unknown.what()).find("did you mean \"hand\"?"), std::string::npos)
        << unknown.what();
  }
}

}  // namespace
}  // namespace jointrig
