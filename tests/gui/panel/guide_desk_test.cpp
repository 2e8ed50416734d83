#include "gui/panel/guide_desk.h"

#include "app/rig/rig.h"
#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

struct GuideDeskTest : ::testing::Test {
  GuideDeskTest() {
    for (std::size_t i = 0; i < t.rig.robot.joint.size(); ++i) {
      t.rig.robot.joint[i].q = t.panel.config().joints[i].q_start;
    }
    t.frames(3);
  }
  void run_the_arm() {
    t.arm_and_run();
    t.desks.arms.enter();
    t.frames(5);
    t.commands();
    ASSERT_TRUE(t.desks.arms.now().runs);
  }
  /// Runs so many frames with the button held; returns the sent commands.
  std::vector<Command> hold_for(int frames) {
    for (int i = 0; i < frames; ++i) {
      desk.hold();
      t.frame(true);
    }
    return t.commands();
  }

  testing::RigWithPanel t{app::load_robot(harness::find_robot("franka")).config};
  GuideDesk& desk = t.desks.guide;
};

TEST_F(GuideDeskTest, TheCuffIsGraspedAsLongAsTheButtonIsHeld) {
  run_the_arm();
  const std::vector<Command> held = hold_for(20);  // 0.32 s
  ASSERT_GE(held.size(), 3U);
  EXPECT_LE(held.size(), 5U) << "not with each frame";
  for (const Command& command : held) {
    EXPECT_EQ(testing::as<SetCuff>(command).duration, GuideDesk::kGraspFor);
  }
  EXPECT_TRUE(t.desks.arms.now().interaction.cuff);
  t.frame();  // nobody holds it
  EXPECT_EQ(t.only<SetCuff>().duration, 0.0);
  t.frames(3);
  EXPECT_FALSE(t.desks.arms.now().interaction.cuff);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(GuideDeskTest, AWindowThatFreezesLeavesTheCuffHeldNoLongerThanAGrasp) {
  run_the_arm();
  hold_for(5);
  EXPECT_TRUE(t.desks.arms.now().interaction.cuff);
  for (int i = 0; i < 350; ++i) t.cycle();
  t.panel.see(t.rig.stack.snapshot());
  EXPECT_FALSE(t.desks.arms.now().interaction.cuff);
}

TEST_F(GuideDeskTest, GuidesOnlyWhileArmedAndInFocus) {
  t.panel.set_access(Access::kControl);
  EXPECT_TRUE(hold_for(5).empty());
  run_the_arm();
  t.focused = false;
  t.show();
  EXPECT_TRUE(hold_for(5).empty());
}

TEST_F(GuideDeskTest, ASuppressedCuffGuidesOnlyOnceTheButtonWasLetGo) {
  run_the_arm();
  const auto suppress = [&] {
    JointSet joints;
    for (const JointIndex joint : t.desks.arms.config().joints) joints.set(joint);
    t.rig.client.post(Suppress{joints, Suppressible::kCuff});
  };
  suppress();
  hold_for(5);
  EXPECT_EQ(desk.state(), "its cuff is suppressed");
  hold_for(20);  // 0.32 s: the suppression has run out
  EXPECT_EQ(desk.state(), "not guided");
  EXPECT_FALSE(t.desks.arms.now().interaction.cuff);
  t.frames(2);
  hold_for(5);
  EXPECT_TRUE(t.desks.arms.now().interaction.cuff);
}

TEST_F(GuideDeskTest, AnIdleArmHasNoCuff) {
  t.panel.set_access(Access::kArmed);
  EXPECT_TRUE(hold_for(3).empty());
  EXPECT_NE(t.panel.notice().find("doesn't hold it"), std::string::npos) << t.panel.notice();
}

TEST_F(GuideDeskTest, AnAxisIsFreedOrHeldByItself) {
  run_the_arm();
  EXPECT_TRUE(desk.is_free(4));
  desk.set_free(4, false);
  const auto command = t.only<SetFreeAxes>();
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(command.axes[i], i != 4);
  t.frames(2);
  EXPECT_FALSE(desk.is_free(4));
  EXPECT_TRUE(desk.is_free(3));
}

TEST_F(GuideDeskTest, InteractionControlIsSentAsTheFormHasIt) {
  run_the_arm();
  desk.form().axes[2] = InteractionAxis::kForce;
  EXPECT_EQ(desk.type_force(2, "-5 N"), "");
  EXPECT_NE(desk.type_force(2, "500 N"), "") << "beyond force_max";
  EXPECT_NE(desk.type_force(2, "5 mm"), "");
  EXPECT_EQ(t.commands().size(), 0U) << "it stands in the form";
  desk.apply();
  const auto sent = t.only<SetInteractionControl>();
  EXPECT_TRUE(sent.active);
  EXPECT_EQ(sent.axes[2], InteractionAxis::kForce);
  EXPECT_EQ(sent.axes[0], InteractionAxis::kImpedance);
  EXPECT_EQ(sent.force[2], -5.0);
  EXPECT_EQ(sent.stiffness[0], 600.0) << "the arm's";
  EXPECT_EQ(sent.orientation[0], 1.0);
  t.frames(3);
  EXPECT_TRUE(desk.active()) << t.panel.notice();
  desk.off();
  EXPECT_FALSE(t.only<SetInteractionControl>().active);
  t.frames(3);
  EXPECT_FALSE(desk.active());
}

}  // namespace
}  // namespace jointrig::gui
