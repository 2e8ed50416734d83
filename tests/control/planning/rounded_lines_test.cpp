// Straight lines at times, with rounded corners: against the closed forms of their parabolas.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/control/planning/planned_joints.h"

namespace jointrig {
namespace {

using testing::as_sent;
using testing::at_rest;
using testing::roomy_joints;
using testing::state_at;

TEST(PlanLines, OneLineIsTheTrapezoidOfItsTime) {
  const TrajectoryJoints joints = roomy_joints(1);  // 2 rad/s, 10 rad/s²
  const JointPlan plan = plan_lines(joints, at_rest({0.1}), {{1.0, {0.9}, {}, {}}});
  ASSERT_FALSE(plan.failure());
  // v (T − v/a) = d: v = (aT − √(a²T² − 4ad))/2.
  const double v = 0.5 * (10.0 - std::sqrt(100.0 - 4.0 * 10.0 * 0.8));
  EXPECT_NEAR(state_at(plan, 0.5)[0].v, v, 1e-9);
  EXPECT_NEAR(state_at(plan, 0.5)[0].q, 0.5, 1e-9);
  EXPECT_NEAR(state_at(plan, 0.5 * v / 10.0)[0].a, 10.0, 1e-6);
  EXPECT_NEAR(state_at(plan, 1.0)[0].q, 0.9, 1e-9);
  EXPECT_NEAR(state_at(plan, 1.0)[0].v, 0.0, 1e-9);
  EXPECT_EQ(plan.duration(), 1.0);
}

TEST(PlanLines, PassesACornerByItsSpeedChangeSquaredOverEightTimesTheAcceleration) {
  const TrajectoryJoints joints = roomy_joints(1);
  // 0.5 rad/s up, then 0.5 rad/s down: Δv = 1 rad/s, τ = 0.05 s, 12.5 mrad below the point.
  const JointPlan plan = plan_lines(
      joints, at_rest({0.0}),
      {{1.0, {0.0}, {}, {}}, {2.0, {0.5}, {}, {}}, {3.0, {0.0}, {}, {}}, {4.0, {0.0}, {}, {}}});
  ASSERT_FALSE(plan.failure());
  EXPECT_NEAR(state_at(plan, 2.0)[0].q, 0.5 - 1.0 / (8.0 * 10.0), 1e-9);
  EXPECT_NEAR(state_at(plan, 2.0)[0].v, 0.0, 1e-9);
  EXPECT_NEAR(state_at(plan, 2.0)[0].a, -10.0, 1e-6);
  for (const double t : {1.03, 1.5, 1.94}) {
    EXPECT_NEAR(state_at(plan, t)[0].q, 0.5 * (t - 1.0), 1e-9) << "on its line, at its time";
    EXPECT_NEAR(state_at(plan, t)[0].v, 0.5, 1e-9);
  }
  EXPECT_NEAR(state_at(plan, 1.0)[0].q, 0.25 / (8.0 * 10.0), 1e-9);
  EXPECT_EQ(plan.waypoints().size(), 4U);
}

TEST(PlanLines, DenseMilestonesOfACircleAreOneMotionWithItsSpeed) {
  const TrajectoryJoints joints = roomy_joints(2);
  const double radius = 0.3;
  const double w = 2.0;
  std::vector<TimedWaypoint> points;
  for (int k = 1; k <= 300; ++k) {  // at 100 Hz, from rest with a smooth start
    const double t = 0.01 * k;
    const double s = t / 3.0;
    const double angle = w * 3.0 * (s * s * s * (10.0 + s * (-15.0 + 6.0 * s)));
    points.push_back({t, {radius * (1.0 - std::cos(angle)), radius * std::sin(angle)}, {}, {}});
  }
  const JointPlan plan = plan_lines(joints, at_rest({0.0, 0.0}), points);
  ASSERT_FALSE(plan.failure()) << "waypoint " << plan.failure().waypoint << " value "
                               << plan.failure().value;
  double off = 0.0;
  double slowest = 10.0;
  for (double t = 0.0; t < 3.0; t += 1e-3) {
    const auto now = state_at(plan, t);
    off = std::max(off, std::abs(std::hypot(now[0].q - radius, now[1].q) - radius));
    if (t > 1.0 && t < 2.0) slowest = std::min(slowest, std::hypot(now[0].v, now[1].v));
  }
  // A chord of 10 ms at 15/8 · w is off by r φ²/8.
  EXPECT_LT(off, radius * std::pow(1.875 * w * 0.01, 2) / 8.0 * 1.5);
  EXPECT_GT(slowest, 0.8 * radius * w) << "no rest in a milestone";
}

TEST(PlanLines, KeepsTheBoundOfAccelerationOnRandomWaysWithoutAStep) {
  const TrajectoryJoints joints = roomy_joints(3, 5.0, 20.0);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> place(-0.5, 0.5);
  std::uniform_real_distribution<double> length(0.4, 1.0);
  int made = 0;
  for (int trial = 0; trial < 500; ++trial) {
    TrajectoryStart start{{place(random), place(random), place(random)}, {}};
    if (trial % 2 == 1) start.v = {place(random), place(random), place(random)};
    std::vector<TimedWaypoint> points;
    double t = 0.0;
    for (int k = 0; k < 1 + trial % 5; ++k) {
      t += length(random);
      points.push_back({t, {place(random), place(random), place(random)}, {}, {}});
    }
    const JointPlan plan = plan_lines(joints, start, points);
    if (plan.failure()) {
      EXPECT_EQ(plan.failure().reason, RejectReason::kPlanAcceleration);
      EXPECT_GT(plan.failure().value, plan.failure().limit);
      continue;
    }
    ++made;
    const auto sent = as_sent(plan, joints);
    EXPECT_LE(sent.acceleration, 1.0 + 1e-6) << trial;
    const auto first = state_at(plan, 0.0);
    const auto end = state_at(plan, t);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(first[j].q, start.q[j], 1e-9);
      EXPECT_NEAR(first[j].v, start.v.empty() ? 0.0 : start.v[j], 1e-9);
      EXPECT_NEAR(end[j].q, points.back().q[j], 1e-9);
      EXPECT_NEAR(end[j].v, 0.0, 1e-6);
    }
    // No jump of position between two places a microsecond apart.
    for (double at = 1e-6; at < t; at += 0.0137) {
      const auto before = state_at(plan, at - 1e-6);
      const auto now = state_at(plan, at);
      for (std::size_t j = 0; j < 3; ++j) EXPECT_LT(std::abs(now[j].q - before[j].q), 6e-6);
    }
  }
  EXPECT_GT(made, 300);
}

TEST(PlanLines, RefusesACornerThatItsWaysAreTooShortForWithTheAccelerationThatItNeeds) {
  const TrajectoryJoints joints = roomy_joints(1);
  // ±1 rad/s within 0.1 s on each side: half of that is for the corner, so that it needs 2/0.1.
  const PlanFailure sharp =
      plan_lines(
          joints, at_rest({0.0}),
          {{1.0, {0.5}, {}, {}}, {1.1, {0.6}, {}, {}}, {1.2, {0.5}, {}, {}}, {2.0, {0.4}, {}, {}}})
          .failure();
  EXPECT_EQ(sharp.reason, RejectReason::kPlanAcceleration);
  EXPECT_EQ(sharp.waypoint, 2U);
  EXPECT_NEAR(sharp.value, 20.0, 1e-9);
  EXPECT_EQ(sharp.limit, 10.0);
  // From rest and back to it within 0.2 s: a triangle needs 4 d/T² of 10.
  const PlanFailure soon = plan_lines(joints, at_rest({0.0}), {{0.2, {0.2}, {}, {}}}).failure();
  EXPECT_EQ(soon.reason, RejectReason::kPlanAcceleration);
  EXPECT_GE(soon.value, 4.0 * 0.2 / 0.04 - 1e-9);
  EXPECT_EQ(plan_lines(joints, at_rest({0.0}), {{1.0, {0.2}, {0.0}, {}}}).failure().reason,
            RejectReason::kBadPlan)
      << "its speeds are its own";
}

TEST(PlanTimed, BrakesBehindALastPointWithASpeedWhereItMay) {
  const TrajectoryJoints joints = roomy_joints(2);  // 10 and 9 rad/s²
  const JointPlan plan =
      plan_timed(joints, at_rest({0.0, 0.0}), {{1.0, {0.4, -0.2}, {0.5, -0.9}, {}}}, true);
  ASSERT_FALSE(plan.failure());
  // The second needs 0.9/9 s, and the first brakes as long: their ways are v T/2.
  EXPECT_NEAR(plan.duration(), 1.1, 1e-12);
  ASSERT_EQ(plan.waypoints().size(), 1U);
  EXPECT_EQ(plan.waypoints()[0], 1.0);
  EXPECT_NEAR(state_at(plan, 1.0)[0].v, 0.5, 1e-9);
  EXPECT_NEAR(state_at(plan, 1.05)[0].a, -5.0, 1e-9);
  EXPECT_NEAR(state_at(plan, 1.1)[0].q, 0.4 + 0.025, 1e-9);
  EXPECT_NEAR(state_at(plan, 1.1)[1].q, -0.2 - 0.045, 1e-9);
  EXPECT_NEAR(time_to_brake(joints, {0.5, -0.9}), 0.1, 1e-12);
}

}  // namespace
}  // namespace jointrig
