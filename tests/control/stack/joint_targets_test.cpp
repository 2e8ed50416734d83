// Motions to targets in the loop: from the command to the references of several joints.

#include "control/stack/joint_targets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/ideal_rig.h"
#include "tests/support/restored.h"

namespace jointrig {
namespace {

using testing::IdealRig;

struct TargetRig : IdealRig {
  explicit TargetRig(std::size_t joints = 3) : IdealRig(joints) {
    all = client.select("all");
    enter(ModeRequest::kPosition);
    run(5);
    events();
  }
  SetJointTarget to(const std::vector<double>& goals) const {
    SetJointTarget command;
    command.joints = all;
    for (const double goal : goals) command.values.push_back({.q = goal});
    return command;
  }
  Event ask(const SetJointTarget& command) {
    return answer([&] { return client.post(command); });
  }
  /// Cycles until each joint stands, by joint.
  std::vector<int> arrivals() {
    std::vector<int> at(stack.snapshot().joints.size(), -1);
    for (int cycle = 0; cycle < 20'000; ++cycle) {
      bool all_stand = true;
      for (std::size_t i = 0; i < at.size(); ++i) {
        if (at[i] < 0 && !joint(i).moving) at[i] = cycle;
        all_stand = all_stand && at[i] >= 0;
      }
      if (all_stand) break;
      run(1);
    }
    return at;
  }

  JointSet all;
};

TEST(JointTarget, JointsWithDifferentWaysArriveTogetherOrEachAsFastAsItCan) {
  TargetRig rig;
  SetJointTarget command = rig.to({1.2, -0.3, 0.05});
  ASSERT_EQ(rig.ask(command).kind, EventKind::kAccepted);
  const std::vector<int> together = rig.arrivals();
  EXPECT_EQ(together[0], together[1]);
  EXPECT_EQ(together[0], together[2]);
  EXPECT_NEAR(rig.joint(0).reference.q, 1.2, 1e-12);
  EXPECT_NEAR(rig.joint(2).reference.q, 0.05, 1e-12);

  command = rig.to({0.0, 0.0, 0.0});
  command.synchronise = Synchronisation::kNone;
  ASSERT_EQ(rig.ask(command).kind, EventKind::kAccepted);
  const std::vector<int> alone = rig.arrivals();
  EXPECT_NEAR(alone[0], together[0], 1);  // the same way back
  EXPECT_LT(alone[1], alone[0]);
  EXPECT_LT(alone[2], alone[1]);
}

TEST(JointTarget, TakesTheTimeOfTheClosedForm) {
  TargetRig rig(1);
  SetJointTarget command = rig.to({1.0});
  command.values[0].speed = 0.5;
  command.values[0].acceleration = 2.0;
  command.values[0].jerk = 20.0;
  ASSERT_EQ(rig.ask(command).kind, EventKind::kAccepted);
  // d/v + v/a + a/j = 2 s + 0.25 s + 0.1 s; one cycle has passed with the answer
  EXPECT_NEAR(rig.arrivals()[0], 2350 - 1, 1);
  EXPECT_TRUE(rig.only(EventKind::kGoalReached));
}

TEST(JointTarget, AtAnotherSpeedOverrideTheJointsStillArriveTogether) {
  TargetRig rig;
  ASSERT_EQ(rig.ask(rig.to({1.2, -0.3, 0.05})).kind, EventKind::kAccepted);
  rig.run(300);
  rig.client.set_speed_override(0.3);
  const std::vector<int> at = rig.arrivals();
  EXPECT_EQ(at[0], at[1]);
  EXPECT_EQ(at[0], at[2]);
  EXPECT_GT(at[0], 2000);
}

TEST(JointTarget, ReplacedInEveryCycleItBreaksNoBoundOfAnyJoint) {
  TargetRig rig;
  std::mt19937 random(4);
  std::uniform_real_distribution<double> goal(-1.5, 1.5);
  std::vector<JointReference> last;
  for (std::size_t i = 0; i < 3; ++i) last.push_back(rig.joint(i).reference);
  const JointLimits& limits = rig.stack.config().joints[0].limits;
  for (int i = 0; i < 4000; ++i) {
    if (i % 40 == 0 || i > 3000) {
      SetJointTarget command = rig.to({goal(random), goal(random), goal(random)});
      for (SetJointTarget::Value& value : command.values) value.jerk = 50.0;
      rig.client.post(command);
    }
    rig.run(1);
    for (std::size_t j = 0; j < 3; ++j) {
      const JointReference& now = rig.joint(j).reference;
      ASSERT_LE(std::abs(now.v), 0.5 * limits.v_max + 1e-9);
      ASSERT_LE(std::abs(now.a), limits.a_max + 1e-9);
      ASSERT_LE(std::abs(now.a - last[j].a), 50.0 * 1e-3 + 1e-6);
      ASSERT_NEAR(now.q - last[j].q, 0.5e-3 * (now.v + last[j].v), 1e-8);
      last[j] = now;
    }
  }
}

TEST(JointTarget, AVelocityThatIsNotReplacedSlowsDownAndTellsOfTheTimeout) {
  TargetRig rig(1);
  SetJointTarget command = rig.to({0.0});
  command.target = TargetKind::kVelocity;
  command.values[0].v = 0.4;
  ASSERT_EQ(rig.ask(command).kind, EventKind::kAccepted);
  rig.run(150);
  EXPECT_NEAR(rig.joint().reference.v, 0.4, 1e-9);
  for (int i = 0; i < 5; ++i) {  // each within the command timeout
    rig.client.post(command);
    rig.run(150);
  }
  EXPECT_FALSE(rig.only(EventKind::kCommandTimeout));
  rig.run(600);
  EXPECT_TRUE(rig.only(EventKind::kCommandTimeout));
  EXPECT_EQ(rig.joint().reference.v, 0.0);
  EXPECT_FALSE(rig.joint().moving);
}

TEST(JointTarget, StopBrakesAndGivesTheTargetUp) {
  TargetRig rig;
  ASSERT_EQ(rig.ask(rig.to({1.2, -0.9, 0.7})).kind, EventKind::kAccepted);
  rig.run(300);
  ASSERT_GT(rig.joint(0).reference.v, 0.3);
  rig.client.stop(rig.all);
  rig.run(400);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(rig.joint(i).reference.v, 0.0);
  EXPECT_LT(rig.joint(0).reference.q, 1.1);
}

TEST(JointTarget, WhatItCannotKeepIsRefusedByNameValueAndLimit) {
  TargetRig rig;
  const JointLimits& limits = rig.stack.config().joints[1].limits;
  const auto refused = [&](auto&& change) {
    SetJointTarget command = rig.to({0.1, 0.1, 0.1});
    change(command.values[1]);
    const Event e = rig.ask(command);
    EXPECT_EQ(e.reason, RejectReason::kOutOfRange);
    EXPECT_EQ(e.joint, 1);
    EXPECT_EQ(rig.joint(0).reference.v, 0.0);  // refused whole
    return e;
  };
  using Value = SetJointTarget::Value;
  EXPECT_EQ(refused([&](Value& v) { v.q = limits.q_max + 1.0; }).value, limits.q_max + 1.0);
  EXPECT_EQ(refused([&](Value& v) { v.speed = 9.0 * limits.v_max; }).limit, limits.v_max);
  EXPECT_EQ(refused([&](Value& v) { v.acceleration = 1e4; }).limit, limits.a_max);
  EXPECT_EQ(refused([&](Value& v) { v.acceleration = -1.0; }).limit, 0.0);
  EXPECT_GT(refused([&](Value& v) { v.jerk = 1e9; }).limit, 1.0);
  // Faster there than on the way; too fast to stop behind the goal.
  EXPECT_EQ(refused([&](Value& v) { v.speed = 0.2, v.v = -0.3; }).limit, -0.2);
  EXPECT_GT(refused([&](Value& v) { v.q = soft_max(limits), v.v = 1.0; }).value, soft_max(limits));
  rig.enter(ModeRequest::kVelocity);
  EXPECT_EQ(rig.ask(rig.to({0.1, 0.1, 0.1})).reason, RejectReason::kWrongMode);
}

TEST(JointTarget, ARestoredStackGoesOnToTheBit) {
  TargetRig one;
  ASSERT_EQ(one.ask(one.to({1.2, -0.3, 0.05})).kind, EventKind::kAccepted);
  one.run(200);
  testing::expect_a_restored_stack_goes_on(one, 300);
}

}  // namespace
}  // namespace jointrig
