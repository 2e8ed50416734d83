#include "control/planning/tool_trajectory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>
#include <string>

#include "app/rig/robot_loading.h"
#include "control/laws/tool_error.h"
#include "control/model/robot_model.h"
#include "control/planning/arm_tasks.h"
#include "control/planning/path_collision.h"
#include "harness/config/robot_file.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

constexpr double kDegree = M_PI / 180.0;
constexpr double kMilli = 1e-3;

/// An arm, and where its tool is by MuJoCo.
struct Arm {
  explicit Arm(const char* name)
      : robot(app::load_robot(harness::find_robot(name)).config),
        tree(robot),
        model(robot),
        start(start_positions(robot)),
        planner(robot, tree, {tree.find_frame(robot.arms[0].tool), {}}, robot.arms[0].joints) {}

  Placement tool(const std::vector<double>& q) {
    RobotState state;
    state.joints.resize(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) state.joints[i].q = q[i];
    model.update(state);
    const FramePose pose = model.pose(model.find_frame(robot.arms[0].tool));
    return {pose.position, pose.rotation};
  }

  /// The tool at t of a plan.
  Placement tool_on(const JointPlan& plan, double t) {
    std::vector<MotionState> states(plan.joints().size());
    plan.at(t, cursor, states);
    std::vector<double> q = start;
    for (std::size_t j = 0; j < states.size(); ++j) q[plan.joints()[j]] = states[j].q;
    return tool(q);
  }

  JointPlan plan(const std::vector<ToolWaypoint>& waypoints) {
    return planner.plan(start, waypoints, {10.0, 100.0, 10.0, 100.0});
  }

  ToolWaypoint moved(const Placement& from, const Eigen::Vector3d& by,
                     const Eigen::Vector3d& turn = Eigen::Vector3d::Zero()) const {
    ToolWaypoint to;
    to.pose = {from.position + by, rotation_of(turn) * from.rotation};
    return to;
  }

  RobotConfig robot;
  KinematicTree tree;
  RobotModel model;
  std::vector<double> start;
  ToolTrajectory planner;
  JointPlan::Cursor cursor;
};

/// Distance of a pose from a way, and of its turn from that which belongs to its place.
void expect_on_way(const Placement& at, const Placement& from, const Placement& to) {
  const Eigen::Vector3d way = to.position - from.position;
  const double share =
      std::clamp(way.dot(at.position - from.position) / way.squaredNorm(), 0.0, 1.0);
  ASSERT_LT((at.position - from.position - share * way).norm(), 0.1 * kMilli);
  const Eigen::Quaterniond turn =
      Eigen::Quaterniond(from.rotation).slerp(share, Eigen::Quaterniond(to.rotation));
  ASSERT_LT(rotation_vector(turn.toRotationMatrix().transpose() * at.rotation).norm(),
            0.01 * kDegree);
}

TEST(ToolTrajectory, KeepsTheToolOnStraightWaysWithinATenthOfAMillimetre) {
  Arm arm("franka");
  const Placement from = arm.tool(arm.start);
  const ToolWaypoint one = arm.moved(from, {0.1, 0.2, -0.15}, {0.2, -0.3, 0.4});
  const ToolWaypoint two = arm.moved(one.pose, {-0.15, -0.3, 0.05}, {-0.3, 0.1, 0.0});
  const JointPlan plan = arm.plan({one, two});
  ASSERT_FALSE(plan.failure()) << to_string(plan.failure().reason) << plan.remark;
  ASSERT_EQ(plan.waypoints().size(), 2U);
  for (double t = 0.0; t <= plan.duration(); t += 2e-3) {
    const bool is_first = t <= plan.waypoints()[0];
    expect_on_way(arm.tool_on(plan, t), is_first ? from : one.pose, is_first ? one.pose : two.pose);
  }
}

TEST(ToolTrajectory, TakesAStraightWayInTheTimeOfATrapezoid) {
  Arm arm("franka");
  ToolWaypoint to = arm.moved(arm.tool(arm.start), {0.0, 0.3, 0.0});
  to.limits = {0.2, 0.8, 10.0, 100.0};
  const JointPlan plan = arm.plan({to});
  ASSERT_FALSE(plan.failure());
  const double trapezoid = 0.3 / 0.2 + 0.2 / 0.8;  // L/v + v/a
  EXPECT_GE(plan.duration(), trapezoid);
  EXPECT_LE(plan.duration(), 1.01 * trapezoid);
}

TEST(ToolTrajectory, TurnsOnTheSpotInTheTimeOfATrapezoid) {
  Arm arm("franka");
  ToolWaypoint to = arm.moved(arm.tool(arm.start), Eigen::Vector3d::Zero(), {0.0, 0.0, 0.8});
  to.limits = {10.0, 100.0, 0.5, 2.0};
  const JointPlan plan = arm.plan({to});
  ASSERT_FALSE(plan.failure());
  const double trapezoid = 0.8 / 0.5 + 0.5 / 2.0;
  EXPECT_GE(plan.duration(), trapezoid);
  EXPECT_LE(plan.duration(), 1.01 * trapezoid);
}

TEST(ToolTrajectory, PassesACornerOnAnArcThatBeginsAtTheCornerDistance) {
  Arm arm("franka");
  const Placement from = arm.tool(arm.start);
  ToolWaypoint one = arm.moved(from, {0.0, 0.2, 0.0}, {0.0, 0.2, 0.0});
  one.corner_distance = 0.05;
  const ToolWaypoint two = arm.moved(one.pose, {0.0, 0.0, -0.2}, {0.3, 0.0, 0.0});
  const JointPlan plan = arm.plan({one, two});
  ASSERT_FALSE(plan.failure()) << to_string(plan.failure().reason) << plan.remark;
  double nearest = 1.0;
  double slowest = 1.0;
  Placement before = arm.tool_on(plan, 0.0);
  for (double t = 1e-3; t <= plan.duration(); t += 1e-3) {
    const Placement now = arm.tool_on(plan, t);
    const Eigen::Vector3d off = now.position - one.pose.position;
    nearest = std::min(nearest, off.norm());
    // At a right corner the arc's radius is the corner distance.
    const double along_first = -off.y();
    const double along_second = -off.z();
    if (along_first > 0.05) {
      ASSERT_LT(std::hypot(off.x(), off.z()), 0.1 * kMilli);
    } else if (along_second > 0.05) {
      ASSERT_LT(std::hypot(off.x(), off.y()), 0.1 * kMilli);
    } else {
      const double radius = std::hypot(off.y() + 0.05, off.z() + 0.05);
      ASSERT_NEAR(radius, 0.05, 0.1 * kMilli);
    }
    if (off.norm() < 0.05) {
      slowest = std::min(slowest, (now.position - before.position).norm() / 1e-3);
    }
    before = now;
  }
  EXPECT_NEAR(nearest, (std::sqrt(2.0) - 1.0) * 0.05, 0.1 * kMilli);
  EXPECT_GT(slowest, 0.1);  // it doesn't stop
}

TEST(ToolTrajectory, KeepsEveryBoundAndIsAlwaysAtOne) {
  Arm arm("franka");
  const Placement from = arm.tool(arm.start);
  ToolWaypoint one = arm.moved(from, {0.05, 0.25, 0.0}, {0.0, 0.5, 0.3});
  one.corner_distance = 0.04;
  one.limits = {0.4, 1.5, 1.2, 5.0};
  ToolWaypoint two = arm.moved(one.pose, {0.1, -0.1, -0.2}, {0.4, 0.0, -0.5});
  two.corner_distance = 0.03;
  two.limits = {0.6, 2.0, 0.8, 3.0};
  ToolWaypoint three = arm.moved(two.pose, {-0.1, -0.3, 0.1}, {0.0, -0.6, 0.0});
  three.limits = {0.4, 1.5, 1.2, 5.0};
  three.speed_ratio = 0.3;
  const std::vector<ToolWaypoint> waypoints{one, two, three};
  const JointPlan plan = arm.plan(waypoints);
  ASSERT_FALSE(plan.failure()) << to_string(plan.failure().reason) << plan.remark;

  constexpr double kStep = 1e-3;
  int idle = 0;
  int samples = 0;
  std::vector<MotionState> states(plan.joints().size());
  JointPlan::Cursor cursor;
  for (double t = kStep; t < plan.duration() - kStep; t += kStep) {
    const Placement a = arm.tool_on(plan, t - kStep);
    const Placement b = arm.tool_on(plan, t);
    const Placement c = arm.tool_on(plan, t + kStep);
    std::size_t k = 0;
    while (plan.waypoints()[k] < t) ++k;
    // A difference reaches over the waypoint: the larger bounds of both count there.
    const auto near = [&](double at) { return std::abs(t - at) <= 2.0 * kStep; };
    const bool is_at_change = near(plan.waypoints()[0]) || near(plan.waypoints()[1]);
    const ToolLimits& limits = waypoints[k].limits;
    const Eigen::Vector3d v = (c.position - a.position) / (2.0 * kStep);
    const Eigen::Vector3d rate = (c.position - 2.0 * b.position + a.position) / (kStep * kStep);
    const Eigen::Vector3d w1 = rotation_vector(b.rotation * a.rotation.transpose()) / kStep;
    const Eigen::Vector3d w2 = rotation_vector(c.rotation * b.rotation.transpose()) / kStep;
    double used =
        std::max({v.norm() / limits.linear_speed, rate.norm() / limits.linear_acceleration,
                  (0.5 * (w1 + w2)).norm() / limits.rotational_speed,
                  ((w2 - w1) / kStep).norm() / limits.rotational_acceleration});
    plan.at(t, cursor, states);
    for (std::size_t j = 0; j < states.size(); ++j) {
      const JointLimits& of = arm.robot.joints[plan.joints()[j]].limits;
      used = std::max({used, std::abs(states[j].v) / (waypoints[k].speed_ratio * of.v_max),
                       std::abs(states[j].a) / of.a_max});
    }
    if (!is_at_change) {
      ASSERT_LE(used, 1.001) << "at " << t << " of " << plan.duration();
    }
    ++samples;
    if (used < 0.95) ++idle;
  }
  EXPECT_LT(idle, samples / 50) << "of " << samples;
}

TEST(ToolTrajectory, TellsHowFarItIsAndEndsWhenItIsCancelled) {
  Arm arm("franka");
  const Placement from = arm.tool(arm.start);
  const std::vector<ToolWaypoint> path{arm.moved(from, {0.1, 0.2, -0.15})};
  const ToolLimits most{10.0, 100.0, 10.0, 100.0};
  PlanWatch watch;
  const JointPlan plan = arm.planner.plan(arm.start, path, most, &watch);
  EXPECT_GT(watch.progress(), 0.95);
  EXPECT_LE(watch.progress(), 1.0);
  PlanWatch cancelled;
  cancelled.cancel();
  EXPECT_THROW(arm.planner.plan(arm.start, path, most, &cancelled), PlanCancelled);
  EXPECT_EQ(cancelled.progress(), 0.0);
  // Nothing of it is left in the next one.
  EXPECT_EQ(arm.plan(path).duration(), plan.duration());
}

TEST(ToolTrajectory, ComesBackToTheSameJointPositionsWithTheTool) {
  Arm arm("franka");
  const Placement from = arm.tool(arm.start);
  const ToolWaypoint one = arm.moved(from, {0.1, 0.3, 0.0});
  const ToolWaypoint two = arm.moved(one.pose, {0.0, -0.1, -0.2}, {0.0, 0.4, 0.0});
  ToolWaypoint home;
  home.pose = from;
  const JointPlan plan = arm.plan({one, two, home});
  ASSERT_FALSE(plan.failure()) << to_string(plan.failure().reason) << plan.remark;
  std::vector<MotionState> end(plan.joints().size());
  plan.at(plan.duration(), arm.cursor, end);
  for (std::size_t j = 0; j < end.size(); ++j) {
    EXPECT_NEAR(end[j].q, arm.start[plan.joints()[j]], 1e-6);
  }
}

TEST(ToolTrajectory, LeadsTheElbowToAPostureWithoutMovingTheToolFromItsPath) {
  Arm arm("franka");
  const Placement from = arm.tool(arm.start);
  ToolWaypoint to = arm.moved(from, {0.0, 0.2, 0.0});
  const JointPlan plain = arm.plan({to});
  to.posture.assign(7, std::nan(""));
  to.posture[2] = 0.8;
  const JointPlan plan = arm.plan({to});
  ASSERT_FALSE(plan.failure()) << to_string(plan.failure().reason) << plan.remark;
  std::vector<MotionState> end(7);
  std::vector<MotionState> other(7);
  plan.at(plan.duration(), arm.cursor, end);
  plain.at(plain.duration(), arm.cursor, other);
  EXPECT_LT(std::abs(end[2].q - 0.8), 0.7 * std::abs(other[2].q - 0.8));
  for (double t = 0.0; t <= plan.duration(); t += 5e-3) {
    expect_on_way(arm.tool_on(plan, t), from, to.pose);
  }
}

TEST(ToolTrajectory, SaysWhichBoundIsAboveItsLimit) {
  Arm arm("franka");
  ToolWaypoint to = arm.moved(arm.tool(arm.start), {0.0, 0.1, 0.0});
  to.limits.rotational_speed = 11.0;
  const PlanFailure fast = arm.plan({to}).failure();
  EXPECT_EQ(fast.reason, RejectReason::kBadPlan);
  EXPECT_EQ(fast.quantity, PlanQuantity::kRotationalSpeed);
  EXPECT_EQ(fast.value, 11.0);
  EXPECT_EQ(fast.limit, 10.0);
  EXPECT_EQ(fast.waypoint, 1);
  to.limits.rotational_speed = 1.0;
  to.corner_distance = -0.1;
  EXPECT_EQ(arm.plan({to}).failure().quantity, PlanQuantity::kCornerDistance);
  EXPECT_EQ(arm.plan({}).failure().reason, RejectReason::kBadPlan);
}

TEST(ToolTrajectory, EndsWhereTheArmEndsWithWhatIsLeft) {
  Arm arm("franka");
  const Placement from = arm.tool(arm.start);
  const ToolWaypoint near = arm.moved(from, {0.0, 0.05, 0.0});
  const ToolWaypoint far = arm.moved(near.pose, {1.0, 0.0, 0.0});
  const JointPlan plan = arm.plan({near, far});
  EXPECT_EQ(plan.failure().waypoint, 2);
  const RejectReason why = plan.failure().reason;
  // Its last joints meet their limits, or the elbow stretches.
  EXPECT_TRUE(why == RejectReason::kPlanReach || why == RejectReason::kPlanSingular ||
              why == RejectReason::kPlanPosition)
      << to_string(why);
  EXPECT_NE(plan.remark.find("% of the path"), std::string::npos);
}

TEST(ToolTrajectory, NamesTheJointThatWouldHaveToJump) {
  // No sampling is dense enough for a step as small as this.
  Arm arm("franka");
  ToolTrajectoryOptions options;
  options.jump = 1e-7;
  ToolTrajectory planner(arm.robot, arm.tree, {arm.tree.find_frame(arm.robot.arms[0].tool), {}},
                         arm.robot.arms[0].joints, options);
  const ToolWaypoint to = arm.moved(arm.tool(arm.start), {0.0, 0.01, 0.0});
  const PlanFailure failure = planner.plan(arm.start, {to}, to.limits).failure();
  EXPECT_EQ(failure.reason, RejectReason::kPlanJump);
  EXPECT_NE(failure.joint, kNoJoint);
  EXPECT_GT(failure.value, 1e-7);
  EXPECT_EQ(failure.limit, 1e-7);
}

/// Three axes for the place, three that meet in the tool for its turn: singular where `bend` is 0.
constexpr const char* kRoundWrist = R"(
<mujoco model="round wrist">
  <compiler angle="radian"/>
  <worldbody>
    <body name="waist">
      <joint name="waist" axis="0 0 1"/>
      <geom size="0.05" mass="2"/>
      <body name="upper" pos="0 0 0.3">
        <joint name="shoulder" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="2"/>
        <body name="fore" pos="0.4 0 0">
          <joint name="elbow" axis="0 1 0"/>
          <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/>
          <body name="roll" pos="0.3 0 0">
            <joint name="roll" axis="1 0 0"/>
            <geom size="0.02" mass="0.2"/>
            <body name="bend">
              <joint name="bend" axis="0 1 0"/>
              <geom size="0.02" mass="0.2"/>
              <body name="turn">
                <joint name="turn" axis="1 0 0"/>
                <geom size="0.02" mass="0.2"/>
                <site name="tool"/>
              </body>
            </body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="waist" ctrlrange="-40 40"/> <motor joint="shoulder" ctrlrange="-40 40"/>
    <motor joint="elbow" ctrlrange="-40 40"/> <motor joint="roll" ctrlrange="-9 9"/>
    <motor joint="bend" ctrlrange="-9 9"/> <motor joint="turn" ctrlrange="-9 9"/>
  </actuator>
</mujoco>)";

TEST(ToolTrajectory, FindsASingularPoseBetweenTwoOfItsSamples) {
  const odd::TempModel file(kRoundWrist);
  const RobotConfig robot = discover(file.path()).config;
  const KinematicTree tree(robot);
  ToolTrajectoryOptions options;
  options.singular_value = 1e-4;  // a thousandth of what a sample meets
  ToolTrajectory planner(robot, tree, {tree.find_frame("tool"), {}}, {0, 1, 2, 3, 4, 5}, options);
  RobotModel model(robot);
  const std::vector<double> start{0.0, -0.7, 1.3, 0.0, -0.31, 0.0};
  RobotState state;
  state.joints.resize(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) state.joints[i].q = start[i];
  model.update(state);
  const FramePose tool = model.pose(model.find_frame("tool"));
  // A turn about the axis of `bend`, which only that joint can give, from -0.31 rad to 0.27 rad.
  ToolWaypoint to;
  to.pose = {tool.position, rotation_of({0.0, 0.58, 0.0}) * tool.rotation};
  const JointPlan plan = planner.plan(start, {to}, {1.0, 10.0, 1.0, 10.0});
  EXPECT_EQ(plan.failure().reason, RejectReason::kPlanSingular) << plan.remark;
  EXPECT_EQ(plan.failure().waypoint, 1);
  EXPECT_LT(plan.failure().value, 1e-4);
  EXPECT_NEAR(planner.least_singular_value(), plan.failure().value, 1e-15);
  // It says what to free, and that leads through.
  for (const FreeRotation free : kAllFreeRotation) {
    if (plan.remark.find("\"free_rotation: " + std::string(to_string(free)) + "\"") ==
        std::string::npos) {
      continue;
    }
    options.free = free;
  }
  ASSERT_NE(options.free, FreeRotation::kNone) << plan.remark;
  ToolTrajectory advised(robot, tree, {tree.find_frame("tool"), {}}, {0, 1, 2, 3, 4, 5}, options);
  const JointPlan through = advised.plan(start, {to}, {1.0, 10.0, 1.0, 10.0});
  EXPECT_FALSE(through.failure()) << through.remark;
}

RobotState at(const std::vector<double>& q) {
  RobotState state;
  state.joints.resize(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) state.joints[i].q = q[i];
  return state;
}

TEST(PathCollision, FindsTheFirstPlaceWhereAPathComesTooNear) {
  Arm arm("franka");
  PathCollision collision(arm.robot);
  const TrajectoryJoints joints = TrajectoryJoints::of(arm.robot, JointSet().set(1).set(3));
  const TrajectoryStart start{{arm.start[1], arm.start[3]}, {}};
  // The hand goes down into the ground.
  const JointPlan down = plan_through(joints, start, {{{1.6, arm.start[3]}}});
  ASSERT_FALSE(down.failure());
  const auto meeting = collision.first_on(down, at(arm.start));
  ASSERT_TRUE(meeting);
  EXPECT_GT(meeting->share, 0.1);
  EXPECT_LT(meeting->share, 1.0);
  EXPECT_LT(meeting->distance, meeting->clearance);
  EXPECT_GT(meeting->distance, meeting->clearance - PathCollision::kThickness);
  const JointPlan refused = collision.checked(down, at(arm.start));
  EXPECT_EQ(refused.failure().reason, RejectReason::kPlanCollision);
  EXPECT_NE(refused.remark.find(meeting->a), std::string::npos);
  // A part of the way that ends before is free.
  const double part = arm.start[1] + 0.9 * meeting->share * (1.6 - arm.start[1]);
  const JointPlan before = plan_through(joints, start, {{{part, arm.start[3]}}});
  EXPECT_FALSE(collision.first_on(before, at(arm.start)));
}

// From joints in motion ---------------------------------------------------------------------------

/// States of a plan's joints at t.
std::vector<MotionState> states_of(const JointPlan& plan, double t) {
  std::vector<MotionState> states(plan.joints().size());
  JointPlan::Cursor cursor;
  plan.at(t, cursor, states);
  return states;
}

/// Plans at random, each from somewhere on the one before, and looks at what they would send.
struct Replacements {
  explicit Replacements(const char* name) : arm(name) {
    q = arm.start;
    joints = TrajectoryJoints::of(arm.robot, [&] {
      JointSet set;
      for (const JointIndex joint : arm.robot.arms[0].joints) set.set(joint);
      return set;
    }());
  }

  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  Eigen::Vector3d vector(double most) {
    return {between(-most, most), between(-most, most), between(-most, most)};
  }
  ToolLimits limits() {
    if (same) return *same;
    return {between(0.05, 0.5), between(0.5, 3.0), between(0.2, 1.5), between(1.0, 8.0)};
  }

  /// A path of the tool from here, through a point near the middle of the room.
  JointPlan path_of_tool(const std::vector<double>& v) {
    const Placement middle = arm.tool(arm.start);
    waypoints.clear();
    for (int k = 0; k < 2; ++k) {
      ToolWaypoint to = arm.moved(middle, vector(0.12), vector(0.3));
      to.corner_distance = k == 0 ? between(0.0, 0.05) : 0.0;
      to.limits = limits();
      waypoints.push_back(to);
    }
    return arm.planner.plan(q, waypoints, {10.0, 100.0, 10.0, 100.0}, nullptr, v);
  }
  JointPlan path_of_joints(const std::vector<double>& v) {
    TrajectoryStart start{{}, v};
    std::vector<double> goal;
    for (const JointIndex joint : joints.index) {
      start.q.push_back(q[joint]);
      goal.push_back(arm.start[joint] + between(-0.4, 0.4));
    }
    return plan_through(joints, start, {{goal, between(0.2, 1.0), 1.0}});
  }

  /// The joints are there. Returns their speeds.
  std::vector<double> go_to(const std::vector<MotionState>& states) {
    std::vector<double> v;
    for (std::size_t j = 0; j < states.size(); ++j) {
      q[joints.index[j]] = states[j].q;
      v.push_back(states[j].v);
    }
    return v;
  }

  /// From where it meets the path the tool goes straight to its first waypoint, or its corner.
  /// @return  it has a way that is straight
  bool goes_straight_before_the_corner(const JointPlan& plan) {
    const double meets = -plan.knots().front();  // the way there begins at minus its length
    const Eigen::Vector3d goal = waypoints[0].pose.position;
    const double corner = waypoints[0].corner_distance;
    Eigen::Vector3d direction = Eigen::Vector3d::Zero();
    for (const JointPlan::Instant& at : plan.timing()) {
      if (at.t >= plan.waypoints()[0]) break;
      const Eigen::Vector3d left = goal - arm.tool_on(plan, at.t).position;
      if (at.s < meets || left.norm() < corner + kMilli) continue;
      if (direction.isZero()) direction = left.normalized();
      EXPECT_LT((left - direction.dot(left) * direction).norm(), 0.1 * kMilli);
    }
    return !direction.isZero();
  }

  /// Largest shares of the joints' bounds in what the plan sends, cycle by cycle, to t.
  void send(const JointPlan& plan, double t) {
    constexpr double kCycle = 1e-3;
    for (double now = 0.0; now < t; now += kCycle) {
      const std::vector<MotionState> a = states_of(plan, now);
      const std::vector<MotionState> b = states_of(plan, std::min(now + kCycle, t));
      const double length = std::min(kCycle, t - now);
      if (length < 0.1 * kCycle) break;
      for (std::size_t j = 0; j < a.size(); ++j) {
        const JointLimits& of = joints.limits[j];
        speed = std::max(speed, std::abs(b[j].q - a[j].q) / (of.v_max * length));
        acceleration = std::max(acceleration, std::abs(b[j].v - a[j].v) / (of.a_max * length));
      }
    }
  }

  Arm arm;
  std::mt19937 random{20261126};  // any seed
  TrajectoryJoints joints;
  std::vector<double> q;           ///< all joints
  std::optional<ToolLimits> same;  ///< absent: others for each waypoint
  std::vector<ToolWaypoint> waypoints;
  double speed = 0.0;
  double acceleration = 0.0;
};

TEST(ToolTrajectory, ReplacesAtRandomWithoutAStepOfSpeedAndWithinTheJointsBounds) {
  for (const char* name : {"franka", "sawyer"}) {
    Replacements r(name);
    JointPlan now = r.path_of_joints({});
    ASSERT_FALSE(now.failure());
    int replaced = 0;
    int straight = 0;
    int not_met = 0;
    std::string told;
    for (int i = 0; i < 120; ++i) {
      const double t = r.between(0.0, 0.9) * now.duration();
      const std::vector<MotionState> here = states_of(now, t);
      const std::vector<double> v = r.go_to(here);
      const bool is_of_tool = i % 3 < 2;
      JointPlan next = is_of_tool ? r.path_of_tool(v) : r.path_of_joints(v);
      if (next.failure()) {  // the old one goes on
        told += std::string(to_string(next.failure().reason)) + " " + next.remark + "; ";
        if (next.remark.find("doesn't come onto") != std::string::npos) ++not_met;
        r.send(now, now.duration());
        r.go_to(states_of(now, now.duration()));
        now = r.path_of_joints({});
        ASSERT_FALSE(now.failure());
        continue;
      }
      r.send(now, t);
      const std::vector<MotionState> begin = states_of(next, 0.0);
      for (std::size_t j = 0; j < here.size(); ++j) {
        ASSERT_NEAR(begin[j].q, here[j].q, 1e-9) << name << " " << i;
        ASSERT_NEAR(begin[j].v, here[j].v, 1e-9) << name << " " << i;
      }
      if (is_of_tool) {
        ++replaced;
        if (r.goes_straight_before_the_corner(next)) ++straight;
        const Placement end = r.arm.tool_on(next, next.duration());
        ASSERT_LT((end.position - r.waypoints.back().pose.position).norm(), 0.1 * kMilli);
      }
      now = std::move(next);
    }
    EXPECT_LE(r.speed, 1.0 + 1e-6) << name;
    EXPECT_LE(r.acceleration, 1.0 + 1e-6) << name;
    // Some ways from somewhere to somewhere pass too near to where the elbow is stretched, or begin
    // there.
    EXPECT_LE(not_met, 3) << name << ": " << told;
    EXPECT_GE(replaced, 68) << name << ": " << told;
    EXPECT_GE(straight, 63) << name;  // or the corner begins where the lead-in ends
  }
}

TEST(ToolTrajectory, AReplacementKeepsTheBoundsOfTheTool) {
  Replacements r("franka");
  r.same = ToolLimits{0.2, 1.2, 0.8, 4.0};
  JointPlan now = r.path_of_tool({});
  ASSERT_FALSE(now.failure());
  constexpr double kStep = 1e-3;
  double used = 0.0;
  for (int i = 0; i < 60; ++i) {
    const double t = r.between(0.05, 0.9) * now.duration();
    const std::vector<double> v = r.go_to(states_of(now, t));
    JointPlan next = r.path_of_tool(v);
    ASSERT_FALSE(next.failure()) << i << ": " << to_string(next.failure().reason) << next.remark;
    for (double at = kStep; at < next.duration() - kStep; at += kStep) {
      const Placement a = r.arm.tool_on(next, at - kStep);
      const Placement b = r.arm.tool_on(next, at);
      const Placement c = r.arm.tool_on(next, at + kStep);
      const Eigen::Vector3d rate = (c.position - 2.0 * b.position + a.position) / (kStep * kStep);
      const Eigen::Vector3d w1 = rotation_vector(b.rotation * a.rotation.transpose()) / kStep;
      const Eigen::Vector3d w2 = rotation_vector(c.rotation * b.rotation.transpose()) / kStep;
      used =
          std::max({used, (c.position - a.position).norm() / (2.0 * kStep * 0.2), rate.norm() / 1.2,
                    (0.5 * (w1 + w2)).norm() / 0.8, ((w2 - w1) / kStep).norm() / 4.0});
    }
    now = std::move(next);
  }
  EXPECT_LE(used, 1.002);
  EXPECT_GT(used, 0.98);
}

TEST(ToolTrajectory, AReplacementThatGoesOnInTheSameDirectionDoesNotSlowDown) {
  Arm arm("franka");
  const Placement from = arm.tool(arm.start);
  ToolWaypoint to = arm.moved(from, {0.0, 0.3, 0.0});
  to.limits = {0.2, 1.0, 1.0, 4.0};
  const JointPlan first = arm.plan({to});
  const double t = 0.7;  // 0.2 m/s since 0.2 s: at 0.12 m
  std::vector<double> q = arm.start;
  std::vector<double> v;
  const std::vector<MotionState> here = states_of(first, t);
  for (std::size_t j = 0; j < here.size(); ++j) {
    q[first.joints()[j]] = here[j].q;
    v.push_back(here[j].v);
  }
  const JointPlan next = arm.planner.plan(q, {to}, {10.0, 100.0, 10.0, 100.0}, nullptr, v);
  ASSERT_FALSE(next.failure()) << to_string(next.failure().reason) << next.remark;
  EXPECT_NEAR(next.duration(), first.duration() - t, 0.01);
  double off = 0.0;
  for (double at = 0.0; at <= next.duration(); at += 2e-3) {
    const Eigen::Vector3d away = arm.tool_on(next, at).position - from.position;
    off = std::max(off, std::hypot(away.x(), away.z()));
  }
  EXPECT_LT(off, 1.0 * kMilli);  // the joints go straight on for a while, the tool nearly
}

// By hand: at v = 0.2 m/s and a = 1 m/s² a tool that has to turn back passes 0.2²/2 = 0.02 m of
// braking way at least, and needs 2 v/a = 0.4 s until it is back at that speed.
TEST(ToolTrajectory, AReplacementBackTurnsRoundInOneSweep) {
  Arm arm("franka");
  const Placement from = arm.tool(arm.start);
  ToolWaypoint to = arm.moved(from, {0.0, 0.3, 0.0});
  to.limits = {0.2, 1.0, 1.0, 4.0};
  const JointPlan first = arm.plan({to});
  std::vector<double> q = arm.start;
  std::vector<double> v;
  const std::vector<MotionState> here = states_of(first, 0.7);
  for (std::size_t j = 0; j < here.size(); ++j) {
    q[first.joints()[j]] = here[j].q;
    v.push_back(here[j].v);
  }
  ToolWaypoint home = arm.moved(from, {0.0, 0.0, 0.0});
  home.limits = to.limits;
  const JointPlan back = arm.planner.plan(q, {home}, {10.0, 100.0, 10.0, 100.0}, nullptr, v);
  ASSERT_FALSE(back.failure()) << to_string(back.failure().reason) << back.remark;
  double furthest = 0.0;
  for (double at = 0.0; at <= back.duration(); at += 1e-3) {
    furthest = std::max(furthest, arm.tool_on(back, at).position.y() - from.position.y());
  }
  EXPECT_GT(furthest, 0.12 + 0.02 - 1e-3);
  EXPECT_LT(furthest, 0.12 + 2.0 * 0.02);
  const double fastest = 0.4 + (0.12 / 0.2 + 0.5 * 0.2);  // to turn; then back with a ramp down
  EXPECT_GT(back.duration(), fastest - 0.02);
  EXPECT_LT(back.duration(), fastest + 0.3);
}

}  // namespace
}  // namespace jointrig
