// Where a plan begins that may go on from another.

#include "harness/runner/plan_desk.h"

#include <gtest/gtest.h>

#include <memory>

namespace jointrig::harness {
namespace {

/// Four joints that stand at 0, 1, 2 and 3, and a pool.
struct Desk {
  Desk() : now(std::make_unique<Snapshot>()), desk(&pool) {
    for (int i = 0; i < 4; ++i) {
      JointSnapshot joint;
      joint.mode = JointMode::kPosition;
      joint.reference.q = i;
      now->joints.push_back(joint);
    }
  }
  static JointSet set(std::initializer_list<std::size_t> places) {
    JointSet joints;
    for (const std::size_t place : places) joints.set(place);
    return joints;
  }
  /// Has these joints follow a plan of 10 s, by 1 each, from where they stand.
  void follow(const JointSet& joints, double time) {
    JointLimits limits{.q_min = -9.0, .q_max = 9.0, .v_max = 9.0, .a_max = 90.0};
    TrajectoryJoints on;
    TrajectoryStart start;
    TimedWaypoint end;
    end.t = 10.0;
    for (std::size_t i = 0; i < now->joints.size(); ++i) {
      if (!joints.test(i)) continue;
      on.index.push_back(static_cast<JointIndex>(i));
      on.limits.push_back(limits);
      start.q.push_back(static_cast<double>(i));
      end.q.push_back(static_cast<double>(i) + 1.0);
      end.v.push_back(0.0);
    }
    const FollowPlan command = desk.hand_over(plan_timed(on, start, {end}), {}, joints);
    now->plans.push_back({.time = time,
                          .duration = 10.0,
                          .pace = 1.0,
                          .joints = joints,
                          .slot = command.slot,
                          .round = command.round});
  }
  [[nodiscard]] PlanDesk::Start start(const JointSet& joints, bool goes_on = true) const {
    return desk.start(*now, joints, goes_on, 1.0);
  }

  std::unique_ptr<Snapshot> now;
  JointPlanPool pool{8};
  PlanDesk desk;
};

TEST(PlanDesk, APlanOfMoreJointsBeginsWhereThoseOfTheOneBeforeAreThenAndTheOthersStand) {
  Desk robot;
  robot.follow(Desk::set({0, 2}), 4.0);
  const PlanDesk::Start start = robot.start(Desk::set({0, 1, 2}));
  EXPECT_TRUE(start.after);
  EXPECT_EQ(start.time, 5.0);
  // A cubic from rest to rest is half way at half its time, at 1.5 of its mean speed.
  ASSERT_EQ(start.state.q.size(), 3U);
  EXPECT_NEAR(start.state.q[0], 0.5, 1e-12);
  EXPECT_EQ(start.state.q[1], 1.0);
  EXPECT_NEAR(start.state.q[2], 2.5, 1e-12);
  ASSERT_EQ(start.state.v.size(), 3U);
  EXPECT_NEAR(start.state.v[0], 0.15, 1e-12);
  EXPECT_EQ(start.state.v[1], 0.0);
  EXPECT_NEAR(start.state.v[2], 0.15, 1e-12);
}

TEST(PlanDesk, APlanBeginsAtRestWhereItCantGoOnFromAnother) {
  Desk robot;
  robot.follow(Desk::set({0, 1}), 4.0);
  robot.follow(Desk::set({2}), 4.0);
  EXPECT_FALSE(robot.start(Desk::set({0})).after) << "of fewer joints";
  EXPECT_FALSE(robot.start(Desk::set({0, 3})).after) << "of others";
  EXPECT_FALSE(robot.start(Desk::set({0, 1, 2})).after) << "of the joints of two";
  EXPECT_FALSE(robot.start(Desk::set({3})).after) << "none leads it";
  EXPECT_FALSE(robot.start(Desk::set({0, 1, 3}), false).after) << "it isn't to";
  EXPECT_TRUE(robot.start(Desk::set({0, 1, 3})).after);
  EXPECT_EQ(robot.start(Desk::set({0, 1, 3})).state.v.size(), 3U);
  EXPECT_TRUE(robot.start(Desk::set({0})).state.v.empty());
  robot.now->plans[0].joints.reset(0);
  EXPECT_FALSE(robot.start(Desk::set({0, 1, 3})).after) << "a joint has left it";
}

TEST(PlanDesk, OneThatIsOverAndOnlyWaitsForItsTolerancesMakesWay) {
  Desk robot;
  robot.follow(Desk::set({0, 1}), 4.0);
  robot.follow(Desk::set({2}), 10.0);
  EXPECT_TRUE(robot.start(Desk::set({0, 1, 2})).after);
  EXPECT_FALSE(robot.start(Desk::set({2})).after);
}

}  // namespace
}  // namespace jointrig::harness
