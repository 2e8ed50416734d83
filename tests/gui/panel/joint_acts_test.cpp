#include "control/joint/joint_mode.h"
#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

TEST(JointActs, NoFrameWithoutInputSendsACommand) {
  for (const ModeRequest request : kAllModeRequest) {
    SCOPED_TRACE(to_string(request));
    testing::RigWithPanel t;
    t.panel.set_access(Access::kArmed);
    t.rig.enter(request);
    t.commands();
    t.frames(300);
    EXPECT_EQ(t.commands().size(), 0U);
  }
}

TEST(JointActs, AnObserverSendsNothingButStopAndOff) {
  testing::RigWithPanel t;
  t.rig.enter(ModeRequest::kPosition);
  t.frames(2);
  t.commands();
  for (const PanelAct act : kAllPanelAct) {
    EXPECT_NE(t.panel.acts.why_not(act, 0), "") << to_string(act);
    t.panel.acts.act(act, t.panel.group());
  }
  for (const ModeRequest request : kAllModeRequest) t.panel.acts.set_mode(0, request);
  t.panel.acts.set_interaction(t.panel.group(), InteractionMode::kCompliant);
  t.panel.parameters.set_impedance(0, 1.0, 1.0);
  t.panel.acts.idle(0, true);
  t.panel.acts.go_to({"up", {1.0, 1.0, 1.0}}, t.panel.group());
  t.panel.sliders.set_live(0, true);
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_NE(t.panel.notice(), "");

  t.panel.stop_all();
  EXPECT_EQ(kind_of(t.only_command()), CommandKind::kStop);
  t.panel.off_all();
  EXPECT_EQ(t.commands().size(), 3U);
  t.frames(2);
  EXPECT_EQ(t.rig.joint(0).mode, JointMode::kIdle);
}

TEST(JointActs, WhatMovesAJointNeedsArmed) {
  testing::RigWithPanel t;
  t.panel.set_access(Access::kControl);
  t.panel.acts.act(PanelAct::kRun, t.panel.group());
  t.frames(2);
  t.commands();
  t.panel.acts.act(PanelAct::kHome, t.panel.group());
  t.panel.acts.go_to({"up", {1.0, 1.0, 1.0}}, t.panel.group());
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_EQ(t.panel.notice(), "not ARMED: nothing that moves a joint is sent");

  t.panel.set_access(Access::kArmed);
  t.panel.acts.act(PanelAct::kHome, t.panel.group());
  EXPECT_EQ(kind_of(t.only_command()), CommandKind::kMove);
}

TEST(JointActs, RunTurnsTheMotorOnAndKeepsTheInteraction) {
  testing::RigWithPanel t;
  t.panel.set_access(Access::kControl);
  t.panel.acts.set_interaction(t.panel.group(), InteractionMode::kCompliant);
  t.panel.acts.act(PanelAct::kRun, JointSet{}.set(1));
  t.frames(3);
  EXPECT_EQ(t.rig.joint(1).mode, JointMode::kPosition);
  EXPECT_EQ(t.rig.joint(1).interaction, InteractionMode::kCompliant);
  EXPECT_EQ(t.rig.joint(0).mode, JointMode::kIdle);
}

TEST(JointActs, TheGroupIsThePartShownWhateverTheFilterHides) {
  RobotConfig config = testing::ideal_config(3);
  config.parts = {{"left", {0, 2}}};
  testing::RigWithPanel t(config);
  t.panel.filter = "joint1";
  EXPECT_EQ(t.panel.group().to_ulong(), 0b111U);
  t.panel.part = 0;
  EXPECT_EQ(t.panel.group().to_ulong(), 0b101U);
  EXPECT_EQ(t.panel.shown(), std::vector<JointIndex>{0});
}

TEST(JointActs, AGroupButtonPassesOverThoseThatCannot) {
  testing::RigWithPanel t;
  t.panel.set_access(Access::kControl);
  t.break_joint(1);
  EXPECT_EQ(t.panel.acts.forecast(PanelAct::kRun, t.panel.group()),
            "2 joints to POSITION, motor on; 1 in fault: stay");
  t.commands();
  t.panel.acts.act(PanelAct::kRun, t.panel.group());
  EXPECT_EQ(jointrig::joints_of(t.only_command().request).to_ulong(), 0b101U);
  t.frames(2);
  EXPECT_EQ(t.rig.joint(0).mode, JointMode::kPosition);
}

TEST(JointActs, ForceIdleIsForFaultsOnlyAndLeadsOut) {
  testing::RigWithPanel t;
  t.panel.set_access(Access::kControl);
  EXPECT_EQ(t.panel.acts.why_not(PanelAct::kForceIdle, 0), "not in fault");
  t.break_joint(0);
  EXPECT_EQ(t.panel.watch.faulted_joints(), std::vector<JointIndex>{0});
  EXPECT_EQ(t.panel.watch.fault_record(0).count, 1);
  EXPECT_EQ(t.panel.acts.why_not(PanelAct::kForceIdle, 0), "");
  t.commands();
  t.panel.acts.act(PanelAct::kForceIdle, t.panel.group());
  EXPECT_EQ(jointrig::joints_of(t.only_command().request).to_ulong(), 0b001U);
  t.frames(3);
  EXPECT_TRUE(t.panel.watch.faulted_joints().empty());
  t.break_joint(0);
  EXPECT_EQ(t.panel.watch.fault_record(0).count, 2);
}

TEST(JointActs, OffReachesEveryMotorThoughOneJointIsInFault) {
  testing::RigWithPanel t;
  t.arm_and_run();
  t.break_joint(1);
  t.panel.off_all();
  t.frames(2);
  EXPECT_EQ(t.rig.joint(0).mode, JointMode::kIdle);
  EXPECT_EQ(t.rig.joint(2).mode, JointMode::kIdle);
  EXPECT_NE(t.panel.access(), Access::kArmed);
}

TEST(JointActs, StopBrakesAMoveAndReachesEveryJointThoughOneIsInFault) {
  testing::RigWithPanel t;
  t.arm_and_run();
  t.panel.acts.go_to({"up", {2.0, 2.0, 2.0}}, t.panel.group());
  t.frames(40);
  ASSERT_GT(t.rig.joint(2).state.v, 0.1);
  t.break_joint(1);
  t.panel.stop_all();
  t.frames(60);
  EXPECT_NEAR(t.rig.joint(2).state.v, 0.0, 1e-3);
  EXPECT_LT(t.rig.joint(2).state.q, 1.9);
}

/// The stack's own table decides what a joint accepts; the panel must predict it.
TEST(JointActs, ButtonsAreOfferedWhereTheLoopTakesThem) {
  const std::pair<PanelAct, TransitionRequest> kPairs[]{
      {PanelAct::kRun, TransitionRequest::kPosition},
      {PanelAct::kIdle, TransitionRequest::kIdle},
      {PanelAct::kForceIdle, TransitionRequest::kForceIdle},
      {PanelAct::kCalibrate, TransitionRequest::kCalibrate}};
  testing::RigWithPanel t;
  t.rig.robot.capabilities[0].needs_calibration = true;
  t.panel.set_access(Access::kArmed);
  for (const JointMode mode : kAllJointMode) {
    t.rig.stack.snapshot().joints[0].mode = mode;
    t.show();
    for (const auto& [act, request] : kPairs) {
      SCOPED_TRACE(std::string(to_string(act)) + " in " + std::string(to_string(mode)));
      const bool offered = t.panel.acts.why_not(act, 0).empty();
      const bool taken = transition(mode, request) == RejectReason::kNone;
      if (offered) {
        EXPECT_TRUE(taken);
      }
      // Idle from idle, and force-idle without a fault, are taken and do nothing.
      const bool useless = (act == PanelAct::kIdle && mode == JointMode::kIdle) ||
                           (act == PanelAct::kForceIdle && mode != JointMode::kHwFault &&
                            mode != JointMode::kNotConfigured);
      if (taken && !useless) {
        EXPECT_TRUE(offered);
      }
    }
  }
}

TEST(JointActs, IdleAsksNothingAboutALoadThatABrakeHoldsAndNamesABrakeThatIsTooWeak) {
  RobotConfig config = testing::ideal_config(3);
  config.joints[0].brake.holding_torque = 30.0;
  config.joints[1].brake.holding_torque = 10.0;
  testing::RigWithPanel t(config);
  t.arm_and_run();
  for (std::size_t i = 0; i < 3; ++i) t.rig.robot.joint[i].load = -20.0;
  t.frames(60);
  EXPECT_EQ(t.panel.acts.forecast(PanelAct::kIdle, t.panel.group()),
            "3 joints to IDLE, motor off; falls: joint2, joint3; held by brakes: joint1");
  t.commands();
  t.panel.acts.idle(1, false);
  ASSERT_TRUE(t.panel.acts.question());
  EXPECT_EQ(t.panel.acts.question()->text.find("Its brake holds 10"), 0U)
      << t.panel.acts.question()->text;
  EXPECT_EQ(t.commands().size(), 0U);
  t.panel.acts.answer(false);
  t.panel.acts.idle(0, false);
  EXPECT_FALSE(t.panel.acts.question());
  EXPECT_EQ(t.only<SetMode>().mode, ModeRequest::kIdle);
}

TEST(JointActs, AFileWithoutBrakesTellsNothingAboutThem) {
  testing::RigWithPanel t;
  t.arm_and_run();
  t.rig.robot.joint[0].load = -20.0;
  t.frames(60);
  EXPECT_EQ(t.panel.acts.forecast(PanelAct::kIdle, t.panel.group()), "3 joints to IDLE, motor off");
}

TEST(JointActs, IdleUnderLoadAsksFirstAndSaysWhatFalls) {
  testing::RigWithPanel t;
  t.arm_and_run();
  t.rig.robot.joint[0].load = -20.0;
  t.frames(60);
  t.commands();
  t.panel.acts.idle(0, false);
  EXPECT_EQ(t.commands().size(), 0U);
  ASSERT_TRUE(t.panel.acts.question());
  EXPECT_EQ(t.panel.acts.question()->joint, 0);
  // ½ τ/I t² = ½ · 20 · 0.09 rad = 51.6°
  EXPECT_NE(t.panel.acts.question()->text.find("51."), std::string::npos)
      << t.panel.acts.question()->text;

  t.panel.acts.answer(false);
  EXPECT_EQ(t.commands().size(), 0U);
  t.panel.acts.idle(0, false);
  t.frames(40);
  t.panel.acts.answer(true);
  EXPECT_EQ(t.only<SetMode>().mode, ModeRequest::kIdle);
  EXPECT_FALSE(t.panel.acts.question());
}

struct LoadedJoint : ::testing::Test {
  LoadedJoint() {
    t.arm_and_run();
    t.rig.robot.joint[0].load = -20.0;
    t.frames(60);
    t.commands();
  }
  testing::RigWithPanel t;
};

TEST_F(LoadedJoint, IdleOnceMoreIsTheAnswerButADoubleClickIsNot) {
  t.panel.acts.idle(0, false);
  t.frames(10);  // 0.16 s
  t.panel.acts.idle(0, false);
  EXPECT_EQ(t.commands().size(), 0U) << "a double click";
  t.frames(30);
  t.panel.acts.idle(0, false);
  EXPECT_EQ(t.only<SetMode>().mode, ModeRequest::kIdle);
}

TEST_F(LoadedJoint, TheQuestionLapsesByItself) {
  t.panel.acts.idle(0, false);
  t.frames(static_cast<int>(JointActs::kAsksFor / 0.016) + 2);
  EXPECT_FALSE(t.panel.acts.question());
  t.panel.acts.idle(0, false);
  EXPECT_EQ(t.commands().size(), 0U) << "it asks anew";
}

TEST_F(LoadedJoint, StopIsANoAndAnotherJointIsAnotherQuestion) {
  t.panel.acts.idle(0, false);
  t.panel.stop_all();
  EXPECT_FALSE(t.panel.acts.question());
  EXPECT_EQ(kind_of(t.only_command()), CommandKind::kStop);
  t.rig.robot.joint[1].load = -20.0;
  t.frames(60);
  t.commands();
  t.panel.acts.idle(0, false);
  t.frames(40);
  t.panel.acts.idle(1, false);
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_EQ(t.panel.acts.question()->joint, 1);
}

TEST_F(LoadedJoint, AJointThatFaultsMeanwhileIsAskedNoMore) {
  t.panel.acts.idle(0, false);
  t.break_joint(0);
  EXPECT_FALSE(t.panel.acts.question());
}

TEST(JointActs, ShiftSkipsTheQuestionInSimulationOnly) {
  for (const bool real : {false, true}) {
    testing::RigWithPanel t(1, real);
    t.arm_and_run();
    t.rig.robot.joint[0].load = -20.0;
    t.frames(60);
    t.commands();
    t.panel.acts.idle(0, true);
    EXPECT_EQ(t.panel.acts.question().has_value(), real);
    EXPECT_EQ(t.commands().size(), real ? 0U : 1U);
  }
}

TEST(JointActs, IdleWithoutLoadDoesNotAsk) {
  testing::RigWithPanel t;
  t.arm_and_run();
  t.panel.acts.idle(0, false);
  EXPECT_FALSE(t.panel.acts.question());
  EXPECT_EQ(t.only<SetMode>().mode, ModeRequest::kIdle);
}

TEST(JointActs, TorqueOnARealRobotNeedsArmed) {
  testing::RigWithPanel t(1, /*real=*/true);
  t.panel.set_access(Access::kControl);
  t.panel.acts.set_mode(0, ModeRequest::kTorque);
  t.panel.acts.set_mode(0, ModeRequest::kOpenloop);
  EXPECT_EQ(t.commands().size(), 0U);
  t.panel.acts.set_mode(0, ModeRequest::kVelocity);
  EXPECT_EQ(t.only<SetMode>().mode, ModeRequest::kVelocity);
  t.panel.set_access(Access::kArmed);
  t.panel.acts.set_mode(0, ModeRequest::kTorque);
  EXPECT_EQ(t.only<SetMode>().mode, ModeRequest::kTorque);
}

TEST(JointActs, TheSpeedOverrideIsTheLoopsAndMovesAreAskedForAtFullSpeed) {
  testing::RigWithPanel t;
  t.arm_and_run();
  EXPECT_DOUBLE_EQ(t.panel.watch.speed_override(), 1.0);
  t.panel.client.ask_speed_override(0.25);
  EXPECT_EQ(kind_of(t.only_command()), CommandKind::kSetSpeedOverride);
  t.frame();
  EXPECT_DOUBLE_EQ(t.panel.watch.speed_override(), 0.25);
  t.commands();
  t.panel.acts.act(PanelAct::kHome, t.panel.group());
  EXPECT_DOUBLE_EQ(t.only<Move>().values[0].speed, 2.0) << "v_max: the loop slows it down";
  t.panel.set_access(Access::kObserve);
  t.commands();
  t.panel.client.ask_speed_override(1.0);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST(JointActs, HomeIsThePoseOfThatNameOrWhereTheRobotStarts) {
  RobotConfig config = testing::ideal_config(2);
  config.joints[1].q_start = 0.3;
  config.poses = {{"home", {0.7, std::nullopt}}};
  testing::RigWithPanel t(config);
  t.arm_and_run();
  t.panel.acts.act(PanelAct::kHome, t.panel.group());
  const auto command = t.only<Move>();
  EXPECT_DOUBLE_EQ(command.values[0].q, 0.7);
  EXPECT_DOUBLE_EQ(command.values[1].q, 0.3);
}

TEST(JointActs, AnImpedanceBeyondWhatTheJointBearsIsRefusedWithTheLimit) {
  testing::RigWithPanel t;
  t.panel.set_access(Access::kControl);
  t.panel.parameters.set_impedance(0, 1e9, 1.0);
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_NE(t.panel.notice().find("stiffness"), std::string::npos) << t.panel.notice();
  t.panel.parameters.set_impedance(0, 50.0, 5.0);
  EXPECT_DOUBLE_EQ(t.only<SetImpedance>().values[0].stiffness, 50.0);
}

TEST(JointActs, ARefusalByTheLoopIsTold) {
  testing::RigWithPanel t;
  t.asker.move(JointSet{}.set(0), 0.5);  // in idle: refused
  t.frame();
  EXPECT_EQ(t.panel.notice(), "rejected");
  t.now += PanelClient::kNoticeFor;
  t.show();
  EXPECT_EQ(t.panel.notice(), "");
}

}  // namespace
}  // namespace jointrig::gui
