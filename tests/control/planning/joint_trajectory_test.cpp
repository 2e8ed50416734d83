#include "control/planning/joint_trajectory.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tests/control/planning/planned_joints.h"

namespace jointrig {
namespace {

using testing::as_sent;
using testing::at_rest;
using testing::roomy_joints;
using testing::Sent;
using testing::state_at;
using testing::through;

// ---- closed forms

TEST(PlanThrough, AShortWayIsBangBang) {
  // |d| < v²/a: no cruise. T = 2 √(d/a).
  const TrajectoryJoints joints = roomy_joints(1, 2.0, 10.0);
  const JointPlan plan = plan_through(joints, at_rest({0.5}), through({{0.7}}));
  ASSERT_FALSE(plan.failure());
  const double best = 2.0 * std::sqrt(0.2 / 10.0);
  EXPECT_NEAR(plan.duration(), best, 1e-6 * best);
  EXPECT_NEAR(state_at(plan, 0.25 * best)[0].a, 10.0, 1e-6);
  EXPECT_NEAR(state_at(plan, 0.75 * best)[0].a, -10.0, 1e-6);
}

TEST(PlanThrough, ALongWayIsATrapezoid) {
  // T = d/v + v/a.
  const TrajectoryJoints joints = roomy_joints(1, 2.0, 10.0);
  const JointPlan plan = plan_through(joints, at_rest({-1.0}), through({{2.0}}));
  ASSERT_FALSE(plan.failure());
  const double best = 3.0 / 2.0 + 2.0 / 10.0;
  EXPECT_GE(plan.duration(), best * (1.0 - 1e-9));
  EXPECT_LE(plan.duration(), best * 1.0005);
  EXPECT_NEAR(state_at(plan, 0.5 * best)[0].v, 2.0, 1e-6);
}

TEST(PlanThrough, AStraightLineOfSeveralJointsIsThatOfTheSlowest) {
  // Joint 1 has 0.9 of the speed and of the acceleration, and twice the way.
  const TrajectoryJoints joints = roomy_joints(2, 2.0, 10.0);
  const JointPlan plan = plan_through(joints, at_rest({0.0, 0.0}), through({{1.0, 2.0}}));
  const double best = 2.0 / 1.8 + 1.8 / 9.0;
  EXPECT_NEAR(plan.duration(), best, 5e-4 * best);
  const std::vector<MotionState> half = state_at(plan, 0.3);
  EXPECT_NEAR(half[1].q, 2.0 * half[0].q, 1e-9) << "both stay on the line";
}

TEST(PlanThrough, AWaypointBoundsTheAccelerationOfTheWayToItByJoint) {
  // 0.9 of both bounds has joint 1; both ways are those of joint 0, bang-bang: T = 2 √(d/a).
  const TrajectoryJoints joints = roomy_joints(2, 2.0, 10.0);
  std::vector<JointWaypoint> ways = through({{0.2, 0.0}, {0.4, 0.0}});
  const double free = plan_through(joints, at_rest({0.0, 0.0}), through({{0.2, 0.0}})).duration();
  EXPECT_NEAR(free, 2.0 * std::sqrt(0.2 / 10.0), 1e-6);
  ways.resize(1);
  ways[0].a_max = {2.5, 0.0};
  const JointPlan plan = plan_through(joints, at_rest({0.0, 0.0}), ways);
  EXPECT_NEAR(plan.duration(), 2.0 * std::sqrt(0.2 / 2.5), 1e-6);
  EXPECT_NEAR(plan.extents()[0].a_max, 2.5, 1e-6);
  ways[0].a_max = {0.0, 2.5};  // of the joint that stands
  EXPECT_NEAR(plan_through(joints, at_rest({0.0, 0.0}), ways).duration(), free, 1e-6);
  ways[0].a_max = {5.0, 0.0};
  ways[0].acceleration_ratio = 0.25;  // the smaller bound counts
  EXPECT_NEAR(plan_through(joints, at_rest({0.0, 0.0}), ways).duration(),
              2.0 * std::sqrt(0.2 / 2.5), 1e-6);
}

TEST(PlanThrough, ABoundOfAccelerationBeyondTheJointsIsRefusedByName) {
  const TrajectoryJoints joints = roomy_joints(2, 2.0, 10.0);
  std::vector<JointWaypoint> ways = through({{0.1, 0.1}, {0.2, 0.2}});
  for (const double a_max : {9.5, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    ways[1].a_max = {0.0, a_max};
    const PlanFailure failure = plan_through(joints, at_rest({0.0, 0.0}), ways).failure();
    EXPECT_EQ(failure.reason, RejectReason::kBadPlan);
    EXPECT_EQ(failure.quantity, PlanQuantity::kLargestAcceleration);
    EXPECT_EQ(failure.joint, joints.index[1]);
    EXPECT_EQ(failure.waypoint, 2);
    EXPECT_DOUBLE_EQ(failure.limit, 9.0);
  }
  ways[1].a_max = {1.0};
  EXPECT_EQ(plan_through(joints, at_rest({0.0, 0.0}), ways).failure().quantity,
            PlanQuantity::kCount);
}

TEST(PlanAsked, ABoundOfAccelerationIsRefusedWhereTimesDecide) {
  const TrajectoryJoints joints = roomy_joints(2, 2.0, 10.0);
  AskedTrajectory asked;
  asked.has_times = true;
  asked.waypoints = {{.q = {0.1, 0.1}, .time = 1.0}, {.q = {0.2, 0.2}, .time = 2.0}};
  EXPECT_FALSE(plan_asked(joints, at_rest({0.0, 0.0}), asked).failure());
  asked.waypoints[1].a_max = {1.0, 1.0};
  const PlanFailure failure = plan_asked(joints, at_rest({0.0, 0.0}), asked).failure();
  EXPECT_EQ(failure.reason, RejectReason::kBadPlan);
  EXPECT_EQ(failure.quantity, PlanQuantity::kLargestAcceleration);
  EXPECT_EQ(failure.waypoint, 2);
}

TEST(PlanAsked, TheToleranceOfTheLastWaypointIsThatOfTheGoal) {
  const TrajectoryJoints joints = roomy_joints(2, 2.0, 10.0);
  AskedTrajectory asked;
  asked.waypoints = {{.q = {0.1, 0.1}, .tolerance = {0.01, 0.0}}, {.q = {0.2, 0.2}}};
  asked.tolerances = {{0.5, 0.25}, {0.5, 0.25}};
  asked.execution = PlanExecution::kVelocity;
  asked.waypoints[1].tolerance = {0.0, 0.02};
  JointPlan plan = plan_asked(joints, at_rest({0.0, 0.0}), asked);
  take_options(asked, plan);
  EXPECT_EQ(plan.waypoint_tolerances, (std::vector{0.01, 0.0, 0.0, 0.0}));
  EXPECT_EQ(plan.tolerances[0].goal, 0.25);
  EXPECT_EQ(plan.tolerances[1].goal, 0.02);
  EXPECT_EQ(plan.tolerances[1].path, 0.5);
  EXPECT_EQ(plan.execution, PlanExecution::kVelocity);
  asked.waypoints[0].tolerance = {0.01, -0.01};
  const PlanFailure failure = plan_asked(joints, at_rest({0.0, 0.0}), asked).failure();
  EXPECT_EQ(failure.quantity, PlanQuantity::kTolerance);
  EXPECT_EQ(failure.joint, joints.index[1]);
  EXPECT_EQ(failure.waypoint, 1);
}

TEST(PlanThrough, RatiosScaleTheBoundsOfTheWayToTheirWaypoint) {
  const TrajectoryJoints joints = roomy_joints(1, 2.0, 10.0);
  std::vector<JointWaypoint> slow = through({{3.0}});
  slow[0].speed_ratio = 0.5;
  slow[0].acceleration_ratio = 0.1;
  const double best = 3.0 / 1.0 + 1.0 / 1.0;
  EXPECT_NEAR(plan_through(joints, at_rest({0.0}), slow).duration(), best, 5e-4 * best);

  std::vector<JointWaypoint> two = through({{1.0}, {3.0}});
  two[1].speed_ratio = 0.25;
  const JointPlan plan = plan_through(joints, at_rest({0.0}), two);
  const double at_first = plan.waypoints()[0];
  EXPECT_GT(state_at(plan, 0.5 * at_first)[0].v, 1.5);
  EXPECT_LE(state_at(plan, at_first + 1e-3)[0].v, 0.5 + 1e-6);
}

// ---- bounds

struct RandomPaths {
  explicit RandomPaths(unsigned seed) : random(seed) {}

  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  std::size_t count(std::size_t low, std::size_t high) {
    return std::uniform_int_distribution<std::size_t>(low, high)(random);
  }
  std::vector<double> point(std::size_t joints) {
    std::vector<double> q(joints);
    for (double& x : q) x = between(-2.0, 2.0);
    return q;
  }
  std::vector<JointWaypoint> waypoints(std::size_t joints, std::size_t points) {
    std::vector<JointWaypoint> all;
    for (std::size_t k = 0; k < points; ++k) {
      all.push_back({point(joints), between(0.2, 1.0), between(0.2, 1.0)});
    }
    return all;
  }

  std::mt19937 random;
};

TEST(PlanThrough, WhatIsSentNeverExceedsABoundOnTenThousandRandomPaths) {
  RandomPaths paths(20261123);
  for (int i = 0; i < 10'000; ++i) {
    const std::size_t joints = paths.count(1, 3);
    const TrajectoryJoints on =
        roomy_joints(joints, paths.between(0.5, 5.0), paths.between(2.0, 30.0));
    const JointPlan plan =
        plan_through(on, at_rest(paths.point(joints)), paths.waypoints(joints, paths.count(1, 4)));
    ASSERT_FALSE(plan.failure()) << "path " << i;
    const Sent sent = as_sent(plan, on, 7e-3);
    ASSERT_LE(sent.speed, 1.0 + 1e-9) << "path " << i;
    ASSERT_LE(sent.acceleration, 1.0 + 1e-6) << "path " << i;
  }
}

/// Largest share of a bound that is used at an instant of the timing, on either side of it.
double strain(const JointPlan& plan, const TrajectoryJoints& joints, std::size_t i) {
  double most = 0.0;
  const double t = plan.timing()[i].t;
  for (const double side : {t - 1e-9, t + 1e-9}) {
    const std::vector<MotionState> states =
        state_at(plan, std::clamp(side, 0.0, plan.duration() - 1e-9));
    for (std::size_t j = 0; j < states.size(); ++j) {
      most = std::max({most, std::abs(states[j].v) / joints.limits[j].v_max,
                       std::abs(states[j].a) / joints.limits[j].a_max});
    }
  }
  return most;
}

TEST(PlanThrough, UsesABoundToItsEndAtEveryPointOfTheGrid) {
  RandomPaths paths(7);
  for (int i = 0; i < 100; ++i) {
    const TrajectoryJoints on = roomy_joints(4);
    const JointPlan plan = plan_through(on, at_rest(paths.point(4)),
                                        through({paths.point(4), paths.point(4), paths.point(4)}));
    ASSERT_FALSE(plan.failure());
    for (std::size_t k = 0; k < plan.timing().size(); ++k) {
      ASSERT_GT(strain(plan, on, k), 0.97) << "path " << i << ", instant " << k;
    }
  }
}

TEST(PlanThrough, PassesItsWaypointsAtTheirTimesWithoutAStop) {
  const TrajectoryJoints joints = roomy_joints(2);
  const std::vector<std::vector<double>> points{{1.0, 0.5}, {1.5, 1.5}, {0.0, 2.0}};
  const JointPlan plan = plan_through(joints, at_rest({0.0, 0.0}), through(points));
  ASSERT_EQ(plan.waypoints().size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<MotionState> there = state_at(plan, plan.waypoints()[k]);
    EXPECT_NEAR(there[0].q, points[k][0], 1e-9);
    EXPECT_NEAR(there[1].q, points[k][1], 1e-9);
    const double speed = std::abs(there[0].v) + std::abs(there[1].v);
    if (k < 2) {
      EXPECT_GT(speed, 0.5) << "waypoint " << k;
    }
  }
  EXPECT_EQ(plan.waypoints().back(), plan.duration());
}

TEST(PlanThrough, StateIsTheDerivativeOfWhatItSays) {
  RandomPaths paths(3);
  const TrajectoryJoints joints = roomy_joints(3);
  const JointPlan plan = plan_through(joints, at_rest(paths.point(3)), paths.waypoints(3, 4));
  constexpr double kStep = 1e-6;
  for (double t = 0.01; t < plan.duration() - 0.01; t += 0.0137) {
    const std::vector<MotionState> now = state_at(plan, t);
    const std::vector<MotionState> later = state_at(plan, t + kStep);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR((later[j].q - now[j].q) / kStep, now[j].v, 1e-4);
    }
  }
}

TEST(PlanThrough, GoesOnFromAStartInMotion) {
  const TrajectoryJoints joints = roomy_joints(2);
  const TrajectoryStart moving{{0.0, 0.0}, {0.6, -0.3}};
  const JointPlan plan = plan_through(joints, moving, through({{1.0, 0.5}}));
  ASSERT_FALSE(plan.failure());
  const std::vector<MotionState> first = state_at(plan, 0.0);
  EXPECT_NEAR(first[0].v, 0.6, 1e-9);
  EXPECT_NEAR(first[1].v, -0.3, 1e-9);
  EXPECT_LE(as_sent(plan, joints).acceleration, 1.0 + 1e-6);
}

// ---- refusals, and what is none

TEST(PlanThrough, AWaypointAtThePlaceOfTheOneBeforeTakesNoTime) {
  const TrajectoryJoints joints = roomy_joints(1);
  const JointPlan plan = plan_through(joints, at_rest({0.0}), through({{0.0}, {1.0}, {1.0}}));
  ASSERT_FALSE(plan.failure());
  ASSERT_EQ(plan.waypoints().size(), 3U);
  EXPECT_EQ(plan.waypoints()[0], 0.0);
  EXPECT_EQ(plan.waypoints()[1], plan.waypoints()[2]);

  const JointPlan nowhere = plan_through(joints, at_rest({0.3}), through({{0.3}}));
  ASSERT_FALSE(nowhere.failure());
  EXPECT_EQ(nowhere.duration(), 0.0);
  EXPECT_EQ(state_at(nowhere, 0.0)[0].q, 0.3);
}

TEST(PlanThrough, RefusesAPathBeyondASoftLimitWithJointWaypointValueAndLimit) {
  TrajectoryJoints joints = roomy_joints(2);
  joints.limits[1].q_max = 1.1;  // soft: 1.0
  const PlanFailure f =
      plan_through(joints, at_rest({0.0, 0.0}), through({{0.5, 0.5}, {1.0, 1.2}})).failure();
  EXPECT_EQ(f.reason, RejectReason::kPlanPosition);
  EXPECT_EQ(f.joint, 1U);
  EXPECT_EQ(f.waypoint, 2U);
  EXPECT_NEAR(f.value, 1.2, 1e-9);
  EXPECT_NEAR(f.limit, 1.0, 1e-12);
}

TEST(PlanThrough, RefusesASplineThatSwingsBeyondALimitBetweenWaypointsInside) {
  TrajectoryJoints joints = roomy_joints(1);
  joints.limits[0].q_max = 1.1;
  const JointPlan plan =
      plan_through(joints, at_rest({0.0}), through({{0.99}, {0.98}, {0.99}, {0.0}}));
  EXPECT_EQ(plan.failure().reason, RejectReason::kPlanPosition);
  EXPECT_GT(plan.failure().value, 1.0);
}

TEST(PlanThrough, AJointOutsideItsSoftLimitsMayComeBack) {
  TrajectoryJoints joints = roomy_joints(1);
  joints.limits[0].q_max = 1.1;
  EXPECT_FALSE(plan_through(joints, at_rest({1.05}), through({{0.5}})).failure());
  EXPECT_TRUE(plan_through(joints, at_rest({1.05}), through({{1.06}})).failure());
}

TEST(PlanThrough, AStartTooFastForItsPathBrakesStraightOnBeforeItTurns) {
  const TrajectoryJoints joints = roomy_joints(2, 2.0, 10.0);
  // To stop from 2 rad/s takes v²/2a = 0.2 rad.
  const TrajectoryStart fast{{0.0, 0.0}, {2.0, 0.0}};
  for (const std::vector<double>& goal : {std::vector{0.1, 0.0}, {-1.0, 0.0}, {0.0, 0.5}}) {
    const JointPlan plan = plan_through(joints, fast, through({goal}));
    ASSERT_FALSE(plan.failure());
    EXPECT_NEAR(state_at(plan, 0.0)[0].v, 2.0, 1e-9);
    EXPECT_GT(plan.extents()[0].q_max, 0.2 - 1e-9);
    EXPECT_NEAR(state_at(plan, plan.duration())[0].q, goal[0], 1e-9);
    const Sent sent = as_sent(plan, joints);
    EXPECT_LE(sent.speed, 1.0 + 1e-9);
    EXPECT_LE(sent.acceleration, 1.0 + 1e-6);
  }
}

TEST(PlanThrough, RefusesAStartThatCanNotBrakeInsideTheLimits) {
  TrajectoryJoints joints = roomy_joints(1, 2.0, 10.0);
  joints.limits[0].q_max = 0.25;  // soft: 0.15
  const TrajectoryStart fast{{0.0}, {2.0}};
  EXPECT_EQ(plan_through(joints, fast, through({{0.1}})).failure().reason,
            RejectReason::kNotAtStart);
}

TEST(PlanThrough, RefusesWaypointsThatAreNone) {
  const TrajectoryJoints joints = roomy_joints(2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto reason = [&](const std::vector<JointWaypoint>& waypoints) {
    return plan_through(joints, at_rest({0.0, 0.0}), waypoints).failure();
  };
  EXPECT_EQ(reason({}).reason, RejectReason::kBadPlan);
  EXPECT_EQ(reason(through({{1.0, 1.0}, {1.0}})).waypoint, 2U);
  EXPECT_EQ(reason(through({{1.0, nan}})).reason, RejectReason::kBadPlan);
  EXPECT_EQ(reason({{{1.0, 1.0}, 0.0, 1.0}}).reason, RejectReason::kBadPlan);
  EXPECT_EQ(reason({{{1.0, 1.0}, 1.0, 1.5}}).value, 1.5);
  EXPECT_EQ(plan_through(joints, at_rest({0.0}), through({{1.0, 1.0}})).failure().reason,
            RejectReason::kBadPlan);
}

}  // namespace
}  // namespace jointrig
