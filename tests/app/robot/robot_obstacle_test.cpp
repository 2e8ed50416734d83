// Obstacles that a program tells its robot of.

#include <gtest/gtest.h>

#include <string>

#include "app/robot/robot_arm.h"

namespace jointrig {
namespace {

std::string refusal(const auto& call) {
  try {
    call();
  } catch (const Refused& error) {
    return error.what();
  }
  return {};
}

TEST(RobotObstacle, IsInTheWayOfALinearMotionUntilItIsGone) {
  Robot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  RobotArm arm = robot.arm("arm");
  ToolPose goal = arm.commanded_tool_pose();
  SetObstacle post{.name = obstacle_name("post"), .size = {0.03, 0.03, 0.5}};
  post.position = {goal.position[0], goal.position[1] + 0.28, 0.5};
  robot.set_obstacle(post);
  robot.step();
  ASSERT_EQ(robot.obstacles().size(), 1U);

  goal.position[1] += 0.3;
  const std::string why = refusal([&] {
    arm.move_linear(goal, 0.5);
    robot.wait();
  });
  EXPECT_NE(why.find("plan_collision"), std::string::npos) << why;
  EXPECT_NE(why.find("post"), std::string::npos) << why;

  robot.remove_obstacle("post");
  robot.step();
  EXPECT_TRUE(robot.obstacles().empty());
  arm.move_linear(goal, 0.5);
  robot.wait();
  EXPECT_NEAR(arm.commanded_tool_pose().position[1], goal.position[1], 1e-4);
}

TEST(RobotObstacle, IsRefusedByItsNameWithTheNumberAndTheLimit) {
  Robot robot("franka", {.backend = "kinematic"});
  const std::string why = refusal([&] {
    robot.set_obstacle({.name = obstacle_name("moon"),
                        .shape = KnownShape::kSphere,
                        .size = {1737e3, 0.0, 0.0}});
  });
  EXPECT_NE(why.find("obstacle moon"), std::string::npos) << why;
  EXPECT_NE(why.find("the largest allowed value is 10 m"), std::string::npos) << why;
  EXPECT_THROW(robot.remove_obstacle(""), std::invalid_argument);
  robot.remove_obstacle("moon");
  EXPECT_NE(refusal([&] { robot.step(); }).find("knows no obstacle of that name"),
            std::string::npos);
}

}  // namespace
}  // namespace jointrig
