#include "gui/scene3d/drawn_robot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/gui/scene3d/two_links.h"

namespace jointrig::gui {
namespace {

constexpr double kHalf = 1.5707963267948966;

struct DrawnRobotTest : ::testing::Test {
  DrawnRobot robot{testing::two_links(), testing::two_links_config()};

  void expect_at(const mjData& data, const char* body, double x, double z) {
    const mjtNum* at = data.xpos + 3 * testing::body_named(robot, body);
    EXPECT_NEAR(at[0], x, 1e-9) << body;
    EXPECT_NEAR(at[2], z, 1e-9) << body;
  }
};

TEST_F(DrawnRobotTest, StandsWhereItWasMeasured) {
  robot.show(testing::measured(kHalf, -kHalf));  // up, then forward again
  expect_at(robot.data(), "lower", 0.0, 1.0);
  expect_at(robot.data(), "tool", 1.0, 1.0);
}

TEST_F(DrawnRobotTest, FollowersStandWhereTheirLeaderWantsThem) {
  robot.show(testing::measured(0.0, 0.8));
  const int joint = mj_name2id(&robot.model(), mjOBJ_JOINT, "finger");
  EXPECT_NEAR(robot.data().qpos[robot.model().jnt_qposadr[joint]], 0.4, 1e-12);
}

TEST_F(DrawnRobotTest, APositionThatIsNoNumberLeavesTheJointWhereItWas) {
  robot.show(testing::measured(kHalf, 0.0));
  robot.show(testing::measured(std::numeric_limits<double>::quiet_NaN(), 0.5));
  expect_at(robot.data(), "lower", 0.0, 1.0);
}

TEST_F(DrawnRobotTest, TheGhostStandsAtTheReferenceAndElsewhereAsDrawn) {
  robot.show(testing::measured(kHalf, 0.0));
  robot.show_ghost(std::vector<double>{std::numeric_limits<double>::quiet_NaN(), -kHalf});
  expect_at(robot.ghost(), "lower", 0.0, 1.0);
  expect_at(robot.ghost(), "tool", 1.0, 1.0);
  expect_at(robot.data(), "tool", 0.0, 2.0);
}

TEST_F(DrawnRobotTest, ATruthOfASimulationIsTakenWhole) {
  WorldPose pose;
  pose.qpos = {kHalf, 0.3, -0.7};
  pose.contacts.push_back({{1, 2, 3}, {0, 0, 10}});
  pose.pull = {3.0, 0.0, -4.0};
  robot.show(pose);
  expect_at(robot.data(), "lower", 0.0, 1.0);
  EXPECT_EQ(robot.data().qpos[2], -0.7) << "no equality is laid over it";
  ASSERT_EQ(robot.contacts().size(), 1U);
  EXPECT_EQ(robot.contacts()[0].force[2], 10.0);
  EXPECT_EQ(robot.pull(), pose.pull);
}

TEST_F(DrawnRobotTest, APoseOfAnotherModelIsIgnored) {
  WorldPose pose;
  pose.qpos = {1.0};
  const std::uint64_t before = robot.revision();
  robot.show(pose);
  EXPECT_EQ(robot.revision(), before);
  expect_at(robot.data(), "lower", 1.0, 0.0);
}

TEST_F(DrawnRobotTest, NoiseBelowAFractionOfAPixelIsNotDrawnAnew) {
  robot.show(testing::measured(0.5, 0.5));
  const std::uint64_t before = robot.revision();
  for (int i = 0; i < 100; ++i)
    robot.show(testing::measured(0.5 + (i % 2 == 0 ? 5e-5 : -5e-5), 0.5));
  EXPECT_EQ(robot.revision(), before);
  robot.show(testing::measured(0.501, 0.5));
  EXPECT_GT(robot.revision(), before);
}

TEST_F(DrawnRobotTest, ASlowDriftIsDrawnOnceItHasAddedUp) {
  const std::uint64_t before = robot.revision();
  for (int i = 1; i <= 100; ++i) robot.show(testing::measured(1e-5 * i, 0.0));  // 1 mrad in all
  EXPECT_GE(robot.revision(), before + 4);
  EXPECT_LE(robot.revision(), before + 6);
}

TEST_F(DrawnRobotTest, EachBodyBelongsToTheJointThatMovesIt) {
  EXPECT_EQ(robot.joint_of(testing::body_named(robot, "upper")), 0);
  EXPECT_EQ(robot.joint_of(testing::body_named(robot, "lower")), 1);
  EXPECT_EQ(robot.joint_of(testing::body_named(robot, "tool")), 1) << "bolted to the lower link";
  EXPECT_EQ(robot.joint_of(testing::body_named(robot, "finger")), 1) << "follows the second joint";
  EXPECT_EQ(robot.joint_of(testing::body_named(robot, "table")), kNoJoint);
  EXPECT_EQ(robot.joint_of(0), kNoJoint);
}

TEST_F(DrawnRobotTest, FramesAreThoseOfTheRobot) {
  ASSERT_EQ(robot.frames().size(), 1U);
  EXPECT_EQ(name_of(robot.model(), mjOBJ_SITE, robot.frames()[0]), "tip");
}

TEST(DrawnRobot, AJointThatTheModelLacksIsRefused) {
  RobotConfig config = testing::two_links_config();
  config.joints[1].name = "elbow";
  EXPECT_THROW(DrawnRobot(testing::two_links(), config), ModelError);
}

}  // namespace
}  // namespace jointrig::gui
