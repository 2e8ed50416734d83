#include <gtest/gtest.h>

#include "tests/control/planning/planned_joints.h"

namespace jointrig {
namespace {

using testing::as_sent;
using testing::at_rest;
using testing::roomy_joints;
using testing::state_at;

TEST(PlanTimed, IsAtItsPointsAtTheirTimes) {
  const TrajectoryJoints joints = roomy_joints(2);
  const JointPlan plan = plan_timed(joints, at_rest({0.0, 0.0}),
                                    {{1.0, {0.5, 0.2}, {}, {}}, {2.5, {1.0, 0.0}, {}, {}}});
  ASSERT_FALSE(plan.failure());
  EXPECT_EQ(plan.duration(), 2.5);
  EXPECT_NEAR(state_at(plan, 1.0)[0].q, 0.5, 1e-12);
  EXPECT_NEAR(state_at(plan, 1.0)[1].q, 0.2, 1e-12);
  EXPECT_NEAR(state_at(plan, 2.5)[0].q, 1.0, 1e-12);
  const std::vector<MotionState> before = state_at(plan, 1.0 - 1e-9);
  const std::vector<MotionState> after = state_at(plan, 1.0 + 1e-9);
  EXPECT_NEAR(before[0].v, after[0].v, 1e-6);
  EXPECT_NEAR(before[0].a, after[0].a, 1e-5) << "the spline has no step in its acceleration";
  EXPECT_NEAR(state_at(plan, 0.0)[0].v, 0.0, 1e-12);
}

TEST(PlanTimed, WithSpeedsIsTheCubicOfEachPiece) {
  const TrajectoryJoints joints = roomy_joints(1);
  // q = 3 s² − 2 s³ over 2 s, s = t/2: from rest to rest.
  const JointPlan plan = plan_timed(joints, at_rest({0.0}), {{2.0, {1.0}, {0.0}, {}}});
  const std::vector<MotionState> half = state_at(plan, 1.0);
  EXPECT_NEAR(half[0].q, 0.5, 1e-12);
  EXPECT_NEAR(half[0].v, 1.5 / 2.0, 1e-12);
  EXPECT_NEAR(state_at(plan, 0.5)[0].a, 6.0 / 4.0 - 12.0 * 0.25 / 4.0, 1e-12);
}

TEST(PlanTimed, WithAccelerationsIsTheQuinticOfLeastJerk) {
  const TrajectoryJoints joints = roomy_joints(1);
  const JointPlan plan = plan_timed(joints, at_rest({0.2}), {{2.0, {1.2}, {0.0}, {0.0}}});
  const MinimumJerk path({0.2, 0.0, 0.0}, 1.2, 2.0);
  for (const double t : {0.1, 0.5, 1.0, 1.7}) {
    EXPECT_NEAR(state_at(plan, t)[0].q, path.at(t).q, 1e-12);
    EXPECT_NEAR(state_at(plan, t)[0].v, path.at(t).v, 1e-12);
    EXPECT_NEAR(state_at(plan, t)[0].a, path.at(t).a, 1e-11);
  }
}

TEST(PlanTimed, PassesAPointWithTheSpeedAndAccelerationThatItHas) {
  const TrajectoryJoints joints = roomy_joints(1);
  const JointPlan plan =
      plan_timed(joints, at_rest({0.0}), {{1.0, {0.3}, {0.4}, {-0.5}}, {2.0, {0.6}, {0.0}, {0.0}}});
  ASSERT_FALSE(plan.failure());
  for (const double t : {1.0 - 1e-9, 1.0 + 1e-9}) {
    EXPECT_NEAR(state_at(plan, t)[0].v, 0.4, 1e-6);
    EXPECT_NEAR(state_at(plan, t)[0].a, -0.5, 1e-6);
  }
}

TEST(PlanTimed, RefusesTimesThatAreTooShortWithJointPointValueAndLimit) {
  const TrajectoryJoints joints = roomy_joints(2, 2.0, 10.0);
  // The cubic's peak speed is 1.5 d/T: 2.25 of 1.8 for joint 1 on the way to point 2.
  const PlanFailure fast =
      plan_timed(joints, at_rest({0.0, 0.0}),
                 {{1.0, {0.0, 0.0}, {0.0, 0.0}, {}}, {2.0, {0.0, 1.5}, {0.0, 0.0}, {}}})
          .failure();
  EXPECT_EQ(fast.reason, RejectReason::kPlanSpeed);
  EXPECT_EQ(fast.joint, 1U);
  EXPECT_EQ(fast.waypoint, 2U);
  EXPECT_NEAR(fast.value, 2.25, 1e-9);
  EXPECT_NEAR(fast.limit, 1.8, 1e-12);
  // 6 d/T² at its ends: 12 of 10 over 0.5 s.
  const PlanFailure hard =
      plan_timed(joints, at_rest({0.0, 0.0}), {{0.5, {0.5, 0.0}, {0.0, 0.0}, {}}}).failure();
  EXPECT_EQ(hard.reason, RejectReason::kPlanAcceleration);
  EXPECT_NEAR(hard.value, 12.0, 1e-9);
}

TEST(PlanTimed, RefusesPointsThatAreNone) {
  const TrajectoryJoints joints = roomy_joints(1);
  const auto failure = [&](const std::vector<TimedWaypoint>& points) {
    return plan_timed(joints, at_rest({0.0}), points).failure();
  };
  EXPECT_EQ(failure({}).reason, RejectReason::kBadPlan);
  EXPECT_EQ(failure({{1.0, {0.1}, {}, {}}, {1.0, {0.2}, {}, {}}}).waypoint, 2U) << "no time";
  EXPECT_EQ(failure({{0.0, {0.1}, {}, {}}}).waypoint, 1U);
  EXPECT_EQ(failure({{1.0, {0.1}, {0.1}, {}}}).value, 0.1) << "not at rest at the end";
  EXPECT_EQ(failure({{1.0, {0.1}, {}, {0.0}}}).reason, RejectReason::kBadPlan) << "a without v";
  EXPECT_EQ(failure({{1.0, {0.1}, {0.2}, {}}, {2.0, {0.2}, {}, {}}}).waypoint, 2U);
  EXPECT_EQ(failure({{1.0, {0.1, 0.2}, {}, {}}}).waypoint, 1U);
}

TEST(PlanTimed, ListsThatSomeWaypointsHaveAreRefusedWithTheWaypointAndTheList) {
  const TrajectoryJoints joints = roomy_joints(2);
  const std::vector<double> q{0.1, 0.1};
  const std::vector<double> zero{0.0, 0.0};
  const auto is = [&](const std::vector<TimedWaypoint>& points, PlanQuantity list, double has,
                      double wanted) {
    const PlanFailure f = plan_timed(joints, at_rest({0.0, 0.0}), points).failure();
    EXPECT_EQ(f.reason, RejectReason::kBadPlan);
    EXPECT_EQ(f.waypoint, 2U);
    EXPECT_EQ(f.quantity, list);
    EXPECT_EQ(f.value, has);
    EXPECT_EQ(f.limit, wanted);
  };
  using Q = PlanQuantity;
  is({{1.0, q, zero, {}}, {2.0, q, zero, zero}}, Q::kAccelerations, 2.0, 0.0);
  is({{1.0, q, zero, zero}, {2.0, q, zero, {}}}, Q::kAccelerations, 0.0, 2.0);
  is({{1.0, q, {}, {}}, {2.0, q, zero, {}}}, Q::kVelocities, 2.0, 0.0);
  is({{1.0, q, zero, {}}, {2.0, q, {}, {}}}, Q::kVelocities, 0.0, 2.0);
  is({{1.0, q, zero, {}}, {2.0, q, {0.0}, {}}}, Q::kVelocities, 1.0, 2.0);
}

TEST(PlanAsked, SpeedsWithoutTimesAreRefusedAndNotLeftOut) {
  const TrajectoryJoints joints = roomy_joints(1);
  AskedTrajectory asked;
  asked.waypoints = {{.q = {0.1}}, {.q = {0.2}, .a = {0.0}}};
  const PlanFailure f = plan_asked(joints, at_rest({0.0}), asked).failure();
  EXPECT_EQ(f.reason, RejectReason::kBadPlan);
  EXPECT_EQ(f.waypoint, 2U);
  EXPECT_EQ(f.quantity, PlanQuantity::kAccelerations);
  asked.waypoints[0].v = {0.0};
  EXPECT_EQ(plan_asked(joints, at_rest({0.0}), asked).failure().quantity,
            PlanQuantity::kVelocities);
}

}  // namespace
}  // namespace jointrig
