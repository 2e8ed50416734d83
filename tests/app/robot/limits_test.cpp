// Limits narrower than the file's, filters of the Cartesian drive, and protection from collisions,
// of parts and while the robot runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/app/robot/franka_at_home.h"
#include "tests/support/told.h"

namespace jointrig {
namespace {

using Values = std::vector<double>;
using odd::told;

class LimitedRobot : public FrankaAtHome, public testing::WithParamInterface<const char*> {
 protected:
  LimitedRobot() : FrankaAtHome(GetParam()) {}

  /// The first joint's range is `room` to either side of home.
  void narrow(double room) {
    LimitsOfJoints bounds = arm.joint_limits();
    bounds.low[0] = from - room;
    bounds.high[0] = from + room;
    arm.set_joint_limits(bounds);
  }
  /// @return  the farthest that the first joint was commanded to, in so many steps
  double farthest(
      int steps, const std::function<void()>& each = [] {}) {
    double most = -10.0;
    for (int k = 0; k < steps; ++k) {
      robot.begin_step();
      each();
      robot.end_step();
      most = std::max(most, arm.commanded_position()[0]);
    }
    return most;
  }
};

INSTANTIATE_TEST_SUITE_P(Robot, LimitedRobot, testing::Values("kinematic", "boards"),
                         [](const auto& backend) { return std::string(backend.param); });

TEST_P(LimitedRobot, GoalsAndPathsBeyondANarrowedRangeAreRefusedWithJointAndLimit) {
  narrow(0.2);
  const Values far = home_with(from + 0.25);
  const Values held = arm.commanded_position();
  const auto refused = [&](const std::function<void()>& call, const char* reason) {
    const std::string why = told([&] {
      call();
      robot.step();
    });
    EXPECT_NE(why.find("panda_joint1"), std::string::npos) << why;
    EXPECT_NE(why.find(reason), std::string::npos) << why;
    EXPECT_NE(why.find("0.2"), std::string::npos) << why;
    robot.step();
    EXPECT_EQ(arm.commanded_position(), held);
  };
  refused([&] { arm.move_to(far); }, "out_of_range");
  refused([&] { arm.set_position(far); }, "out_of_range");
  refused([&] { arm.set_target(far); }, "out_of_range");
  refused([&] { arm.set_piecewise_linear({2.0}, {far}); }, "plan_position");
  refused([&] { arm.follow({{.q = far}}); }, "plan_position");
  refused([&] { arm.set_velocity_target(Values(arm.joint_count(), 0.2)); }, "use set_velocity");
  arm.move_to(home_with(from + 0.19));
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.19, 1e-9);

  arm.clear_joint_limits();
  arm.move_to(far);
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.25, 1e-9);
}

TEST_P(LimitedRobot, AVelocityBrakesBeforeTheEndOfANarrowedRange) {
  narrow(0.2);
  Values v = rest;
  for (const double speed : {0.3, 2.0}) {
    SCOPED_TRACE(speed);
    v[0] = speed;
    arm.set_velocity(v);
    const double most = farthest(2500);
    EXPECT_LE(most, from + 0.2 + 1e-9);
    EXPECT_GT(most, from + 0.2 - 2e-3);
    EXPECT_NEAR(arm.commanded_velocity()[0], 0.0, 1e-3);
    v[0] = -0.5;  // back it may
    arm.set_velocity(v);
    farthest(400);
    EXPECT_LT(arm.commanded_position()[0], from + 0.1);
    arm.move_to(home);
    robot.wait();
  }
}

TEST_P(LimitedRobot, WhatAFilterOrADriveWouldSendBeyondARangeIsKeptWithin) {
  narrow(0.1);
  arm.set_filter(FilterOn::kCommandedPosition, "mine",
                 std::make_shared<FunctionFilter>([](const Values& in) {
                   Values out = in;
                   out[0] += 0.3;
                   return out;
                 }));
  arm.set_position(home);
  EXPECT_NEAR(farthest(1500), from + 0.1, 1e-6);
  arm.set_pid(home_with(from + 0.15), rest);
  EXPECT_NEAR(farthest(50), from + 0.1, 1e-6) << "samples are kept within, as a step limit does";
  arm.remove_filter(FilterOn::kCommandedPosition, "mine");
  arm.move_to(home);
  robot.wait();
  arm.clear_joint_limits();

  // A turn of the base carries the tool along y: the drive runs before its range is narrowed.
  arm.set_cartesian_velocity({0.0, 0.1, 0.0, 0.0, 0.0, 0.0});
  farthest(50);
  narrow(0.02);
  EXPECT_LE(farthest(3000), from + 0.02 + 1e-6);
  EXPECT_GT(arm.commanded_position()[0], from + 0.01);
}

TEST_P(LimitedRobot, AJointOutsideANewRangeMayComeBackAndGoesNoFurtherOut) {
  arm.move_to(home_with(from + 0.3));
  robot.wait();
  narrow(0.1);
  Values v = rest;
  v[0] = 0.5;
  arm.set_velocity(v);
  EXPECT_LE(farthest(300), from + 0.3 + 1e-3);
  v[0] = -0.5;
  arm.set_velocity(v, 0.2);
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.2, 2e-3);
  arm.move_to(home);
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], from, 1e-9);
}

// By hand: a trapezoid of 0.4 rad at 0.5 rad/s and 2 rad/s² takes d/v + v/a.
TEST_P(LimitedRobot, SpeedAndAccelerationBoundWhatIsPlannedAndWhatIsSent) {
  LimitsOfJoints bounds;
  bounds.speed = Values(arm.joint_count(), 0.5);
  bounds.acceleration = Values(arm.joint_count(), 2.0);
  arm.set_joint_limits(bounds);
  EXPECT_EQ(arm.joint_limits().speed, bounds.speed);
  const double begin = robot.clock();
  arm.follow({{.q = home_with(from + 0.4)}});
  robot.wait();
  EXPECT_NEAR(robot.clock() - begin, 0.4 / 0.5 + 0.5 / 2.0, 5e-3);
  Values v = rest;
  v[0] = -0.6;
  EXPECT_NE(told([&] { arm.set_velocity(v); }).find("panda_joint1: rejected velocity"),
            std::string::npos);
  double fastest = 0.0;
  arm.move_to(home, 1.0);
  farthest(1500, [&] { fastest = std::max(fastest, -arm.commanded_velocity()[0]); });
  EXPECT_LE(fastest, 0.5 + 1e-9);
  EXPECT_GT(fastest, 0.3);
  arm.clear_joint_limits();
  robot.step();
  v[0] = -2.0;
  arm.set_velocity(v, 0.3);
  fastest = 0.0;
  farthest(300, [&] { fastest = std::max(fastest, -arm.commanded_velocity()[0]); });
  EXPECT_NEAR(fastest, 2.0, 1e-6);
}

TEST_P(LimitedRobot, LimitsBeyondTheFilesAreRefusedWholeWithBothNumbers) {
  const LimitsOfJoints before = arm.joint_limits();
  LimitsOfJoints wide = before;
  wide.high[3] = 1.0;  // the elbow ends at -4 degrees
  wide.low[0] = 0.0;
  std::string why = told([&] { arm.set_joint_limits(wide); });
  EXPECT_NE(why.find("panda_joint4: rejected set_joint_limits (out_of_range): 1 is no high end"),
            std::string::npos)
      << why;
  wide = before;
  std::swap(wide.low[2], wide.high[2]);
  EXPECT_NE(told([&] { arm.set_joint_limits(wide); }).find("panda_joint3"), std::string::npos);
  why = told([&] { arm.set_joint_limits({.speed = Values(arm.joint_count(), 9.0)}); });
  EXPECT_NE(why.find("panda_joint1: rejected set_parameter"), std::string::npos) << why;
  EXPECT_NE(told([&] { arm.set_joint_limits({.low = {0.0}}); }).find("set_joint_limits: low has 1"),
            std::string::npos);
  EXPECT_EQ(arm.joint_limits().low, before.low);
  EXPECT_EQ(arm.joint_limits().high, before.high);
}

// The drive ---------------------------------------------------------------------------------------

TEST_P(LimitedRobot, SamplesOfTheDrivePassTheFiltersOnceACycle) {
  int calls = 0;
  std::vector<Values> accelerations;
  arm.set_filter(FilterOn::kCommandedPosition, "count",
                 std::make_shared<FunctionFilter>([&](const Values& in) {
                   ++calls;
                   Values out = in;
                   out[6] += 0.01;  // of the wrist alone
                   return out;
                 }));
  arm.set_filter(FilterOn::kCommandedAcceleration, "seen",
                 std::make_shared<FunctionFilter>([&](const Values& in) {
                   accelerations.push_back(in);
                   return in;
                 }));
  arm.set_cartesian_velocity({0.0, 0.0, -0.05, 0.0, 0.0, 0.0});
  farthest(200);
  EXPECT_EQ(calls, 200);
  ASSERT_EQ(accelerations.size(), 200U);
  EXPECT_GT(*std::max_element(accelerations[20].begin(), accelerations[20].end()), 1e-3);
  // The samples' own wrist is told by the drive without a filter.
  const double filtered = arm.commanded_position()[6];
  arm.remove_filter(FilterOn::kCommandedPosition, "count");
  farthest(100);
  EXPECT_NEAR(filtered - arm.commanded_position()[6], 0.01, 2e-3);
}

// The loop leads the tool until a range is narrowed; then its samples are, from the next step on.
TEST_P(LimitedRobot, TheDriveGoesByTheLoopWithoutFiltersAndRangesAndElseBySamples) {
  const auto mode = [&] { return robot.snapshot().joints[0].mode; };
  const auto drives = [&] { return robot.snapshot().arms[0].drive.is_on; };
  arm.set_cartesian_velocity({0.0, 0.05, 0.0, 0.0, 0.0, 0.0});
  farthest(100);
  EXPECT_EQ(mode(), JointMode::kPosition);
  EXPECT_TRUE(drives());
  const double y = arm.commanded_tool_pose().position[1];
  narrow(1.0);
  farthest(200);
  EXPECT_EQ(mode(), JointMode::kPositionDirect);
  EXPECT_FALSE(drives());
  EXPECT_EQ(arm.progress(), 1.0);
  EXPECT_NEAR(arm.commanded_tool_pose().position[1] - y, 0.05 * 0.2, 1e-3) << "it goes on";
  arm.clear_joint_limits();
  arm.set_cartesian_velocity({0.0, 0.05, 0.0, 0.0, 0.0, 0.0});
  farthest(100);
  EXPECT_EQ(mode(), JointMode::kPosition);
  EXPECT_TRUE(drives());
  arm.set_cartesian_velocity({});
  robot.wait();
  EXPECT_FALSE(arm.is_moving());
}

TEST_P(LimitedRobot, AFilterThatFailsEndsTheDriveAndTheJointsStop) {
  arm.set_cartesian_velocity({0.0, 0.1, 0.0, 0.0, 0.0, 0.0});
  farthest(100);
  arm.set_filter(FilterOn::kCommandedPosition, "bad",
                 std::make_shared<FunctionFilter>([](const Values&) { return Values{}; }));
  EXPECT_EQ(told([&] { robot.step(); }),
            "filter \"bad\" on commanded_position of arm gave 0 numbers for 7 joints");
  robot.wait();
  for (const double v : arm.commanded_velocity()) EXPECT_EQ(v, 0.0);
}

TEST_P(LimitedRobot, TheAccelerationOfASamplePassesItsFilter) {
  arm.set_filter(
      FilterOn::kCommandedAcceleration, "none",
      std::make_shared<FunctionFilter>([](const Values& in) { return Values(in.size(), 0.0); }));
  const auto velocity_after = [&](double a) {
    arm.set_pid(home, rest, Values(arm.joint_count(), a));
    farthest(20);  // the path goes on from the sample: v = a t
    const double v = arm.commanded_velocity()[0];
    arm.stop();
    robot.wait();
    arm.move_to(home);
    robot.wait();
    return v;
  };
  EXPECT_NEAR(velocity_after(2.0), 0.0, 1e-9);
  arm.remove_filter(FilterOn::kCommandedAcceleration, "none");
  EXPECT_GT(velocity_after(2.0), 1e-3);
}

// Protection --------------------------------------------------------------------------------------

class ProtectedRobot : public LimitedRobot {
 protected:
  /// How far the first joint comes towards a ball that a turn of 0.8 rad would meet.
  double comes() {
    arm.set_position(home_with(from + 0.8));
    farthest(2500);
    const double most = arm.commanded_position()[0];
    arm.stop();
    robot.wait();
    arm.move_to(home);
    robot.wait();
    return most;
  }
};

INSTANTIATE_TEST_SUITE_P(Robot, ProtectedRobot, testing::Values("kinematic", "boards"),
                         [](const auto& backend) { return std::string(backend.param); });

TEST_P(ProtectedRobot, ProtectionFromCollisionsIsSwitchedByPartWhileTheRobotRuns) {
  put_a_ball();
  EXPECT_LT(comes(), from + 0.75);
  robot.part("hand").set_collision_protection(false);  // the arm keeps its own
  EXPECT_LT(comes(), from + 0.75);
  robot.part("hand").set_collision_protection(true);
  arm.set_collision_protection(false);  // the hand keeps its own
  EXPECT_NEAR(comes(), from + 0.8, 1e-5);
  arm.set_collision_protection(true);
  EXPECT_LT(comes(), from + 0.75);
  robot.set_collision_protection(false);
  EXPECT_NEAR(comes(), from + 0.8, 1e-5);
  robot.set_collision_protection(true);
  EXPECT_LT(comes(), from + 0.75);
}

}  // namespace
}  // namespace jointrig
