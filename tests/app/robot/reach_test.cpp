// Inverse kinematics of a program: both hands at once, near to a posture.

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "app/robot/robot.h"
#include "app/robot/robot_arm.h"

namespace jointrig {
namespace {

AskedReach both_hands(std::array<double, 3> by) {
  AskedReach asked;
  for (const ArmIndex arm : {ArmIndex{0}, ArmIndex{1}}) {
    AskedPose& tool = asked.tools.emplace_back();
    tool.arm = arm;
    tool.frame = ToolFrame::kWorld;
    tool.by = by;
    tool.turn = std::array<double, 3>{};
  }
  return asked;
}

TEST(Reach, BringsBothHandsToTheirPlacesAtOnceAndMovesNothingByItself) {
  Robot robot("icub_upper_body", {.backend = "kinematic"});
  robot.initialize();
  ASSERT_EQ(robot.config().arms.size(), 2U);
  RobotArm left = robot.arm(robot.config().arms[0].name);
  RobotArm right = robot.arm(robot.config().arms[1].name);
  const ToolPose l = left.commanded_tool_pose();
  const ToolPose r = right.commanded_tool_pose();
  const auto before = robot.commanded_position();
  const ReachAnswer answer = robot.reach(both_hands({-0.02, 0.0, 0.03}));
  ASSERT_EQ(answer.refusal, "");
  EXPECT_EQ(robot.commanded_position(), before);
  auto q = before;
  for (std::size_t k = 0; k < answer.joints.size(); ++k) q[answer.joints[k]] = answer.q[k];
  robot.move_to(q);
  robot.wait();
  for (const auto& [arm, from] : {std::pair{&left, &l}, std::pair{&right, &r}}) {
    const ToolPose now = arm->commanded_tool_pose();
    EXPECT_NEAR(now.position[0], from->position[0] - 0.02, 1e-5);
    EXPECT_NEAR(now.position[1], from->position[1], 1e-5);
    EXPECT_NEAR(now.position[2], from->position[2] + 0.03, 1e-5);
    double along = 0.0;
    for (std::size_t i = 0; i < 4; ++i) along += now.orientation[i] * from->orientation[i];
    EXPECT_NEAR(std::abs(along), 1.0, 1e-9);
  }
}

TEST(Reach, IsNearToThePostureThatIsAskedForWhereAJointIsFree) {
  Robot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  AskedReach asked;
  AskedPose& tool = asked.tools.emplace_back();
  tool.frame = ToolFrame::kBase;
  tool.by = std::array<double, 3>{0.0, 0.0, 0.0};
  tool.turn = std::array<double, 3>{};
  const double here = robot.commanded_position()[0];
  asked.posture = {{0, here + 0.3}};
  const ReachAnswer towards = robot.reach(asked);
  asked.posture = {{0, here - 0.3}};
  const ReachAnswer away = robot.reach(asked);
  ASSERT_EQ(towards.refusal, "");
  ASSERT_EQ(away.refusal, "");
  // Seven joints hold six rows: the elbow swings, with joint 1, while the tool stays.
  EXPECT_GT(towards.q[0], here + 0.02);
  EXPECT_LT(away.q[0], here - 0.02);
}

TEST(Reach, APlaceOutOfReachIsRefusedInASentenceWithWhatIsLeft) {
  Robot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  AskedReach asked;
  AskedPose& tool = asked.tools.emplace_back();
  tool.position = std::array<double, 3>{2.0, 0.0, 0.5};
  const ReachAnswer answer = robot.reach(asked);
  EXPECT_NE(answer.refusal, "");
  ASSERT_EQ(answer.rests.size(), 1U);
  EXPECT_GT(answer.rests[0].position, 0.5);
  asked.tools.clear();
  EXPECT_THROW(static_cast<void>(robot.reach(asked)), std::invalid_argument);
}

}  // namespace
}  // namespace jointrig
