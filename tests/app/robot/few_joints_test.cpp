// The calls of a robot for an arm of five joints, which can't hold every rotation of its tool.

#include "tests/control/planning/few_joints.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "app/robot/filters.h"
#include "app/robot/robot_arm.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

constexpr double kPitch = 0.5;

/// A desk arm whose tool is inclined by kPitch.
class DeskArmRobot : public ::testing::Test {
 protected:
  DeskArmRobot()
      : file(testing::kDeskArm),
        robot(configured(), {.backend = "kinematic"}),
        arm(robot.arm("arm")) {
    robot.initialize();
    home = arm.commanded_tool_pose();
    sideways = home;
    sideways.position[1] += 0.12;
  }

  std::string configured() {
    file.add("robot.yaml",
             "schema: 1\nname: desk\nmodel: robot.xml\n"
             "parts: {arm: [waist, shoulder, elbow, wrist, roll]}\n"
             "arms: {arm: {part: arm, tool: tip}}\n"
             "joints: {shoulder: {start: -0.9}, elbow: {start: 1.4}, wrist: {start: 0}}\n");
    return file.path().substr(0, file.path().rfind('/')) + "/robot.yaml";
  }

  void expect_sideways() {
    const auto q = arm.commanded_position();
    const auto tip = testing::desk_arm_tip(q[0], q[1], q[2], q[3]);
    EXPECT_NEAR(tip[0], home.position[0], 1e-5);
    EXPECT_NEAR(tip[1], 0.12, 1e-5);
    EXPECT_NEAR(tip[2], home.position[2], 1e-5);
    EXPECT_NEAR(q[0], std::atan2(tip[1], tip[0]), 1e-9);
  }
  void expect_pitch_and_roll() {
    const auto q = arm.commanded_position();
    EXPECT_NEAR(q[1] + q[2] + q[3], kPitch, 1e-5);
    EXPECT_NEAR(q[4], 0.0, 1e-5);
  }
  static std::string told(const auto& command) {
    try {
      command();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "not refused";
  }

  odd::TempModel file;
  Robot robot;
  RobotArm arm;
  ToolPose home;
  ToolPose sideways;
};

TEST_F(DeskArmRobot, MovesLinearWithItsYawFree) {
  arm.move_linear(sideways, 1.0, ToolFrame::kWorld, FreeRotation::kZ);
  robot.wait();
  expect_sideways();
  expect_pitch_and_roll();
  // Back with its position alone.
  arm.move_linear(home, 1.0, ToolFrame::kBase, FreeRotation::kAll);
  robot.wait();
  EXPECT_NEAR(arm.commanded_tool_pose().position[1], 0.0, 1e-5);
}

TEST_F(DeskArmRobot, MovesCartesianAndAtOnceWithItsYawFree) {
  arm.move_cartesian(sideways, 0.5, ToolFrame::kWorld, FreeRotation::kZ);
  robot.wait();
  expect_sideways();
  expect_pitch_and_roll();
  arm.set_cartesian_position(home, ToolFrame::kWorld, FreeRotation::kZ);
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], 0.0, 1e-6);
  arm.move_cartesian(sideways, 0.5, ToolFrame::kWorld, FreeRotation::kAll);
  robot.wait();
  expect_sideways();
}

TEST_F(DeskArmRobot, FollowsAPathWithItsYawFree) {
  ArmWaypoint to;
  to.by = {{0.0, 0.12, 0.0}};
  ToolPathOptions options;
  options.free_rotation = FreeRotation::kZ;
  arm.follow_tool({to}, options);
  robot.wait();
  expect_sideways();
  expect_pitch_and_roll();
  to.turn = {{0.0, 0.0, 0.1}};
  options.free_rotation = FreeRotation::kAll;
  EXPECT_NE(told([&] {
              arm.follow_tool({to}, options);
            }).find("waypoint 1 has a turn, and free_rotation: all holds no rotation"),
            std::string::npos);
}

TEST_F(DeskArmRobot, HeldWholeItIsToldWhatToFree) {
  const std::string linear = told([&] {
    arm.move_linear(sideways);
    robot.wait();
  });
  EXPECT_NE(linear.find("plan_reach"), std::string::npos) << linear;
  EXPECT_NE(linear.find("\"free_rotation: tool_z\" leaves it free"), std::string::npos) << linear;
  const std::string any = told([&] { arm.move_cartesian(sideways); });
  EXPECT_NE(any.find("out_of_reach"), std::string::npos) << any;
  EXPECT_NE(any.find("its 5 joints can't hold the rotation about z of the tool there"),
            std::string::npos)
      << any;
  EXPECT_NE(any.find("\"free_rotation: tool_z\" leaves it free"), std::string::npos) << any;
}

TEST_F(DeskArmRobot, FollowsAVelocityWithItsYawFreeAndLeadsThePlaceAloneWithNothingFree) {
  for (const ToolFrame frame : {ToolFrame::kWorld, ToolFrame::kBase}) {
    arm.set_cartesian_velocity({0.0, 0.05, 0.0, 0.0, 0.0, 0.0}, 1.0, frame, FreeRotation::kZ);
    robot.wait();
    expect_pitch_and_roll();
    EXPECT_NEAR(arm.commanded_tool_pose().position[0], home.position[0], 1e-5);
  }
  EXPECT_NEAR(arm.commanded_tool_pose().position[1], 0.1, 0.01);
  const ToolPose there = arm.commanded_tool_pose();
  arm.set_cartesian_velocity({0.0, -0.05, 0.0, 0.0, 0.0, 0.0}, 1.0);
  robot.wait();
  const ToolPose back = arm.commanded_tool_pose();
  EXPECT_NEAR(back.position[1], there.position[1] - 0.05, 1e-3);
  EXPECT_NEAR(back.position[0], there.position[0], 1e-5);
  EXPECT_NEAR(back.position[2], there.position[2], 1e-5);
}

TEST_F(DeskArmRobot, ATurnThatItCantHoldIsRefusedInTheCall) {
  const std::string turn = told([&] { arm.set_cartesian_velocity({0, 0, 0, 0, 0, 0.1}, 1.0); });
  EXPECT_NE(turn.find("they lead its place alone; give no angular velocity"), std::string::npos)
      << turn;
  const std::string roll = told([&] {
    arm.set_cartesian_velocity({0, 0.05, 0, 0, 0, 0}, 1.0, ToolFrame::kTool, FreeRotation::kToolX);
  });
  EXPECT_NE(roll.find("arm arm: "), std::string::npos) << roll;
  EXPECT_NE(roll.find("with free_rotation tool_x; give another: "), std::string::npos) << roll;
  EXPECT_FALSE(arm.is_moving());
}

// The same way by samples, which a filter has made of it.
TEST_F(DeskArmRobot, FollowsAVelocityWithItsYawFreeThroughAFilter) {
  arm.set_filter(FilterOn::kCommandedPosition, "as it is",
                 std::make_shared<FunctionFilter>([](const auto& in) { return in; }));
  arm.set_cartesian_velocity({0.0, 0.05, 0.0, 0.0, 0.0, 0.0}, 1.0, ToolFrame::kWorld,
                             FreeRotation::kZ);
  robot.wait();
  expect_pitch_and_roll();
  EXPECT_NEAR(arm.commanded_tool_pose().position[0], home.position[0], 1e-5);
  EXPECT_NEAR(arm.commanded_tool_pose().position[1], 0.05, 1e-3);
}

}  // namespace
}  // namespace jointrig
