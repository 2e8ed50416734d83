// The calls of a robot for the tool of an arm, on backends kinematic, sim and boards.

#include "app/robot/robot_arm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

namespace jointrig {
namespace {

using Values = std::vector<double>;

struct Place {
  const char* backend;
  double follows;  // of the sensed tool behind the commanded one, at rest [m]
};

class ArmOnBackends : public ::testing::TestWithParam<Place> {
 protected:
  ArmOnBackends() : robot("franka", {.backend = GetParam().backend}), arm(robot.arm("arm")) {
    robot.initialize();
  }
  void run(double seconds) {
    const double end = robot.clock() + seconds - 1e-9;
    while (robot.clock() < end) robot.step();
  }
  Robot robot;
  RobotArm arm;
};
INSTANTIATE_TEST_SUITE_P(Robot, ArmOnBackends,
                         ::testing::Values(Place{"kinematic", 1e-6}, Place{"sim", 2e-3},
                                           Place{"boards", 2e-3}),
                         [](const auto& place) { return std::string(place.param.backend); });

void expect_near(const ToolPose& a, const ToolPose& b, double most) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a.position[i], b.position[i], most) << i;
  double along = 0.0;  // of quaternions, whose sign is free
  for (std::size_t i = 0; i < 4; ++i) along += a.orientation[i] * b.orientation[i];
  EXPECT_NEAR(std::abs(along), 1.0, most);
}

// From Klampt's document: a pose that is left, and come back to.
TEST_P(ArmOnBackends, GoesToAPoseAndBack) {
  const ToolPose home = arm.commanded_tool_pose();
  ToolPose there = home;
  there.position[2] -= 0.1;
  arm.move_cartesian(there);
  robot.wait();
  expect_near(arm.commanded_tool_pose(), there, 1e-6);
  expect_near(arm.sensed_tool_pose(), there, GetParam().follows + 1e-6);
  arm.set_cartesian_position(home);
  robot.wait();
  expect_near(arm.commanded_tool_pose(), home, 1e-5);
}

TEST_P(ArmOnBackends, GoesStraightToAPose) {
  const ToolPose home = arm.commanded_tool_pose();
  ToolPose there = home;
  there.position[1] += 0.2;
  there.position[2] -= 0.1;
  const double began = robot.clock();
  arm.move_linear(there, 0.5);
  EXPECT_TRUE(arm.is_moving());
  double off = 0.0;
  do {
    robot.step();
    const ToolPose now = arm.commanded_tool_pose();
    // Distance from the line through home along (0, 2, -1)/√5.
    const double y = now.position[1] - home.position[1];
    const double z = now.position[2] - home.position[2];
    off = std::max(off, std::hypot(now.position[0] - home.position[0], y + 2.0 * z) / 1.0);
  } while (arm.is_moving());
  EXPECT_LT(off, 1e-4);
  expect_near(arm.commanded_tool_pose(), there, 1e-5);
  // By hand: a trapezoid of 0.2236 m at 0.125 m/s and 1 m/s² takes d/v + v/a, if no joint is
  // slower.
  EXPECT_NEAR(robot.clock() - began, 0.223607 / 0.125 + 0.125, 0.03);
}

TEST_P(ArmOnBackends, PosesAtTheToolAreFromWhereItIs) {
  const ToolPose home = arm.commanded_tool_pose();
  arm.move_linear({{0.0, 0.0, 0.05}, {1.0, 0.0, 0.0, 0.0}}, 1.0, ToolFrame::kTool);
  robot.wait();
  // The Franka's tool points down: along its z it goes down.
  const ToolPose now = arm.commanded_tool_pose();
  EXPECT_NEAR(now.position[2], home.position[2] - 0.05, 1e-3);
  const double way =
      std::hypot(now.position[0] - home.position[0], now.position[1] - home.position[1],
                 now.position[2] - home.position[2]);
  EXPECT_NEAR(way, 0.05, 1e-5);
}

TEST_P(ArmOnBackends, ATwistWithTimeToLiveGoesItsWayAndHolds) {
  const ToolPose home = arm.commanded_tool_pose();
  arm.set_cartesian_velocity({0.0, 0.1, 0.0, 0.0, 0.0, 0.0}, 0.5);
  robot.wait();
  ToolPose there = home;
  // The ramps up and down are alike: v T, within the cycles of the start.
  there.position[1] += 0.1 * 0.5;
  const ToolPose now = arm.commanded_tool_pose();
  EXPECT_NEAR(now.position[1], there.position[1], 1e-3);
  EXPECT_NEAR(now.position[0], there.position[0], 1e-5);
  EXPECT_NEAR(now.position[2], there.position[2], 1e-5);
  run(0.3);
  expect_near(arm.commanded_tool_pose(), now, 1e-6);
  EXPECT_FALSE(arm.is_moving());
}

TEST_P(ArmOnBackends, ATwistBeyondTheReachGoesAsFarAsItCanAndComesBack) {
  const ToolPose home = arm.commanded_tool_pose();
  arm.set_cartesian_velocity({0.2, 0.0, 0.0, 0.0, 0.0, 0.0});
  run(5.0);
  EXPECT_LT(arm.progress(), 0.05);
  EXPECT_EQ(robot.status(), "ok");
  const double far = arm.commanded_tool_pose().position[0];
  EXPECT_THROW(robot.wait(), std::runtime_error);  // it has no end
  arm.set_cartesian_velocity({-0.2, 0.0, 0.0, 0.0, 0.0, 0.0}, 1.0);
  robot.wait();
  const ToolPose back = arm.commanded_tool_pose();
  EXPECT_LT(back.position[0], far - 0.15);
  EXPECT_NEAR(back.position[1], home.position[1], 1e-3);
  EXPECT_NEAR(back.position[2], home.position[2], 1e-3);
}

// A program that steps no more: what it asked for lives 0.1 s, and the tool brakes at 1 m/s².
TEST_P(ArmOnBackends, ATwistWithoutAnEndIsSentAgainAndAgain) {
  arm.set_cartesian_velocity({0.0, 0.1, 0.0, 0.0, 0.0, 0.0});
  run(0.5);
  double least = 1.0;
  for (int i = 0; i < 100; ++i) {
    robot.step();
    least = std::min(least, robot.snapshot().arms[0].drive.left);
  }
  EXPECT_GT(least, 0.05);
  EXPECT_LE(least, 0.1);
  EXPECT_EQ(arm.progress(), 1.0);
  arm.set_cartesian_velocity({});
  robot.wait();
  EXPECT_FALSE(robot.snapshot().joints[0].reference.v != 0.0);
}

// One hand is asked for more than its arm has; the other one waits, so that both go equal ways.
TEST(TwoArmsOfARobot, AreDrivenTogether) {
  Robot robot("icub_upper_body", {.backend = "kinematic"});
  robot.initialize();
  RobotArm left = robot.arm("left");
  RobotArm right = robot.arm("right");
  const ToolPose was_left = left.commanded_tool_pose(ToolFrame::kBase);
  const ToolPose was_right = right.commanded_tool_pose(ToolFrame::kBase);
  const Six up{0.0, 0.0, 0.05, 0.0, 0.0, 0.0};
  const Six back{-0.05, 0.0, 0.0, 0.0, 0.0, 0.0};
  robot.set_cartesian_velocities({{"left", up}, {"right", back}}, 8.0, ToolFrame::kBase);
  robot.wait();
  const double rose = left.commanded_tool_pose(ToolFrame::kBase).position[2] - was_left.position[2];
  const double went =
      was_right.position[0] - right.commanded_tool_pose(ToolFrame::kBase).position[0];
  EXPECT_NEAR(rose, went, 1e-3);
  EXPECT_GT(rose, 0.02);
  EXPECT_LT(rose, 0.05 * 8.0 - 0.05) << "one of them was held back";
  EXPECT_THROW(robot.set_cartesian_velocities({{"left", up}, {"lfet", up}}), std::exception);
  EXPECT_THROW(robot.set_cartesian_velocities({{"left", up}, {"left", back}}),
               std::invalid_argument);
  EXPECT_THROW(robot.set_cartesian_velocities({{"left", up}, {"right", {9.0, 0, 0, 0, 0, 0}}}),
               Refused);
  EXPECT_FALSE(robot.is_moving()) << "refused whole";
}

// By samples of one, since a filter acts on it: then of both.
TEST(TwoArmsOfARobot, AreDrivenTogetherThroughAFilterOfOneOfThem) {
  Robot robot("icub_upper_body", {.backend = "kinematic"});
  robot.initialize();
  RobotArm left = robot.arm("left");
  RobotArm right = robot.arm("right");
  right.set_filter(FilterOn::kCommandedVelocity, "as it is",
                   std::make_shared<FunctionFilter>([](const Values& in) { return in; }));
  const ToolPose was_left = left.commanded_tool_pose(ToolFrame::kBase);
  const ToolPose was_right = right.commanded_tool_pose(ToolFrame::kBase);
  const Six up{0.0, 0.0, 0.05, 0.0, 0.0, 0.0};
  const Six back{-0.05, 0.0, 0.0, 0.0, 0.0, 0.0};
  robot.set_cartesian_velocities({{"left", up}, {"right", back}}, 2.0, ToolFrame::kBase);
  for (int i = 0; i < 500; ++i) robot.step();
  EXPECT_FALSE(robot.snapshot().arms[0].drive.is_on);
  EXPECT_FALSE(robot.snapshot().arms[1].drive.is_on);
  EXPECT_NEAR(left.progress(), right.progress(), 1e-9);
  robot.wait();
  const double rose = left.commanded_tool_pose(ToolFrame::kBase).position[2] - was_left.position[2];
  const double went =
      was_right.position[0] - right.commanded_tool_pose(ToolFrame::kBase).position[0];
  EXPECT_NEAR(rose, went, 1e-3);
  EXPECT_GT(rose, 0.02);
}

TEST_P(ArmOnBackends, TheToolIsWhereItsCoordinatesSay) {
  const ToolPose flange = arm.commanded_tool_pose();
  arm.set_tool_coordinates({{0.0, 0.0, 0.1}, {1.0, 0.0, 0.0, 0.0}});
  robot.step();
  EXPECT_EQ(arm.tool_coordinates().position[2], 0.1);
  const ToolPose tip = arm.commanded_tool_pose();
  EXPECT_NEAR(tip.position[2], flange.position[2] - 0.1, 1e-3);  // it points down
  // About its tip the tool turns, and the tip stays.
  arm.set_cartesian_velocity({0.0, 0.0, 0.0, 0.0, 0.3, 0.0}, 1.0);
  robot.wait();
  const ToolPose turned = arm.commanded_tool_pose();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(turned.position[i], tip.position[i], 1e-5) << i;
  double along = 0.0;  // cos of half the turn
  for (std::size_t i = 0; i < 4; ++i) along += turned.orientation[i] * tip.orientation[i];
  EXPECT_NEAR(2.0 * std::acos(std::min(1.0, std::abs(along))), 0.3, 0.01);
}

TEST_P(ArmOnBackends, ALoadIsTakenAndToldInTheSnapshot) {
  arm.set_gravity_compensation(true, {.mass = 0.8, .centre = {0.0, 0.0, 0.05}});
  robot.step();
  EXPECT_EQ(robot.snapshot().arms[0].payload.mass, 0.8);
  EXPECT_TRUE(robot.snapshot().arms[0].terms.has(ArmTerm::kGravity));
  arm.set_gravity_compensation(false);
  robot.step();
  EXPECT_EQ(robot.snapshot().arms[0].payload.mass, 0.0);
  EXPECT_FALSE(robot.snapshot().arms[0].terms.has(ArmTerm::kGravity));
}

TEST_P(ArmOnBackends, WhatCantBeReachedIsRefusedAndTheArmStays) {
  const ToolPose home = arm.commanded_tool_pose();
  ToolPose far = home;
  far.position[0] += 2.0;
  const auto told = [](const auto& command) -> std::string {
    try {
      command();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "not refused";
  };
  const auto has = [&](const std::string& text, const char* words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  has(told([&] { arm.move_cartesian(far); }),
      "arm: rejected move_cartesian (out_of_reach): the tool stays");
  has(told([&] { arm.set_cartesian_position(far); }), "out_of_reach");
  has(told([&] {
        arm.move_linear(far);
        robot.wait();
      }),
      "plan_reach");
  has(told([&] {
        arm.set_cartesian_velocity({1.0, 0.0, 0.0, 0.0, 0.0, 0.0});
      }),
      "1 m/s, and its limit is 0.25 m/s");
  has(told([&] { arm.move_cartesian({{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0, 0.0}}); }), "length 1");
  has(told([&] { static_cast<void>(robot.arm("amr")); }), "did you mean");
  run(0.2);
  expect_near(arm.commanded_tool_pose(), home, 1e-9);
}

TEST_P(ArmOnBackends, AnotherCommandCancelsThePlanThatIsAskedFor) {
  ToolPose there = arm.commanded_tool_pose();
  there.position[1] += 0.2;
  const Values here = arm.commanded_position();
  arm.move_linear(there);
  EXPECT_TRUE(arm.planning().has_value());
  arm.stop();
  EXPECT_FALSE(arm.planning().has_value());
  run(0.5);
  EXPECT_EQ(arm.commanded_position(), here);
}

// Free, the tool would go at f/d; 5 N held by a damper alone move it down, and it holds afterwards.
TEST(ArmForce, PushesForItsTimeAndHoldsThen) {
  Robot robot("franka", {.backend = "sim"});
  robot.initialize();
  RobotArm arm = robot.arm("arm");
  const ToolPose home = arm.sensed_tool_pose();
  arm.set_cartesian_force({0.0, 0.0, -10.0, 0.0, 0.0, 0.0}, 0.5);
  robot.wait();
  const ToolPose pushed = arm.sensed_tool_pose();
  EXPECT_LT(pushed.position[2], home.position[2] - 0.005);
  EXPECT_FALSE(robot.snapshot().arms[0].runs);
  for (int i = 0; i < 300; ++i) robot.step();
  EXPECT_NEAR(arm.sensed_tool_pose().position[2], pushed.position[2], 5e-3);
}

TEST(ArmPlanning, OnAClockTheMotionBeginsWhenItsPlanIsThere) {
  Robot robot("franka", {.backend = "kinematic", .realtime = true});
  robot.initialize();
  RobotArm arm = robot.arm("arm");
  ToolPose there = arm.commanded_tool_pose();
  there.position[1] += 0.1;
  arm.move_linear(there);
  double progress = 0.0;
  for (int steps = 0; arm.planning() && steps < 20000; ++steps) {
    const double now = *arm.planning();
    EXPECT_GE(now, progress);
    progress = now;
    robot.step();
  }
  EXPECT_FALSE(arm.planning().has_value());
  robot.wait();
  expect_near(arm.commanded_tool_pose(), there, 1e-5);
}

}  // namespace
}  // namespace jointrig
