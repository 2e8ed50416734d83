// A robot that steps itself, called from several threads.

#include "app/robot/async_robot.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/robot/async_arm.h"
#include "app/robot/async_gripper.h"

namespace jointrig {
namespace {

using Values = std::vector<double>;

std::string told(const auto& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

TEST(AsyncRobot, MovesWaitsAndReadsWithoutSteps) {
  AsyncRobot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  EXPECT_EQ(robot.status(), "ok");
  AsyncPart arm = robot.part("arm");
  Values q = arm.commanded_position();
  const double from = q[0];
  q[0] += 0.05;
  const double began = robot.clock();
  arm.move_to(q, 1.0);
  EXPECT_EQ(arm.destination(), q);
  robot.wait();
  EXPECT_FALSE(robot.is_moving());
  EXPECT_NEAR(arm.sensed_position()[0], from + 0.05, 1e-3);
  // A path of least jerk of d = 0.05 is bound by its acceleration, 10/√3 d/T² = a_max = 15 rad/s².
  EXPECT_GE(robot.clock() - began, 0.9 * std::sqrt(10.0 / std::sqrt(3.0) * 0.05 / 15.0));
  // A command that has no call of its own.
  const ToolPose pose =
      robot.call([](Robot& r) { return r.arm("arm").commanded_tool_pose(ToolFrame::kBase); });
  EXPECT_GT(pose.position[2], 0.1);
}

TEST(AsyncRobot, WhatIsRefusedReachesTheCallerAndNothingMoves) {
  AsyncRobot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  AsyncPart arm = robot.part("arm");
  Values far = arm.commanded_position();
  far[3] = 1.0;  // the elbow ends at -4°
  EXPECT_NE(told([&] { arm.move_to(far); }).find("panda_joint4: rejected move"), std::string::npos);
  EXPECT_FALSE(robot.is_moving());
  // The loop fails: a filter does when the step is taken.
  arm.set_filter(FilterOn::kCommandedPosition, "none",
                 std::make_shared<FunctionFilter>([](const Values&) { return Values{}; }));
  EXPECT_THROW(arm.set_position(arm.commanded_position()), Refused);
  EXPECT_THROW(static_cast<void>(robot.part("amr")), std::exception);
  EXPECT_THROW(robot.call([&](Robot&) { return robot.clock(); }), std::logic_error)
      << "its thread would wait for itself";
  // A velocity without an end is no motion that could be waited for.
  robot.set_velocity(Values(robot.joint_count(), 0.0));
  EXPECT_NE(told([&] { robot.wait(); }).find("give a time to live"), std::string::npos);
  EXPECT_THROW(AsyncRobot("franka", {.backend = "boards"}), std::invalid_argument)
      << "it keeps no clock";
}

TEST(AsyncRobot, AStepThatFailsByItselfIsToldByWait) {
  AsyncRobot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  AsyncPart arm = robot.part("arm");
  std::atomic<bool> fails = false;
  arm.set_filter(FilterOn::kCommandedVelocity, "mine",
                 std::make_shared<FunctionFilter>([&](const Values& in) {
                   if (fails) throw std::runtime_error("no idea");
                   return in;
                 }));
  Values v(arm.joint_count(), 0.0);
  v[0] = 0.1;
  arm.set_velocity(v, 10.0);
  fails = true;
  EXPECT_NE(told([&] { robot.wait(); }).find("filter \"mine\""), std::string::npos);
  robot.wait();
  EXPECT_EQ(arm.commanded_velocity()[0], 0.0) << "its joints have stopped";
}

TEST(AsyncRobot, ItsArmGoesStraightFollowsATwistAndKnowsItsToolAndLoad) {
  AsyncRobot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  AsyncArm arm = robot.arm("arm");
  const ToolPose home = arm.commanded_tool_pose();
  ToolPose lower = home;
  lower.position[2] -= 0.03;
  arm.move_linear(lower);
  robot.wait();
  EXPECT_NEAR(arm.commanded_tool_pose().position[2], lower.position[2], 1e-6);
  EXPECT_NEAR(arm.commanded_tool_pose().position[0], home.position[0], 1e-6);
  EXPECT_FALSE(arm.planning());

  arm.set_cartesian_velocity({0.0, 0.1, 0.0, 0.0, 0.0, 0.0}, 0.1);
  EXPECT_GE(arm.progress(), 0.0);
  robot.wait();
  const ToolPose aside = arm.commanded_tool_pose();
  EXPECT_GT(aside.position[1], home.position[1] + 1e-3);
  EXPECT_NEAR(aside.position[2], lower.position[2], 1e-3);

  // Poses at the tool are from where it is.
  arm.move_cartesian({.position = {0.0, 0.0, 0.01}}, 1.0, ToolFrame::kTool);
  robot.wait();
  EXPECT_NEAR(arm.commanded_tool_pose().position[2], aside.position[2] - 0.01, 1e-4);
  arm.set_cartesian_position(lower);
  robot.wait();
  EXPECT_NEAR(arm.sensed_tool_pose().position[1], lower.position[1], 1e-3);

  arm.set_gravity_compensation(true, {.mass = 0.8, .centre = {0.0, 0.0, 0.05}});
  EXPECT_EQ(robot.call([](Robot& r) { return r.snapshot().arms[0].payload.mass; }), 0.8);
  arm.set_tool_coordinates({.position = {0.0, 0.0, 0.2}});
  EXPECT_EQ(arm.tool_coordinates().position[2], 0.2);
}

TEST(AsyncRobot, WhatAnArmCantDoIsRefusedInTheCallOrToldByWait) {
  AsyncRobot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  AsyncArm arm = robot.arm("arm");
  const Values home = arm.commanded_position();
  ToolPose far = arm.commanded_tool_pose();
  far.position[0] += 2.0;
  EXPECT_NE(told([&] { arm.set_cartesian_position(far); }).find("rejected set_cartesian_position"),
            std::string::npos);
  EXPECT_THROW(arm.set_cartesian_force({}), Refused) << "kinematic takes no torque";
  EXPECT_THROW(static_cast<void>(robot.arm("amr")), std::exception);
  EXPECT_THROW(static_cast<void>(robot.gripper("hnad")), std::exception);
  // Its plan is made after the call.
  arm.move_linear(far);
  EXPECT_NE(told([&] { robot.wait(); }), "");
  ToolPose near = arm.commanded_tool_pose();
  near.position[2] -= 0.02;
  arm.move_linear_if(near, [](const Values&) { return false; });
  EXPECT_NE(told([&] { robot.wait(); }).find("the way is not feasible"), std::string::npos);
  EXPECT_EQ(arm.commanded_position(), home);
}

TEST(AsyncRobot, ItsGripperOpensAndClosesAndTellsWhatItCantDo) {
  AsyncRobot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  AsyncGripper hand = robot.gripper();
  hand.open();
  robot.wait();
  EXPECT_EQ(hand.state(), GripperState::kOpen);
  EXPECT_NEAR(hand.width(), 0.08, 1e-3);
  hand.move(0.05);
  robot.wait();
  EXPECT_NEAR(hand.width(), 0.05, 1e-3);
  hand.move_share(0.25);
  robot.wait();
  EXPECT_NEAR(hand.share(), 0.25, 0.02);
  EXPECT_NE(told([&] { hand.grasp(20.0); }).find("rejected grasp (no_torque)"), std::string::npos);
  EXPECT_FALSE(hand.is_grasped());
  EXPECT_EQ(hand.force(), 0.0);
  hand.close(0.1);
  robot.wait();
  EXPECT_EQ(hand.state(), GripperState::kClosed);
}

TEST(AsyncRobot, CallsOfManyThreadsAreRunOneAfterAnother) {
  AsyncRobot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  const Values home = robot.commanded_position();
  int runs = 0;  // without a lock: it is changed in the robot's thread alone
  std::vector<std::thread> threads;
  for (const char* name : {"panda_joint1", "panda_joint2", "panda_joint6"}) {
    threads.emplace_back([&robot, &runs, name] {
      AsyncPart joint = robot.part(name);
      const Values q = joint.commanded_position();
      for (int i = 0; i < 20; ++i) {
        joint.set_position({q[0] + 1e-4 * (i + 1)});
        robot.command([&](Robot&) { ++runs; });
        EXPECT_EQ(robot.sensed_position().size(), robot.joint_count());
      }
      robot.wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  robot.wait();
  EXPECT_EQ(robot.call([&](Robot&) { return runs; }), 60);
  for (const std::size_t joint : {0U, 1U, 5U}) {
    EXPECT_NEAR(robot.commanded_position()[joint], home[joint] + 0.002, 1e-5);
  }
}

TEST(AsyncRobot, ItsEndBrakesAndHolds) {
  // A filter sees what the robot reads until its last cycle: in its thread, and after it.
  double fastest = 0.0;
  double last = 1.0;
  {
    AsyncRobot robot("franka", {.backend = "kinematic"});
    robot.initialize();
    AsyncPart joint = robot.part("panda_joint1");
    joint.set_filter(FilterOn::kSensedVelocity, "watch",
                     std::make_shared<FunctionFilter>([&](const Values& in) {
                       fastest = std::max(fastest, std::abs(in[0]));
                       last = in[0];
                       return in;
                     }));
    joint.set_velocity({0.5});
    for (int i = 0; i < 5000 && joint.sensed_velocity()[0] < 0.4; ++i) robot.command([](Robot&) {});
  }
  EXPECT_GE(fastest, 0.4);
  EXPECT_LT(std::abs(last), 0.05) << "it stood, but for the cycle of delay";
}

TEST(AsyncRobot, EndsThoughOtherThreadsGoOnCommanding) {
  std::optional<AsyncRobot> robot;
  robot.emplace("franka", RobotOptions{.backend = "kinematic"});
  robot->initialize();
  std::atomic<int> refused = 0;
  std::vector<std::thread> others;
  for (const char* joint : {"panda_joint1", "panda_joint2"}) {
    others.emplace_back([&refused, part = robot->part(joint)]() mutable {
      try {
        while (true) part.set_velocity({0.1});
      } catch (const std::runtime_error&) {
        ++refused;
      }
    });
  }
  for (int i = 0; i < 20; ++i) robot->command([](Robot&) {});
  robot.reset();
  for (std::thread& other : others) other.join();
  EXPECT_EQ(refused, 2);
}

TEST(AsyncRobot, AReadingThatBeginsAStepIsToldSoAndTheRobotGoesOn) {
  AsyncRobot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  EXPECT_NE(told([&] { robot.call([](Robot& r) { r.begin_step(); }); }).find("use command()"),
            std::string::npos);
  robot.stop();
  EXPECT_EQ(robot.status(), "ok");
}

TEST(AsyncGravity, IsToldFromAnyThread) {
  AsyncRobot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  robot.set_gravity({1.0, 0.0, -9.7});
  EXPECT_NE(robot.gravity(), (std::array<double, 3>{0.0, 0.0, -9.81}));
}

}  // namespace
}  // namespace jointrig
