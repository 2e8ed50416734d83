// An arm that a program adds while its robot runs, on a model that has none: MuJoCo says where its
// tool ends.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/robot/robot.h"
#include "app/robot/robot_arm.h"
#include "tests/app/robot/tilted_arm.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;
using Values = std::vector<double>;

const std::vector<std::string> kJoints{"yaw", "shoulder", "elbow", "forearm", "wrist", "roll"};

/// X_FT: 8 cm ahead of the flange, turned.
ToolPose stick() {
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 2) / 3.0));
  return {{0.08, -0.01, 0.02}, {turn.w(), turn.x(), turn.y(), turn.z()}};
}

Isometry3d placed(const ToolPose& pose) {
  Isometry3d x = Isometry3d::Identity();
  x.translation() = Vector3d(pose.position[0], pose.position[1], pose.position[2]);
  const auto& q = pose.orientation;
  x.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  return x;
}

double apart(const Isometry3d& a, const Isometry3d& b) {
  const Eigen::AngleAxisd turn(Eigen::Matrix3d(a.linear() * b.linear().transpose()));
  return (a.translation() - b.translation()).norm() + std::abs(turn.angle());
}

class AddedArm : public ::testing::TestWithParam<const char*> {
 protected:
  AddedArm()
      : file(testing::tilted_arm()),
        truth(file.path()),
        robot(file.path(), {.backend = GetParam(), .settings = settings()}) {
    robot.initialize();
  }
  static std::string settings() {
    std::string keys =
        "collision_avoidance: {on: false}\ncollision_detection: {on: false}\njoints: {";
    for (std::size_t i = 0; i < kJoints.size(); ++i) {
      keys += kJoints[i] + ": {start: " + std::to_string(testing::tilted_start()[i]) + "}, ";
    }
    return keys + "}\n";
  }
  RobotArm added() {
    robot.add_part("all of it", kJoints);
    return robot.add_arm({.name = "arm", .joints = {"all of it"}, .tool = "tip"});
  }
  /// Where the references put the stick.
  Isometry3d there() {
    truth.place(robot.commanded_position());
    return truth.tool() * placed(stick());
  }
  static bool is_exact() { return std::string(GetParam()) == "kinematic"; }

  odd::TempModel file;
  testing::TiltedTruth truth;
  Robot robot;
};
INSTANTIATE_TEST_SUITE_P(Robot, AddedArm, ::testing::Values("kinematic", "sim"),
                         [](const auto& one) { return std::string(one.param); });

TEST_P(AddedArm, ItsToolGoesWhereItIsAskedTo) {
  RobotArm arm = added();
  arm.set_tool_coordinates(stick());
  EXPECT_EQ(arm.tool_coordinates(), stick());
  EXPECT_LT(apart(placed(arm.commanded_tool_pose()), there()), 1e-6);

  ToolPose goal = arm.commanded_tool_pose();
  goal.position[2] -= 0.08;
  arm.move_cartesian(goal);
  robot.wait();
  EXPECT_LT(apart(there(), placed(goal)), 1e-5);
  EXPECT_LT(apart(placed(robot.arm("arm").sensed_tool_pose()), placed(goal)), 5e-3);

  goal.position[0] += 0.03;
  arm.set_cartesian_position(goal);
  robot.wait();
  EXPECT_LT(apart(there(), placed(goal)), 1e-4);
}

TEST_P(AddedArm, ItsToolGoesStraight) {
  RobotArm arm = added();
  arm.set_tool_coordinates(stick());
  const Isometry3d from = there();
  ToolPose goal = arm.commanded_tool_pose();
  const Vector3d way(0.03, 0.04, -0.1);
  for (int i = 0; i < 3; ++i) goal.position[static_cast<std::size_t>(i)] += way[i];
  arm.move_linear(goal);
  double off = 0.0;
  do {
    robot.step();
    const Vector3d gone = there().translation() - from.translation();
    off = std::max(off, gone.cross(way.normalized()).norm());
  } while (arm.is_moving());
  EXPECT_LT(off, 1e-4) << "m";
  EXPECT_LT(apart(there(), placed(goal)), 1e-5);
}

TEST_P(AddedArm, ItsToolFollowsAVelocityForItsTime) {
  RobotArm arm = added();
  arm.set_tool_coordinates(stick());
  const Isometry3d from = there();
  arm.set_cartesian_velocity({0.0, 0.03, -0.04, 0.0, 0.0, 0.0}, 1.0);
  robot.step();
  robot.wait();
  const Vector3d gone = there().translation() - from.translation();
  EXPECT_LT((gone - Vector3d(0.0, 0.03, -0.04)).norm(), 1e-3) << gone.transpose();
  EXPECT_EQ(arm.progress(), 1.0);
}

TEST_P(AddedArm, ItFollowsAPathOfItsToolAndTakesAPostureToReach) {
  RobotArm arm = added();
  arm.set_tool_coordinates(stick());
  ArmWaypoint down{.by = {{0.0, 0.0, -0.05}}, .corner_distance = 0.01};
  ArmWaypoint aside{.by = {{0.0, 0.04, 0.0}}};
  const Isometry3d from = there();
  arm.follow_tool({down, aside});
  robot.wait();
  const Vector3d gone = there().translation() - from.translation();
  EXPECT_LT((gone - Vector3d(0.0, 0.04, -0.05)).norm(), 1e-5) << gone.transpose();

  AskedReach asked;
  AskedPose& pose = asked.tools.emplace_back();
  pose.arm = 0;
  pose.by = {{0.0, 0.0, 0.02}};
  const ReachAnswer answer = robot.reach(asked);
  EXPECT_EQ(answer.refusal, "");
}

TEST_P(AddedArm, WhatWantsTorqueIsRefusedInASentence) {
  RobotArm arm = added();
  const auto said = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Refused& refused) {
      return refused.what();
    }
    return "nothing";
  };
  const std::string why =
      " (unsupported): the arm was added while the robot runs, and its joints take positions "
      "alone; "
      "name it in robot.yaml, or in RobotOptions::arms";
  EXPECT_EQ(said([&] {
              arm.set_cartesian_force({1, 0, 0, 0, 0, 0}, 0.1);
            }),
            "arm: rejected set_cartesian_force" + why);
  EXPECT_EQ(said([&] { arm.set_gravity_compensation(true); }),
            "arm: rejected set_gravity_compensation" + why);
  EXPECT_EQ(said([&] { arm.move_linear_with({}, arm.commanded_tool_pose()); }),
            "arm: rejected move_linear_with" + why);
  EXPECT_EQ(said([&] { arm.follow_with({}, {{.q = testing::tilted_start()}}); }),
            "arm: rejected follow_with" + why);
  robot.step();
  EXPECT_EQ(robot.status(), "ok");
}

TEST_P(AddedArm, OneThatCannotBeIsRefusedByNameAndTheRobotGoesOn) {
  Values goal = testing::tilted_start();
  goal[0] += 0.3;
  robot.move_to(goal);
  robot.step();
  const auto said = [&](const ArmOfProgram& arm) -> std::string {
    try {
      robot.add_arm(arm);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_NE(said({.name = "arm", .joints = kJoints, .tool = "tap"}).find("tip"), std::string::npos)
      << said({.name = "arm", .joints = kJoints, .tool = "tap"});
  EXPECT_NE(said({.name = "yaw", .joints = kJoints, .tool = "tip"}).find("\"yaw\" is no new name"),
            std::string::npos);
  EXPECT_NE(said({.name = "arm", .joints = {}, .tool = "tip"}).find("\"arm\" has no joints"),
            std::string::npos);
  EXPECT_NE(said({.name = "arm", .joints = kJoints, .tool = "pedestal"}), "nothing")
      << "none of its joints moves that";
  EXPECT_THROW(static_cast<void>(robot.arm("arm")), std::exception) << "none of these is there";
  for (const char* name : {"a", "b", "c", "d"}) {
    EXPECT_EQ(said({.name = name, .joints = kJoints, .tool = "tip"}), "nothing");
  }
  EXPECT_NE(said({.name = "e", .joints = kJoints, .tool = "tip"})
                .find("\"e\" would be arm number 5, and a robot has 4 at most"),
            std::string::npos);
  robot.wait();
  EXPECT_NEAR(robot.commanded_position()[0], goal[0], 1e-6);
}

TEST_P(AddedArm, AMotionUnderWayIsTheSameWithAndWithoutIt) {
  Robot other(file.path(), {.backend = GetParam(), .settings = settings()});
  other.initialize();
  Values goal = testing::tilted_start();
  goal[1] += 0.2;
  for (Robot* one : {&robot, &other}) {
    one->move_to(goal);
    for (int i = 0; i < 100; ++i) one->step();
  }
  robot.add_arm({.name = "arm", .joints = kJoints, .tool = "tip"});
  for (int i = 0; i < 300; ++i) {
    robot.step();
    other.step();
    ASSERT_EQ(robot.commanded_position(), other.commanded_position()) << i;
    ASSERT_EQ(robot.sensed_position(), other.sensed_position()) << i;
  }
}

TEST_P(AddedArm, AToolIsNotChangedWhileItMoves) {
  RobotArm arm = added();
  ToolPose goal = arm.commanded_tool_pose();
  goal.position[2] -= 0.05;
  arm.move_cartesian(goal);
  robot.step();
  EXPECT_THROW(arm.set_tool_coordinates(stick()), Refused);
  EXPECT_EQ(arm.tool_coordinates(), ToolPose{});
  robot.wait();
  arm.set_tool_coordinates(stick());
  EXPECT_THROW(arm.set_tool_coordinates({{0.0, 2.0, 0.0}}), Refused) << "further than 1 m";
}

}  // namespace
}  // namespace jointrig
