// Motions behind one another, and what is told of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "app/robot/async_arm.h"
#include "app/robot/async_robot.h"
#include "tests/app/robot/franka_at_home.h"
#include "tests/support/told.h"

namespace jointrig {
namespace {

using Values = std::vector<double>;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

using odd::told;

class Appended : public FrankaAtHome, public testing::WithParamInterface<const char*> {
 protected:
  Appended() : FrankaAtHome(GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(Robot, Appended, testing::Values("kinematic", "boards"),
                         [](const auto& backend) { return std::string(backend.param); });

TEST_P(Appended, MotionsOfAllKindsRunOneAfterAnotherAndTheirEndIsForetold) {
  arm.move_to(home_with(from + 0.2));
  const double first = arm.destination_time();
  arm.append_follow({{.q = home_with(from + 0.3)}, {.q = home_with(from + 0.5)}});
  EXPECT_EQ(arm.destination(), home_with(from + 0.5));
  EXPECT_EQ(arm.destination_time(), kInfinite) << "its plan tells how long it takes";
  arm.append_piecewise_linear({0.0, 0.7}, {home_with(from + 0.5), home_with(from + 0.1)});
  arm.append_move_to(home_with(from - 0.1), 0.3);
  arm.append_follow({{.q = home_with(from), .time = 1.5}}, {{}, true});
  EXPECT_EQ(arm.destination(), home);
  EXPECT_GT(first, robot.clock());

  double foretold = kInfinite;                    // once the plan of the second is made
  const Values places{0.2, 0.5, 0.1, -0.1, 0.0};  // at which it rests, in this order
  std::size_t reached = 0;
  do {
    robot.step();
    EXPECT_EQ(arm.destination(), home);
    if (foretold == kInfinite) foretold = arm.destination_time();
    const double away =
        reached < places.size() ? arm.commanded_position()[0] - from - places[reached] : kInfinite;
    if (std::abs(away) < 1e-5 && std::abs(arm.commanded_velocity()[0]) < 0.02) ++reached;
  } while (robot.is_moving());
  EXPECT_EQ(reached, places.size());
  // Each begins a cycle or two after the one before.
  EXPECT_NEAR(foretold, robot.clock(), 0.02);
  EXPECT_NEAR(arm.destination_time(), robot.clock(), 0.01);
}

TEST_P(Appended, APlanBehindAPlanIsMadeAheadAndBeginsInTheCycleInWhichThatEnds) {
  const double start = robot.clock();
  arm.set_piecewise_linear({1.0}, {home_with(from + 0.2)});
  arm.append_follow({{.q = home_with(from + 0.4), .time = 0.5}}, {{}, true});
  EXPECT_NEAR(arm.destination_time(), start + 1.5, 1e-9);
  robot.wait();
  EXPECT_NEAR(robot.clock(), start + 1.5, 5e-3);
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.4, 1e-9);
}

TEST_P(Appended, TheToolGoesStraightFromWhereTheMotionBeforeEnds) {
  arm.move_to(home_with(from + 0.3));
  robot.wait();
  ToolPose goal = arm.commanded_tool_pose();
  goal.position[2] -= 0.08;
  arm.move_to(home);
  robot.wait();

  arm.move_to(home_with(from + 0.3));
  arm.append_move_linear(goal, 0.5);
  EXPECT_EQ(arm.destination(), home_with(from + 0.3)) << "until the plan tells its end";
  EXPECT_EQ(arm.destination_time(), kInfinite);
  ArmWaypoint up;
  up.by = {{0.0, 0.0, 0.03}};
  arm.append_follow_tool({up});
  double off = 0.0;  // the plumb line, once the tool has begun to go down
  bool goes_down = false;
  do {
    robot.step();
    goes_down = goes_down || arm.trajectory().has_value();
    const ToolPose at = arm.commanded_tool_pose();
    if (goes_down) {
      off = std::max(
          off, std::hypot(at.position[0] - goal.position[0], at.position[1] - goal.position[1]));
    }
  } while (robot.is_moving());
  EXPECT_TRUE(goes_down);
  EXPECT_LT(off, 1e-4);
  EXPECT_NEAR(arm.commanded_tool_pose().position[2], goal.position[2] + 0.03, 1e-6);
  EXPECT_EQ(arm.destination(), arm.commanded_position());
}

TEST_P(Appended, APoseAtTheToolIsAtTheGoalOfTheMotionBefore) {
  arm.move_to(home_with(from + 0.3));
  robot.wait();
  const ToolPose there = arm.commanded_tool_pose();
  arm.move_to(home);
  robot.wait();

  ToolPose ahead;  // along the tool's own axis
  ahead.position[2] = 0.05;
  arm.move_to(home_with(from + 0.3));
  arm.append_move_cartesian(ahead, 0.5, ToolFrame::kTool);
  robot.wait();
  const ToolPose end = arm.commanded_tool_pose();
  EXPECT_NEAR(end.position[0], there.position[0], 1e-5);  // the tool points down
  EXPECT_NEAR(end.position[1], there.position[1], 1e-5);
  EXPECT_NEAR(end.position[2], there.position[2] - 0.05, 1e-5);

  arm.move_linear(there);
  const std::string why = told([&] { arm.append_move_linear(ahead, 0.5, ToolFrame::kTool); });
  EXPECT_NE(why.find("append_move_linear: the tool's goal isn't known"), std::string::npos) << why;
  EXPECT_NE(told([&] {
              ToolPathOptions options;
              options.interaction.emplace();
              arm.append_follow_tool({}, options);
            }).find("leave out `interaction`"),
            std::string::npos);
}

TEST_P(Appended, ARefusedOneForgetsThoseBehindItAndTheMotionBeforeGoesOn) {
  Values far = home;
  far[3] = 1.0;  // the elbow ends at -4 degrees
  arm.follow({{.q = home_with(from + 0.4)}});
  arm.append_follow({{.q = home_with(from + 0.2)}, {.q = far}});
  arm.append_move_to(home_with(from - 0.4));
  const std::string why = told([&] { robot.wait(); });
  EXPECT_NE(why.find("panda_joint4"), std::string::npos) << why;
  EXPECT_NE(why.find("waypoint 2"), std::string::npos) << why;
  EXPECT_NEAR(arm.destination()[0], from + 0.4, 1e-9);
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.4, 1e-9);
  EXPECT_NE(told([&] { arm.append_move_to(far); }).find("panda_joint4: rejected move"),
            std::string::npos);
}

TEST_P(Appended, ACubicBehindOneThatEndsAtASpeedGoesOnWithIt) {
  // Chunks of a sine, as a policy gives them: each by its ends alone.
  const double size = 0.3;
  const double w = 3.0;  // [rad/s]
  const double chunk = 0.2;
  const auto q_at = [&](double t) { return home_with(from + size * (1.0 - std::cos(w * t))); };
  const auto v_at = [&](double t) {
    Values v = rest;
    v[0] = size * w * std::sin(w * t);
    return v;
  };
  const double began = robot.clock();
  const double a_max = robot.config().joints[0].limits.a_max;
  arm.set_piecewise_cubic({chunk}, {q_at(chunk)}, {v_at(chunk)});
  const double brakes_for = v_at(chunk)[0] / a_max;
  EXPECT_NEAR(arm.destination()[0], q_at(chunk)[0] + 0.5 * v_at(chunk)[0] * brakes_for, 1e-9);
  EXPECT_NEAR(arm.destination_time(), began + chunk + brakes_for, 1e-6) << "with none behind it";
  int asked = 1;
  double off = 0.0;
  double jump = 0.0;
  double last = 0.0;
  const int chunks = 10;
  do {
    if (asked < chunks && robot.clock() > began + chunk * (asked - 0.4)) {
      const double end = chunk * ++asked;
      arm.append_piecewise_cubic({chunk}, {q_at(end)}, {asked < chunks ? v_at(end) : rest});
    }
    robot.step();
    const double t = robot.clock() - began;
    if (t < chunk * (chunks - 1)) {
      off = std::max(off, std::abs(arm.commanded_position()[0] - q_at(t)[0]));
    }
    const double v = arm.commanded_velocity()[0];
    jump = std::max(jump, std::abs(v - last));
    last = v;
  } while (robot.is_moving());
  EXPECT_EQ(asked, chunks);
  // A cubic with the ends of a sine is off by A (w h)⁴/384; the clock by two cycles at full speed.
  EXPECT_LT(off, size * std::pow(w * chunk, 4) / 384.0 + 2e-3 * size * w);
  EXPECT_LE(jump, a_max * 1e-3 + 1e-9);
  EXPECT_NEAR(robot.clock(), began + chunk * chunks, 0.02) << "no rest between two";
}

TEST_P(Appended, ALinearMotionThatRoundsItsCornersRestsInNoneOfItsMilestones) {
  const double a = robot.config().joints[arm.indices()[0]].limits.a_max;
  arm.set_piecewise_linear({0.5}, {home_with(from + 0.1)});
  PiecewiseOptions rounded;
  rounded.rounds_corners = true;
  // Out and back at v: τ = v/2a, out by v (1 s - τ), round the corner within v/a of it.
  const double v = 0.3;
  const double out = v * (1.0 - v / (2.0 * a));
  arm.append_piecewise_linear({1.0, 2.0}, {home_with(from + 0.1 + out), home_with(from + 0.1)},
                              rounded);
  double most = -kInfinite;
  int at_speed = 0;
  do {
    robot.step();
    most = std::max(most, arm.commanded_position()[0] - from - 0.1);
    if (std::abs(std::abs(arm.commanded_velocity()[0]) - v) < 1e-9) ++at_speed;
  } while (robot.is_moving());
  EXPECT_NEAR(most, out - v * v / (2.0 * a), 1e-5) << "Δv τ/4 before the corner, Δv = 2v, τ = v/a";
  EXPECT_NEAR(at_speed, 1000.0 * (2.0 - 4.0 * v / a), 5.0) << "cycles at a constant speed";
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.1, 1e-9);
}

TEST_P(Appended, AbsoluteTimesOfAnAppendedMotionAreRefused) {
  PiecewiseOptions absolute;
  absolute.is_absolute = true;
  EXPECT_THROW(arm.append_piecewise_linear({robot.clock() + 1.0}, {home}, absolute),
               std::invalid_argument);
}

TEST_P(Appended, NothingBehindACubicThatEndsAtASpeedItBrakesThere) {
  Values v = rest;
  v[0] = 0.6;
  arm.set_piecewise_cubic({0.5}, {home_with(from + 0.2)}, {v});
  const Values end = arm.destination();
  const double a_max = robot.config().joints[0].limits.a_max;
  EXPECT_NEAR(end[0], from + 0.2 + 0.5 * 0.36 / a_max, 1e-9);
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], end[0], 1e-9);
  EXPECT_NEAR(arm.commanded_velocity()[0], 0.0, 1e-9);
  // It comes too late for the milestone: from rest.
  arm.append_piecewise_cubic({0.5}, {home}, {rest});
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], from, 1e-9);
}

TEST_P(Appended, AMoveBehindACubicAtSpeedGoesOnWithIt) {
  Values v = rest;
  v[0] = 0.6;
  const double a_max = robot.config().joints[0].limits.a_max;
  arm.set_piecewise_cubic({0.5}, {home_with(from + 0.2)}, {v});
  arm.append_move_to(home_with(from + 0.8), 0.6);
  EXPECT_EQ(arm.destination(), home_with(from + 0.8));
  double slowest = kInfinite;  // between both
  double jump = 0.0;
  double last = 0.0;
  do {
    robot.step();
    const double q = arm.commanded_position()[0] - from;
    const double speed = arm.commanded_velocity()[0];
    if (q > 0.15 && q < 0.6) slowest = std::min(slowest, speed);
    jump = std::max(jump, std::abs(speed - last));
    last = speed;
  } while (robot.is_moving());
  EXPECT_GT(slowest, 0.45) << "rad/s, and 0.6 at the milestone";
  EXPECT_LE(jump, a_max * 1e-3 + 1e-9);
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.8, 1e-9);

  arm.set_piecewise_cubic({0.5}, {home_with(from + 0.9)}, {v});
  arm.append_move_to(home);
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], from, 1e-9) << "back, from a speed";
}

TEST_P(Appended, APlanOfOtherJointsBehindACubicAtSpeedBeginsAtRest) {
  Values v = rest;
  v[0] = 0.6;
  arm.set_piecewise_cubic({0.5}, {home_with(from + 0.2)}, {v});
  const double rests_at = arm.destination()[0];
  RobotPart first = robot.part("panda_joint1");
  first.append_piecewise_cubic({0.5}, {{from}}, {{0.0}});
  double furthest = from;
  do {
    robot.step();
    furthest = std::max(furthest, arm.commanded_position()[0]);
  } while (robot.is_moving());
  EXPECT_NEAR(furthest, rests_at, 1e-6);
  EXPECT_NEAR(arm.commanded_position()[0], from, 1e-9);
}

TEST_P(Appended, ATrajectoryBehindACubicAtSpeedGoesOnWithIt) {
  Values v = rest;
  v[0] = 0.8;
  arm.set_piecewise_cubic({0.6}, {home_with(from + 0.3)}, {v});
  arm.append_follow({{.q = home_with(from + 0.6)}});
  double slowest = 1.0;
  do {
    robot.step();
    const double q = arm.commanded_position()[0];
    if (q > from + 0.28 && q < from + 0.4) {
      slowest = std::min(slowest, arm.commanded_velocity()[0]);
    }
  } while (robot.is_moving());
  EXPECT_GT(slowest, 0.7);
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.6, 1e-9);
}

TEST_P(Appended, AnotherCommandForgetsWhatWaits) {
  arm.move_to(home_with(from + 0.2));
  arm.append_move_to(home_with(from + 0.4));
  for (int k = 0; k < 100; ++k) robot.step();
  arm.move_to(home);
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], from, 1e-9);
}

TEST_P(Appended, BehindAStreamTheJointsBrakeFirst) {
  Values v(arm.joint_count(), 0.0);
  v[0] = 0.5;
  arm.set_velocity(v);
  for (int k = 0; k < 300; ++k) robot.step();
  arm.append_move_to(home);
  double fastest = 0.0;
  double last = arm.commanded_velocity()[0];
  do {
    robot.step();
    fastest = std::max(fastest, std::abs(arm.commanded_velocity()[0] - last));
    last = arm.commanded_velocity()[0];
  } while (robot.is_moving());
  EXPECT_LE(fastest, 15.0 * 1e-3 + 1e-9);  // its acceleration_max
  EXPECT_NEAR(arm.commanded_position()[0], from, 1e-9);
}

TEST_P(Appended, ATrajectoryHasItsNumberAndItsWaypoints) {
  EXPECT_EQ(arm.trajectory(), std::nullopt);
  arm.follow({{.q = home_with(from + 0.1), .time = 0.5},
              {.q = home_with(from + 0.2), .time = 1.0},
              {.q = home_with(from + 0.3), .time = 1.5}},
             {{}, true});
  arm.append_piecewise_linear({1.0}, {home});
  arm.append_move_to(home_with(from + 0.1), 0.1);
  const double start = robot.clock();
  const auto run_to = [&](double time) {
    while (robot.clock() < start + time - 1e-9) robot.step();
  };
  run_to(0.3);
  std::optional<TrajectoryStatus> now = robot.trajectory();
  ASSERT_TRUE(now);
  EXPECT_EQ(now->number, 1U);
  EXPECT_EQ(now->waypoint, 0U);
  EXPECT_EQ(now->waypoints, 3U);
  EXPECT_NEAR(now->time, 0.3, 2e-3);
  EXPECT_DOUBLE_EQ(now->duration, 1.5);
  EXPECT_GE(now->waiting, 1U);
  run_to(1.2);
  now = robot.part("panda_joint1").trajectory();
  ASSERT_TRUE(now);
  EXPECT_EQ(now->waypoint, 2U);
  run_to(2.0);
  now = arm.trajectory();
  ASSERT_TRUE(now);
  EXPECT_EQ(now->number, 2U);
  EXPECT_EQ(now->waypoints, 1U);
  EXPECT_EQ(now->waiting, 1U);
  run_to(2.7);
  EXPECT_TRUE(robot.is_moving());
  EXPECT_EQ(arm.trajectory(), std::nullopt) << "a move is none";
  EXPECT_EQ(robot.part("hand").trajectory(), std::nullopt);
}

TEST(AsyncAppended, MotionsRunOneAfterAnotherByTheRobotsThread) {
  AsyncRobot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  AsyncArm arm = robot.arm("arm");
  Values q = arm.commanded_position();
  const ToolPose home = arm.commanded_tool_pose();
  q[0] += 0.1;
  arm.follow({{.q = q}});
  q[0] -= 0.1;
  arm.append_follow({{.q = q}});
  ToolPose down = home;
  down.position[2] -= 0.02;
  arm.append_move_linear(down);
  arm.append_move_cartesian(home);
  std::uint32_t last = 0;
  while (arm.is_moving()) {
    if (const std::optional<TrajectoryStatus> now = arm.trajectory()) {
      EXPECT_GE(now->number, last);
      last = now->number;
    }
  }
  EXPECT_EQ(last, 3U);
  robot.wait();
  EXPECT_NEAR(arm.commanded_tool_pose().position[2], home.position[2], 1e-5);
}

}  // namespace
}  // namespace jointrig
