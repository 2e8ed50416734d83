// The iCub in MuJoCo on a floor obeys messages while it stands: its motors are driven by nothing
// but the whole-body controller, whose tasks come from the managers.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/control/wholebody/obeying_icub.h"

namespace jointrig {
namespace {

using namespace soles;

TEST(ObeyingIcub, AnArmGoesWhereItIsToldAndHome) {
  ObeyingIcub robot;
  robot.run(1.0);
  const Eigen::Vector3d start = robot.place_of_site("l_palm");
  const double elbow = robot.joint("r_elbow");
  ArmJointTrajectory right;
  right.id = 1;
  right.hand = 1;
  right.waypoints = row({1.5, -0.6, 0.4, 0.1, 1.0, 0.1, 0.0, 0.0});
  robot.send(right);
  robot.run(2.5);
  EXPECT_NEAR(robot.joint("r_elbow"), 1.0, 0.01);
  EXPECT_NEAR(robot.joint("r_shoulder_pitch"), -0.6, 0.01);
  EXPECT_LT((robot.place_of_site("l_palm") - start).norm(), 0.02) << "the other hand stays";
  robot.go_home({HomePart::kArm, 1, 2, 1.5});
  robot.run(2.5);
  EXPECT_NEAR(robot.joint("r_elbow"), elbow, 0.02);
  EXPECT_GT(robot.pelvis_height(), 0.5) << "it stands";
}

TEST(ObeyingIcub, ItSquatsAndTurnsItsChest) {
  ObeyingIcub robot;
  robot.run(1.0);
  const double height = robot.pelvis_height();
  const Eigen::Matrix3d chest = robot.chest();
  PelvisHeight squat;
  squat.id = 1;
  squat.waypoints = row({1.5, height - 0.03});
  robot.send(squat);
  ChestTrajectory turn;
  turn.id = 1;
  turn.waypoints = row({1.5, std::cos(0.1), 0.0, 0.0, std::sin(0.1)});
  robot.send(turn);
  robot.run(3.0);
  EXPECT_NEAR(robot.pelvis_height(), height - 0.03, 0.003);
  const Eigen::AngleAxisd turned(robot.chest() * chest.transpose());
  EXPECT_NEAR(turned.angle(), 0.2, 0.02);
  EXPECT_GT(turned.axis().z(), 0.98);
}

}  // namespace
}  // namespace jointrig
