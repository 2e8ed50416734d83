#include "control/planning/path_collision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "control/discovery/discovery.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

std::string box_mesh(const std::string& name, double x, double y, double z) {
  std::string vertices;
  for (int i = 0; i < 8; ++i) {
    vertices += std::to_string((i & 1) != 0 ? x : -x) + " " +
                std::to_string((i & 2) != 0 ? y : -y) + " " +
                std::to_string((i & 4) != 0 ? z : -z) + " ";
  }
  return "<mesh name='" + name + "' vertex='" + vertices + "'/>";
}

/// A stick of 0.4 m on a hinge 0.3 m above a plate of 0.6 m by 0.6 m. The capsule that holds the
/// plate holds the stick, too; the plate itself is free of it.
std::string stick_over_plate(double plate_top = 0.0) {
  const std::string place = std::to_string(plate_top - 0.01);
  return "<mujoco><option gravity='0 0 0'/><asset>" + box_mesh("plate", 0.3, 0.3, 0.01) +
         box_mesh("stick", 0.2, 0.01, 0.01) +
         "</asset><worldbody><body name='table'><geom type='mesh' mesh='plate' pos='0 0 " + place +
         "'/><body name='post' pos='0 0 0.3'><joint name='turn' axis='0 0 1' range='-1 1'/>"
         "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/>"
         "<body name='stick'><joint name='dip' axis='0 1 0' range='-1.5 1.5'/>"
         "<geom type='mesh' mesh='stick' pos='0.2 0 0' mass='1'/></body></body></body></worldbody>"
         "<actuator><motor joint='turn' ctrlrange='-9 9'/><motor joint='dip' ctrlrange='-9 9'/>"
         "</actuator></mujoco>";
}

JointPlan dip_to(double q) {
  return JointPlan({1}, {0.0, 1.0}, {0.0, q, 0.0, 0.0, 0.0, 0.0},
                   {{0.0, 0.0, 1.0, 0.0}, {1.0, 1.0, 0.0, 0.0}}, {1.0});
}

RobotState at_zero(const RobotConfig& robot) {
  RobotState state;
  state.joints.resize(robot.joints.size());
  return state;
}

TEST(PathCollision, LinksWhoseSimpleShapesMeetAtTheStartAreToldApartByTheirMeshes) {
  const odd::TempModel file(stick_over_plate());
  const RobotConfig robot = discover(file.path()).config;
  PathCollision collision(robot);
  // The lower edge of its tip, 0.4 m out and 0.01 m down, is on the plate: 0.4 sin q + 0.01 cos q =
  // 0.3.
  const double touches = std::asin(0.3 / std::hypot(0.4, 0.01)) - std::atan(0.01 / 0.4);

  const auto meeting = collision.first_on(dip_to(1.2), at_zero(robot));
  ASSERT_TRUE(meeting);
  EXPECT_NEAR(meeting->q[0], touches, PathCollision::kThickness / 0.2);
  EXPECT_EQ(meeting->clearance, 0.0);
  EXPECT_EQ(meeting->a, "stick");
  EXPECT_FALSE(collision.first_on(dip_to(touches - 0.01), at_zero(robot)));
  EXPECT_FALSE(collision.first_on(dip_to(-1.2), at_zero(robot)));
}

/// At rest at both ends without an acceleration: q (10 s³ - 15 s⁴ + 6 s⁵), which has none in the
/// middle either.
JointPlan dip_from_rest_to(double q) {
  return JointPlan({1}, {0.0, 1.0}, {0.0, 0.0, 0.0, 10.0 * q, -15.0 * q, 6.0 * q},
                   {{0.0, 0.0, 1.0, 0.0}, {1.0, 1.0, 0.0, 0.0}}, {1.0});
}

TEST(PathCollision, AWayFromRestToRestIsLookedAtBetweenItsEnds) {
  const odd::TempModel file(stick_over_plate());
  const RobotConfig robot = discover(file.path()).config;
  PathCollision collision(robot);
  const double touches = std::asin(0.3 / std::hypot(0.4, 0.01)) - std::atan(0.01 / 0.4);
  const auto meeting = collision.first_on(dip_from_rest_to(1.2), at_zero(robot));
  ASSERT_TRUE(meeting);
  EXPECT_NEAR(meeting->q[0], touches, PathCollision::kThickness / 0.2);

  const odd::TempModel free(stick_over_plate(-1.0));
  const RobotConfig other = discover(free.path()).config;
  PathCollision past_a_ball(other);
  KnownObstacles obstacles;
  obstacles.push_back({.size = {0.05, 0.0, 0.0},
                       .position = {0.2, 0.0, 0.0},
                       .name = obstacle_name("ball"),
                       .shape = KnownShape::kSphere});
  past_a_ball.know(obstacles);
  // Both ends are free of the ball, 0.98 rad below the stick.
  EXPECT_TRUE(past_a_ball.first_on(dip_from_rest_to(1.5), at_zero(other)));
  EXPECT_FALSE(past_a_ball.first_on(dip_from_rest_to(0.5), at_zero(other)));
}

TEST(PathCollision, GeomsThatThePairsOfAModelNameMeetWhateverTheirMasks) {
  std::string text = stick_over_plate();
  const auto with = [&](const std::string& before, const std::string& words) {
    text.insert(text.find(before) + before.size(), words);
  };
  with("<geom type='mesh' mesh='plate'", " name='plate' contype='1' conaffinity='0'");
  with("<geom type='mesh' mesh='stick'", " name='stick' contype='0' conaffinity='0'");
  const odd::TempModel apart(text);
  const RobotConfig passes = discover(apart.path()).config;
  EXPECT_FALSE(PathCollision(passes).first_on(dip_to(1.2), at_zero(passes)));

  with("</worldbody>", "<contact><pair geom1='plate' geom2='stick'/></contact>");
  const odd::TempModel paired(text);
  const RobotConfig meets = discover(paired.path()).config;
  const auto meeting = PathCollision(meets).first_on(dip_to(1.2), at_zero(meets));
  ASSERT_TRUE(meeting);
  const double touches = std::asin(0.3 / std::hypot(0.4, 0.01)) - std::atan(0.01 / 0.4);
  EXPECT_NEAR(meeting->q[0], touches, PathCollision::kThickness / 0.2);
}

TEST(PathCollision, LinksWhoseMeshesMeetAtTheStartAreLeftToOneAnother) {
  const odd::TempModel file(stick_over_plate(0.295));
  const RobotConfig robot = discover(file.path()).config;
  PathCollision collision(robot);
  EXPECT_FALSE(collision.first_on(dip_to(1.2), at_zero(robot)))
      << "their contacts are left out in a simulation, too";
}

TEST(PathCollision, AnObstacleThatTheRobotIsToldOfIsInTheWayUntilItIsGone) {
  const odd::TempModel file(stick_over_plate(-1.0));
  const RobotConfig robot = discover(file.path()).config;
  PathCollision collision(robot);
  EXPECT_FALSE(collision.first_on(dip_to(1.2), at_zero(robot)));
  // A ball under the tip. The stick is taken as the capsule that holds it, whose end is rounder
  // than the stick's: both surfaces are found by the distance of that capsule's axis.
  KnownObstacles obstacles;
  obstacles.push_back({.size = {0.05, 0.0, 0.0},
                       .position = {0.2, 0.0, 0.0},
                       .name = obstacle_name("ball"),
                       .shape = KnownShape::kSphere});
  collision.know(obstacles);
  const auto ball = collision.first_on(dip_to(1.2), at_zero(robot));
  ASSERT_TRUE(ball);
  EXPECT_EQ(ball->a, "stick");
  EXPECT_EQ(ball->b, "ball");
  // The stick's axis lies 0.05 m and the capsule's radius from the ball's centre, which is 0.36 m
  // from the hinge, 0.983 rad below the stick at the start.
  const double radius = std::hypot(0.01, 0.01);
  const double away = std::hypot(0.2, 0.3);
  const double below = std::atan2(0.3, 0.2);
  EXPECT_NEAR(ball->q[0], below - std::asin((0.05 + radius) / away), 0.02);

  // A box of the same width touches the stick a little before, by its corner.
  obstacles[0].shape = KnownShape::kBox;
  obstacles[0].size = {0.05, 0.05, 0.05};
  collision.know(obstacles);
  const auto box = collision.first_on(dip_to(1.2), at_zero(robot));
  ASSERT_TRUE(box);
  EXPECT_LT(box->q[0], ball->q[0]);
  EXPECT_EQ(PathCollision::refusal_of(*box).remark.find("stick and ball"), 0U);

  collision.know({});
  EXPECT_FALSE(collision.first_on(dip_to(1.2), at_zero(robot)));
}

TEST(PathCollision, ALinkThatIsABoxIsKeptFromABoxByTheCapsuleThatHoldsIt) {
  const odd::TempModel file(
      "<mujoco><option gravity='0 0 0'/><worldbody><body pos='0 0 0.3'>"
      "<body name='bar'><joint name='dip' axis='0 1 0' range='-1.5 1.5'/>"
      "<geom type='box' size='0.2 0.01 0.01' pos='0.2 0 0' mass='1'/></body></body></worldbody>"
      "<actuator><motor joint='dip' ctrlrange='-9 9'/></actuator></mujoco>");
  const RobotConfig robot = discover(file.path()).config;
  PathCollision collision(robot);
  KnownObstacles obstacles;
  obstacles.push_back({.size = {0.05, 0.05, 0.05},
                       .position = {0.35, 0.0, 0.0},
                       .name = obstacle_name("box"),
                       .shape = KnownShape::kBox});
  collision.know(obstacles);
  const JointPlan plan({0}, {0.0, 1.0}, {0.0, 1.2, 0.0, 0.0, 0.0, 0.0},
                       {{0.0, 0.0, 1.0, 0.0}, {1.0, 1.0, 0.0, 0.0}}, {1.0});
  const auto meeting = collision.first_on(plan, at_zero(robot));
  ASSERT_TRUE(meeting);
  // The bar's axis meets the box's near upper corner, 0.3 m out and 0.25 m down, less its radius.
  EXPECT_LT(meeting->q[0], std::atan2(0.25, 0.3));
  EXPECT_GT(meeting->q[0], std::atan2(0.25, 0.3) - 0.15);
}

}  // namespace
}  // namespace jointrig
