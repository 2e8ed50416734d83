// Source of a joint's motion: streams, silence, holds, and the events of each.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "tests/support/ideal_rig.h"
#include "tests/support/requests.h"

namespace jointrig {
namespace {

using testing::IdealRig;

/// A robot of one joint, whose holds a test can begin and end.
struct OneJoint : IdealRig {
  OneJoint() : IdealRig(1) {}

  /// For a link its samples stay away until free().
  void hold(JointActivity why) {
    if (why == JointActivity::kLink) robot.joint[0].stale = true;
    Stack::State state = stack.state();
    state.joints[0].hold(why, state.setups[0]);
    stack.restore(state);
  }
  void free(JointActivity why) {
    if (why == JointActivity::kLink) robot.joint[0].stale = false;
    Stack::State state = stack.state();
    state.joints[0].free(why);
    stack.restore(state);
  }
  /// Streams at 100 Hz.
  void stream(CommandKind kind, double value, int samples) {
    for (int i = 0; i < samples; ++i) {
      client.post(testing::joint_request(kind, 0, value));
      run(10);
    }
  }
  int silences() {
    int count = 0;
    for (const Event& e : events()) count += e.kind == EventKind::kCommandTimeout ? 1 : 0;
    return count;
  }
};

struct Streamed {
  ModeRequest mode;
  CommandKind kind;
  double value;
};
constexpr std::array kStreams{
    Streamed{ModeRequest::kTorque, CommandKind::kStreamTorque, 0.5},
    Streamed{ModeRequest::kVelocity, CommandKind::kStreamVelocity, 0.5},
    Streamed{ModeRequest::kPositionDirect, CommandKind::kStreamPosition, 0.01},
};
constexpr std::array kHolds{JointActivity::kLink, JointActivity::kContact, JointActivity::kSquish,
                            JointActivity::kFault};

TEST(JointActivity, AJointThatIsHeldIsNoSilentStream) {
  for (const Streamed& s : kStreams) {
    for (const JointActivity why : kHolds) {
      SCOPED_TRACE(std::string(to_string(s.kind)) + ", hold " + std::string(to_string(why)));
      OneJoint rig;
      rig.enter(s.mode);
      rig.stream(s.kind, s.value, 20);
      rig.events();
      rig.hold(why);
      for (int i = 0; i < 1000; ++i) {
        rig.run(1);
        ASSERT_FALSE(rig.joint().timed_out) << "cycle " << i;
        ASSERT_EQ(rig.joint().timeout_left, 0.0) << "no stream runs";
      }
      EXPECT_EQ(rig.silences(), 0);
      EXPECT_NEAR(rig.robot.joint[0].v, 0.0, 1e-3) << "it holds";
    }
  }
}

TEST(JointActivity, FreedInTorqueModeItHoldsUntilTheNextTorque) {
  for (const JointActivity why : {JointActivity::kLink, JointActivity::kContact}) {
    OneJoint rig;
    rig.enter(ModeRequest::kTorque);
    rig.stream(CommandKind::kStreamTorque, 0.5, 20);
    rig.hold(why);
    rig.run(500);
    rig.free(why);
    rig.run(150);
    EXPECT_NEAR(rig.robot.joint[0].v, 0.0, 1e-3) << "not by the torque of half a second ago";
    EXPECT_FALSE(rig.joint().timed_out);
    EXPECT_EQ(rig.answer([&] {
                   return rig.client.send<StreamTorque>({{0, {0.5}}});
                 })
                  .kind,
              EventKind::kAccepted);
    rig.run(150);
    EXPECT_GT(rig.robot.joint[0].v, 0.01);
  }
}

/// The timeout counts from its freeing on, and ends as that of a stream that runs.
TEST(JointActivity, AStreamThatAHoldCutOffAndThatDoesNotComeAgainEndsByItsTimeout) {
  for (const Streamed& s : kStreams) {
    for (const JointActivity why : {JointActivity::kLink, JointActivity::kContact}) {
      SCOPED_TRACE(std::string(to_string(s.kind)) + ", hold " + std::string(to_string(why)));
      OneJoint rig;
      rig.enter(s.mode);
      rig.stream(s.kind, s.value, 20);
      rig.hold(why);
      rig.run(500);
      rig.free(why);
      rig.events();
      rig.run(190);
      EXPECT_FALSE(rig.joint().timed_out);
      rig.run(20);
      EXPECT_TRUE(rig.joint().timed_out);
      EXPECT_EQ(rig.silences(), 1);
      const bool keeps_one = s.mode == ModeRequest::kPositionDirect;
      EXPECT_EQ(rig.joint().mode, keeps_one ? JointMode::kPositionDirect : JointMode::kPosition);
      rig.run(1000);
      EXPECT_NEAR(rig.robot.joint[0].v, 0.0, 1e-3);
    }
  }
}

TEST(JointActivity, WhileABoardIsAwaySamplesAreTakenAndOnlyTheNextOneAfterItIsFollowed) {
  for (const Streamed& s : kStreams) {
    SCOPED_TRACE(to_string(s.kind));
    OneJoint rig;
    rig.enter(s.mode);
    rig.stream(s.kind, s.value, 20);
    rig.hold(JointActivity::kLink);
    rig.run(500);
    const double there = rig.robot.joint[0].q;
    for (int i = 0; i < 50; ++i) {
      const double value = s.kind == CommandKind::kStreamPosition ? 0.05 : s.value;
      EXPECT_EQ(
          rig.answer([&] { return rig.client.post(testing::joint_request(s.kind, 0, value)); })
              .kind,
          EventKind::kAccepted);
    }
    EXPECT_NEAR(rig.robot.joint[0].q, there, 1e-3) << "it holds";
    rig.free(JointActivity::kLink);
    rig.run(100);
    EXPECT_NEAR(rig.robot.joint[0].q, there, 1e-3) << "not by a sample of before";
    const double next = s.kind == CommandKind::kStreamPosition ? there + 0.05 : s.value;
    rig.stream(s.kind, next, 20);
    EXPECT_GT(rig.robot.joint[0].q, there + 0.005);
  }
}

TEST(JointActivity, StopInAModeWithoutAReferenceBrakesAndHoldsInPosition) {
  for (const auto& [mode, kind, value] :
       {Streamed{ModeRequest::kTorque, CommandKind::kStreamTorque, 0.5},
        Streamed{ModeRequest::kOpenloop, CommandKind::kStreamDuty, 0.02}}) {
    SCOPED_TRACE(to_string(mode));
    OneJoint rig;
    rig.enter(mode);
    rig.stream(kind, value, 20);
    const double v = rig.robot.joint[0].v;
    const double from = rig.robot.joint[0].q;
    ASSERT_GT(v, 0.05);
    rig.events();
    rig.client.stop(rig.client.select("all"));
    rig.run(1);
    EXPECT_EQ(rig.joint().mode, JointMode::kPosition) << "a mode that says that it holds";
    const std::optional<Event> change = rig.only(EventKind::kModeChanged);
    ASSERT_TRUE(change);
    EXPECT_EQ(change->was, as_joint_mode(requested_mode(mode)));
    rig.run(1000);
    EXPECT_NEAR(rig.robot.joint[0].v, 0.0, 1e-3);
    // v²/2a, and what the law lags behind: a choice
    const double braking = v * v / (2.0 * rig.stack.config().joints[0].limits.a_max);
    EXPECT_LT(rig.robot.joint[0].q - from, braking + 0.05 * v);
    const double stands_at = rig.robot.joint[0].q;
    rig.run(2000);
    EXPECT_NEAR(rig.robot.joint[0].q, stands_at, 1e-3) << "and it holds there";
    const Event late = rig.answer([&] { return rig.client.send<StreamTorque>({{0, {0.5}}}); });
    EXPECT_EQ(late.reason, RejectReason::kWrongMode) << "a sender that didn't hear of the stop";
  }
}

/// A joint with the timeout reaction damp coasts far: its reference goes with it.
TEST(JointActivity, AfterDampTheNextCommandStartsAtTheJoint) {
  RobotConfig config = testing::ideal_config(1);
  config.joints[0].timeout.reaction = TimeoutReaction::kDamp;
  for (const Streamed& s : kStreams) {
    SCOPED_TRACE(to_string(s.mode));
    IdealRig rig(config);
    rig.enter(s.mode);
    for (int i = 0; i < 30; ++i) {
      const double value =
          s.kind == CommandKind::kStreamPosition ? rig.joint().state.q + 0.01 : s.value;
      rig.client.post(testing::joint_request(s.kind, 0, value));
      rig.run(10);
    }
    rig.run(400);
    ASSERT_TRUE(rig.joint().timed_out);
    EXPECT_EQ(rig.joint().mode, as_joint_mode(requested_mode(s.mode))) << "it holds no position";
    // A stream of positions was at its last sample before it counted as silent.
    if (s.kind != CommandKind::kStreamPosition) {
      ASSERT_GT(rig.robot.joint[0].v, 0.01);
    }
    EXPECT_NEAR(rig.joint().reference.q, rig.joint().state.q, 1e-3);
    EXPECT_EQ(rig.joint().reference.tau, 0.0) << "the old torque counts no more";

    rig.client.stop(rig.client.select("all"));
    const double v = rig.robot.joint[0].v;
    const double from = rig.robot.joint[0].q;
    rig.run(1500);
    EXPECT_FALSE(rig.joint().timed_out);
    EXPECT_NEAR(rig.robot.joint[0].v, 0.0, 1e-3) << "stop brakes and holds";
    const double braking = v * v / (2.0 * rig.stack.config().joints[0].limits.a_max);
    EXPECT_LT(rig.robot.joint[0].q - from, braking + 0.05 * v);
  }
}

TEST(JointActivity, AMoveEndsTheSilence) {
  OneJoint rig;
  rig.enter(ModeRequest::kVelocity);
  rig.stream(CommandKind::kStreamVelocity, 0.5, 20);
  rig.run(500);
  ASSERT_TRUE(rig.joint().timed_out);
  ASSERT_EQ(rig.joint().mode, JointMode::kPosition);
  rig.client.move(JointSet{}.set(0), 0.5, 1.0);
  rig.run(2000);
  EXPECT_FALSE(rig.joint().timed_out);
  EXPECT_NEAR(rig.robot.joint[0].q, 0.5, 1e-3);
}

TEST(JointActivity, TheSameModeAgainLeavesAStreamToItsTimeout) {
  OneJoint rig;
  rig.enter(ModeRequest::kVelocity);
  rig.stream(CommandKind::kStreamVelocity, 0.5, 20);
  rig.client.set_mode(JointSet{}.set(0), ModeRequest::kVelocity);
  rig.run(1000);
  EXPECT_TRUE(rig.joint().timed_out);
  EXPECT_NEAR(rig.robot.joint[0].v, 0.0, 1e-3);
}

TEST(JointActivity, StopLeavesAHoldAsItIs) {
  for (const JointActivity why : kHolds) {
    if (why == JointActivity::kLink) continue;  // ends by itself: its board is there
    OneJoint rig;
    rig.enter(ModeRequest::kTorque);
    rig.stream(CommandKind::kStreamTorque, 0.5, 20);
    rig.hold(why);
    rig.run(5);
    rig.client.stop(rig.client.select("all"));
    rig.run(5);
    EXPECT_EQ(rig.stack.state().joints[0].activity(), why);
    EXPECT_EQ(rig.joint().mode, JointMode::kPosition);
    rig.run(1000);
    EXPECT_NEAR(rig.robot.joint[0].v, 0.0, 1e-3);
  }
}

TEST(JointActivity, AHoldGivesWayToAGraverOneAlone) {
  for (const JointActivity first : kHolds) {
    for (const JointActivity second : kHolds) {
      OneJoint rig;
      rig.enter(ModeRequest::kPosition);
      rig.hold(first);
      rig.hold(second);
      EXPECT_EQ(rig.stack.state().joints[0].activity(), std::max(first, second));
      rig.free(std::min(first, second));
      EXPECT_EQ(rig.stack.state().joints[0].activity(),
                first == second ? JointActivity::kMode : std::max(first, second));
    }
  }
}

TEST(JointActivity, AModeThatIsAskedForEndsAHold) {
  for (const ModeRequest mode : {ModeRequest::kPosition, ModeRequest::kTorque}) {
    OneJoint rig;
    rig.enter(ModeRequest::kTorque);
    rig.stream(CommandKind::kStreamTorque, 0.5, 20);
    rig.hold(JointActivity::kSquish);
    rig.run(300);
    rig.enter(mode);
    EXPECT_FALSE(is_held(rig.stack.state().joints[0].activity()));
    rig.run(500);
    EXPECT_NEAR(rig.robot.joint[0].v, 0.0, 1e-3) << "in the same mode, too, it holds";
  }
}

}  // namespace
}  // namespace jointrig
