#include "gui/scene3d/balance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/gui/scene3d/two_links.h"

namespace jointrig::gui {
namespace {

TEST(CapturePoint, IsAheadOfTheCentreOfMassByItsSpeedOverOmega) {
  // ω = √(9.81 / 0.981) = √10 1/s
  const Point2 capture = capture_point({0.1, -0.2, 1.181}, {0.5, -1.0, 3.0}, 0.2, 9.81);
  EXPECT_NEAR(capture[0], 0.1 + 0.5 / std::sqrt(10.0), 1e-12);
  EXPECT_NEAR(capture[1], -0.2 - 1.0 / std::sqrt(10.0), 1e-12);
  EXPECT_EQ(capture_point({1, 2, 0.5}, {0, 0, 0}, 0.0, 9.81), (Point2{1, 2})) << "at rest";
  EXPECT_EQ(capture_point({1, 2, 0.5}, {3, 3, 3}, 0.0, 0.0), (Point2{1, 2})) << "in free space";
  EXPECT_NEAR(capture_point({0, 0, -1}, {1, 0, 0}, 0.0, 9.81)[0], std::sqrt(0.01 / 9.81), 1e-12)
      << "below the ground it has no ω: that of 1 cm";
}

/// The energy of a linear inverted pendulum about its foot, E = ẋ²/2 - g/z (x - ξ)²/2 (Kajita
/// 1991), is 0 where it comes to rest over the foot: with less it falls back, with more it goes on.
TEST(CapturePoint, IsWhereAPendulumHasJustTheEnergyToComeToRest) {
  const double x = 0.3;
  const double v = 0.7;
  const double height = 0.8;
  const double foot = capture_point({x, 0.0, height}, {v, 0.0, 0.0}, 0.0, 9.81)[0];
  EXPECT_GT(foot, x);
  EXPECT_NEAR(0.5 * v * v, 0.5 * 9.81 / height * (foot - x) * (foot - x), 1e-12);
}

TEST(ConvexHull, GoesAroundCounterClockwiseWithoutWhatLiesInside) {
  const std::vector<Point2> square{{0, 0}, {1, 1}, {0.5, 0.5}, {1, 0}, {0, 1}, {0.5, 0}, {1, 1}};
  EXPECT_EQ(convex_hull(square), (std::vector<Point2>{{0, 0}, {1, 0}, {1, 1}, {0, 1}}));
  EXPECT_EQ(convex_hull({{2, 0}, {0, 0}, {1, 0}}).size(), 2U) << "on a line";
  EXPECT_EQ(convex_hull({{1, 1}, {1, 1}}).size(), 1U);
  EXPECT_TRUE(convex_hull({}).empty());
}

TEST(ConvexHull, KnowsWhatLiesInside) {
  const std::vector<Point2> triangle = convex_hull({{0, 0}, {4, 0}, {0, 4}});
  EXPECT_TRUE(is_inside(triangle, {1, 1}));
  EXPECT_TRUE(is_inside(triangle, {2, 2})) << "on its edge";
  EXPECT_FALSE(is_inside(triangle, {2.001, 2}));
  EXPECT_FALSE(is_inside(triangle, {-0.001, 1}));
  EXPECT_FALSE(is_inside({{0, 0}, {1, 0}}, {0.5, 0})) << "no area";
}

/// A body of 6 kg on two feet without weight, an arm of 2 kg that slides out of its chest to the
/// right, and beside it a box that isn't the robot's.
constexpr const char* kStander = R"(
<mujoco model="stander">
  <compiler angle="radian" inertiafromgeom="false"/>
  <worldbody>
    <body name="box" pos="5 5 0.5">
      <inertial pos="0 0 0" mass="100" diaginertia="1 1 1"/><freejoint/>
      <geom type="box" size="0.1 0.1 0.1"/>
    </body>
    <body name="pelvis" pos="0 0 0.5">
      <inertial pos="0 0 0" mass="6" diaginertia="1 1 1"/>
      <freejoint name="base"/>
      <geom type="box" size="0.1 0.1 0.1"/>
      <site name="l_sole" pos="0 0.1 -0.5"/>
      <site name="r_sole" pos="0 -0.1 -0.5"/>
      <body name="chest">
        <joint name="waist" axis="0 0 1"/>
        <inertial pos="0 0 0" mass="1e-9" diaginertia="1e-9 1e-9 1e-9"/>
        <geom type="box" size="0.05 0.05 0.05"/>
        <body name="hand" pos="0 -0.2 0.1">
          <joint name="slide" type="slide" axis="0 -1 0"/>
          <joint name="wrist" axis="1 0 0"/>
          <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
          <geom type="box" size="0.05 0.05 0.05"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)";

RobotConfig stander_config() {
  RobotConfig config;
  config.model_path = "stander.xml";
  for (const char* name : {"wrist", "slide", "waist"}) {  // not the model's order
    JointConfig joint;
    joint.name = name;
    config.joints.push_back(joint);
  }
  WholeBodyConfig body;
  body.feet = {{"left", "l_sole", {0.02, 0.0, 0.0}, {0.2, 0.1}, {}},
               {"right", "r_sole", {0.02, 0.0, 0.0}, {0.2, 0.1}, {}}};
  body.hands = {{"right", "hand", {}, {}}};
  body.chest = "chest";
  body.pelvis = "pelvis";
  config.whole_body = body;
  return config;
}

DrawnModel stander() {
  Mjcf mjcf = parse_mjcf(kStander, "stander.xml");
  return {compile(mjcf), {}};
}

struct BalanceTest : ::testing::Test {
  BalanceTest() {
    now.joints.resize(3);
    now.base.position = {0.0, 0.0, 0.5};
  }
  Balance balance() {
    robot.show(now);
    const auto found = balance_of(robot, config, now);
    EXPECT_TRUE(found);
    return found.value_or(Balance{});
  }
  BodyPlaces places() {
    robot.show(now);
    return body_places(robot, config, stance_of(robot, config).value_or(StanceFrame{}));
  }
  /// By a quarter turn about z, then to another place.
  void turn_and_move() {
    now.base.orientation = {std::numbers::sqrt2 / 2.0, 0.0, 0.0, std::numbers::sqrt2 / 2.0};
    now.base.position = {3.0, -2.0, 0.5};
  }

  RobotConfig config = stander_config();
  Snapshot now;
  DrawnRobot robot{stander(), config};
};

constexpr double kComHeight = 0.525;  // 6 kg at 0.5 m, 2 kg at 0.6 m

TEST_F(BalanceTest, TheSolesSpanARectangle) {
  const Balance found = balance();
  // Two soles of 0.2 by 0.1 m, 0.2 m apart, 2 cm ahead.
  ASSERT_EQ(found.support.size(), 4U);
  const Point3 low = found.support[0];
  const Point3 high = found.support[2];
  EXPECT_NEAR(low[0], -0.08, 1e-12);
  EXPECT_NEAR(low[1], -0.15, 1e-12);
  EXPECT_NEAR(high[0], 0.12, 1e-12);
  EXPECT_NEAR(high[1], 0.15, 1e-12);
  for (const Point3& corner : found.support) EXPECT_NEAR(corner[2], 0.0, 1e-12);
}

TEST_F(BalanceTest, TheCentreOfMassIsTheRobotsAndItsProjectionIsOnTheGround) {
  const Balance found = balance();
  EXPECT_NEAR(found.com[0], 0.0, 1e-9);
  EXPECT_NEAR(found.com[1], -0.05, 1e-9);  // 2 of 8 kg, 0.2 m aside
  EXPECT_NEAR(found.com[2], kComHeight, 1e-9);
  EXPECT_NEAR(found.below[1], -0.05, 1e-9);
  EXPECT_NEAR(found.below[2], 0.0, 1e-12);
  EXPECT_NEAR(found.capture[1], -0.05, 1e-9) << "at rest";
  EXPECT_TRUE(found.inside);
}

TEST_F(BalanceTest, TheCapturePointFollowsTheSpeedsOfBaseAndJoints) {
  const double omega = std::sqrt(9.81 / kComHeight);
  now.base.linear_velocity = {0.3, 0.0, 1.0};
  now.joints[1].state.v = 0.2;  // the slide: 2 of 8 kg to the right
  Balance found = balance();
  EXPECT_NEAR(found.capture[0], 0.3 / omega, 1e-9);
  EXPECT_NEAR(found.capture[1], -0.05 - 0.25 * 0.2 / omega, 1e-9);
  EXPECT_NEAR(found.capture[2], 0.0, 1e-12);
  EXPECT_TRUE(found.inside);
  now.base.linear_velocity = {0.6, 0.0, 0.0};  // 0.139 m, and the toes are at 0.12 m
  found = balance();
  EXPECT_FALSE(found.inside);
}

TEST_F(BalanceTest, TheBaseTurnsInItsOwnFrame) {
  // Tipped forward by a quarter turn: the base's x points down, so a turn about it turns the
  // centre of mass, 0.05 m aside and 0.025 m ahead of the base then, about the vertical.
  now.base.orientation = {std::numbers::sqrt2 / 2.0, 0.0, std::numbers::sqrt2 / 2.0, 0.0};
  now.base.angular_velocity = {2.0, 0.0, 0.0};
  const Balance found = balance();
  EXPECT_NEAR(found.com[0], 0.025, 1e-9);
  const double speed =
      std::hypot(found.capture[0] - found.com[0], found.capture[1] - found.com[1]) *
      std::sqrt(9.81 / (found.com[2] - found.below[2]));
  EXPECT_NEAR(speed, 2.0 * std::hypot(0.05, 0.025), 1e-6);
}

TEST_F(BalanceTest, IsAbsentWithoutFeet) {
  RobotConfig none = config;
  none.whole_body.reset();
  EXPECT_FALSE(balance_of(robot, none, now));
  EXPECT_FALSE(stance_of(robot, none));
  RobotConfig unknown = config;
  unknown.whole_body->feet[1].frame = "r_soul";
  EXPECT_FALSE(balance_of(robot, unknown, now));
  EXPECT_FALSE(stance_of(robot, unknown));
}

TEST_F(BalanceTest, AHandsPlaceIsThatInTheStanceWhereverTheRobotStands) {
  for (const bool elsewhere : {false, true}) {
    SCOPED_TRACE(elsewhere);
    if (elsewhere) turn_and_move();
    const BodyPlaces found = places();
    ASSERT_EQ(found.hands.size(), 1U);
    const ToolPose& hand = found.hands[0].pose;
    EXPECT_NEAR(hand.position[0], -0.02, 1e-9);  // the soles' middle is 2 cm ahead of it
    EXPECT_NEAR(hand.position[1], -0.2, 1e-9);
    EXPECT_NEAR(hand.position[2], 0.6, 1e-9);
    EXPECT_NEAR(std::abs(hand.orientation[0]), 1.0, 1e-9);
    EXPECT_NEAR(found.pelvis_height, 0.5, 1e-9);
  }
}

/// As after a step that the controller doesn't know of.
TEST_F(BalanceTest, AStanceThatIsKeptStaysWhereItWas) {
  robot.show(now);
  const auto stance = stance_of(robot, config);
  ASSERT_TRUE(stance);
  turn_and_move();
  robot.show(now);
  const BodyPlaces found = body_places(robot, config, *stance);
  EXPECT_NEAR(found.hands[0].pose.position[0], 3.0 + 0.2 - 0.02, 1e-9);
  EXPECT_NEAR(found.hands[0].pose.position[1], -2.0, 1e-9);
}

TEST_F(BalanceTest, AnArmsJointsAreThoseAfterTheChestInTheModelsOrder) {
  now.joints[0].state.q = 0.7;
  now.joints[1].state.q = 0.03;
  const BodyPlaces found = places();
  const std::vector<BodyColumn> arm{{"slide", BodyColumn::Kind::kLength},
                                    {"wrist", BodyColumn::Kind::kAngle}};
  EXPECT_EQ(found.hands[0].arm, arm);
  EXPECT_EQ(found.hands[0].q, (std::vector<double>{0.03, 0.7}));
}

}  // namespace
}  // namespace jointrig::gui
