/// Interaction control and hand guiding of the Franka arm in physics, with a look at transitions:
/// jumps, changes of mode, the state of a guided arm.

#include <gtest/gtest.h>

#include <cmath>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "tests/control/stack/franka_in_physics.h"

namespace jointrig {
namespace {

constexpr std::size_t kFrankaJoints = 8;  // seven of the arm, a finger

RobotConfig franka() {
  RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
  config.plant.friction_scale = 0.0;
  config.arms[0].zero_g.cuff_joint = 6;
  config.arms[0].zero_g.cuff_input = 2;
  return config;
}

struct InteractionPhysics : testing::FrankaInPhysics {
  InteractionPhysics() : FrankaInPhysics(franka()) {}
  void set_mode(const char* joints, ModeRequest mode) {
    client.set_mode(client.select(joints), mode);
  }
  void grasp(double seconds) { client.post(SetCuff{0, seconds}); }
  void suppress_cuff() { client.post(Suppress{client.select("arm"), Suppressible::kCuff}); }
  /// Runs so many tenths of a second, with the command of each.
  template <typename Say>
  void tenths(int count, Say&& say) {
    for (int n = 0; n < count; ++n) {
      say();
      run(100);
    }
  }
  /// Cycles in which the arm was released.
  int guided(int cycles) {
    int count = 0;
    for (int n = 0; n < cycles; ++n) {
      run(1);
      if (guide() == GuideState::kGuiding) ++count;
    }
    return count;
  }
  int told(GuideChange change) {
    int count = 0;
    for (Event e; events.next(e);) {
      if (e.kind == EventKind::kGuide && e.detail == static_cast<std::uint8_t>(change)) ++count;
    }
    return count;
  }
  [[nodiscard]] GuideState guide() { return arm().interaction.guide; }

  EventRing::Reader events{rig.stack().events()};
};

/// Impedance along and about all axes, damped by ratio.
SetInteractionControl springs(double stiffness) {
  SetInteractionControl control;
  control.arm = 0;
  for (std::size_t i = 0; i < 6; ++i) control.stiffness[i] = i < 3 ? stiffness : 20.0;
  control.damping_source = DampingSource::kRatio;
  control.damping_ratio = 1.0;
  return control;
}
SetInteractionControl no_control() {
  SetInteractionControl control;
  control.arm = 0;
  control.active = false;
  return control;
}

TEST(ArmGuide, IsLetGoAndReleasedWithoutAJumpFromEachModeThatHolds) {
  for (const ModeRequest mode :
       {ModeRequest::kPosition, ModeRequest::kPositionDirect, ModeRequest::kVelocity,
        ModeRequest::kMixed, ModeRequest::kCartesian}) {
    SCOPED_TRACE(to_string(mode));
    InteractionPhysics p;
    p.set_mode("arm", mode);
    p.run(500);
    const JointMode shown = p.now().joints[0].mode;
    const ToolPose before = p.arm().tool;
    p.grasp(10.0);
    EXPECT_LT(p.hardest_step(500), 0.1);  // [N·m] a cycle
    EXPECT_EQ(p.guide(), GuideState::kGuiding);
    p.grasp(0.0);
    EXPECT_LT(p.hardest_step(500), 0.3) << "the last of its motion is braked";
    EXPECT_EQ(p.guide(), GuideState::kOff);
    EXPECT_EQ(p.now().joints[0].mode, shown);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(p.arm().tool.position[i], before.position[i], 1e-3);
    }
  }
}

TEST(ArmGuide, ItsCuffIsTheDigitalInputThatItsFileNames) {
  InteractionPhysics p;
  p.rig.sim()->inject(6, sim::SimFault::kDigitalInput, 1.0, to_ns(0.1));
  p.run(50);
  EXPECT_EQ(p.now().joints[6].state.inputs, 0b010);
  EXPECT_FALSE(p.arm().interaction.cuff) << "another input";
  p.run(100);
  p.rig.sim()->inject(6, sim::SimFault::kDigitalInput, 2.0, to_ns(0.5));
  p.run(100);
  EXPECT_EQ(p.guide(), GuideState::kGuiding);
  p.run(600);
  EXPECT_EQ(p.guide(), GuideState::kOff);
}

TEST(ArmGuide, ACuffWhoseBoardIsLostIsFreeAndTheArmHolds) {
  RobotConfig config = franka();
  config.arms[0].zero_g.cuff_joint = 7;  // the finger: none of the arm's
  config.parts = {{"arm", {0, 1, 2, 3, 4, 5, 6}}};
  testing::FrankaInPhysics p(config);
  p.rig.sim()->inject(7, sim::SimFault::kDigitalInput, 2.0, to_ns(10.0));
  p.run(500);
  ASSERT_EQ(p.arm().interaction.guide, GuideState::kGuiding);
  const double q = p.now().joints[3].state.q;
  p.rig.sim()->inject(7, sim::SimFault::kMissedCycles, 0.0, to_ns(10.0));
  p.run(2);
  EXPECT_EQ(p.arm().interaction.guide, GuideState::kGuiding) << "two cycles are carried on";
  p.run(2);  // what is injected after a cycle is seen in the next
  EXPECT_EQ(p.now().joints[7].state.inputs, 0b100) << "as it was told last";
  EXPECT_FALSE(p.arm().interaction.cuff);
  EXPECT_EQ(p.arm().interaction.guide, GuideState::kOff);
  p.run(1000);
  EXPECT_NEAR(p.now().joints[3].state.q, q, 2e-3);
}

TEST(ArmGuide, ACommandHoldsTheCuffNoLongerThanItSaid) {
  InteractionPhysics p;
  p.grasp(0.2);
  p.run(150);
  EXPECT_EQ(p.guide(), GuideState::kGuiding);
  p.run(100);
  EXPECT_EQ(p.guide(), GuideState::kOff);
}

TEST(ArmGuide, AnInputPressedWhileSuppressedLetsNoArmGoUntilItIsPressedAnew) {
  InteractionPhysics p;
  p.tenths(1, [&] { p.suppress_cuff(); });
  p.rig.sim()->inject(6, sim::SimFault::kDigitalInput, 2.0, to_ns(2.0));
  p.tenths(9, [&] {
    p.suppress_cuff();
    EXPECT_EQ(p.guide(), GuideState::kOff);
  });
  EXPECT_FALSE(p.arm().interaction.cuff);
  EXPECT_EQ(p.told(GuideChange::kIgnored), 1);
  // 0.1 s after the last message 0.1 s of suppression is left, and 1.1 s of the press.
  EXPECT_EQ(p.guided(1000), 0) << "the suppression has run out, the press is the old one";
  EXPECT_FALSE(p.now().protection.suppressed.has(Suppressible::kCuff));
  EXPECT_NE(p.now().joints[6].state.inputs & 0b100, 0);
  p.run(200);
  EXPECT_EQ(p.now().joints[6].state.inputs, 0);
  p.rig.sim()->inject(6, sim::SimFault::kDigitalInput, 2.0, to_ns(2.0));
  EXPECT_GT(p.guided(1000), 500) << "a new one";
}

TEST(ArmGuide, ABoardThatFellSilentHasNotLetGoOfASuppressedCuff) {
  InteractionPhysics p;
  p.tenths(1, [&] { p.suppress_cuff(); });
  p.rig.sim()->inject(6, sim::SimFault::kDigitalInput, 2.0, to_ns(3.0));
  p.tenths(3, [&] { p.suppress_cuff(); });
  EXPECT_EQ(p.guided(300), 0);
  p.rig.sim()->inject(6, sim::SimFault::kMissedCycles, 10.0, to_ns(0.01));
  p.run(5);
  EXPECT_GE(p.now().joints[6].state.missed, ArmGuide::kCuffLostAfter);
  EXPECT_EQ(p.guided(1000), 0) << "heard again, pressed as before";
  EXPECT_NE(p.now().joints[6].state.inputs & 0b100, 0);
}

TEST(ArmGuide, AHeldButtonGuidesAfterASuppressionOnlyOnceItWasLetGo) {
  InteractionPhysics p;
  const auto hold = [&] { p.grasp(0.3); };  // as the panel's button does
  p.tenths(10, [&] {
    hold();
    p.suppress_cuff();
  });
  EXPECT_EQ(p.guide(), GuideState::kOff);
  p.tenths(10, hold);
  EXPECT_EQ(p.guide(), GuideState::kOff);
  EXPECT_EQ(p.told(GuideChange::kIgnored), 1);
  p.grasp(0.0);
  p.run(1);
  p.tenths(10, hold);
  EXPECT_EQ(p.guide(), GuideState::kGuiding);
}

TEST(ArmGuide, ASuppressionEndsGuidingAndItsEndDoesNotGoOnWithIt) {
  InteractionPhysics p;
  p.grasp(10.0);
  p.run(500);
  ASSERT_EQ(p.guide(), GuideState::kGuiding);
  p.suppress_cuff();
  p.run(1);
  EXPECT_EQ(p.guide(), GuideState::kOff);
  EXPECT_EQ(p.told(GuideChange::kReleased), 1);
  const ToolPose then = p.arm().tool;
  EXPECT_EQ(p.guided(1000), 0) << "0.8 s beyond the suppression";
  EXPECT_GT(p.arm().interaction.cuff_left, 8.0);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(p.arm().tool.position[i], then.position[i], 1e-3) << "it holds";
  }
  p.grasp(0.0);
  p.run(1);
  p.grasp(10.0);
  EXPECT_GT(p.guided(1000), 500);
}

TEST(ArmGuide, StopEndsItAndTheArmStandsUntilTheCuffIsFree) {
  InteractionPhysics p;
  p.grasp(10.0);
  p.run(500);
  p.client.stop(p.client.select("arm"));
  p.run(10);
  EXPECT_EQ(p.guide(), GuideState::kStopped);
  const double q = p.now().joints[3].state.q;
  p.run(1000);
  EXPECT_NEAR(p.now().joints[3].state.q, q, 1e-3);
  p.grasp(0.0);
  p.run(2);
  EXPECT_EQ(p.guide(), GuideState::kOff);
}

TEST(ArmGuide, AModeThatHoldsNothingEndsIt) {
  InteractionPhysics p;
  p.grasp(10.0);
  p.run(500);
  p.set_mode("arm", ModeRequest::kTorque);
  p.run(5);
  EXPECT_EQ(p.guide(), GuideState::kStopped);
  EXPECT_EQ(p.now().joints[0].mode, JointMode::kTorque);
  p.set_mode("arm", ModeRequest::kIdle);
  p.run(5);
  EXPECT_EQ(p.now().joints[0].mode, JointMode::kIdle);
  EXPECT_EQ(p.now().joints[0].setpoint.drive, DriveMode::kOff) << "nothing holds an idle joint";
}

TEST(ArmInteraction, ChangedSettingsAreBlendedInAndResetTheReference) {
  InteractionPhysics p;
  p.set_mode("arm", ModeRequest::kCartesian);
  p.run(200);
  p.client.post(springs(600.0));
  p.run(300);
  EXPECT_TRUE(p.arm().interaction.active);
  const ToolPose& tool = p.arm().tool;
  SetToolTarget target{{0, tool.position, tool.orientation}};
  for (double& x : target.position) x += 0.05;
  p.client.post(target);
  p.run(400);  // on the way
  p.client.post(springs(100.0));
  EXPECT_LT(p.hardest_step(200), 0.3);
  EXPECT_FALSE(p.arm().moving) << "the goal is given up";
  p.run(3000);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(p.arm().goal.position[i], p.arm().tool.position[i], 2e-3);
  }
  p.client.post(no_control());
  p.run(2);
  EXPECT_FALSE(p.arm().interaction.active);
}

TEST(ArmInteraction, StiffnessOfThePostureIsThatOfEachJointUntilItEnds) {
  InteractionPhysics p;
  p.set_mode("arm", ModeRequest::kCartesian);
  p.run(200);
  SetInteractionControl none = springs(600.0);
  none.posture_stiffness.resize(7);
  p.client.post(none);
  p.run(300);
  p.client.send<SetPosture>({{0, {0.5}}});
  p.run(200);
  const auto& tau = p.arm().tau[static_cast<std::size_t>(ArmTerm::kPosture)];
  EXPECT_NEAR(tau[0], 0.0, 1e-6) << "without stiffness it pulls at nothing";
  p.client.post(no_control());
  p.run(200);
  EXPECT_GT(std::abs(tau[0]), 0.01);
}

}  // namespace
}  // namespace jointrig
