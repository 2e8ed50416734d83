// Trajectories, targets, sensors and plain commands of the robot that a program holds.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "app/robot/async_arm.h"
#include "app/robot/async_robot.h"
#include "app/robot/robot.h"
#include "app/robot/robot_arm.h"

namespace jointrig {
namespace {

using Values = std::vector<double>;

constexpr double kVMax = 2.175;  // of the Franka arm's first joint [rad/s]
constexpr double kAMax = 15.0;   // [rad/s²]
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string told(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

class Trajectories : public ::testing::Test {
 protected:
  Trajectories() { robot.initialize(); }

  [[nodiscard]] Values home_with(double first) const {
    Values q = arm.commanded_position();
    q[0] = first;
    return q;
  }
  /// Steps until nothing moves; `see` looks at each step.
  void run(const std::function<void()>& see) {
    do {
      robot.step();
      see();
    } while (robot.is_moving());
  }

  Robot robot{"franka", {.backend = "kinematic"}};
  RobotArm arm{robot.arm("arm")};
};

// By hand: joint 1 goes 0.2 and 0.2 further at rest nowhere in between: one trapezoid of d = 0.4
// with v_max² / a_max = 0.315 < d takes d / v_max + v_max / a_max.
TEST_F(Trajectories, GoesThroughAWaypointWithoutStopping) {
  const double begin = robot.clock();
  const double from = arm.commanded_position()[0];
  arm.follow({{.q = home_with(from + 0.2)}, {.q = home_with(from + 0.4)}});
  double slowest_midway = kVMax;
  double fastest = 0.0;
  run([&] {
    const double q = arm.commanded_position()[0];
    const double v = arm.commanded_velocity()[0];
    if (std::abs(q - from - 0.2) < 0.01) slowest_midway = std::min(slowest_midway, v);
    fastest = std::max(fastest, v);
  });
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.4, 1e-9);
  EXPECT_LE(fastest, kVMax * (1.0 + 1e-9));
  EXPECT_GT(slowest_midway, 0.9 * kVMax);
  EXPECT_NEAR(robot.clock() - begin, 0.4 / kVMax + kVMax / kAMax, 5e-3);
  EXPECT_NEAR(arm.destination_time(), robot.clock(), 5e-3);
  EXPECT_EQ(arm.destination(), arm.commanded_position());
}

TEST_F(Trajectories, IsReplacedOnTheMoveWithoutAStep) {
  const double from = arm.commanded_position()[0];
  arm.follow({{.q = home_with(from + 0.6)}});
  double before = 0.0;
  double largest_step = 0.0;
  const auto see = [&] {
    const double v = arm.commanded_velocity()[0];
    largest_step = std::max(largest_step, std::abs(v - before));
    before = v;
  };
  for (int k = 0; k < 200; ++k) {
    robot.step();
    see();
  }
  ASSERT_GT(before, 0.9 * kVMax);
  arm.follow({{.q = home_with(from - 0.2), .speed = 0.5}});
  run(see);
  EXPECT_NEAR(arm.commanded_position()[0], from - 0.2, 1e-9);
  EXPECT_LE(largest_step, kAMax * 1e-3 * (1.0 + 1e-6));
}

TEST_F(Trajectories, ARefusedReplacementLeavesTheMotionAndTheNextOneGoesOnFromIt) {
  const double from = arm.commanded_position()[0];
  arm.follow({{.q = home_with(from + 0.8)}});
  for (int k = 0; k < 150; ++k) robot.step();
  const double arrival = arm.destination_time();
  Values far = arm.commanded_position();
  far[3] = 1.0;  // the elbow ends at -4 degrees
  arm.follow({{.q = far}});
  EXPECT_NE(told([&] { robot.step(); }), "");
  EXPECT_NEAR(arm.destination()[0], from + 0.8, 1e-9);
  EXPECT_NEAR(arm.destination_time(), arrival, 1e-9);
  ASSERT_TRUE(robot.is_moving());
  // At its speed, and not from the old goal: the way back begins before that is reached.
  arm.follow({{.q = home_with(from)}});
  double highest = from;
  run([&] { highest = std::max(highest, arm.commanded_position()[0]); });
  EXPECT_LT(highest, from + 0.7);
  EXPECT_NEAR(arm.commanded_position()[0], from, 1e-9);
}

/// The first two joints are on their way, at speed; each step is looked at.
class JoiningTrajectories : public Trajectories {
 protected:
  JoiningTrajectories() {
    two.follow({{.q = {home[0] + 1.0, home[1]}}});
    for (int k = 0; k < 150; ++k) robot.step();
    before = arm.commanded_velocity();
    slowest = before[0];
  }
  void see() {
    const Values v = arm.commanded_velocity();
    for (std::size_t j = 0; j < v.size(); ++j) {
      const double a_max = robot.config().joints[arm.indices()[j]].limits.a_max;
      steepest = std::max(steepest, std::abs(v[j] - before[j]) / (1e-3 * a_max));
    }
    slowest = std::min(slowest, v[0]);
    before = v;
  }
  void run(int steps) {
    for (int k = 0; k < steps; ++k) {
      robot.step();
      see();
    }
  }
  void run_out() {
    Trajectories::run([this] { see(); });
  }
  [[nodiscard]] Values goal(double turn, double bend) const {
    Values q = home;
    q[0] += turn;
    q[3] += bend;
    return q;
  }
  void expect_at(const Values& q) {
    const Values there = arm.commanded_position();
    for (std::size_t j = 0; j < q.size(); ++j) EXPECT_NEAR(there[j], q[j], 1e-9) << j;
  }

  Values home{arm.commanded_position()};
  RobotPart two{robot.add_part("two", {"panda_joint1", "panda_joint2"})};
  RobotPart fourth{robot.part("panda_joint4")};
  Values before;
  double slowest = 0.0;   // of the first joint [rad/s]
  double steepest = 0.0;  // of a joint's a_max
};

TEST_F(JoiningTrajectories, JointsThatRestJoinThoseThatMoveWithoutAStop) {
  ASSERT_GT(slowest, 1.5);
  arm.follow({{.q = goal(1.2, 0.3)}});
  run(200);
  EXPECT_GT(slowest, 0.9 * before[0]);
  EXPECT_GT(slowest, 1.0);
  EXPECT_GT(before[3], 0.1) << "the fourth is on its way, too";
  const std::optional<TrajectoryStatus> now = fourth.trajectory();
  ASSERT_TRUE(now);
  EXPECT_EQ(now->number, 2U);
  run_out();
  expect_at(goal(1.2, 0.3));
  EXPECT_LE(steepest, 1.0 + 1e-6);
  EXPECT_EQ(arm.destination(), arm.commanded_position());
}

TEST_F(JoiningTrajectories, APathOfTheToolGoesOnFromSomeOfItsJoints) {
  two.follow({{.q = {home[0] + 1.0, home[1]}, .speed = 0.15}});
  run(200);
  slowest = before[0];
  ASSERT_GT(slowest, 0.2);
  ArmWaypoint on;
  on.by = {-0.08, 0.15, 0.1};
  arm.follow_tool({on});
  run(250);
  EXPECT_GT(std::abs(before[3]), 0.02) << "the fourth is on its way, too";
  EXPECT_GT(slowest, 0.03) << "it bends, and doesn't stop";
  run_out();
  EXPECT_LE(steepest, 1.0 + 1e-3);
}

TEST_F(JoiningTrajectories, OneThatWaitsToTakeOverIsReplacedWithoutAStop) {
  for (const int steps : {0, 10}) {
    SCOPED_TRACE(steps);
    arm.follow({{.q = goal(1.2, 0.3)}});
    run(steps);
    arm.follow({{.q = goal(1.4, -0.2)}});
    run(150);
    EXPECT_GT(slowest, 0.5);
    run_out();
    expect_at(goal(1.4, -0.2));
    two.follow({{.q = {home[0], home[1]}}});
    run_out();
    two.follow({{.q = {home[0] + 1.0, home[1]}}});
    for (int k = 0; k < 150; ++k) robot.step();
    before = arm.commanded_velocity();
    slowest = before[0];
  }
  EXPECT_LE(steepest, 1.0 + 1e-6);
}

TEST_F(JoiningTrajectories, AJointThatMovesByItselfMakesAllBrakeFirst) {
  fourth.move_to({home[3] + 0.4});
  run(60);
  ASSERT_GT(before[3], 0.0);
  arm.follow({{.q = goal(0.2, 0.3)}});
  run_out();
  expect_at(goal(0.2, 0.3));
  EXPECT_LE(steepest, 1.0 + 1e-6);
}

TEST_F(JoiningTrajectories, FewerJointsThanMoveBrakeFirst) {
  RobotPart first = robot.part("panda_joint1");
  first.follow({{.q = {home[0]}}});
  run_out();
  EXPECT_NEAR(arm.commanded_position()[0], home[0], 1e-9);
  EXPECT_LE(steepest, 1.0 + 1e-6);
}

TEST_F(JoiningTrajectories, ARefusedOneLeavesTheMotionAndTheOthersWhereTheyAre) {
  const double arrival = two.destination_time();
  Values far = goal(1.2, 0.0);
  far[3] = 1.0;  // the elbow ends at -4 degrees
  arm.follow({{.q = far}});
  EXPECT_NE(told([&] { robot.step(); }), "");
  EXPECT_NEAR(two.destination()[0], home[0] + 1.0, 1e-9);
  EXPECT_NEAR(two.destination_time(), arrival, 1e-9);
  EXPECT_FALSE(fourth.is_moving());
  EXPECT_EQ(fourth.destination(), Values{home[3]});
  run_out();
  expect_at(goal(1.0, 0.0));
}

TEST_F(JoiningTrajectories, ACommandForAJointThatWaitsStopsTheOthersOnTheirPath) {
  arm.follow({{.q = goal(1.2, 0.3)}});
  run(10);
  fourth.move_to({home[3] + 0.1});
  run_out();
  EXPECT_NEAR(arm.commanded_position()[3], home[3] + 0.1, 1e-9);
  EXPECT_LT(arm.commanded_position()[0], home[0] + 0.9);
  EXPECT_LE(steepest, 1.0 + 1e-6);
  arm.follow({{.q = home}});
  run_out();
  expect_at(home);
}

TEST_F(Trajectories, FromAnotherMotionTheJointsBrakeFirst) {
  const double from = arm.commanded_position()[0];
  Values v(arm.joint_count(), 0.0);
  v[0] = 1.0;
  arm.set_velocity(v);
  for (int k = 0; k < 300; ++k) robot.step();
  double before = arm.commanded_velocity()[0];
  ASSERT_NEAR(before, 1.0, 1e-6);
  arm.follow({{.q = home_with(from)}});
  double largest_step = 0.0;
  run([&] {
    largest_step = std::max(largest_step, std::abs(arm.commanded_velocity()[0] - before));
    before = arm.commanded_velocity()[0];
  });
  EXPECT_NEAR(arm.commanded_position()[0], from, 1e-9);
  EXPECT_LE(largest_step, kAMax * 1e-3 * (1.0 + 1e-6));
}

TEST_F(Trajectories, NanLeavesAJointWhereThePointBeforeHasIt) {
  const Values home = arm.commanded_position();
  Values first(arm.joint_count(), kNan);
  first[0] = home[0] + 0.2;
  Values second(arm.joint_count(), kNan);
  second[5] = home[5] + 0.1;
  arm.follow({{.q = first}, {.q = second}});
  robot.wait();
  Values expected = home;
  expected[0] += 0.2;
  expected[5] += 0.1;
  const Values there = arm.commanded_position();
  for (std::size_t i = 0; i < there.size(); ++i) EXPECT_NEAR(there[i], expected[i], 1e-9) << i;
}

TEST_F(Trajectories, WaypointsHaveTimes) {
  const double begin = robot.clock();
  const double from = arm.commanded_position()[0];
  arm.follow({{.q = home_with(from + 0.1), .time = 0.5}, {.q = home_with(from + 0.3), .time = 1.0}},
             {{}, true});
  while (robot.clock() < begin + 0.501 - 1e-9) robot.step();  // a cycle until it begins
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.1, 1e-3);
  robot.wait();
  EXPECT_NEAR(robot.clock(), begin + 1.0, 5e-3);
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.3, 1e-9);
}

TEST_F(Trajectories, APathThatCantBeFollowedIsRefusedWithItsWaypointAndNothingMoves) {
  const Values home = arm.commanded_position();
  Values far = home;
  far[3] = 1.0;  // the elbow ends at -4 degrees
  arm.follow({{.q = home_with(home[0] + 0.1)}, {.q = far}});
  const std::string sentence = told([&] { robot.step(); });
  EXPECT_NE(sentence.find("panda_joint4"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("waypoint 2"), std::string::npos) << sentence;
  for (int k = 0; k < 100; ++k) robot.step();
  EXPECT_EQ(arm.commanded_position(), home);
  EXPECT_FALSE(robot.is_moving());
}

TEST_F(Trajectories, AnObstacleOnTheWayIsFoundUnlessItIsNotLookedFor) {
  const ToolPose tool = arm.commanded_tool_pose();
  const double angle = std::atan2(tool.position[1], tool.position[0]) + 0.4;
  const double reach = std::hypot(tool.position[0], tool.position[1]);
  SetObstacle post;
  post.name = obstacle_name("post");
  post.shape = KnownShape::kSphere;
  post.size = {0.05, 0.0, 0.0};
  post.position = {reach * std::cos(angle), reach * std::sin(angle), tool.position[2]};
  robot.set_obstacle(post);
  robot.step();
  const Values goal = home_with(arm.commanded_position()[0] + 0.8);
  arm.follow({{.q = goal}});
  const std::string sentence = told([&] { robot.step(); });
  EXPECT_NE(sentence.find("post"), std::string::npos) << sentence;
  EXPECT_FALSE(robot.is_moving());
  FollowOptions blind;
  blind.checks_collisions = false;
  arm.follow({{.q = goal}}, blind);
  EXPECT_EQ(told([&] { robot.step(); }), "");
  EXPECT_TRUE(robot.is_moving());
}

TEST_F(Trajectories, SizesThatDontFitAreNamed) {
  EXPECT_NE(told([&] {
              arm.follow({{.q = {0.0, 1.0}}});
            }).find("follow: a waypoint has 2"),
            std::string::npos);
  FollowOptions options;
  options.tolerances.resize(3);
  EXPECT_NE(told([&] { arm.follow({{.q = home_with(0.0)}}, options); }).find("3 tolerances"),
            std::string::npos);
  EXPECT_NE(
      told([&] { arm.set_target(home_with(0.0), {.jerk = {1.0}}); }).find("set_target: jerk has 1"),
      std::string::npos);
}

// Tools -------------------------------------------------------------------------------------------

TEST_F(Trajectories, TheToolGoesAlongLinesWithAnArcAtTheCorner) {
  const ToolPose home = arm.commanded_tool_pose();
  ArmWaypoint corner;
  corner.by = {0.0, 0.1, 0.0};
  corner.corner_distance = 0.02;
  ArmWaypoint end;
  end.by = {0.0, 0.0, -0.1};
  arm.follow_tool({corner, end});
  double nearest = 1.0;  // to the corner
  double off = 0.0;      // the plane of the path
  run([&] {
    const ToolPose now = arm.commanded_tool_pose();
    nearest = std::min(nearest, std::hypot(now.position[1] - home.position[1] - 0.1,
                                           now.position[2] - home.position[2]));
    off = std::max(off, std::abs(now.position[0] - home.position[0]));
  });
  const ToolPose there = arm.commanded_tool_pose();
  EXPECT_NEAR(there.position[1], home.position[1] + 0.1, 1e-6);
  EXPECT_NEAR(there.position[2], home.position[2] - 0.1, 1e-6);
  EXPECT_LT(off, 1e-4);
  // By hand: an arc that touches both legs 0.02 m from a right corner stays 0.02 (√2 - 1) from it.
  EXPECT_NEAR(nearest, 0.02 * (std::sqrt(2.0) - 1.0), 2e-4);
}

TEST_F(Trajectories, APathOfTheToolIsReplacedOnTheMoveWithoutAStop) {
  const ToolPose home = arm.commanded_tool_pose();
  ArmWaypoint across;
  across.by = {0.0, 0.25, 0.0};
  arm.follow_tool({across});
  double slowest = 1.0;   // of the tool [m/s]
  double steepest = 0.0;  // of a joint's a_max
  Values v = arm.commanded_velocity();
  ToolPose before = home;
  const auto see = [&] {
    const Values now = arm.commanded_velocity();
    for (std::size_t j = 0; j < v.size(); ++j) {
      const double a_max = robot.config().joints[arm.indices()[j]].limits.a_max;
      steepest = std::max(steepest, std::abs(now[j] - v[j]) / (1e-3 * a_max));
    }
    v = now;
    const ToolPose at = arm.commanded_tool_pose();
    slowest = std::min(slowest, std::hypot(at.position[0] - before.position[0],
                                           at.position[1] - before.position[1],
                                           at.position[2] - before.position[2]) /
                                    1e-3);
    before = at;
  };
  const auto run_for = [&](int cycles) {
    for (int k = 0; k < cycles; ++k) {
      robot.step();
      see();
    }
  };
  run_for(600);
  slowest = 1.0;
  ArmWaypoint down;
  down.position = {home.position[0], home.position[1] + 0.15, home.position[2] - 0.2};
  arm.follow_tool({down});
  run_for(300);
  EXPECT_GT(slowest, 0.05);
  slowest = 1.0;
  arm.follow({{.q = home_with(0.3)}});  // the joints go on from there
  run_for(150);
  EXPECT_GT(slowest, 0.02);
  arm.follow_tool({down});
  run(see);
  EXPECT_LE(steepest, 1.0 + 1e-6);
  const ToolPose there = arm.commanded_tool_pose();
  EXPECT_NEAR(there.position[1], home.position[1] + 0.15, 1e-6);
  EXPECT_NEAR(there.position[2], home.position[2] - 0.2, 1e-6);
}

TEST_F(Trajectories, AnEndpointThatIsntThereIsNamedAndNothingIsSent) {
  ToolPathOptions options;
  options.endpoint = "panda_hnd";
  ArmWaypoint down;
  down.by = {0.0, 0.0, -0.05};
  EXPECT_THROW(arm.follow_tool({down}, options), Refused);
  const std::string sentence = told([&] { arm.follow_tool({down}, options); });
  for (const char* part : {"unknown_endpoint", "waypoint 1", "no site or body \"panda_hnd\"",
                           "did you mean \"panda_hand\"?"}) {
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  }
  EXPECT_FALSE(robot.is_moving());
}

TEST(TrajectoriesOfTorque, JointsFollowWithAnImpedanceInModeCartesian) {
  Robot robot("franka", {.backend = "sim", .settings = "plant: {friction_scale: 0}"});
  robot.initialize();
  RobotArm arm = robot.arm("arm");
  InteractionSettings soft;
  soft.stiffness = {800.0, 800.0, 800.0, 25.0, 25.0, 25.0};
  Values goal = arm.commanded_position();
  goal[0] += 0.2;
  arm.follow_with(soft, {{.q = goal, .speed = 0.3}});
  robot.wait();
  for (const JointIndex joint : arm.indices()) {
    EXPECT_EQ(robot.snapshot().joints[joint].mode, JointMode::kCartesian);
  }
  EXPECT_NEAR(arm.destination()[0], goal[0], 1e-9);
  for (int k = 0; k < 1500; ++k) robot.step();  // it is behind by its speed, and comes up
  EXPECT_NEAR(arm.sensed_position()[0], goal[0], 0.02);
}

// Targets -----------------------------------------------------------------------------------------

// By hand: v/a + a/j.
TEST_F(Trajectories, ACancelledTargetComesToRestOnItsLineAndThePartStandsThere) {
  TargetOptions bounds;
  bounds.speed = Values(arm.joint_count(), 0.8);
  bounds.acceleration = Values(arm.joint_count(), 4.0);
  bounds.jerk = Values(arm.joint_count(), 40.0);
  bounds.synchronise = Synchronisation::kStraight;
  const Values from = arm.commanded_position();
  Values goal = from;
  goal[0] += 1.0;
  goal[3] += 0.5;
  arm.set_target(goal, bounds);
  for (int k = 0; k < 600; ++k) robot.step();
  ASSERT_NEAR(arm.commanded_velocity()[0], 0.8, 1e-9);
  const double begin = robot.clock();
  arm.cancel();
  run([&] {
    const Values q = arm.commanded_position();
    EXPECT_NEAR(q[0] - from[0], 2.0 * (q[3] - from[3]), 1e-9);
  });
  EXPECT_NEAR(robot.clock() - begin, 0.8 / 4.0 + 4.0 / 40.0, 4e-3);
  EXPECT_LT(arm.commanded_position()[0], goal[0] - 0.1);
  EXPECT_EQ(arm.destination(), arm.commanded_position());
}

// By hand: a trapezoid of acceleration-limited motion, d / v + v / a.
TEST_F(Trajectories, ATargetIsReachedInTheShortestTime) {
  TargetOptions bounds;
  bounds.speed = Values(arm.joint_count(), 1.0);
  bounds.acceleration = Values(arm.joint_count(), 4.0);
  bounds.shape = MotionShape::kAccelerationLimited;
  const double from = arm.commanded_position()[0];
  const double begin = robot.clock();
  arm.set_target(home_with(from + 0.8), bounds);
  EXPECT_EQ(arm.destination(), home_with(from + 0.8));
  run([] {});
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.8, 1e-9);
  EXPECT_NEAR(robot.clock() - begin, 0.8 / 1.0 + 1.0 / 4.0, 4e-3);
}

TEST_F(Trajectories, ATargetIsReplacedInEachStep) {
  const double from = arm.commanded_position()[0];
  const double begin = robot.clock();
  double largest_step = 0.0;
  double before = 0.0;
  while (robot.clock() < begin + 1.0) {
    robot.begin_step();
    arm.set_target(home_with(from + 0.2 * std::sin(3.0 * (robot.clock() - begin))));
    robot.end_step();
    largest_step = std::max(largest_step, std::abs(arm.commanded_velocity()[0] - before));
    before = arm.commanded_velocity()[0];
  }
  EXPECT_GT(largest_step, 1e-4);
  EXPECT_LE(largest_step, kAMax * 1e-3 * (1.0 + 1e-6));
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.2 * std::sin(3.0), 2e-3);
}

TEST_F(Trajectories, AVelocityTargetIsReachedAndEndsAtRest) {
  Values v(arm.joint_count(), 0.0);
  v[0] = 0.5;
  arm.set_velocity_target(v);
  double fastest = 0.0;
  run([&] { fastest = std::max(fastest, arm.commanded_velocity()[0]); });
  EXPECT_NEAR(fastest, 0.5, 1e-9);
  EXPECT_EQ(arm.commanded_velocity()[0], 0.0);  // nobody renewed it
}

// Commands and sensors ----------------------------------------------------------------------------

TEST_F(Trajectories, TheSpeedOverrideActsOnAMotionUnderWay) {
  const double from = arm.commanded_position()[0];
  arm.follow({{.q = home_with(from + 0.4)}});
  for (int k = 0; k < 50; ++k) robot.step();
  robot.set_speed_override(0.25);
  robot.step();
  EXPECT_DOUBLE_EQ(robot.speed_override(), 0.25);
  double fastest = 0.0;
  for (int k = 0; k < 200; ++k) robot.step();
  run([&] { fastest = std::max(fastest, arm.commanded_velocity()[0]); });
  EXPECT_LE(fastest, 0.25 * kVMax * (1.0 + 1e-9));
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.4, 1e-9);
  robot.set_speed_override(7.0);
  EXPECT_NE(told([&] { robot.step(); }).find("speed_override"), std::string::npos);
  EXPECT_DOUBLE_EQ(robot.speed_override(), 0.25);
}

TEST_F(Trajectories, ACommandIsSentAsItIsAndTakesWhatItsJointsDo) {
  Values v(arm.joint_count(), 0.0);
  v[0] = 0.3;
  arm.set_velocity(v);
  for (int k = 0; k < 100; ++k) robot.step();
  JointSet all;
  for (const JointIndex joint : arm.indices()) all.set(joint);
  SetImpedance impedance{.joints = all, .values = {}};
  impedance.values.resize(arm.joint_count());
  for (SetImpedance::Value& value : impedance.values) value = {50.0, 5.0};
  robot.send(impedance);
  for (int k = 0; k < 100; ++k) robot.step();
  EXPECT_NEAR(arm.commanded_velocity()[0], 0.3, 1e-9);  // gains leave the motion
  robot.send(Stop{.joints = all});
  robot.wait();
  EXPECT_EQ(arm.commanded_velocity()[0], 0.0);
  robot.send(SetMode{.joints = all, .mode = ModeRequest::kIdle});
  robot.step();
  robot.step();
  EXPECT_EQ(robot.snapshot().joints[0].mode, JointMode::kIdle);
}

TEST(Sensors, AreReadByTheNameOfTheirSite) {
  Robot robot("franka", {.backend = "sim"});
  robot.initialize();
  for (int k = 0; k < 300; ++k) robot.step();
  ASSERT_EQ(robot.sensor_names(), std::vector<std::string>{"wrist_sensor"});
  const SensorReading reading = robot.sensor("wrist_sensor");
  EXPECT_FALSE(reading.is_imu);
  EXPECT_EQ(reading.age, 0.0);
  double squared = 0.0;
  for (const double x : reading.linear) squared += x * x;
  EXPECT_GT(std::sqrt(squared), 5.0);  // it carries the hand, 0.73 kg
  EXPECT_LT(std::sqrt(squared), 12.0);
  EXPECT_NE(told([&] {
              static_cast<void>(robot.sensor("wrist_senser"));
            }).find("did you mean \"wrist_sensor\"?"),
            std::string::npos);
}

TEST(AsyncTrajectories, AreFollowedByTheRobotsThread) {
  AsyncRobot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  AsyncArm arm = robot.arm("arm");
  Values goal = arm.commanded_position();
  goal[0] += 0.1;
  arm.follow({{.q = goal}});
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], goal[0], 1e-9);
  ArmWaypoint down;
  down.by = {0.0, 0.0, -0.03};
  const ToolPose before = arm.commanded_tool_pose();
  arm.follow_tool({down});
  robot.wait();
  EXPECT_NEAR(arm.commanded_tool_pose().position[2], before.position[2] - 0.03, 1e-6);
  robot.set_speed_override(0.5);
  EXPECT_DOUBLE_EQ(robot.speed_override(), 0.5);
}

}  // namespace
}  // namespace jointrig
