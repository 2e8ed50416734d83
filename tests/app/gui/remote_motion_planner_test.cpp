/// Plans for a panel on a served robot, with a connection of paper.

#include "app/gui/remote_motion_planner.h"

#include <cmath>

#include "tests/app/gui/paper_server.h"

namespace jointrig::app {
namespace {

struct RemoteMotionPlannerTest : RemoteLoopTest {
  static gui::MotionList through(std::optional<double> a, std::optional<double> b) {
    gui::MotionList list;
    list.waypoints.resize(1);
    list.waypoints[0].label = "bin";
    list.waypoints[0].q = {a, b};
    return list;
  }
  static Snapshot somewhere() {
    Snapshot now;
    now.joints.resize(2);
    now.joints[0].state.q = 0.7;
    return now;
  }
  static remote::PlannedMotion passed() {
    remote::PlannedMotion planned;
    planned.command = {JointSet{}.set(1), 4, 2};
    planned.report.emplace();
    planned.report->start = {0.25};
    planned.report->duration = 1.5;
    planned.report->waypoint_times = {1.5};
    return planned;
  }

  std::unique_ptr<RemoteLoop> loop = opened();
  RemoteMotionPlanner planner{*loop, std::nullopt};
};

TEST_F(RemoteMotionPlannerTest, WhoDoesntHoldTheRobotIsToldHow) {
  EXPECT_EQ(planner.why_not(),
            "plans are made for who holds the robot: take it with CONTROL first");
  ASSERT_EQ(loop->take(false), "");
  EXPECT_EQ(planner.why_not(), "");
}

TEST_F(RemoteMotionPlannerTest, AListIsPlannedThereAndItsTicketIsFollowedOnce) {
  planner.ask(through({}, 0.5), loop->config(), somewhere(), false);
  EXPECT_FALSE(planner.take()) << "it doesn't wait";
  ASSERT_EQ(server.asked.size(), 1U);
  EXPECT_EQ(server.asked[0].joints, JointSet{}.set(1));
  EXPECT_EQ(server.asked[0].waypoints[0].q, std::vector<double>{0.5});
  EXPECT_FALSE(server.asked[0].goes_on);
  EXPECT_TRUE(server.asked[0].wants_report);
  set([&] { server.planned = passed(); });
  const std::optional<gui::MotionAnswer> answer = planner.take();
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->has_passed()) << answer->refusal;
  EXPECT_EQ(answer->start, (std::vector<double>{0.0, 0.25}));
  EXPECT_EQ(answer->times, std::vector<double>{1.5});
  EXPECT_EQ(server.plans_alive, 0);
  const std::optional<FollowPlan> plan = planner.hand_over();
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->slot, 4U);
  EXPECT_EQ(plan->round, 2U);
  EXPECT_FALSE(planner.hand_over());
}

TEST_F(RemoteMotionPlannerTest, ARefusalHasItsWaypointAndThePoseWhereBodiesMeet) {
  planner.ask(through({}, 0.5), loop->config(), somewhere(), false);
  set([&] {
    server.planned = passed();
    server.planned->report->refusal = "two bodies come as near as 1 mm";
    server.planned->report->waypoint = 1;
    server.planned->report->joints = {1};
    server.planned->report->meets = "hand and table";
    server.planned->report->meets_at = 0.75;
    server.planned->report->meets_q = {0.4};
  });
  const std::optional<gui::MotionAnswer> answer = planner.take();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->refusal, "two bodies come as near as 1 mm; waypoint \"bin\"");
  EXPECT_EQ(answer->waypoint, 1U);
  EXPECT_EQ(answer->meets_q, (std::vector<double>{0.7, 0.4}));
  EXPECT_EQ(answer->meets_at, 0.75);
  EXPECT_FALSE(planner.hand_over());
}

TEST_F(RemoteMotionPlannerTest, WhatTheServerRefusesToPlanIsTold) {
  planner.ask(through(0.1, {}), loop->config(), somewhere(), false);
  set([&] { server.planned = remote::PlannedMotion{{}, "trajectory: take the lease first"}; });
  const std::optional<gui::MotionAnswer> answer = planner.take();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->refusal, "trajectory: take the lease first");
}

TEST_F(RemoteMotionPlannerTest, WhatIsCancelledOrAskedForAnewIsNoLongerWaitedFor) {
  planner.ask(through(0.1, {}), loop->config(), somewhere(), false);
  planner.ask(through(0.2, {}), loop->config(), somewhere(), true);
  EXPECT_EQ(server.plans_alive, 1);
  EXPECT_TRUE(server.asked[1].goes_on);
  planner.cancel();
  EXPECT_EQ(server.plans_alive, 0);
  EXPECT_FALSE(planner.take());
}

TEST_F(RemoteMotionPlannerTest, ALostConnectionEndsThePlanThatIsMadeAndThatWhichWaits) {
  for (const bool is_made : {false, true}) {
    planner.ask(through(0.1, {}), loop->config(), somewhere(), false);
    if (is_made) {
      set([&] { server.planned = passed(); });
      ASSERT_TRUE(planner.take());
    }
    set([&] { server.lost = "paper:4600: Socket closed"; });
    const int before = server.connections;
    ASSERT_TRUE(wait_for([&] { return server.connections > before; })) << "made again";
    const std::optional<gui::MotionAnswer> answer = planner.take();
    EXPECT_EQ(answer.has_value(), !is_made);
    if (answer) {
      EXPECT_EQ(answer->refusal, "the connection was lost before it was planned");
    }
    EXPECT_FALSE(planner.hand_over()) << "a server that was started anew has other plans";
    for (int i = 0; i < 20'000 && !loop->now().lost.empty(); ++i) {
      std::this_thread::sleep_for(milliseconds(1));
    }
  }
}

}  // namespace
}  // namespace jointrig::app
