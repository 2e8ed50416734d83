// A tool that follows a velocity: along the screw, as far as it goes, and never by a jump.

#include "control/planning/cartesian_drive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "app/rig/robot_loading.h"
#include "control/discovery/discovery.h"
#include "control/laws/tool_error.h"
#include "control/planning/arm_tasks.h"
#include "harness/config/robot_file.h"
#include "tests/control/planning/two_links.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

constexpr double kDt = 1e-3;

Vector6 twist(double x, double y, double z, double a = 0.0, double b = 0.0, double c = 0.0) {
  Vector6 v;
  v << x, y, z, a, b, c;
  return v;
}

RobotConfig franka() { return app::load_robot(harness::find_robot("franka")).config; }

/// A drive that is watched: no joint may break its limits.
struct Driven {
  Driven(const RobotConfig& config, const IkTask& task, const KinematicTree& tree,
         const std::vector<JointIndex>& joints, const std::vector<double>& q)
      : robot(config), index(joints), drive(config, tree, task, joints) {
    drive.start(q, std::vector<double>(joints.size(), 0.0));
    before = drive.q();
    v.assign(joints.size(), 0.0);
  }

  double go(const Vector6& wish, bool is_own, int cycles) {
    double share = 0.0;
    for (int i = 0; i < cycles; ++i) {
      share = drive.drive(wish, is_own, kDt);
      watch();
    }
    return share;
  }

  /// By differences of what was sent.
  void watch() {
    for (std::size_t j = 0; j < index.size(); ++j) {
      const JointLimits& limits = robot.joints[index[j]].limits;
      const double speed = (drive.q()[j] - before[j]) / kDt;
      const double rate = (speed - v[j]) / kDt;
      EXPECT_LE(std::abs(speed), limits.v_max * (1.0 + 1e-6)) << j;
      EXPECT_LE(std::abs(rate), limits.a_max * (1.0 + 1e-6)) << j;
      EXPECT_GE(drive.q()[j], limits.q_min + limits.soft_margin - 1e-9) << j;
      EXPECT_LE(drive.q()[j], limits.q_max - limits.soft_margin + 1e-9) << j;
      v[j] = speed;
    }
    before = drive.q();
  }

  const RobotConfig& robot;
  std::vector<JointIndex> index;
  CartesianDrive drive;
  std::vector<double> before, v;
};

class FrankaDrive : public ::testing::Test {
 protected:
  RobotConfig robot = franka();
  KinematicTree tree{robot};
  IkTask task = tool_task(tree, robot.arms[0]);
  Driven driven{robot, task, tree, robot.arms[0].joints, start_positions(robot)};
  FrameKinematics witness{tree, {task.frames}, robot.arms[0].joints};

  Placement tool() {
    std::vector<double> q = start_positions(robot);
    for (std::size_t j = 0; j < driven.index.size(); ++j) q[driven.index[j]] = driven.drive.q()[j];
    witness.update(q);
    return witness.pose(0);
  }
};

TEST_F(FrankaDrive, GoesStraightAtTheSpeedThatWasAskedFor) {
  const Placement start = tool();
  EXPECT_EQ(driven.go(twist(0.0, 0.1, 0.0), false, 1000), 1.0);
  const Placement end = tool();
  // By hand: v t less what the ramp of 1 m/s² loses, v²/2a, and half a cycle of it.
  EXPECT_NEAR(end.position.y() - start.position.y(), 0.1 - 0.1 * 0.1 / 2.0, 1e-4);
  EXPECT_NEAR(end.position.x(), start.position.x(), 1e-9);
  EXPECT_NEAR(end.position.z(), start.position.z(), 1e-9);
  EXPECT_LT(rotation_vector(start.rotation.transpose() * end.rotation).norm(), 1e-9);
}

TEST_F(FrankaDrive, AlongItsOwnAxesATurningToolGoesAroundACircle) {
  // v across, ω about z: a circle of radius v/ω through the start, in the tool's x-y plane.
  const double v = 0.05;
  const double w = 0.5;
  const Placement start = tool();
  const Eigen::Vector3d centre = start.position + start.rotation * Eigen::Vector3d(0.0, v / w, 0.0);
  double farthest = 0.0;
  for (int i = 0; i < 60; ++i) {
    EXPECT_EQ(driven.go(twist(v, 0.0, 0.0, 0.0, 0.0, w), true, i == 0 ? 200 : 40), 1.0) << i;
    const Placement now = tool();
    EXPECT_NEAR((now.position - centre).norm(), v / w, 1e-9);
    farthest = std::max(farthest, (now.position - start.position).norm());
  }
  EXPECT_GT(farthest, 0.1);  // a chord of 1.2 rad
}

TEST_F(FrankaDrive, ComesToRestAtOnceAskedForNothing) {
  driven.go(twist(0.1, 0.0, 0.0), false, 500);
  EXPECT_FALSE(driven.drive.is_at_rest());
  driven.go(Vector6::Zero(), false, 200);  // 0.1 s of ramp
  EXPECT_TRUE(driven.drive.is_at_rest());
  const std::vector<double> there = driven.drive.q();
  driven.go(Vector6::Zero(), false, 100);
  EXPECT_EQ(driven.drive.q(), there);
}

TEST_F(FrankaDrive, WhereTheArmEndsItGoesAsFarAsItCanOnTheLineAndComesBack) {
  const Placement start = tool();
  double share = driven.go(twist(0.2, 0.0, 0.0), false, 6000);  // 1.2 m: the arm is shorter
  EXPECT_LT(share, 0.01);
  const Placement end = tool();
  EXPECT_GT(end.position.x(), start.position.x() + 0.2);
  EXPECT_NEAR(end.position.y(), start.position.y(), 1e-4);
  EXPECT_NEAR(end.position.z(), start.position.z(), 1e-4);
  share = driven.go(twist(-0.2, 0.0, 0.0), false, 1500);
  EXPECT_EQ(share, 1.0);
  const Placement back = tool();
  EXPECT_LT(back.position.x(), end.position.x() - 0.2);
  EXPECT_NEAR(back.position.y(), start.position.y(), 1e-4);
  EXPECT_NEAR(back.position.z(), start.position.z(), 1e-4);
}

TEST_F(FrankaDrive, WhateverIsAskedForNoJointJumps) {
  std::mt19937 random(7);  // NOLINT: equal each time
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int k = 0; k < 60; ++k) {
    const Vector6 wish = twist(0.5 * any(random), 0.5 * any(random), 0.5 * any(random),
                               2.0 * any(random), 2.0 * any(random), 2.0 * any(random));
    driven.go(wish, k % 2 == 0, 150);
  }
}

// Two links of 0.4 m and 0.3 m: stretched at 0.7 m, folded at 0.1 m.
TEST(TwoLinkDrive, StopsShortOfTheStretchedArmAndSlowsDownTowardsIt) {
  const odd::TempModel file(testing::kTwoLinks);
  const RobotConfig robot = discover(file.path()).config;
  const KinematicTree tree(robot);
  const IkTask task{{tree.find_frame("tip"), {}}, testing::kInThePlane};
  const auto by_hand = testing::by_hand(0.5, 0.0, 1.0);
  Driven driven(robot, task, tree, {0, 1}, {by_hand[0], by_hand[1]});
  double before = 1.0;
  bool slows = true;
  for (int i = 0; i < 400; ++i) {
    const double share = driven.go(twist(0.1, 0.0, 0.0), false, 10);
    if (i > 20) slows = slows && share <= before + 1e-3;
    before = share;
  }
  EXPECT_TRUE(slows);
  const double x = driven.drive.marker().position.x();
  EXPECT_GT(x, 0.69);
  EXPECT_LT(x, 0.7);
  EXPECT_GT(driven.drive.q()[1], 0.0) << "the elbow stays on its side";
  EXPECT_EQ(driven.go(twist(-0.1, 0.0, 0.0), false, 1000), 1.0);
  // The same branch as by hand, on the line but for where the elbow had to brake.
  const Eigen::Vector3d& tip = driven.drive.marker().position;
  EXPECT_NEAR(tip.y(), 0.0, 1e-5);
  const auto there = testing::by_hand(tip.x(), tip.y(), 1.0);
  EXPECT_NEAR(driven.drive.q()[0], there[0], 1e-6);
  EXPECT_NEAR(driven.drive.q()[1], there[1], 1e-6);
}

}  // namespace
}  // namespace jointrig
