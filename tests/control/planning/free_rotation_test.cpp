// Paths and velocities of tools that leave a rotation free, and arms that can't hold every one.

#include "control/core/free_rotation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "app/rig/robot_loading.h"
#include "control/discovery/discovery.h"
#include "control/laws/tool_error.h"
#include "control/planning/arm_tasks.h"
#include "control/planning/cartesian_drive.h"
#include "control/planning/held_rotation.h"
#include "control/planning/tool_trajectory.h"
#include "harness/config/robot_file.h"
#include "tests/control/planning/few_joints.h"
#include "tests/control/planning/two_links.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

constexpr double kDegree = M_PI / 180.0;
constexpr double kTenthOfMm = 1e-4;
constexpr double kHundredthOfDegree = 0.01 * kDegree;
constexpr ToolLimits kFast{1.0, 10.0, 10.0, 100.0};

/// An arm of few joints, whose tip is in the world.
struct FewJoints {
  FewJoints(const char* xml, std::vector<double> q)
      : file(xml), robot(discover(file.path()).config), tree(robot), start(std::move(q)) {
    for (std::size_t i = 0; i < start.size(); ++i) joints.push_back(static_cast<JointIndex>(i));
  }

  [[nodiscard]] FramePair frames() const { return {tree.find_frame("tip"), {}}; }

  Placement tip(const std::vector<double>& q) {
    FrameKinematics kinematics(tree, {frames()}, joints);
    kinematics.update(q);
    return kinematics.pose(0);
  }

  JointPlan plan(FreeRotation free, const std::vector<ToolWaypoint>& waypoints,
                 const std::vector<double>& v = {}) {
    ToolTrajectoryOptions options;
    options.free = free;
    ToolTrajectory planner(robot, tree, frames(), joints, options);
    return planner.plan(start, waypoints, kFast, nullptr, v);
  }

  /// A way from the start.
  ToolWaypoint moved(const Eigen::Vector3d& by,
                     const Eigen::Vector3d& turn = Eigen::Vector3d::Zero()) {
    const Placement from = tip(start);
    ToolWaypoint to;
    to.pose = {from.position + by, rotation_of(turn) * from.rotation};
    to.limits = kFast;
    return to;
  }

  odd::TempModel file;
  RobotConfig robot;
  KinematicTree tree;
  std::vector<double> start;
  std::vector<JointIndex> joints;
};

std::vector<double> joints_at(const JointPlan& plan, double t) {
  std::vector<MotionState> states(plan.joints().size());
  JointPlan::Cursor cursor;
  plan.at(t, cursor, states);
  std::vector<double> q;
  for (const MotionState& state : states) q.push_back(state.q);
  return q;
}

void expect_each(const JointPlan& plan, const auto& look) {
  ASSERT_FALSE(plan.failure()) << to_string(plan.failure().reason) << ": " << plan.remark;
  for (double t = 0.0; t <= plan.duration(); t += 2e-3) {
    look(joints_at(plan, t));
    if (::testing::Test::HasFailure()) return;
  }
  look(joints_at(plan, plan.duration()));
}

double off_line(const Placement& at, const Placement& from, const Placement& to) {
  const Eigen::Vector3d way = to.position - from.position;
  const double share =
      std::clamp(way.dot(at.position - from.position) / way.squaredNorm(), 0.0, 1.0);
  return (at.position - from.position - share * way).norm();
}

Eigen::Matrix3d any_rotation(std::mt19937& random) {
  std::uniform_real_distribution<double> any(-2.0, 2.0);
  return rotation_of({any(random), any(random), any(random)});
}

// Orientations ------------------------------------------------------------------------------------

TEST(HeldRotation, NoOrientationOfTheSetIsNearerThanTheNearest) {
  std::mt19937 random(3);  // NOLINT: equal each time
  const auto angle = [](const Eigen::Matrix3d& a, const Eigen::Matrix3d& b) {
    return rotation_vector(a.transpose() * b).norm();
  };
  for (int k = 0; k < 200; ++k) {
    const Eigen::Matrix3d goal = any_rotation(random);
    const Eigen::Matrix3d at = any_rotation(random);
    const double about_z = angle(nearest_goal(FreeRotation::kZ, goal, at), at);
    const double about_tool_y = angle(nearest_goal(FreeRotation::kToolY, goal, at), at);
    for (int i = 0; i < 360; ++i) {  // by trying
      const double theta = i * kDegree;
      ASSERT_LE(about_z, angle(rotation_of({0.0, 0.0, theta}) * goal, at) + 1e-9);
      ASSERT_LE(about_tool_y, angle(goal * rotation_of({0.0, theta, 0.0}), at) + 1e-9);
    }
    // It is one of the set: the axis stays.
    const Eigen::Matrix3d near = nearest_goal(FreeRotation::kZ, goal, at);
    ASSERT_LT((near.row(2) - goal.row(2)).norm(), 1e-12);
    ASSERT_LT((nearest_goal(FreeRotation::kToolY, goal, at).col(1) - goal.col(1)).norm(), 1e-12);
    ASSERT_EQ(nearest_goal(FreeRotation::kNone, goal, at), goal);
    ASSERT_EQ(nearest_goal(FreeRotation::kAll, goal, at), at);
  }
}

TEST(HeldRotation, TheLastAxisIsTheFreeOne) {
  std::mt19937 random(4);  // NOLINT: equal each time
  for (int k = 0; k < 50; ++k) {
    const Eigen::Matrix3d goal = any_rotation(random);
    const Eigen::Matrix3d of_frame = held_axes(FreeRotation::kX, goal);
    EXPECT_LT((goal * of_frame.col(2) - Eigen::Vector3d::UnitX()).norm(), 1e-12);
    EXPECT_LT((of_frame.transpose() * of_frame - Eigen::Matrix3d::Identity()).norm(), 1e-12);
    EXPECT_NEAR(of_frame.determinant(), 1.0, 1e-12);
    EXPECT_LT((held_axes(FreeRotation::kToolX, goal).col(2) - Eigen::Vector3d::UnitX()).norm(),
              1e-12);
  }
}

TEST(FreeInverseKinematics, ReachesAPoseFromAnySideButNotTiltedOnAnArmOfAnyTurn) {
  const RobotConfig robot = app::load_robot(harness::find_robot("franka")).config;
  const KinematicTree tree(robot);
  const ArmConfig& arm = robot.arms[0];
  IkTask task = tool_task(tree, arm);
  task.free = FreeRotation::kToolZ;
  InverseKinematics ik(tree, {task}, arm.joints, soft_ranges(robot, arm.joints));
  FrameKinematics kinematics(tree, {task.frames}, arm.joints);
  const std::vector<double> q = start_positions(robot);
  kinematics.update(q);
  for (double turn = -3.1; turn < 3.15; turn += 0.31) {  // most of them beyond the last joint
    Placement goal = kinematics.pose(0);
    const Eigen::Vector3d axis = goal.rotation.col(2);
    goal.rotation = goal.rotation * rotation_of({0.0, 0.0, turn});
    const IkResult& result = ik.follow(std::span(&goal, 1), q);
    ASSERT_EQ(result.outcome, IkOutcome::kSolved) << turn;
    // It is there already.
    for (const JointIndex joint : arm.joints) EXPECT_NEAR(result.q[joint], q[joint], 1e-5);
    goal.rotation = rotation_of({0.4, 0.0, 0.0}) * goal.rotation;
    const IkResult& tilted = ik.follow(std::span(&goal, 1), q);
    ASSERT_EQ(tilted.outcome, IkOutcome::kSolved) << turn;
    FrameKinematics there(tree, {task.frames}, arm.joints);
    there.update(tilted.q);
    EXPECT_LT((there.pose(0).rotation.col(2) - rotation_of({0.4, 0.0, 0.0}) * axis).norm(), 1e-5);
  }
}

/// Downwards, and 264° round in two steps: no joint has so much range.
TEST(FreeRotationAdvice, ATurnBeyondTheJointsRangesIsToldOfFreeRotationAndThatLeadsThrough) {
  const RobotConfig robot = app::load_robot(harness::find_robot("franka")).config;
  const KinematicTree tree(robot);
  const ArmConfig& arm = robot.arms[0];
  const std::vector<double> q = start_positions(robot);
  const auto plan = [&](FreeRotation free) {
    ToolTrajectoryOptions options;
    options.free = free;
    ToolTrajectory planner(robot, tree, tool_task(tree, arm).frames, arm.joints, options);
    ToolWaypoint there;
    there.pose = planner.tool(q);
    there.limits = ToolLimits::of(arm);
    ToolWaypoint back = there;
    there.pose.position.y() += 0.1;
    there.pose.rotation = rotation_of({0.0, 0.0, -2.6}) * there.pose.rotation;
    back.pose.rotation = rotation_of({0.0, 0.0, -2.0}) * there.pose.rotation;
    return planner.plan(q, {there, back}, there.limits);
  };
  const JointPlan refused = plan(FreeRotation::kNone);
  EXPECT_EQ(refused.failure().reason, RejectReason::kPlanPosition);
  EXPECT_NE(refused.remark.find("or a free_rotation, may keep the joint within"), std::string::npos)
      << refused.remark;
  const JointPlan advised = plan(FreeRotation::kZ);
  EXPECT_FALSE(advised.failure()) << to_string(advised.failure().reason) << advised.remark;
}

// Five joints -------------------------------------------------------------------------------------

struct DeskArm : FewJoints {
  /// @param pitch  of the tool at the start
  explicit DeskArm(double pitch)
      : FewJoints(testing::kDeskArm, {0.0, -0.9, 1.4, pitch - 0.5, 0.2}) {}
};

TEST(DeskArmPath, GoesSidewaysWithItsPitchAndRollWhileItsYawIsFree) {
  DeskArm arm(0.6);
  const ToolWaypoint to = arm.moved({0.0, 0.15, 0.0});
  const Placement from = arm.tip(arm.start);
  const auto by_hand = testing::desk_arm_tip(0.0, -0.9, 1.4, 0.1);
  for (int i = 0; i < 3; ++i) ASSERT_NEAR(from.position[i], by_hand[i], 1e-12);
  const JointPlan plan = arm.plan(FreeRotation::kZ, {to});
  expect_each(plan, [&](const std::vector<double>& q) {
    const auto tip = testing::desk_arm_tip(q[0], q[1], q[2], q[3]);
    ASSERT_NEAR(tip[0], from.position.x(), kTenthOfMm);
    ASSERT_NEAR(tip[2], from.position.z(), kTenthOfMm);
    ASSERT_NEAR(q[0], std::atan2(tip[1], tip[0]), 1e-9);
    ASSERT_NEAR(q[1] + q[2] + q[3], 0.6, kHundredthOfDegree);
    ASSERT_NEAR(q[4], 0.2, kHundredthOfDegree);
  });
  EXPECT_NEAR(joints_at(plan, plan.duration())[0], std::atan2(0.15, from.position.x()), 1e-5);
}

TEST(DeskArmPath, HeldWholeItIsRefusedWithTheRotationItsAngleAndTheWord) {
  DeskArm arm(0.0);
  const ToolWaypoint to = arm.moved({0.0, 0.15, 0.0});
  const JointPlan plan = arm.plan(FreeRotation::kNone, {to});
  EXPECT_EQ(plan.failure().reason, RejectReason::kPlanReach);
  EXPECT_EQ(plan.failure().waypoint, 1);
  const double yaw = std::atan2(0.15, to.pose.position.x());
  const std::string angle = std::to_string(yaw).substr(0, 5);
  EXPECT_NE(plan.remark.find("its 5 joints can't hold the rotation about z of the frame there: it "
                             "would turn by " +
                             angle),
            std::string::npos)
      << plan.remark << ", and by hand " << yaw;
  EXPECT_NE(plan.remark.find("\"free_rotation: z\" leaves it free"), std::string::npos)
      << plan.remark;
}

// By hand, with pitch p and yaw w: R0 Rz(θ) = Rz(w) Ry(p') Rx(r) has tan p' = tan p cos w and
// sin θ = sin w cos p'. That is less than the yaw itself.
TEST(DeskArmPath, InclinedItIsAdvisedTheAxisThatTurnsItLeast) {
  DeskArm arm(0.6);
  arm.start[4] = 0.0;
  const ToolWaypoint to = arm.moved({0.0, 0.15, 0.0});
  const JointPlan plan = arm.plan(FreeRotation::kNone, {to});
  const double yaw = std::atan2(0.15, to.pose.position.x());
  const double pitch = std::atan(std::tan(0.6) * std::cos(yaw));
  const double theta = std::asin(std::sin(yaw) * std::cos(pitch));
  ASSERT_LT(theta, yaw);
  const std::string angle = std::to_string(theta).substr(0, 5);
  EXPECT_NE(plan.remark.find("z of the tool there: it would turn by " + angle), std::string::npos)
      << plan.remark << ", and by hand " << theta;
  EXPECT_FALSE(arm.plan(FreeRotation::kToolZ, {to}).failure());
}

TEST(DeskArmPath, IsExactWithNothingFreeWhereItsJointsCan) {
  // Straight down the roll is about the vertical, and takes back what the waist turns.
  DeskArm arm(0.5 * M_PI);
  const ToolWaypoint to = arm.moved({0.05, 0.12, -0.03}, {0.0, 0.0, 0.4});
  const Placement from = arm.tip(arm.start);
  const JointPlan plan = arm.plan(FreeRotation::kNone, {to});
  expect_each(plan, [&](const std::vector<double>& q) {
    const Placement at = arm.tip(q);
    ASSERT_LT(off_line(at, from, to.pose), kTenthOfMm);
    const double share = (at.position.y() - from.position.y()) / 0.12;
    ASSERT_NEAR(q[0] - (q[4] - 0.2), 0.4 * share, kHundredthOfDegree);
    ASSERT_NEAR(q[1] + q[2] + q[3], 0.5 * M_PI, kHundredthOfDegree);
  });
  // A pose that doesn't fit to the last digit fits, too; one that doesn't fit at all is told.
  arm.start[3] += 2e-6;
  EXPECT_FALSE(arm.plan(FreeRotation::kNone, {arm.moved({0.0, 0.1, 0.0})}).failure());
  arm.start[3] += 2e-3;
  EXPECT_EQ(arm.plan(FreeRotation::kNone, {arm.moved({0.0, 0.1, 0.0})}).failure().reason,
            RejectReason::kPlanReach);
}

TEST(DeskArmPath, InItsOwnPlaneItKeepsEverything) {
  DeskArm arm(0.3);
  const ToolWaypoint to = arm.moved({0.08, 0.0, -0.1}, {0.0, 0.2, 0.0});
  const Placement from = arm.tip(arm.start);
  const JointPlan plan = arm.plan(FreeRotation::kNone, {to});
  expect_each(plan, [&](const std::vector<double>& q) {
    ASSERT_LT(off_line(arm.tip(q), from, to.pose), kTenthOfMm);
    ASSERT_NEAR(q[0], 0.0, 1e-6);
    ASSERT_NEAR(q[4], 0.2, 1e-5);
  });
}

TEST(DeskArmPath, PassesCornersAndKeepsTheBoundsOfTheFreeRotationToo) {
  DeskArm arm(0.5);
  ToolWaypoint one = arm.moved({0.0, 0.1, 0.0});
  one.corner_distance = 0.03;
  ToolWaypoint two = arm.moved({0.0, 0.1, 0.1});
  ToolWaypoint three = arm.moved({-0.1, -0.1, 0.1});
  for (ToolWaypoint* to : {&one, &two, &three}) to->limits = {0.3, 2.0, 0.5, 4.0};
  const JointPlan plan = arm.plan(FreeRotation::kZ, {one, two, three});
  double fastest = 0.0;
  double before = 0.0;
  bool is_first = true;
  expect_each(plan, [&](const std::vector<double>& q) {
    if (!is_first) fastest = std::max(fastest, std::abs(q[0] - before) / 2e-3);
    is_first = false;
    before = q[0];
    ASSERT_NEAR(q[1] + q[2] + q[3], 0.5, kHundredthOfDegree);
  });
  EXPECT_LE(fastest, 0.5 * (1.0 + 1e-3));  // the waist's speed is that of the turn about z
  EXPECT_GT(fastest, 0.45);
}

TEST(DeskArmPath, GoesOnFromAMotionWithoutAStep) {
  DeskArm arm(0.4);
  const std::vector<double> v{0.3, 0.1, -0.1, 0.0, 0.0};
  const JointPlan plan = arm.plan(FreeRotation::kZ, {arm.moved({0.0, 0.15, 0.05})}, v);
  ASSERT_FALSE(plan.failure()) << plan.remark;
  std::vector<MotionState> states(5);
  JointPlan::Cursor cursor;
  plan.at(0.0, cursor, states);
  for (std::size_t j = 0; j < 5; ++j) {
    EXPECT_NEAR(states[j].q, arm.start[j], 1e-9);
    EXPECT_NEAR(states[j].v, v[j], 1e-6);
  }
}

TEST(DeskArmPath, AStretchedArmIsRefusedByItsSingularValue) {
  DeskArm arm(0.0);
  // All links lie straight at 0.65 m from the shoulder.
  const Placement from = arm.tip(arm.start);
  const Eigen::Vector3d end(0.6499, 0.0, 0.2);
  const JointPlan plan = arm.plan(FreeRotation::kZ, {arm.moved(end - from.position)});
  EXPECT_EQ(plan.failure().reason, RejectReason::kPlanSingular)
      << to_string(plan.failure().reason) << plan.remark;
}

TEST(DeskArmPath, RandomLinesStayOnTheirLineOrAreRefused) {
  std::mt19937 random(11);  // NOLINT: equal each time
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  int planned = 0;
  for (int k = 0; k < 60; ++k) {
    DeskArm arm(0.9 * any(random));
    arm.start[0] = any(random);
    const Placement from = arm.tip(arm.start);
    const ToolWaypoint to = arm.moved({0.12 * any(random), 0.25 * any(random), 0.12 * any(random)});
    const double pitch = arm.start[1] + arm.start[2] + arm.start[3];
    const JointPlan plan = arm.plan(FreeRotation::kZ, {to});
    if (plan.failure()) continue;
    ++planned;
    expect_each(plan, [&](const std::vector<double>& q) {
      ASSERT_LT(off_line(arm.tip(q), from, to.pose), kTenthOfMm) << k;
      ASSERT_NEAR(q[1] + q[2] + q[3], pitch, kHundredthOfDegree) << k;
      ASSERT_NEAR(q[4], 0.2, kHundredthOfDegree) << k;
    });
  }
  EXPECT_GT(planned, 45);
}

// Fewer -------------------------------------------------------------------------------------------

TEST(ScaraPath, IsExactWithItsTiltHeldByNoJoint) {
  FewJoints arm(testing::kScara, {0.4, 0.9, 0.0, 0.3});
  const ToolWaypoint to = arm.moved({-0.05, 0.12, 0.08}, {0.0, 0.0, -0.7});
  const Placement from = arm.tip(arm.start);
  const JointPlan plan = arm.plan(FreeRotation::kNone, {to});
  expect_each(plan, [&](const std::vector<double>& q) {
    const Placement at = arm.tip(q);
    ASSERT_LT(off_line(at, from, to.pose), kTenthOfMm);
    const auto by_hand = testing::by_hand(at.position.x(), at.position.y(), 1.0);
    ASSERT_NEAR(q[0], by_hand[0], 1e-9);
    ASSERT_NEAR(q[1], by_hand[1], 1e-9);
    const double share = (at.position.z() - from.position.z()) / 0.08;
    ASSERT_NEAR(q[0] + q[1] + q[3], 1.6 - 0.7 * share, kHundredthOfDegree);
  });
}

TEST(ScaraPath, WithItsTurnFreeTheJointThatOnlyTurnsStays) {
  FewJoints arm(testing::kScara, {0.4, 0.9, 0.0, 0.3});
  const ToolWaypoint to = arm.moved({-0.05, 0.12, 0.08});
  for (const FreeRotation free : {FreeRotation::kZ, FreeRotation::kToolZ, FreeRotation::kAll}) {
    SCOPED_TRACE(std::string(to_string(free)));
    const JointPlan plan = arm.plan(free, {to});
    expect_each(plan, [&](const std::vector<double>& q) { ASSERT_NEAR(q[3], 0.3, 1e-6); });
  }
}

TEST(ScaraPath, AWayThatOnlyTurnsAboutTheFreeAxisTakesNoTime) {
  FewJoints arm(testing::kScara, {0.4, 0.9, 0.0, 0.2});
  const Placement from = arm.tip(arm.start);
  ToolWaypoint turned = arm.moved({}, {0.0, 0.0, 1.0});
  const JointPlan stands = arm.plan(FreeRotation::kToolZ, {turned});
  ASSERT_FALSE(stands.failure()) << to_string(stands.failure().reason) << ": " << stands.remark;
  EXPECT_LT(stands.duration(), 0.01);
  expect_each(stands, [&](const std::vector<double>& q) {
    for (std::size_t j = 0; j < q.size(); ++j) EXPECT_NEAR(q[j], arm.start[j], 1e-9);
  });
  // On the way to another place it costs nothing: to go, turn and go on lasts as long as to go
  // twice.
  ToolWaypoint near = arm.moved({-0.05, 0.05, 0.0});
  ToolWaypoint turned_there = near;
  turned_there.pose.rotation = rotation_of({0.0, 0.0, 1.0}) * from.rotation;
  ToolWaypoint away = arm.moved({-0.1, 0.0, 0.0});
  away.pose.rotation = turned_there.pose.rotation;
  const JointPlan with = arm.plan(FreeRotation::kToolZ, {near, turned_there, away});
  const JointPlan without = arm.plan(FreeRotation::kToolZ, {near, away});
  ASSERT_FALSE(with.failure()) << to_string(with.failure().reason) << ": " << with.remark;
  ASSERT_FALSE(without.failure()) << without.remark;
  EXPECT_NEAR(with.duration(), without.duration(), 0.01);
  expect_each(with, [&](const std::vector<double>& q) {
    EXPECT_LT(
        std::min(off_line(arm.tip(q), from, near.pose), off_line(arm.tip(q), near.pose, away.pose)),
        kTenthOfMm);
  });
}

TEST(ScaraPath, ATiltIsRefusedWithItsAxis) {
  FewJoints arm(testing::kScara, {0.4, 0.9, 0.0, 0.3});
  const JointPlan plan =
      arm.plan(FreeRotation::kNone, {arm.moved({0.0, 0.05, 0.0}, {0.3, 0.0, 0.0})});
  EXPECT_EQ(plan.failure().reason, RejectReason::kPlanReach);
  EXPECT_NE(plan.remark.find("its 4 joints can't hold the rotation about x of the frame there: it "
                             "would turn by 0.3 rad (17.19°)"),
            std::string::npos)
      << plan.remark;
}

TEST(TwoLinkPath, FollowsALineInItsPlaneWithItsPositionAlone) {
  const auto begin = testing::by_hand(0.4, 0.2, 1.0);
  FewJoints arm(testing::kTwoLinks, {begin[0], begin[1]});
  const ToolWaypoint to = arm.moved({0.1, -0.3, 0.0});
  const JointPlan plan = arm.plan(FreeRotation::kAll, {to});
  expect_each(plan, [&](const std::vector<double>& q) {
    const double x = 0.4 * std::cos(q[0]) + 0.3 * std::cos(q[0] + q[1]);
    const double y = 0.4 * std::sin(q[0]) + 0.3 * std::sin(q[0] + q[1]);
    ASSERT_NEAR((x - 0.4) * -0.3 - (y - 0.2) * 0.1, 0.0, kTenthOfMm * 0.3);
  });
  // Out of its plane nothing helps, and nothing is advised.
  const JointPlan lifted = arm.plan(FreeRotation::kNone, {arm.moved({0.0, 0.0, 0.1})});
  EXPECT_EQ(lifted.failure().reason, RejectReason::kPlanReach);
  EXPECT_EQ(lifted.remark.find("free_rotation"), std::string::npos) << lifted.remark;
  // In its plane, held, its links turn the tip about z.
  const JointPlan held = arm.plan(FreeRotation::kNone, {to});
  EXPECT_NE(held.remark.find("\"free_rotation: z\""), std::string::npos) << held.remark;
}

// Seven -------------------------------------------------------------------------------------------

TEST(FrankaPath, WithAFreeAxisItsJointsMoveLessAndTheAxisIsHeld) {
  const RobotConfig robot = app::load_robot(harness::find_robot("franka")).config;
  const KinematicTree tree(robot);
  const ArmConfig& arm = robot.arms[0];
  const FramePair frames = tool_task(tree, arm).frames;
  const std::vector<double> start = start_positions(robot);
  FrameKinematics kinematics(tree, {frames}, arm.joints);
  kinematics.update(start);
  const Placement from = kinematics.pose(0);
  ToolWaypoint to;
  to.pose = {from.position + Eigen::Vector3d(0.1, 0.2, -0.1),
             rotation_of({0.0, 0.0, 0.9}) * rotation_of({0.2, 0.1, 0.0}) * from.rotation};
  const auto way = [&](FreeRotation free, bool looks) {
    ToolTrajectoryOptions options;
    options.free = free;
    ToolTrajectory planner(robot, tree, frames, arm.joints, options);
    const JointPlan plan = planner.plan(start, {to}, to.limits);
    EXPECT_FALSE(plan.failure()) << plan.remark;
    if (plan.failure()) return 0.0;
    std::vector<double> q = start;
    for (double t = 0.0; looks && t <= plan.duration(); t += 5e-3) {
      const std::vector<double> moved = joints_at(plan, t);
      for (std::size_t j = 0; j < moved.size(); ++j) q[plan.joints()[j]] = moved[j];
      kinematics.update(q);
      const Placement& at = kinematics.pose(0);
      EXPECT_LT(off_line(at, from, to.pose), kTenthOfMm);
      const double share = (at.position - from.position).norm() / std::sqrt(0.06);
      const Eigen::Quaterniond turn =
          Eigen::Quaterniond(from.rotation).slerp(share, Eigen::Quaterniond(to.pose.rotation));
      const Eigen::Vector3d axis = turn.toRotationMatrix().col(2);
      EXPECT_LT(std::acos(std::min(1.0, axis.dot(at.rotation.col(2)))), 2.0 * kHundredthOfDegree);
    }
    const std::vector<double> end = joints_at(plan, plan.duration());
    double squares = 0.0;
    for (std::size_t j = 0; j < end.size(); ++j) {
      squares += (end[j] - start[plan.joints()[j]]) * (end[j] - start[plan.joints()[j]]);
    }
    return squares;
  };
  const double held = way(FreeRotation::kNone, false);
  const double free = way(FreeRotation::kToolZ, true);
  EXPECT_GT(free, 0.0);
  EXPECT_LT(free, 0.9 * held);
}

// Velocities --------------------------------------------------------------------------------------

TEST(DeskArmDrive, GoesSidewaysWithItsYawFreeAndNowhereWithItHeld) {
  DeskArm arm(0.5);
  Vector6 twist = Vector6::Zero();
  twist[1] = 0.05;
  for (const FreeRotation free : {FreeRotation::kNone, FreeRotation::kZ}) {
    IkTask task;
    task.frames = arm.frames();
    task.free = free;
    CartesianDrive drive(arm.robot, arm.tree, task, arm.joints);
    drive.start(arm.start, std::vector<double>(5, 0.0));
    double share = 0.0;
    for (int i = 0; i < 2000; ++i) share = drive.drive(twist, false, 1e-3);
    const Placement from = arm.tip(arm.start);
    const auto tip = testing::desk_arm_tip(drive.q()[0], drive.q()[1], drive.q()[2], drive.q()[3]);
    EXPECT_NEAR(tip[0], from.position.x(), 1e-5);
    EXPECT_NEAR(tip[2], from.position.z(), 1e-5);
    EXPECT_NEAR(drive.q()[1] + drive.q()[2] + drive.q()[3], 0.5, 1e-6);
    if (free == FreeRotation::kNone) {
      EXPECT_LT(share, 0.01);
      EXPECT_NEAR(tip[1], 0.0, 1e-4);
    } else {
      EXPECT_EQ(share, 1.0);
      EXPECT_NEAR(tip[1], 0.1, 2e-3);  // but for the start
    }
  }
}

// The desk arm's yaw goes with its waist, and its roll turns about x of the tool alone. A SCARA's
// tool stands upright in any posture: it holds its tilt by itself.
TEST(FewJointsDrive, KnowsBesideWhichRotationItsJointsHoldTheOthers) {
  const DeskArm desk(0.5);
  IkTask task;
  task.frames = desk.frames();
  const CartesianDrive of_desk(desk.robot, desk.tree, task, desk.joints);
  for (const ToolFrame frame : {ToolFrame::kBase, ToolFrame::kWorld}) {
    EXPECT_FALSE(of_desk.can_hold(FreeRotation::kNone, frame));
    EXPECT_FALSE(of_desk.can_hold(FreeRotation::kToolX, frame));
    EXPECT_TRUE(of_desk.can_hold(FreeRotation::kZ, frame));
    EXPECT_TRUE(of_desk.can_hold(FreeRotation::kToolZ, frame));
    EXPECT_TRUE(of_desk.can_hold(FreeRotation::kAll, frame));
  }
  EXPECT_EQ(of_desk.led(FreeRotation::kNone), FreeRotation::kAll);
  EXPECT_EQ(of_desk.led(FreeRotation::kZ), FreeRotation::kZ);

  const FewJoints scara(testing::kScara, {0.4, 0.9, 0.0, 0.3});
  task.frames = scara.frames();
  const CartesianDrive of_scara(scara.robot, scara.tree, task, scara.joints);
  EXPECT_TRUE(of_scara.can_hold(FreeRotation::kNone, ToolFrame::kBase));
  EXPECT_TRUE(of_scara.can_hold(FreeRotation::kZ, ToolFrame::kBase));
  EXPECT_EQ(of_scara.led(FreeRotation::kNone), FreeRotation::kNone);
}

// From the place alone to a free yaw, at speed: no joint changes its speed by more than its a_max.
TEST(DeskArmDrive, ChangesItsFreeRotationOnTheWay) {
  DeskArm arm(0.5);
  IkTask task;
  task.frames = arm.frames();
  task.free = FreeRotation::kAll;
  CartesianDrive drive(arm.robot, arm.tree, task, arm.joints);
  drive.start(arm.start, std::vector<double>(5, 0.0));
  Vector6 twist = Vector6::Zero();
  twist[1] = 0.05;
  std::vector<double> v(5, 0.0);
  const auto go = [&](int cycles) {
    double share = 0.0;
    for (int i = 0; i < cycles; ++i) {
      share = drive.drive(twist, false, 1e-3);
      for (std::size_t j = 0; j < 5; ++j) {
        const double a_max = arm.robot.joints[j].limits.a_max;
        EXPECT_LE(std::abs(drive.v()[j] - v[j]) / 1e-3, a_max * (1.0 + 1e-6)) << j;
      }
      v = drive.v();
    }
    return share;
  };
  const auto pitch = [&] { return drive.q()[1] + drive.q()[2] + drive.q()[3]; };
  go(500);
  drive.set_free(FreeRotation::kZ, ToolFrame::kBase);
  EXPECT_EQ(go(300), 1.0);  // what still turned has come to rest
  const double held = pitch();
  const double roll = drive.q()[4];
  EXPECT_EQ(go(500), 1.0);
  EXPECT_NEAR(pitch(), held, 1e-6);
  EXPECT_NEAR(drive.q()[4], roll, 1e-6);
}

}  // namespace
}  // namespace jointrig
