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

TEST(RobotArmWithInteraction, GoesStraightWhileItsToolPushesWithAForce) {
  Robot robot("franka", {.backend = "sim", .settings = "plant: {friction_scale: 0}"});
  robot.initialize();
  RobotArm arm = robot.arm("arm");
  const ToolPose from = arm.sensed_tool_pose();
  ToolPose goal = from;
  goal.position[1] += 0.1;
  InteractionSettings upwards;  // in the air a force of 1 N moves the tool at 1 N over its damping
  upwards.axes[2] = InteractionAxis::kForce;
  upwards.force[2] = 1.0;
  upwards.stiffness = {800.0, 800.0, 0.0, 25.0, 25.0, 25.0};
  upwards.damping_source = DampingSource::kRatio;
  upwards.damping_ratio = 1.0;
  arm.move_linear_with(upwards, goal, 0.2);
  robot.wait();
  for (int i = 0; i < 1000; ++i) robot.step();  // it is behind by its speed, and comes up
  const ToolPose to = arm.sensed_tool_pose();
  EXPECT_NEAR(to.position[1], goal.position[1], 0.005);
  EXPECT_NEAR(to.position[0], goal.position[0], 0.005);
  EXPECT_GT(to.position[2], from.position[2] + 0.002) << "it gave way to its own force";
  EXPECT_EQ(robot.snapshot().joints[0].mode, JointMode::kCartesian);

  arm.move_linear(from, 0.2);  // back, stiff
  robot.wait();
  EXPECT_NEAR(arm.sensed_tool_pose().position[2], from.position[2], 0.003);
}

TEST(RobotObstacle, IsRefusedByItsNameWithTheNumberAndTheLimit) {
  Robot robot("franka", {.backend = "kinematic"});
  const std::string why = refusal([&] {
    robot.set_obstacle(
        {.name = obstacle_name("moon"), .shape = KnownShape::kSphere, .size = {1737e3, 0.0, 0.0}});
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
