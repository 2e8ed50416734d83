#include "gui/panel/suppress_desk.h"

#include "app/rig/rig.h"
#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

constexpr Suppressible kGravity = Suppressible::kGravityCompensation;
constexpr Suppressible kCuff = Suppressible::kCuff;

RobotConfig protected_franka() {
  RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
  config.avoidance->on = true;
  config.detection->on = true;
  return config;
}

struct SuppressRig {
  explicit SuppressRig(const RobotConfig& config = protected_franka(), bool real = false)
      : t(config, real) {
    for (std::size_t i = 0; i < t.rig.robot.joint.size(); ++i) {
      t.rig.robot.joint[i].q = t.panel.config().joints[i].q_start;
    }
    t.frames(3);
    t.arm_and_run();
  }
  /// Runs so many frames with the button held; returns the sent commands.
  std::vector<Command> hold_for(int frames, Suppressible what) {
    for (int i = 0; i < frames; ++i) {
      desk.hold(what);
      t.frame(true);
    }
    return t.commands();
  }
  [[nodiscard]] bool is_suppressed(std::size_t joint, Suppressible what) {
    return t.rig.stack.snapshot().joints[joint].suppressed.has(what);
  }

  testing::RigWithPanel t;
  SuppressDesk& desk = t.desks.suppress;
};

TEST(SuppressDesk, SaysTenTimesASecondThatItIsHeldAndNothingOnceItIsFree) {
  for (const Suppressible what : kAllSuppressible) {
    SCOPED_TRACE(to_string(what));
    SuppressRig b;
    const std::vector<Command> held = b.hold_for(64, what);  // 1.024 s, by frames of 16 ms
    // At 0 and from then on in the first frame that is a tenth of a second later: each 112 ms.
    ASSERT_EQ(held.size(), 10U);
    for (const Command& command : held) {
      EXPECT_EQ(testing::as<Suppress>(command).joints.count(), 7U) << "of the arm, not the finger";
      EXPECT_EQ(testing::as<Suppress>(command).what, what);
    }
    EXPECT_TRUE(b.desk.active(what));
    EXPECT_TRUE(b.is_suppressed(0, what));
    EXPECT_FALSE(b.is_suppressed(7, what));
    b.t.frames(13);  // 0.208 s
    EXPECT_TRUE(b.t.commands().empty());
    EXPECT_FALSE(b.desk.active(what));
    EXPECT_FALSE(b.desk.held());
  }
}

TEST(SuppressDesk, AWindowThatFreezesGivesItBackAfterAFifthOfASecond) {
  SuppressRig b;
  b.hold_for(10, kGravity);
  EXPECT_TRUE(b.is_suppressed(0, kGravity));
  for (int i = 0; i < 200; ++i) b.t.cycle();
  EXPECT_FALSE(b.is_suppressed(0, kGravity));
}

TEST(SuppressDesk, SuppressesOnlyWhileArmedAndInFocus) {
  for (const Access access : {Access::kObserve, Access::kControl}) {
    SuppressRig b;
    b.t.panel.set_access(access);
    for (const Suppressible what : kAllSuppressible) EXPECT_TRUE(b.hold_for(5, what).empty());
    EXPECT_FALSE(b.t.panel.notice().empty());
  }
  SuppressRig b;
  b.t.focused = false;
  b.t.show();
  for (const Suppressible what : kAllSuppressible) EXPECT_TRUE(b.hold_for(5, what).empty());
}

TEST(SuppressDesk, StopOffAndTheEndOfArmedEndItUntilTheButtonIsPressedAnew) {
  const std::array<void (*)(MotorPanel&), 3> ends{
      [](MotorPanel& panel) { panel.stop_all(); }, [](MotorPanel& panel) { panel.off_all(); },
      [](MotorPanel& panel) { panel.set_access(Access::kControl); }};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    SCOPED_TRACE(i);
    SuppressRig b;
    ASSERT_FALSE(b.hold_for(5, kCuff).empty());
    ends[i](b.t.panel);
    b.t.commands();
    b.t.panel.set_access(Access::kArmed);  // by the key, say, while the button is down
    EXPECT_TRUE(b.hold_for(20, kCuff).empty());
    b.t.frame();  // let go
    EXPECT_FALSE(b.hold_for(5, kCuff).empty());
  }
}

TEST(SuppressDesk, WhatIsOffCannotBeSuppressed) {
  RobotConfig config = protected_franka();
  config.avoidance->on = false;
  config.detection->on = false;
  SuppressRig b(config);
  EXPECT_TRUE(b.hold_for(3, Suppressible::kCollisionAvoidance).empty());
  EXPECT_NE(b.t.panel.notice().find("is off"), std::string::npos) << b.t.panel.notice();
  EXPECT_TRUE(b.hold_for(3, Suppressible::kContactSafety).empty());
  b.t.panel.acts.act(PanelAct::kIdle, b.t.panel.group());
  b.t.frames(10);
  b.t.commands();
  EXPECT_TRUE(b.hold_for(3, kGravity).empty());
  EXPECT_NE(b.t.panel.notice().find("motors are off"), std::string::npos) << b.t.panel.notice();
}

TEST(SuppressDesk, OnARealRobotGravityGoesOnlyAfterAHoldAndTheOthersAtOnce) {
  SuppressRig b(protected_franka(), /*real=*/true);
  EXPECT_TRUE(b.hold_for(49, kGravity).empty());  // 48 frames of 16 ms: 0.768 s
  EXPECT_NEAR(b.desk.progress(kGravity), 0.784 / HoldGuard::kHoldFor, 1e-9) << "a frame later";
  b.t.frame();  // let go: a new press begins from nothing
  EXPECT_TRUE(b.hold_for(49, kGravity).empty());
  EXPECT_EQ(b.hold_for(3, kGravity).size(), 1U);
  EXPECT_TRUE(b.desk.active(kGravity));
  b.t.frame();
  EXPECT_EQ(b.hold_for(2, kCuff).size(), 1U);
}

TEST(SuppressDesk, TellsWhatIsSuppressedByWhomAndForHowLongStill) {
  SuppressRig b;
  EXPECT_EQ(b.desk.alarm(), "");
  b.t.rig.client.post(Suppress{b.t.rig.client.select("arm"), Suppressible::kContactSafety});
  b.t.frame();  // taken in the first of its 16 cycles, which counts
  const std::string by(b.t.asker.name_of(b.t.rig.client.sender()));
  EXPECT_FALSE(by.empty());
  EXPECT_EQ(b.desk.alarm(), "SUPPRESSED: contact safety by " + by + ", 0.18 s left");
  b.hold_for(1, kGravity);
  b.t.show();
  EXPECT_EQ(b.desk.state(kGravity).find("gravity compensation by panel"), 0U)
      << b.desk.state(kGravity);
  EXPECT_NE(b.desk.alarm().find(" · "), std::string::npos) << b.desk.alarm();
  b.t.frames(15);
  EXPECT_EQ(b.desk.alarm(), "");
  EXPECT_EQ(b.t.panel.snapshot().protection.suppressed_by[0], 0);
}

TEST(SuppressDesk, TellsBeforehandWhatTheHeaviestJointBears) {
  SuppressRig b;
  const std::string text = b.desk.forecast(kGravity);
  // At home the upper arm leans back over its joint: the forearm and the hand hang on the elbow,
  // some 8 kg 0.3 m before it.
  EXPECT_NE(text.find("panda_joint4 bears 22"), std::string::npos) << text;
  EXPECT_NE(text.find(" N·m"), std::string::npos) << text;
}

TEST(SuppressDesk, ARobotWithoutArmsHasNothingToSuppressHere) {
  testing::RigWithPanel t(3);
  t.arm_and_run();
  t.desks.suppress.hold(kCuff);
  EXPECT_TRUE(t.commands().empty());
  EXPECT_EQ(t.desks.suppress.forecast(kGravity), "");
}

}  // namespace
}  // namespace jointrig::gui
