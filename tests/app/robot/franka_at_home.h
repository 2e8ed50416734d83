#pragma once
/// The Franka arm as a program's robot, at its start, and a ball that it would meet.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "app/robot/robot.h"
#include "app/robot/robot_arm.h"

namespace jointrig {

class FrankaAtHome : public testing::Test {
 protected:
  using Values = std::vector<double>;

  explicit FrankaAtHome(const char* backend = "kinematic") : robot("franka", {.backend = backend}) {
    robot.initialize();
  }

  [[nodiscard]] Values home_with(double first) const {
    Values q = home;
    q[0] = first;
    return q;
  }
  /// Where a turn of the first joint by `angle` brings the tool from where it is [rad].
  void put_a_ball(double angle = 0.8) {
    const ToolPose tool = arm.commanded_tool_pose();
    const double there = std::atan2(tool.position[1], tool.position[0]) + angle;
    const double reach = std::hypot(tool.position[0], tool.position[1]);
    SetObstacle ball;
    ball.name = obstacle_name("ball");
    ball.shape = KnownShape::kSphere;
    ball.size = {0.05, 0.0, 0.0};
    ball.position = {reach * std::cos(there), reach * std::sin(there), tool.position[2]};
    robot.set_obstacle(ball);
    robot.step();
  }

  Robot robot;
  RobotArm arm{robot.arm("arm")};
  Values home{arm.commanded_position()};
  double from{home[0]};
  Values rest = Values(arm.joint_count(), 0.0);
};

}  // namespace jointrig
