// Plans in the loop: from the pool to the joints' references, and how they end.

#include "control/stack/plan_followers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "control/planning/joint_trajectory.h"
#include "tests/control/stack/planned_rig.h"
#include "tests/support/replacements.h"
#include "tests/support/restored.h"

namespace jointrig {
namespace {

using testing::PlannedRig;
using testing::Points;
using testing::Watched;

TEST(FollowPlan, TakesTheJointsThroughTheWaypointsAndSaysSo) {
  PlannedRig rig;
  JointPlan plan = rig.to({{0.3, -0.2}, {0.6, 0.4}});
  const double duration = plan.duration();
  const double at_first = plan.waypoints()[0];
  const PlanTicket ticket = rig.hand_over(std::move(plan));
  const std::uint64_t number = rig.follow(ticket);
  Watched watched(rig);
  const int to_first = static_cast<int>(std::ceil(at_first * 1000.0 - 1e-9));
  watched.run(to_first);
  EXPECT_NEAR(rig.joint(0).reference.q, 0.3, 3e-3);
  EXPECT_EQ(rig.words(), (std::vector{PlanChange::kStarted, PlanChange::kWaypoint}));
  watched.run(static_cast<int>(duration * 1000.0) - to_first + 3);
  const std::vector<Event> last = rig.changes();
  ASSERT_EQ(last.size(), 2U);
  EXPECT_EQ(static_cast<PlanChange>(last[0].detail), PlanChange::kWaypoint);
  EXPECT_EQ(last[0].value, 2.0);
  EXPECT_EQ(static_cast<PlanChange>(last[1].detail), PlanChange::kFinished);
  EXPECT_EQ(last[1].number, number);
  EXPECT_NEAR(last[1].value, duration, 3e-3);
  EXPECT_NEAR(rig.joint(0).reference.q, 0.6, 1e-12);
  EXPECT_NEAR(rig.joint(1).reference.q, 0.4, 1e-12);
  EXPECT_EQ(rig.joint(0).reference.v, 0.0);
  EXPECT_FALSE(rig.joint(0).moving);
  EXPECT_LE(watched.speed, 1.0 + 1e-9);
  EXPECT_LE(watched.acceleration, 1.0 + 1e-6);
  EXPECT_LE(watched.torn, 1.0);
}

TEST(FollowPlan, AStopSlowsDownAlongThePathWithinTheBounds) {
  PlannedRig rig;
  // A straight line: along it both joints keep the ratio of their ways.
  ASSERT_EQ(rig.follow_answer(rig.to({{0.5, 1.0}})).kind, EventKind::kAccepted);
  Watched watched(rig);
  watched.run(350);
  EXPECT_GT(rig.joint(1).reference.v, 0.5);
  rig.client.stop(JointSet().set(0));
  watched.run(600);
  EXPECT_EQ(rig.joint(0).reference.v, 0.0);
  EXPECT_EQ(rig.joint(1).reference.v, 0.0);
  EXPECT_LT(rig.joint(1).reference.q, 0.95);
  EXPECT_NEAR(rig.joint(1).reference.q, 2.0 * rig.joint(0).reference.q, 1e-9);
  EXPECT_LE(watched.acceleration, 1.0 + 1e-6);
  EXPECT_EQ(rig.words(), (std::vector{PlanChange::kStopped}));
  EXPECT_FALSE(rig.joint(0).moving);
  EXPECT_EQ(rig.follow_answer(rig.to({{0.0, 0.0}})).kind, EventKind::kAccepted);
}

TEST(FollowPlan, AtHalfTheSpeedOverrideItTakesTwiceAsLongOnTheSamePath) {
  PlannedRig rig;
  rig.client.set_speed_override(0.5);
  rig.run(2);
  JointPlan plan = rig.to({{0.5, 1.0}});
  const double duration = plan.duration();
  rig.events();
  ASSERT_EQ(rig.follow_answer(std::move(plan)).kind, EventKind::kAccepted);
  Watched watched(rig);
  rig.events();
  watched.run(static_cast<int>(2000.0 * duration) + 3);
  EXPECT_EQ(rig.words(), (std::vector{PlanChange::kWaypoint, PlanChange::kFinished}));
  EXPECT_LE(watched.speed, 0.5 + 1e-9);
  EXPECT_LE(watched.acceleration, 0.25 + 1e-6);
}

TEST(FollowPlan, AnOverrideThatChangesOnTheWayKeepsTheBounds) {
  PlannedRig rig;
  ASSERT_EQ(rig.follow_answer(rig.to({{0.5, 1.0}, {-0.5, 0.2}, {0.3, 0.3}})).kind,
            EventKind::kAccepted);
  Watched watched(rig);
  std::mt19937 random(11);
  for (int i = 0; i < 60; ++i) {
    rig.client.set_speed_override(std::uniform_real_distribution<double>(0.05, 1.0)(random));
    watched.run(100);
  }
  EXPECT_LE(watched.speed, 1.0 + 1e-9);
  EXPECT_LE(watched.acceleration, 1.0 + 1e-6);
}

TEST(FollowPlan, IsRefusedWholeAndNothingMoves) {
  PlannedRig rig;
  const double before = rig.joint(0).reference.q;
  JointPlan elsewhere = plan_through(rig.on, {{0.2, 0.0}, {}}, {{{0.5, 0.5}, 1.0, 1.0}});
  const Event away = rig.follow_answer(std::move(elsewhere));
  EXPECT_EQ(away.reason, RejectReason::kNotAtStart);
  EXPECT_EQ(away.joint, 0U);
  EXPECT_EQ(away.value, 0.2);
  const Event far = rig.follow_answer(rig.to({{0.2, 500.0}}));
  EXPECT_EQ(far.reason, RejectReason::kPlanPosition);
  EXPECT_EQ(far.joint, 1U);
  EXPECT_EQ(far.waypoint, 1U);
  EXPECT_NEAR(far.value, 500.0, 1e-6);
  const Event none = rig.answer([&] { return rig.follow({3, 7}); });
  EXPECT_EQ(none.reason, RejectReason::kNoPlan);
  rig.run(100);
  EXPECT_EQ(rig.joint(0).reference.q, before);
  EXPECT_FALSE(rig.joint(0).moving);
}

TEST(FollowPlan, IsCheckedAgainstTheLimitsOfNow) {
  PlannedRig rig;
  JointPlan plan = rig.to({{0.5, 1.0}});
  rig.client.set_parameter(JointSet().set(1), JointParameter::kVelocityMax, 0.2);
  rig.run(2);
  const Event slow = rig.follow_answer(std::move(plan));
  EXPECT_EQ(slow.reason, RejectReason::kPlanSpeed);
  EXPECT_EQ(slow.joint, 1U);
  EXPECT_NEAR(slow.limit, 0.2, 1e-12);
}

TEST(FollowPlan, GivesThePoolItsPlansBack) {
  PlannedRig rig;
  for (int i = 0; i < 40; ++i) {  // more than the pool has
    auto draft = rig.stack.plans().claim();
    ASSERT_TRUE(draft) << "round " << i;
    **draft = std::make_shared<const JointPlan>(
        i % 2 == 0 ? rig.to({{0.01, 0.01}, {0.0, 0.0}})
                   : JointPlan(PlanFailure{RejectReason::kBadPlan}));
    const PlanTicket ticket = rig.stack.plans().hand_over(std::move(*draft));
    rig.follow(ticket);
    rig.run(400);
  }
}

TEST(FollowPlan, AJointThatLeavesItStopsTheOthersOnThePath) {
  PlannedRig rig(3);
  ASSERT_EQ(rig.follow_answer(rig.to({{0.4, 0.8, 1.2}})).kind, EventKind::kAccepted);
  rig.run(300);
  rig.events();
  rig.client.set_mode(JointSet().set(0), ModeRequest::kIdle);
  Watched watched(rig);
  rig.run(600);
  const std::vector<Event> told = rig.changes();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].kind, EventKind::kPlanBroken);
  EXPECT_EQ(static_cast<PlanChange>(told[0].detail), PlanChange::kDisabled);
  EXPECT_EQ(told[0].joint, 0U);
  EXPECT_EQ(rig.joint(1).reference.v, 0.0);
  EXPECT_LT(rig.joint(1).reference.q, 0.75);
  EXPECT_NEAR(rig.joint(2).reference.q, 1.5 * rig.joint(1).reference.q, 1e-9);
}

TEST(FollowPlan, AMoveTakesAJointOffIt) {
  PlannedRig rig;
  ASSERT_EQ(rig.follow_answer(rig.to({{0.5, 1.0}})).kind, EventKind::kAccepted);
  Watched watched(rig);
  watched.run(200);
  rig.client.move(JointSet().set(1), -0.2);
  watched.run(3000);
  EXPECT_EQ(rig.joint(1).reference.q, -0.2);
  EXPECT_EQ(rig.joint(0).reference.v, 0.0);
  EXPECT_EQ(rig.words(), (std::vector{PlanChange::kLeft}));
}

/// In a mode without a position a joint goes nowhere by its plan, and is told to move nowhere.
TEST(FollowPlan, AJointInAnotherModeHasLeftItAndNoLongerMoves) {
  for (const ModeRequest request :
       {ModeRequest::kIdle, ModeRequest::kTorque, ModeRequest::kOpenloop, ModeRequest::kVelocity,
        ModeRequest::kMixed, ModeRequest::kPositionDirect}) {
    SCOPED_TRACE(to_string(request));
    PlannedRig rig;
    ASSERT_EQ(rig.follow_answer(rig.to({{0.5, 1.0}})).kind, EventKind::kAccepted);
    rig.run(300);
    rig.events();
    rig.client.set_mode(JointSet().set(0), request);
    rig.run(400);
    const bool is_off = request == ModeRequest::kIdle;
    EXPECT_EQ(rig.words(), (std::vector{is_off ? PlanChange::kDisabled : PlanChange::kLeft}));
    EXPECT_FALSE(rig.joint(0).moving);
    EXPECT_FALSE(rig.joint(1).moving);
    EXPECT_EQ(rig.joint(1).reference.v, 0.0);
    EXPECT_TRUE(rig.stack.snapshot().plans.empty());
  }
}

/// STOP and the motors off in one cycle, as the panel's OFF sends them.
TEST(FollowPlan, JointsThatAreSwitchedOffWhileItStopsNoLongerMove) {
  PlannedRig rig;
  ASSERT_EQ(rig.follow_answer(rig.to({{0.5, 1.0}})).kind, EventKind::kAccepted);
  rig.run(300);
  rig.client.stop(rig.all);
  for (std::size_t j = 0; j < 2; ++j) {
    rig.client.set_mode(JointSet().set(j), ModeRequest::kIdle);
  }
  rig.run(20);
  EXPECT_TRUE(rig.stack.snapshot().plans.empty());
  EXPECT_FALSE(rig.joint(0).moving);
  EXPECT_FALSE(rig.joint(1).moving);
}

/// Along the path a joint that brakes already can't brake harder: a stop waits until it is through.
TEST(FollowPlan, AStopInACurveComesToRestWithinTwiceTheBrakingTime) {
  std::mt19937 random(11);  // any seed
  std::uniform_real_distribution<double> somewhere(-1.4, 1.4);
  std::uniform_real_distribution<double> sometime(0.02, 1.0);
  double longest = 0.0;  // in braking times from the largest speed
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    PlannedRig rig(3);
    std::vector<std::vector<double>> points;
    for (int n = 0; n < 6; ++n) {
      points.push_back({somewhere(random), somewhere(random), somewhere(random)});
    }
    JointPlan plan = rig.to(points);
    if (plan.failure()) continue;  // its spline leaves the limits
    const double at = sometime(random) * plan.duration();
    ASSERT_EQ(rig.follow_answer(std::move(plan)).kind, EventKind::kAccepted);
    rig.run(static_cast<int>(1000.0 * at));
    rig.client.stop(JointSet().set(0));
    int cycles = 0;
    while (!rig.stack.snapshot().plans.empty() && cycles < 5000) {
      rig.run(1);
      ++cycles;
    }
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(rig.joint(j).reference.v, 0.0);
      EXPECT_FALSE(rig.joint(j).moving);
    }
    const JointLimits& limits = rig.on.limits[0];
    longest = std::max(longest, 1e-3 * cycles * limits.a_max / limits.v_max);
  }
  RecordProperty("longest_in_braking_times", std::to_string(longest));
  EXPECT_LT(longest, 2.0);
  EXPECT_GT(longest, 0.5) << "some were stopped at speed";
}

// ---- replaced while it moves

/// Plans of two of four joints, or of three, replaced at random by plans of the same joints or of
/// more.
class RandomPlans {
 public:
  explicit RandomPlans(PlannedRig& rig) : rig_(rig) {}

  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  bool happens(int once_in) { return random_() % static_cast<unsigned>(once_in) == 0; }
  void begin() {
    JointSet joints;
    while (joints.count() < 2) joints.set(random_() % 4);
    sent_.clear();
    send(rig_.to(joints, points(joints)));
    rig_.run(1);
  }
  /// @returns false once nothing is followed
  bool send_another() {
    const auto followed = this->followed();
    if (followed == nullptr) return false;
    JointSet joints = set_of(*followed);
    for (std::size_t j = 0; j < 4; ++j) {
      if (happens(4)) joints.set(j);
    }
    send(rig_.replacing(joints, *followed, 0.02, points(joints)));
    return true;
  }
  /// Null: none.
  std::shared_ptr<const JointPlan> followed() {
    if (rig_.plans().empty()) return nullptr;
    const PlanTicket now{rig_.plans()[0].slot, rig_.plans()[0].round};
    const auto found = std::find_if(sent_.begin(), sent_.end(),
                                    [&](const Sent& sent) { return sent.ticket == now; });
    return found != sent_.end() ? found->plan : nullptr;
  }

 private:
  struct Sent {
    PlanTicket ticket;
    std::shared_ptr<const JointPlan> plan;
  };
  Points points(const JointSet& joints) {
    Points points(2);
    for (std::vector<double>& q : points) {
      for (std::size_t j = 0; j < joints.count(); ++j) q.push_back(between(-1.0, 1.0));
    }
    return points;
  }
  void send(JointPlan plan) {
    auto copy = std::make_shared<const JointPlan>(plan);
    const JointSet joints = plan.failure() ? rig_.all : set_of(plan);
    const PlanTicket ticket = rig_.hand_over(std::move(plan));
    rig_.follow(ticket, joints);
    sent_.push_back({ticket, std::move(copy)});
  }

  PlannedRig& rig_;
  std::mt19937 random_{5};  // any seed
  std::vector<Sent> sent_;
};

TEST(FollowPlan, ReplacedAtRandomWhileItMovesItNeverBreaksContinuity) {
  PlannedRig rig(4);
  RandomPlans plans(rig);
  Watched watched(rig);
  const int wanted = testing::replacements(200);
  int replaced = 0;
  int joined = 0;
  int dropped = 0;  // before it took over, for another one
  for (int round = 0; replaced < wanted; ++round) {
    ASSERT_LT(round, wanted) << "of " << replaced << " replaced";
    plans.begin();
    watched.look();
    for (int i = 0; i < 6; ++i) {
      if (i % 3 == 0) rig.client.set_speed_override(plans.between(0.2, 1.0));
      watched.run(20 + static_cast<int>(plans.between(0.0, 300.0)));
      const auto before = plans.followed();
      if (!plans.send_another()) break;
      if (plans.happens(3)) {
        watched.run(5);
        if (plans.send_another()) ++dropped;
      }
      watched.run(150);
      const auto now = plans.followed();
      if (now == nullptr || now == before) continue;
      ++replaced;
      if (set_of(*now) != set_of(*before)) ++joined;
    }
    if (plans.happens(4)) rig.client.stop(rig.all);
    // At a fifth of its pace a plan takes its time.
    for (int i = 0; i < 60'000 && !rig.plans().empty(); ++i) watched.run(1);
    ASSERT_TRUE(rig.plans().empty()) << "round " << round;
    for (std::size_t j = 0; j < 4; ++j) {
      ASSERT_FALSE(rig.joint(j).moving) << "round " << round << ": a joint that nothing leads";
    }
  }
  RecordProperty("replaced", replaced);
  RecordProperty("by_plans_of_more_joints", joined);
  RecordProperty("replaced_before_they_began", dropped);
  RecordProperty("speed_of_bound", std::to_string(watched.speed));
  RecordProperty("acceleration_of_bound", std::to_string(watched.acceleration));
  RecordProperty("torn", std::to_string(watched.torn));
  EXPECT_LE(watched.speed, 1.0 + 1e-6);
  EXPECT_LE(watched.acceleration, 1.0 + 1e-3);
  EXPECT_LE(watched.torn, 1.0);
  EXPECT_GT(joined, wanted / 10);
  EXPECT_GT(dropped, wanted / 10);
}

TEST(FollowPlan, AReplacementThatBeginsBehindTheEndIsRefusedWithBothTimes) {
  PlannedRig rig;
  JointPlan first = rig.to({{0.5, 0.2}});
  const JointPlan followed = first;
  ASSERT_EQ(rig.follow_answer(std::move(first)).kind, EventKind::kAccepted);
  rig.run(100);
  JointPlan late = rig.replacing(followed, 100.0, {{-0.3, 0.0}});
  late.after_time = followed.duration() + 0.25;
  const Event refused = rig.follow_answer(std::move(late));
  EXPECT_EQ(refused.kind, EventKind::kRejected);
  EXPECT_EQ(refused.reason, RejectReason::kNotAtStart);
  EXPECT_EQ(refused.joint, kNoJoint);
  EXPECT_EQ(static_cast<PlanQuantity>(refused.detail), PlanQuantity::kTime);
  EXPECT_NEAR(refused.value, followed.duration() + 0.25, 1e-12);
  EXPECT_EQ(refused.limit, followed.duration());
  JointPlan none = rig.replacing(followed, 100.0, {{-0.3, 0.0}});
  none.after_time = std::nan("");
  EXPECT_EQ(rig.follow_answer(std::move(none)).kind, EventKind::kRejected);

  // Rounding is none: it begins at the end, in the first cycle that reaches it.
  JointPlan next = rig.replacing(followed, 100.0, {{-0.3, 0.0}});
  next.after_time = followed.duration() * (1.0 + 1e-9);
  ASSERT_EQ(rig.follow_answer(std::move(next)).kind, EventKind::kAccepted);
  rig.run(5000);
  EXPECT_EQ(rig.words(), (std::vector<PlanChange>{PlanChange::kReplaced, PlanChange::kStarted,
                                                  PlanChange::kWaypoint, PlanChange::kFinished}));
  EXPECT_NEAR(rig.joint(0).reference.q, -0.3, 1e-9);
}

/// Its sender would wait for its end for ever.
TEST(FollowPlan, AReplacementThatNeverBeginsIsToldAsEndedWithWhatEndsIt) {
  const auto ends = [](auto&& act) {
    PlannedRig rig;
    JointPlan first = rig.to({{0.5, 0.2}});
    const JointPlan followed = first;
    EXPECT_EQ(rig.follow_answer(std::move(first)).kind, EventKind::kAccepted);
    rig.run(50);
    const double end = 0.9 * followed.duration();
    const double lead = end - rig.stack.snapshot().plans[0].time;
    const std::uint64_t number =
        rig.follow(rig.hand_over(rig.replacing(followed, lead, {{0.4, -0.1}, {0.3, 0.0}})));
    rig.run(2);
    rig.events();
    act(rig, followed, lead);
    std::vector<Event> of_it;
    for (int i = 0; i < 50; ++i) {
      rig.run(100);
      for (const Event& e : rig.changes()) {
        if (e.number == number) of_it.push_back(e);
      }
    }
    EXPECT_TRUE(rig.stack.snapshot().plans.empty());
    return of_it;
  };
  using Followed = const JointPlan&;
  const std::vector<Event> stopped =
      ends([](PlannedRig& rig, Followed, double) { rig.client.stop(rig.all); });
  ASSERT_EQ(stopped.size(), 1U);
  EXPECT_EQ(static_cast<PlanChange>(stopped[0].detail), PlanChange::kStopped);
  EXPECT_EQ(stopped[0].value, 0.0) << "of its own time";
  EXPECT_GT(stopped[0].limit, 0.0);

  const std::vector<Event> replaced = ends([](PlannedRig& rig, Followed followed, double lead) {
    rig.follow(rig.hand_over(rig.replacing(followed, 0.5 * lead, {{-0.2, 0.0}})));
  });
  ASSERT_EQ(replaced.size(), 1U);
  EXPECT_EQ(static_cast<PlanChange>(replaced[0].detail), PlanChange::kReplaced);

  const std::vector<Event> left = ends([](PlannedRig& rig, Followed, double) {
    rig.client.set_mode(rig.client.select("joint1"), ModeRequest::kIdle);
  });
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].kind, EventKind::kPlanBroken);
  EXPECT_EQ(left[0].waypoint, 1U);
}

/// The pace rises while the plan ends, so that a cycle may pass the end though it began too early
/// to reach it by its pace.
TEST(FollowPlan, AReplacementFromTheVeryEndIsFollowedWhileThePaceRises) {
  PlannedRig rig;
  Watched watched(rig);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    rig.client.set_speed_override(0.1);
    rig.run(300);
    const double goal = round % 2 == 0 ? 0.05 + 1e-4 * round : 0.0;
    JointPlan first = rig.to({{goal, 0.0}});
    const JointPlan followed = first;
    ASSERT_EQ(rig.follow_answer(std::move(first)).kind, EventKind::kAccepted);
    watched.look();
    // Some cycles before its end.
    while (rig.stack.snapshot().plans[0].time < followed.duration() - 2e-3) watched.run(1);
    JointPlan next = rig.replacing(followed, 1.0, {{goal, 0.02}});
    ASSERT_EQ(next.after_time, followed.duration());
    rig.events();
    rig.follow(rig.hand_over(std::move(next)));
    rig.client.set_speed_override(1.0);
    watched.run(600);
    ASSERT_TRUE(rig.is_replaced()) << "accepted, and not followed";
    ASSERT_TRUE(rig.stack.snapshot().plans.empty());
    ASSERT_NEAR(rig.joint(1).reference.q, 0.02, 1e-9);
    ASSERT_EQ(rig.follow_answer(rig.to({{goal, 0.0}})).kind, EventKind::kAccepted);
    watched.look();
    watched.run(800);
  }
  EXPECT_LE(watched.speed, 1.0 + 1e-6);
  EXPECT_LE(watched.acceleration, 1.0 + 1e-3);
  EXPECT_LE(watched.torn, 1.0);
}

TEST(FollowPlan, EachPlanThatIsFollowedHasItsNumber) {
  PlannedRig rig;
  const auto number = [&rig] { return rig.stack.snapshot().plans[0].number; };
  JointPlan first = rig.to({{0.5, 0.2}});
  const JointPlan followed = first;
  ASSERT_EQ(rig.follow_answer(std::move(first)).kind, EventKind::kAccepted);
  EXPECT_EQ(number(), 1U);
  rig.run(100);
  ASSERT_EQ(rig.follow_answer(rig.replacing(followed, 0.05, {{0.1, 0.3}})).kind,
            EventKind::kAccepted);
  EXPECT_EQ(number(), 1U) << "the second waits for its time";
  for (int i = 0; i < 200 && !rig.is_replaced(); ++i) rig.run(1);
  EXPECT_EQ(number(), 2U);
  const Stack::State saved = rig.stack.state();
  rig.client.stop(rig.all);
  rig.run(2000);
  ASSERT_EQ(rig.follow_answer(rig.to({{0.0, 0.0}})).kind, EventKind::kAccepted);
  EXPECT_EQ(number(), 3U);
  rig.stack.restore(saved);
  rig.client.stop(rig.all);
  rig.run(2000);
  ASSERT_EQ(rig.follow_answer(rig.to({{0.1, 0.1}})).kind, EventKind::kAccepted);
  EXPECT_EQ(number(), 3U) << "counted from what was saved";
}

TEST(FollowPlan, AReplacementThatComesTooLateIsRefusedAndTheOldOneGoesOn) {
  PlannedRig rig;
  JointPlan first = rig.to({{0.5, 1.0}});
  const JointPlan followed = first;
  ASSERT_EQ(rig.follow_answer(std::move(first)).kind, EventKind::kAccepted);
  rig.run(200);
  JointPlan late = rig.replacing(followed, 0.01, {{0.0, 0.0}});
  rig.run(20);
  EXPECT_EQ(rig.follow_answer(std::move(late)).reason, RejectReason::kNotAtStart);
  rig.run(3000);
  EXPECT_EQ(rig.joint(1).reference.q, 1.0);
}

/// A plan of this joint alone, to a place 0.2 from where it is.
Event follow_alone(PlannedRig& rig, std::size_t index) {
  JointSet alone;
  alone.set(index);
  const double q = rig.joint(index).reference.q;
  JointPlan plan = plan_through(TrajectoryJoints::of(rig.stack.config(), alone), {{q}, {}},
                                {{{q + 0.2}, 1.0, 1.0}});
  const PlanTicket ticket = rig.hand_over(std::move(plan));
  return rig.answer([&] { return rig.client.post(FollowPlan{alone, ticket.slot, ticket.round}); });
}

void expect_other_joints(const Event& answer, JointIndex joint, double others) {
  EXPECT_EQ(answer.reason, RejectReason::kNotAtStart);
  EXPECT_EQ(answer.joint, joint);
  EXPECT_EQ(static_cast<PlanQuantity>(answer.detail), PlanQuantity::kCount);
  EXPECT_EQ(answer.value, 1.0);
  EXPECT_EQ(answer.limit, others);
}

TEST(FollowPlan, APlanOfOtherJointsThanThatOfAMovingJointIsRefusedByItsName) {
  PlannedRig rig;
  ASSERT_EQ(rig.follow_answer(rig.to({{0.5, 1.0}})).kind, EventKind::kAccepted);
  rig.run(200);
  expect_other_joints(follow_alone(rig, 1), 1, 2.0);
  rig.run(3000);
  EXPECT_EQ(rig.joint(1).reference.q, 1.0);
}

/// The others would brake off their path, with nobody told.
TEST(FollowPlan, AJointThatRestsInsideAMovingPlanIsNotTakenFromIt) {
  PlannedRig rig(3);
  JointPlan plan = rig.to({{0.1, 0.2, 0.0}, {0.4, 0.8, 0.0}});
  const double duration = plan.duration();
  ASSERT_EQ(rig.follow_answer(std::move(plan)).kind, EventKind::kAccepted);
  rig.run(static_cast<int>(duration * 500.0));
  rig.changes();
  ASSERT_EQ(rig.joint(2).reference.v, 0.0);
  const Event answer = follow_alone(rig, 2);
  expect_other_joints(answer, 2, 3.0);
  EXPECT_EQ(answer.waypoint, 2U);
  // Nothing of the first has changed: its time, its end, its line from the one to the other.
  rig.run(static_cast<int>(duration * 500.0) + 3);
  const std::vector<Event> told = rig.changes();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(static_cast<PlanChange>(told[0].detail), PlanChange::kWaypoint);
  EXPECT_EQ(static_cast<PlanChange>(told[1].detail), PlanChange::kFinished);
  EXPECT_NEAR(told[1].value, duration, 3e-3);
  EXPECT_NEAR(rig.joint(0).reference.q, 0.4, 1e-12);
  EXPECT_NEAR(rig.joint(1).reference.q, 0.8, 1e-12);
  EXPECT_EQ(rig.joint(2).reference.q, 0.0);
  EXPECT_EQ(follow_alone(rig, 2).kind, EventKind::kAccepted);
}

TEST(FollowPlan, AJointThatRestsInsideAPlanThatBrakesIsNotTakenFromItEither) {
  PlannedRig rig(3);
  ASSERT_EQ(rig.follow_answer(rig.to({{0.4, 0.8, 0.0}})).kind, EventKind::kAccepted);
  rig.run(300);
  rig.changes();
  rig.client.stop(JointSet().set(0));
  rig.run(2);
  expect_other_joints(follow_alone(rig, 2), 2, 3.0);
  rig.run(600);
  EXPECT_EQ(rig.words(), (std::vector{PlanChange::kStopped}));
  EXPECT_NEAR(rig.joint(1).reference.q, 2.0 * rig.joint(0).reference.q, 1e-9);
  EXPECT_EQ(follow_alone(rig, 2).kind, EventKind::kAccepted);
}

TEST(FollowPlan, OneThatHasComeToItsEndMakesWayAndSaysThatItIsFinished) {
  PlannedRig rig(2);
  JointPlan plan = rig.to({{0.1, 0.2}});
  const double duration = plan.duration();
  ASSERT_EQ(rig.follow_answer(std::move(plan)).kind, EventKind::kAccepted);
  rig.changes();
  const auto is_over = [&] {
    const auto& plans = rig.stack.snapshot().plans;
    return !plans.empty() && plans[0].time >= duration;
  };
  for (int i = 0; i < 2000 && !is_over(); ++i) rig.run(1);
  ASSERT_TRUE(is_over());
  rig.changes();
  JointSet alone;
  alone.set(1);
  JointPlan next = plan_through(TrajectoryJoints::of(rig.stack.config(), alone),
                                {{rig.joint(1).reference.q}, {}}, {{{0.0}, 1.0, 1.0}});
  const PlanTicket ticket = rig.hand_over(std::move(next));
  rig.client.post(FollowPlan{alone, ticket.slot, ticket.round});
  rig.run(1);
  EXPECT_EQ(rig.words(), (std::vector{PlanChange::kFinished, PlanChange::kStarted}));
}

/// Before its first step it rests.
TEST(FollowPlan, OneOfTheSameJointsThatRestsIsReplacedAndSaysSo) {
  PlannedRig rig;
  rig.follow(rig.hand_over(rig.to({{0.5, 1.0}})));
  rig.follow(rig.hand_over(rig.to({{-0.3, 0.2}})));
  rig.run(1);
  EXPECT_EQ(rig.words(),
            (std::vector{PlanChange::kStarted, PlanChange::kReplaced, PlanChange::kStarted}));
}

// ---- tolerances

TEST(FollowPlan, StopsWhereAJointIsFurtherFromItsReferenceThanItsTolerance) {
  PlannedRig rig;
  JointPlan plan = rig.to({{0.5, 1.0}});
  plan.tolerances = {{0.01, 0.0}, {1e-7, 0.0}};
  ASSERT_EQ(rig.follow_answer(std::move(plan)).kind, EventKind::kAccepted);
  rig.run(2000);
  const std::vector<Event> told = rig.changes();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(static_cast<PlanChange>(told[0].detail), PlanChange::kPathTolerance);
  EXPECT_EQ(told[0].joint, 1U);
  EXPECT_GT(told[0].value, told[0].limit);
  EXPECT_LT(rig.joint(1).reference.q, 0.9);
  EXPECT_EQ(rig.joint(1).reference.v, 0.0);
}

TEST(FollowPlan, StopsAtTheWaypointWhereAJointIsFurtherThanItsToleranceThere) {
  PlannedRig rig;
  JointPlan plan = rig.to({{0.2, 0.3}, {0.4, 0.6}, {0.6, 0.9}});
  const double at_second = plan.waypoints()[1];
  plan.waypoint_tolerances = {0.01, 0.01, 0.01, 1e-7, 0.0, 0.0};
  ASSERT_EQ(rig.follow_answer(std::move(plan)).kind, EventKind::kAccepted);
  rig.run(static_cast<int>(at_second * 1000.0) - 2);
  EXPECT_EQ(rig.words(), (std::vector{PlanChange::kWaypoint}));
  rig.run(2000);
  std::vector<Event> told = rig.changes();
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told[0].kind, EventKind::kPlanBroken);
  EXPECT_EQ(static_cast<PlanChange>(told[0].detail), PlanChange::kWaypointTolerance);
  EXPECT_EQ(told[0].joint, 1U);
  EXPECT_EQ(told[0].waypoint, 2U);
  EXPECT_GT(told[0].value, told[0].limit);
  EXPECT_EQ(told[0].limit, 1e-7);
  // Neither this waypoint is passed nor is the plan finished: nothing more is told.
  EXPECT_EQ(told.size(), 1U);
  EXPECT_GT(rig.joint(1).reference.q, 0.6);
  EXPECT_LT(rig.joint(1).reference.q, 0.85);
  EXPECT_EQ(rig.joint(1).reference.v, 0.0);
}

// ---- state

TEST(FollowPlan, GoesOnFromASavedStateToTheBit) {
  PlannedRig rig;
  ASSERT_EQ(rig.follow_answer(rig.to({{0.5, 1.0}, {0.0, 0.2}})).kind, EventKind::kAccepted);
  rig.run(300);
  testing::expect_a_restored_stack_goes_on(rig, 2000);
}

}  // namespace
}  // namespace jointrig
