#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

constexpr SliderKind kGoal{JointQuantity::kPosition, CommandKind::kMove};
constexpr SliderKind kStream{JointQuantity::kPosition, CommandKind::kStreamPosition};
constexpr SliderKind kVelocity{JointQuantity::kVelocity, CommandKind::kStreamVelocity};

TEST(ReferenceSliders, DraggingMovesAGhostAndSendsNothing) {
  testing::RigWithPanel t;
  t.arm_and_run();
  for (int i = 0; i < 20; ++i) {
    t.panel.sliders.drag(0, kGoal, 0.05 * i);
    t.frame(true);
  }
  EXPECT_DOUBLE_EQ(t.panel.sliders.state(0, kGoal).ghost, 0.95);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST(ReferenceSliders, LettingGoSendsTheGoalWhenArmed) {
  testing::RigWithPanel t;
  t.arm_and_run();
  t.panel.sliders.drag(1, kGoal, 0.4);
  t.panel.sliders.release(1, kGoal);
  const auto command = t.only<Move>();
  EXPECT_EQ(command.joints.to_ulong(), 0b010U);
  EXPECT_DOUBLE_EQ(command.values[0].q, 0.4);
  t.frames(120);
  EXPECT_NEAR(t.rig.joint(1).state.q, 0.4, 1e-3);
}

TEST(ReferenceSliders, LettingGoSendsNothingWhenNotArmedAndSaysSo) {
  testing::RigWithPanel t;
  t.arm_and_run();
  t.panel.set_access(Access::kControl);
  t.panel.sliders.drag(0, kGoal, 0.4);
  t.panel.sliders.release(0, kGoal);
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_EQ(t.panel.notice(), "not ARMED: nothing that moves a joint is sent");
  EXPECT_FALSE(t.panel.sliders.state(0, kGoal).has_ghost);
}

TEST(ReferenceSliders, LettingGoOfWhatWasNotHeldSendsNothing) {
  testing::RigWithPanel t;
  t.arm_and_run();
  t.panel.sliders.release(0, kGoal);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST(ReferenceSliders, AGhostStaysInsideTheSoftLimits) {
  testing::RigWithPanel t;
  t.arm_and_run();
  t.panel.sliders.drag(0, kGoal, 99.0);
  EXPECT_DOUBLE_EQ(t.panel.sliders.state(0, kGoal).ghost, 2.5 - 0.02);
}

TEST(ReferenceSliders, ATypedValueBeyondALimitIsRefusedWithTheLimitAndNotClamped) {
  testing::RigWithPanel t;
  t.arm_and_run();
  EXPECT_EQ(t.panel.sliders.type(0, kGoal, "200"),
            "200.0 ° is beyond the limit of joint1, 142.1 °");
  EXPECT_NE(t.panel.sliders.type(0, kGoal, "abc"), "");
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_EQ(t.panel.sliders.type(0, kGoal, "0.5 rad"), "");
  EXPECT_DOUBLE_EQ(t.only<Move>().values[0].q, 0.5);
}

TEST(ReferenceSliders, ATypedValueNeedsArmed) {
  testing::RigWithPanel t;
  t.arm_and_run();
  t.panel.set_access(Access::kControl);
  EXPECT_EQ(t.panel.sliders.type(0, kGoal, "10"), "not ARMED: nothing that moves a joint is sent");
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST(ReferenceSliders, EachModeHasTheSlidersOfTheCommandsItTakes) {
  const std::pair<ModeRequest, std::vector<CommandKind>> kExpected[]{
      {ModeRequest::kIdle, {}},
      {ModeRequest::kPosition, {CommandKind::kMove}},
      {ModeRequest::kPositionDirect, {CommandKind::kStreamPosition}},
      {ModeRequest::kVelocity, {CommandKind::kStreamVelocity}},
      {ModeRequest::kMixed, {CommandKind::kMove, CommandKind::kStreamVelocity}},
      {ModeRequest::kTorque, {CommandKind::kStreamTorque}},
      {ModeRequest::kOpenloop, {CommandKind::kStreamDuty}}};
  for (const auto& [request, expected] : kExpected) {
    testing::RigWithPanel t;
    t.rig.enter(request);
    t.frame();
    std::vector<CommandKind> commands;
    for (const SliderKind& kind : t.panel.sliders.of(0)) commands.push_back(kind.command);
    EXPECT_EQ(commands, expected) << to_string(request);
  }
}

/// In VELOCITY, armed and live, with the ghost at 0.5 rad/s.
struct LiveVelocity : ::testing::Test {
  LiveVelocity() {
    t.panel.set_access(Access::kArmed);
    t.rig.enter(ModeRequest::kVelocity);
    t.frames(2);
    t.panel.sliders.set_live(0, true);
    EXPECT_EQ(t.panel.sliders.type(0, kVelocity, "0.5 rad/s"), "");
    t.frames(40);
    EXPECT_TRUE(t.panel.sliders.is_live(0));
    t.commands();
  }
  void expect_silence() {
    EXPECT_FALSE(t.panel.sliders.is_live(0));
    t.commands();
    t.frames(20);
    EXPECT_EQ(t.commands().size(), 0U);
    EXPECT_NEAR(t.rig.joint(0).state.v, 0.0, 0.05);
  }
  testing::RigWithPanel t;
};

TEST_F(LiveVelocity, StreamsOneSampleAFrame) {
  t.frames(10);
  EXPECT_EQ(t.commands().size(), 10U);
  EXPECT_NEAR(t.rig.joint(0).state.v, 0.5, 0.01);
}

TEST_F(LiveVelocity, EndsWhenTheWindowLosesTheFocus) {
  t.focused = false;
  t.frame();
  expect_silence();
  EXPECT_TRUE(t.rig.joint(0).timed_out) << "what stops the joint is the loop, not the panel";
}

TEST_F(LiveVelocity, EndsAfterHalfAMinuteWithoutInput) {
  for (int i = 0; i < 31; ++i) {
    t.now += 1.0;
    t.frame();
  }
  expect_silence();
}

TEST_F(LiveVelocity, EndsWithAnotherPage) {
  t.panel.part = 0;
  t.frame(true);
  expect_silence();
}

TEST_F(LiveVelocity, EndsWhenArmedRunsOut) {
  for (int i = 0; i < 61; ++i) {
    t.now += 1.0;
    t.frame(/*had_input=*/true);
  }
  EXPECT_EQ(t.panel.access(), Access::kControl);
  expect_silence();
}

TEST_F(LiveVelocity, EndsWithStop) {
  t.panel.stop_all();
  expect_silence();
}

TEST_F(LiveVelocity, EndsWithAnotherModeAndTheGhostDoesNotComeAlong) {
  t.panel.acts.set_mode(0, ModeRequest::kTorque);
  t.frames(2);
  EXPECT_FALSE(t.panel.sliders.is_live(0));
  t.commands();
  t.frames(20);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(LiveVelocity, EndsWithAFault) {
  t.break_joint(0);
  EXPECT_FALSE(t.panel.sliders.is_live(0));
}

TEST_F(LiveVelocity, LettingGoOfTheSliderSpringsBackToNothing) {
  t.panel.sliders.drag(0, kVelocity, 1.0);
  t.frame(true);
  t.panel.sliders.release(0, kVelocity);
  EXPECT_DOUBLE_EQ(t.panel.sliders.state(0, kVelocity).ghost, 0.0);
  t.frames(60);
  EXPECT_NEAR(t.rig.joint(0).state.v, 0.0, 0.01);
  EXPECT_TRUE(t.panel.sliders.is_live(0));
}

TEST(ReferenceSliders, AVelocityThatIsNotLiveSendsNothing) {
  testing::RigWithPanel t;
  t.panel.set_access(Access::kArmed);
  t.rig.enter(ModeRequest::kVelocity);
  t.frames(2);
  t.commands();
  t.panel.sliders.drag(0, kVelocity, 1.0);
  t.frame(true);
  t.panel.sliders.release(0, kVelocity);
  EXPECT_NE(t.panel.sliders.type(0, kVelocity, "10"), "");
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST(ReferenceSliders, LiveWithoutArmedIsRefused) {
  testing::RigWithPanel t;
  t.panel.set_access(Access::kControl);
  t.rig.enter(ModeRequest::kVelocity);
  t.frames(2);
  t.panel.sliders.set_live(0, true);
  EXPECT_FALSE(t.panel.sliders.is_live(0));
}

TEST(ReferenceSliders, SwitchingLiveOnMovesNothing) {
  for (const ModeRequest request : kAllModeRequest) {
    SCOPED_TRACE(to_string(request));
    testing::RigWithPanel t;
    t.rig.robot.joint[0].q = 0.6;
    t.panel.set_access(Access::kArmed);
    t.rig.enter(request);
    t.frames(30);
    t.panel.sliders.set_live(0, true);
    t.frames(60);
    EXPECT_NEAR(t.rig.joint(0).state.q, 0.6, 1e-3);
  }
}

TEST(ReferenceSliders, APositionStreamGoesNoFasterThanTheOverrideAllows) {
  testing::RigWithPanel t;
  t.panel.set_access(Access::kArmed);
  t.override_speed(0.2);  // of 2 rad/s
  t.rig.enter(ModeRequest::kPositionDirect);
  t.frames(2);
  t.panel.sliders.set_live(0, true);
  t.panel.sliders.drag(0, kStream, 2.0);
  double fastest = 0.0;
  for (int i = 0; i < 60; ++i) {
    t.frame(true);
    fastest = std::max(fastest, t.rig.joint(0).reference.v);
  }
  EXPECT_GT(t.rig.joint(0).state.q, 0.1);
  EXPECT_LT(fastest, 0.6) << "0.4 rad/s, and what the loop's line between samples adds";
}

TEST(ReferenceSliders, ALiveGoalIsSentOnlyWhileTheHandMovesIt) {
  testing::RigWithPanel t;
  t.arm_and_run();
  t.panel.sliders.set_live(0, true);
  t.frames(10);
  EXPECT_EQ(t.commands().size(), 0U);
  t.panel.sliders.drag(0, kGoal, 0.3);
  t.frame(true);
  EXPECT_EQ(kind_of(t.only_command()), CommandKind::kMove);
  t.panel.sliders.release(0, kGoal);
  t.frames(100);
  EXPECT_NEAR(t.rig.joint(0).state.q, 0.3, 1e-3);
  t.commands();
  t.frames(10);
  EXPECT_EQ(t.commands().size(), 0U);
}

}  // namespace
}  // namespace jointrig::gui
