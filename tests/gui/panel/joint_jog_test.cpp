#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

struct Jog : ::testing::Test {
  Jog() {
    t.arm_and_run();
    t.override_speed(0.5);  // of 2 rad/s
  }
  /// A key held for so many frames.
  void hold(int frames, int direction) {
    for (int i = 0; i < frames; ++i) {
      t.panel.jog.hold(0, direction);
      t.frame(true);
    }
  }
  testing::RigWithPanel t;
};

TEST_F(Jog, MovesAsLongAsItIsHeldAndBrakesInTheFrameAfter) {
  hold(60, 1);
  EXPECT_GT(t.rig.joint(0).reference.q, 0.2);
  EXPECT_EQ(t.rig.joint(1).reference.q, 0.0);
  t.commands();
  t.frame();  // let go
  const std::vector<Command> last = t.commands();
  ASSERT_EQ(last.size(), 1U);
  EXPECT_EQ(kind_of(last[0]), CommandKind::kStop);
  t.frames(30);
  const double stands = t.rig.joint(0).reference.q;
  t.frames(30);
  EXPECT_EQ(t.rig.joint(0).reference.q, stands);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(Jog, GoesBackToo) {
  hold(30, -1);
  EXPECT_LT(t.rig.joint(0).reference.q, -0.05);
}

TEST_F(Jog, AWindowThatHangsLeavesTheJointStandingSoon) {
  hold(60, 1);
  const double at = t.rig.joint(0).reference.q;
  t.rig.run(2000);  // no frame for 2 s
  EXPECT_FALSE(t.rig.joint(0).moving);
  EXPECT_LE(t.rig.joint(0).reference.q - at, 1.0 * JointJog::kAhead + 0.02);
}

TEST_F(Jog, StaysWithinTheSoftLimits) {
  t.override_speed(1.0);
  hold(250, 1);
  EXPECT_LE(t.rig.joint(0).reference.q, 2.48 + 1e-9);
  EXPECT_GT(t.rig.joint(0).reference.q, 2.3);
  EXPECT_EQ(t.panel.client.refused().number, 0U);
}

TEST_F(Jog, InVelocityItStreamsAndTheLoopsTimeoutWatches) {
  t.rig.client.set_mode(JointSet{}.set(0), ModeRequest::kVelocity);
  t.frames(3);
  hold(40, 1);
  EXPECT_NEAR(t.rig.joint(0).reference.v, 1.0, 1e-6);
  t.rig.run(1000);  // the window hangs
  EXPECT_TRUE(t.rig.joint(0).timed_out);
  EXPECT_EQ(t.rig.joint(0).reference.v, 0.0);
}

TEST_F(Jog, WantsArmedAFocusedWindowAndAModeThatTakesIt) {
  t.panel.set_access(Access::kControl);
  t.commands();
  t.panel.jog.hold(0, 1);
  EXPECT_EQ(t.commands().size(), 0U);
  t.panel.set_access(Access::kArmed);
  t.focused = false;
  t.frame();
  t.commands();
  t.panel.jog.hold(0, 1);
  EXPECT_EQ(t.commands().size(), 0U);
  t.focused = true;
  t.rig.client.set_mode(JointSet{}.set(0), ModeRequest::kTorque);
  t.frames(3);
  t.commands();
  t.panel.jog.hold(0, 1);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(Jog, TheEndOfArmedBrakesItInThatMomentAndNotAFrameLater) {
  t.rig.client.set_mode(JointSet{}.set(0), ModeRequest::kVelocity);
  t.frames(3);
  hold(20, 1);
  t.commands();
  t.panel.set_access(Access::kControl);
  EXPECT_EQ(t.commands().size(), 2U) << "velocity 0 and stop";
  hold(10, 1);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(Jog, StopEndsIt) {
  hold(20, 1);
  t.commands();
  t.panel.stop_all();
  EXPECT_EQ(kind_of(t.only_command()), CommandKind::kStop);
  t.frames(50);
  EXPECT_FALSE(t.rig.joint(0).moving);
}

TEST_F(Jog, AKeyThatIsStillHeldAfterStopMovesNothingUntilItIsPressedAgain) {
  hold(20, 1);
  t.panel.stop_all();
  hold(1, 1);
  t.commands();
  hold(50, 1);
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_FALSE(t.rig.joint(0).moving);
  t.frames(2);  // let go
  hold(20, 1);
  EXPECT_TRUE(t.rig.joint(0).moving);
}

}  // namespace
}  // namespace jointrig::gui
