// A plan takes over from one of fewer joints: the others join it, from rest.

#include <gtest/gtest.h>

#include <string>

#include "tests/control/stack/planned_rig.h"
#include "tests/support/restored.h"

namespace jointrig {
namespace {

using testing::joints_at;
using testing::PlannedRig;
using testing::Watched;

/// Two joints of three are on their way, from (0, 0) to (0.5, 1), at speed.
struct TwoOnTheirWay : PlannedRig {
  TwoOnTheirWay() : PlannedRig(4), first(to(two, {{0.5, 1.0}})) {
    number = follow(JointPlan(first));
    run(200);
    changes();
  }
  /// A plan of these joints, from `lead` ahead of the present time.
  JointPlan next(const JointSet& joints, double lead, const testing::Points& points) {
    return replacing(joints, first, lead, points);
  }
  void run_until_replaced() {
    for (int i = 0; i < 1000 && !is_replaced(); ++i) run(1);
  }
  /// For the two joints, which go straight from (0, 0) to (0.5, 1).
  [[nodiscard]] double off_their_line() const {
    return std::abs(reference(1).q - 2.0 * reference(0).q);
  }
  void run_out() {
    for (int i = 0; i < 10'000 && !plans().empty(); ++i) run(1);
  }

  JointSet two = joints_at({0, 1});
  JointSet three = joints_at({0, 1, 2});
  JointPlan first;
  std::uint64_t number = 0;
};

void expect_count(const Event& answer, JointIndex joint, double count, double others) {
  EXPECT_EQ(answer.reason, RejectReason::kNotAtStart);
  EXPECT_EQ(answer.joint, joint);
  EXPECT_EQ(static_cast<PlanQuantity>(answer.detail), PlanQuantity::kCount);
  EXPECT_EQ(answer.value, count);
  EXPECT_EQ(answer.limit, others);
}

TEST(JoiningPlans, AJointThatRestsJoinsTwoThatMoveWithoutAStop) {
  TwoOnTheirWay rig;
  Watched watched(rig);
  const double start = rig.stack.snapshot().plans[0].time;
  JointPlan wider = rig.next(rig.three, 0.05, {{0.2, 1.2, -0.4}, {0.0, 0.5, 0.3}});
  const double duration = wider.duration();
  ASSERT_EQ(rig.follow_answer(std::move(wider)).kind, EventKind::kAccepted);
  ASSERT_EQ(rig.plans().size(), 1U);
  EXPECT_EQ(rig.plans()[0].joints, rig.two) << "the third waits";
  EXPECT_EQ(rig.plans()[0].number, 1U);
  EXPECT_TRUE(rig.joint(2).moving) << "led, as by a plan before its first step";
  watched.look();

  double slowest = rig.reference(1).v;
  ASSERT_GT(slowest, 0.5);
  while (rig.plans()[0].number == 1) {
    EXPECT_EQ(rig.reference(2).q, 0.0);
    EXPECT_EQ(rig.reference(2).v, 0.0);
    EXPECT_LT(rig.plans()[0].time, start + 0.06);
    watched.run(1);
    slowest = std::min(slowest, rig.reference(1).v);
  }
  EXPECT_EQ(rig.plans()[0].joints, rig.three);
  EXPECT_GT(slowest, 0.5);
  watched.run(static_cast<int>(500.0 * duration));
  EXPECT_GT(std::abs(rig.reference(2).v), 0.1);
  watched.run(static_cast<int>(500.0 * duration) + 5);
  EXPECT_EQ(rig.words(),
            (std::vector{PlanChange::kReplaced, PlanChange::kStarted, PlanChange::kWaypoint,
                         PlanChange::kWaypoint, PlanChange::kFinished}));
  EXPECT_NEAR(rig.reference(0).q, 0.0, 1e-9);
  EXPECT_NEAR(rig.reference(1).q, 0.5, 1e-9);
  EXPECT_NEAR(rig.reference(2).q, 0.3, 1e-9);
  EXPECT_FALSE(rig.joint(2).moving);
  EXPECT_LE(watched.speed, 1.0 + 1e-6);
  EXPECT_LE(watched.acceleration, 1.0 + 1e-3);
  EXPECT_LE(watched.torn, 1.0);
}

TEST(JoiningPlans, TheOneThatWaitsIsLedAlready) {
  TwoOnTheirWay rig;
  ASSERT_EQ(rig.follow_answer(rig.next(rig.three, 0.2, {{0.3, 0.8, 0.4}})).kind,
            EventKind::kAccepted);
  expect_count(rig.follow_answer(rig.to(joints_at({2}), {{0.2}})), 2, 1.0, 3.0);
  EXPECT_EQ(rig.follow_answer(rig.to(joints_at({3}), {{0.2}})).kind, EventKind::kAccepted);
  rig.run_out();
  EXPECT_NEAR(rig.reference(2).q, 0.4, 1e-9);
}

TEST(JoiningPlans, TwoMayJoinAtTheVeryEndOfThePlanBefore) {
  TwoOnTheirWay rig;
  ASSERT_EQ(rig.follow_answer(rig.next(rig.all, 100.0, {{0.3, 0.8, 0.4, -0.4}})).kind,
            EventKind::kAccepted);
  rig.run_out();
  EXPECT_EQ(rig.words(), (std::vector{PlanChange::kReplaced, PlanChange::kStarted,
                                      PlanChange::kWaypoint, PlanChange::kFinished}));
  EXPECT_NEAR(rig.reference(3).q, -0.4, 1e-9);
}

// ---- refused

/// Refused plans leave the two on their way, and the others as they were.
void expect_on_their_way(TwoOnTheirWay& rig) {
  EXPECT_LT(rig.off_their_line(), 1e-9);
  EXPECT_GT(rig.reference(1).v, 0.5);
  rig.run_out();
  EXPECT_NEAR(rig.reference(1).q, 1.0, 1e-12);
}

TEST(JoiningPlans, OneThatMovesIsRefusedByName) {
  TwoOnTheirWay rig;
  rig.client.move(joints_at({2}), 1.0);
  rig.run(40);
  ASSERT_GT(rig.reference(2).v, 0.0);
  const Event moves = rig.follow_answer(rig.next(rig.three, 0.05, {{0.3, 0.8, 0.4}}));
  EXPECT_EQ(moves.reason, RejectReason::kNotAtStart);
  EXPECT_EQ(moves.joint, 2U);
  expect_on_their_way(rig);
}

TEST(JoiningPlans, OneInAnotherModeIsRefusedByName) {
  TwoOnTheirWay rig;
  rig.client.set_mode(joints_at({2}), ModeRequest::kVelocity);
  rig.run(2);
  const Event elsewhere = rig.follow_answer(rig.next(rig.three, 0.05, {{0.3, 0.8, 0.4}}));
  EXPECT_EQ(elsewhere.reason, RejectReason::kWrongMode);
  EXPECT_EQ(elsewhere.joint, 2U);
  expect_on_their_way(rig);
}

TEST(JoiningPlans, OneThatIsElsewhereThanThePlanBeginsIsRefusedByName) {
  TwoOnTheirWay rig;
  JointPlan late = rig.next(rig.three, 0.1, {{0.3, 0.8, 0.4}});
  rig.client.move(joints_at({2}), 1e-4);
  rig.run(60);
  ASSERT_EQ(rig.reference(2).q, 1e-4);
  const Event away = rig.follow_answer(std::move(late));
  EXPECT_EQ(away.reason, RejectReason::kNotAtStart);
  EXPECT_EQ(away.joint, 2U);
  EXPECT_EQ(away.value, 0.0);
  EXPECT_EQ(away.limit, 1e-4);
  expect_on_their_way(rig);
}

TEST(JoiningPlans, OneThatAnotherPlanLeadsIsRefusedByName) {
  TwoOnTheirWay rig;
  rig.follow(rig.to(joints_at({2, 3}), {{0.1, 0.0}, {0.4, 0.0}}));
  rig.run(2);
  expect_count(rig.follow_answer(rig.next(rig.three, 0.05, {{0.3, 0.8, 0.4}})), 2, 3.0, 2.0);
  // Though it rests in it.
  ASSERT_EQ(rig.reference(3).v, 0.0);
  expect_count(rig.follow_answer(rig.next(joints_at({0, 1, 3}), 0.05, {{0.3, 0.8, 0.4}})), 3, 3.0,
               2.0);
  EXPECT_EQ(rig.plans().size(), 2U);
}

TEST(JoiningPlans, FewerJointsAreRefusedWithBothNumbers) {
  TwoOnTheirWay rig;
  expect_count(rig.follow_answer(rig.next(joints_at({0}), 0.05, {{0.3}})), 0, 1.0, 2.0);
  expect_count(rig.follow_answer(rig.next(joints_at({1, 2}), 0.05, {{0.3, 0.4}})), 1, 2.0, 2.0);
  expect_on_their_way(rig);
}

TEST(JoiningPlans, NoneJoinWhatBrakes) {
  TwoOnTheirWay rig;
  JointPlan wider = rig.next(rig.three, 0.05, {{0.3, 0.8, 0.4}});
  rig.client.stop(joints_at({0}));
  rig.run(2);
  expect_count(rig.follow_answer(std::move(wider)), 0, 3.0, 2.0);
  rig.run_out();
  EXPECT_FALSE(rig.joint(2).moving);
}

/// It is over, and only waits for its tolerances.
TEST(JoiningPlans, OneWhosePlanHasComeToItsEndJoins) {
  TwoOnTheirWay rig;
  JointPlan short_one = rig.to(joints_at({2}), {{0.01}});
  const double duration = short_one.duration();
  rig.follow(std::move(short_one));
  while (rig.plans().size() < 2 || rig.plans()[1].time < duration) rig.run(1);
  rig.changes();
  JointPlan wider = rig.next(rig.three, 0.05, {{0.3, 0.8, 0.4}});
  rig.follow(std::move(wider));
  rig.run(1);
  EXPECT_EQ(rig.words(), (std::vector{PlanChange::kFinished}));
  rig.run_out();
  EXPECT_NEAR(rig.reference(2).q, 0.4, 1e-9);
}

// ---- ended before it takes over

/// The two brake on their line, both plans are told of by the joint's name, and nothing is led.
void expect_broken(TwoOnTheirWay& rig, std::uint64_t wider, PlanChange why) {
  rig.run_out();
  const std::vector<Event> told = rig.changes();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].number, rig.number);
  EXPECT_EQ(told[1].number, wider);
  EXPECT_EQ(told[1].waypoint, 1U);
  for (const Event& e : told) {
    EXPECT_EQ(e.kind, EventKind::kPlanBroken);
    EXPECT_EQ(static_cast<PlanChange>(e.detail), why);
    EXPECT_EQ(e.joint, 2U);
  }
  EXPECT_LT(rig.off_their_line(), 1e-9);
  EXPECT_LT(rig.reference(1).q, 0.9);
  EXPECT_EQ(rig.reference(1).v, 0.0);
  for (const std::size_t j : {0, 1, 3}) EXPECT_FALSE(rig.joint(j).moving);
}

TEST(JoiningPlans, OneThatLeavesBeforeEndsBothByItsName) {
  const auto ended_by = [](PlanChange why, auto&& act) {
    SCOPED_TRACE(to_string(why));
    TwoOnTheirWay rig;
    const std::uint64_t wider =
        rig.follow(rig.next(joints_at({0, 1, 2, 3}), 0.2, {{0.3, 0.8, 0.4, 0.4}}));
    rig.run(10);
    ASSERT_TRUE(rig.joint(2).moving);
    act(rig);
    expect_broken(rig, wider, why);
  };
  const JointSet third = joints_at({2});
  ended_by(PlanChange::kDisabled,
           [&](TwoOnTheirWay& rig) { rig.client.set_mode(third, ModeRequest::kIdle); });
  ended_by(PlanChange::kLeft,
           [&](TwoOnTheirWay& rig) { rig.client.set_mode(third, ModeRequest::kVelocity); });
  ended_by(PlanChange::kLeft, [&](TwoOnTheirWay& rig) { rig.client.move(third, -0.2); });
  ended_by(PlanChange::kFault, [](TwoOnTheirWay& rig) {
    rig.robot.joint[2].fault = FaultCode::kOverCurrent;
    rig.robot.joint[2].fault_cause = true;
  });
}

TEST(JoiningPlans, AMoveThatTakesItBeforeIsFollowed) {
  TwoOnTheirWay rig;
  rig.follow(rig.next(rig.three, 0.2, {{0.3, 0.8, 0.4}}));
  rig.run(10);
  rig.client.move(joints_at({2}), -0.2);
  rig.run(3000);
  EXPECT_EQ(rig.reference(2).q, -0.2);
}

TEST(JoiningPlans, AStopOfTheOneThatWaitsStopsAll) {
  TwoOnTheirWay rig;
  const std::uint64_t wider = rig.follow(rig.next(rig.three, 0.5, {{0.3, 0.8, 0.4}}));
  rig.run(10);
  rig.client.stop(joints_at({2}));
  rig.run_out();
  const std::vector<Event> told = rig.changes();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].number, rig.number);
  EXPECT_EQ(told[1].number, wider);
  for (const Event& e : told) EXPECT_EQ(static_cast<PlanChange>(e.detail), PlanChange::kStopped);
  EXPECT_LT(rig.off_their_line(), 1e-9);
  EXPECT_EQ(rig.reference(2).q, 0.0);
  EXPECT_FALSE(rig.joint(2).moving);
  EXPECT_EQ(rig.follow_answer(rig.to(joints_at({2}), {{0.2}})).kind, EventKind::kAccepted);
}

TEST(JoiningPlans, OneOfTheTwoOutsideItsToleranceLetsTheOthersGo) {
  TwoOnTheirWay rig;
  rig.run_out();
  JointPlan strict = rig.to(rig.two, {{0.0, 0.0}});
  strict.tolerances = {{0.01, 0.0}, {0.0, 0.0}};
  rig.first = strict;
  rig.follow(std::move(strict));
  rig.run(50);
  ASSERT_EQ(rig.follow_answer(rig.next(rig.three, 0.4, {{0.3, 0.8, 0.4}})).kind,
            EventKind::kAccepted);
  rig.changes();
  rig.robot.joint[0].load = 100.0;
  rig.run_out();
  EXPECT_EQ(rig.words(), (std::vector{PlanChange::kPathTolerance, PlanChange::kPathTolerance}));
  EXPECT_FALSE(rig.joint(2).moving);
  EXPECT_EQ(rig.reference(2).q, 0.0);
  rig.client.move(joints_at({2}), 0.1);
  rig.run(2000);
  EXPECT_EQ(rig.reference(2).q, 0.1);
}

TEST(JoiningPlans, OneThatTheSuccessorDoesntNeedIsLetGo) {
  TwoOnTheirWay rig;
  const std::uint64_t wider = rig.follow(rig.next(rig.three, 0.2, {{0.3, 0.8, 0.4}}));
  rig.run(10);
  rig.changes();
  const std::uint64_t other = rig.follow(rig.next(joints_at({0, 1, 3}), 0.1, {{0.3, 0.8, -0.4}}));
  rig.run(2);
  const std::vector<Event> told = rig.changes();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].number, wider);
  EXPECT_EQ(static_cast<PlanChange>(told[0].detail), PlanChange::kReplaced);
  EXPECT_FALSE(rig.joint(2).moving);
  EXPECT_TRUE(rig.joint(3).moving);
  rig.client.move(joints_at({2}), 0.1);  // and takes what comes, with no harm to the others
  rig.run_until_replaced();
  rig.run_out();
  const std::vector<Event> course = rig.changes();
  ASSERT_FALSE(course.empty());
  EXPECT_EQ(course.back().number, other);
  EXPECT_EQ(static_cast<PlanChange>(course.back().detail), PlanChange::kFinished);
  EXPECT_NEAR(rig.reference(3).q, -0.4, 1e-9);
  rig.run(1000);
  EXPECT_EQ(rig.reference(2).q, 0.1);
}

TEST(JoiningPlans, OneThatTheSuccessorNeedsTooStaysWhereItIs) {
  TwoOnTheirWay rig;
  Watched watched(rig);
  rig.follow(rig.next(rig.three, 0.2, {{0.3, 0.8, 0.4}}));
  watched.run(10);
  rig.follow(rig.next(rig.all, 0.1, {{0.3, 0.8, -0.4, 0.3}}));
  watched.run(10);
  EXPECT_TRUE(rig.joint(2).moving);
  EXPECT_EQ(rig.reference(2).q, 0.0);
  watched.run(3000);
  EXPECT_NEAR(rig.reference(2).q, -0.4, 1e-9);
  EXPECT_LE(watched.acceleration, 1.0 + 1e-3);
  EXPECT_LE(watched.torn, 1.0);
}

/// Both in one cycle, too.
TEST(JoiningPlans, OneThatIsDroppedInTheCycleThatTakesItIsLetGo) {
  TwoOnTheirWay rig;
  rig.follow(rig.next(rig.three, 0.2, {{0.3, 0.8, 0.4}}));
  rig.follow(rig.next(rig.two, 0.1, {{0.3, 0.8}}));
  rig.run(1);
  EXPECT_FALSE(rig.joint(2).moving);
  rig.run_out();
  EXPECT_NEAR(rig.reference(1).q, 0.8, 1e-9);
}

// ---- state

TEST(JoiningPlans, GoOnFromASavedStateToTheBit) {
  for (const int cycles : {10, 150}) {
    SCOPED_TRACE(cycles < 100 ? "while it waits" : "once it has taken over");
    TwoOnTheirWay rig;
    rig.follow(rig.next(rig.three, 0.1, {{0.3, 0.8, 0.4}, {0.1, 0.0, 0.2}}));
    rig.run(cycles);
    testing::expect_a_restored_stack_goes_on(rig, 2000);
  }
}

}  // namespace
}  // namespace jointrig
