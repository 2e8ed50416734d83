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
using Hold = JointControl::Hold;

/// A robot of one joint, whose holds a test can begin and end.
struct OneJoint : IdealRig {
  OneJoint() : IdealRig(1) {}

  void hold(Hold why) {
    Stack::State state = stack.state();
    state.joints[0].hold(why, state.setups[0]);
    stack.restore(state);
  }
  void free(Hold why) {
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
constexpr std::array kHolds{Hold::kLink, Hold::kContact, Hold::kSquish, Hold::kFault};

TEST(JointActivity, AJointThatIsHeldIsNoSilentStream) {
  for (const Streamed& s : kStreams) {
    for (const Hold why : kHolds) {
      SCOPED_TRACE(std::string(to_string(s.kind)) + ", hold " +
                   std::to_string(static_cast<int>(why)));
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
  for (const Hold why : {Hold::kLink, Hold::kContact}) {
    OneJoint rig;
    rig.enter(ModeRequest::kTorque);
    rig.stream(CommandKind::kStreamTorque, 0.5, 20);
    rig.hold(why);
    rig.run(500);
    rig.free(why);
    rig.run(500);
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

TEST(JointActivity, AHoldGivesWayToAGraverOneAlone) {
  for (const Hold first : kHolds) {
    for (const Hold second : kHolds) {
      OneJoint rig;
      rig.enter(ModeRequest::kPosition);
      rig.hold(first);
      rig.hold(second);
      EXPECT_EQ(rig.stack.state().joints[0].held(), std::max(first, second));
      rig.free(std::min(first, second));
      EXPECT_EQ(rig.stack.state().joints[0].held(),
                first == second ? Hold::kNone : std::max(first, second));
    }
  }
}

TEST(JointActivity, AModeThatIsAskedForEndsAHold) {
  for (const ModeRequest mode : {ModeRequest::kPosition, ModeRequest::kTorque}) {
    OneJoint rig;
    rig.enter(ModeRequest::kTorque);
    rig.stream(CommandKind::kStreamTorque, 0.5, 20);
    rig.hold(Hold::kSquish);
    rig.run(300);
    rig.enter(mode);
    EXPECT_EQ(rig.stack.state().joints[0].held(), Hold::kNone);
    rig.run(500);
    EXPECT_NEAR(rig.robot.joint[0].v, 0.0, 1e-3) << "in the same mode, too, it holds";
  }
}

}  // namespace
}  // namespace jointrig
