#include "gui/panel/parameter_desk.h"

#include <algorithm>
#include <cmath>

#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

// Joints of ideal_config: inertia 1, 50 N·m, 2 rad/s, kp (2π 10 Hz)².
struct ParameterDeskTest : ::testing::Test {
  ParameterDeskTest() {
    t.panel.set_access(Access::kControl);
    t.commands();
  }
  [[nodiscard]] double in_loop(JointIndex joint, JointParameter parameter) {
    t.frames(2);
    return value_of(t.rig.stack.state().setups[joint].config, parameter);
  }

  testing::RigWithPanel t;
  ParameterDesk& desk = t.desks.parameters;
};

TEST_F(ParameterDeskTest, ATypedValueActsInTheLoopAndIsListedAsChanged) {
  EXPECT_EQ(desk.type(1, JointParameter::kKp, "2000 N·m/rad"), "");
  EXPECT_EQ(in_loop(1, JointParameter::kKp), 2000.0);
  EXPECT_EQ(desk.now(1, JointParameter::kKp), 2000.0);
  ASSERT_EQ(desk.changed().size(), 1U);
  EXPECT_EQ(desk.changed()[0].joint, 1);
  EXPECT_EQ(desk.changed()[0].parameter, JointParameter::kKp);
  EXPECT_EQ(desk.changed()[0].before, t.rig.stack.config().joints[1].gains.kp);
  EXPECT_EQ(desk.changed()[0].now, 2000.0);
}

TEST_F(ParameterDeskTest, SpeedsAreTypedInDegreesAsElsewhereOnTheScreen) {
  EXPECT_EQ(desk.type(0, JointParameter::kVelocityMax, "90"), "");
  EXPECT_NEAR(in_loop(0, JointParameter::kVelocityMax), 1.570796, 1e-6);
  EXPECT_EQ(desk.type(0, JointParameter::kVelocityMax, "1 rad/s"), "");
  EXPECT_EQ(in_loop(0, JointParameter::kVelocityMax), 1.0);
  EXPECT_EQ(desk.type(0, JointParameter::kAccelerationMax, "360"), "");
  EXPECT_NEAR(in_loop(0, JointParameter::kAccelerationMax), 6.283185, 1e-6);
  EXPECT_EQ(desk.shown(0, JointParameter::kAccelerationMax, 6.283185307), "360.0 °/s²");
}

TEST_F(ParameterDeskTest, ASliderSendsOnceItIsLetGo) {
  for (double value = 3000.0; value > 2000.0; value -= 100.0) {
    desk.drag(0, JointParameter::kKp, value);
  }
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_EQ(desk.ghost(0, JointParameter::kKp), 2100.0);
  desk.release();
  EXPECT_EQ(kind_of(t.only_command()), CommandKind::kSetParameter);
  EXPECT_EQ(in_loop(0, JointParameter::kKp), 2100.0);
  desk.release();
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(ParameterDeskTest, ASliderLeavesFourDigitsAndStaysWithinTheRange) {
  desk.drag(0, JointParameter::kKp, 2100.123456);
  desk.release();
  EXPECT_EQ(in_loop(0, JointParameter::kKp), 2100.0);
  desk.drag(0, JointParameter::kKd, 1e9);
  desk.release();
  EXPECT_EQ(in_loop(0, JointParameter::kKd), desk.range(0, JointParameter::kKd).high);
}

TEST_F(ParameterDeskTest, BeyondTheLimitItIsRefusedInWordsAndNotClamped) {
  EXPECT_EQ(desk.type(0, JointParameter::kTorqueMax, "60 Nm"),
            "torque_max 60.00 N·m is beyond the limit of joint1, 50.00 N·m");
  EXPECT_NE(desk.type(0, JointParameter::kKp, "many"), "");
  EXPECT_NE(desk.type(0, JointParameter::kKp, "-3"), "");
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_TRUE(desk.changed().empty());
}

TEST_F(ParameterDeskTest, ObserveChangesNothing) {
  t.panel.set_access(Access::kObserve);
  EXPECT_NE(desk.type(0, JointParameter::kKp, "2000"), "");
  desk.drag(0, JointParameter::kKp, 2000.0);
  desk.release();
  desk.undo();
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(ParameterDeskTest, WhatTheLoopHasNotTakenIsNotShownAsChanged) {
  desk.set(0, JointParameter::kKp, 1e9);  // past the panel's own check
  t.frames(2);
  EXPECT_TRUE(desk.changed().empty());
  EXPECT_FALSE(desk.can_undo());
  EXPECT_NE(t.panel.notice(), "");
}

TEST_F(ParameterDeskTest, UndoTakesBackOneAfterTheOther) {
  const double kp = desk.now(0, JointParameter::kKp);
  desk.type(0, JointParameter::kKp, "2000");
  t.frames(2);
  desk.type(0, JointParameter::kKp, "1500");
  t.frames(2);
  desk.undo();
  EXPECT_EQ(in_loop(0, JointParameter::kKp), 2000.0);
  EXPECT_TRUE(desk.can_undo());
  desk.undo();
  EXPECT_EQ(in_loop(0, JointParameter::kKp), kp);
  EXPECT_FALSE(desk.can_undo());
  EXPECT_TRUE(desk.changed().empty());
}

TEST_F(ParameterDeskTest, UndoAllGoesBackTheWayItCame) {
  // kd as low as ki and kp allow, then ki, which makes room, then kd lower still.
  const JointConfig opened = t.rig.stack.config().joints[0];
  desk.set(0, JointParameter::kKi, 0.0);
  t.frames(2);
  desk.set(0, JointParameter::kKd, 1.0);
  t.frames(2);
  desk.set(0, JointParameter::kTorqueMax, 10.0);
  t.frames(2);
  ASSERT_EQ(desk.changed().size(), 3U);
  desk.undo_all();
  t.frames(2);
  EXPECT_TRUE(desk.changed().empty());
  EXPECT_EQ(t.rig.stack.state().setups[0].config, opened);
}

TEST_F(ParameterDeskTest, ANewSpeedLimitIsTheSlidersToo) {
  t.arm_and_run();
  desk.set(0, JointParameter::kVelocityMax, 0.5);
  t.frames(2);
  EXPECT_EQ(t.panel.config().joints[0].limits.v_max, 0.5);
  t.override_speed(1.0);
  t.commands();
  t.panel.sliders.type(0, {JointQuantity::kPosition, CommandKind::kMove}, "10 deg");
  EXPECT_EQ(t.only<Move>().values[0].speed, 0.5);
}

TEST_F(ParameterDeskTest, AnImpedanceSetInPairsIsListedToo) {
  t.panel.parameters.set_impedance(0, 40.0, 12.0);
  t.frames(2);
  ASSERT_EQ(desk.changed().size(), 2U);
  EXPECT_EQ(desk.changed()[0].now, 40.0);
  EXPECT_EQ(desk.changed()[1].now, 12.0);
}

TEST_F(ParameterDeskTest, WithoutAFileOrAChangeThereIsNothingToCompare) {
  EXPECT_NE(desk.why_not_compare(), "");
  desk.file = "robot.yaml";
  EXPECT_NE(desk.why_not_compare(), "");
  desk.set(0, JointParameter::kKp, 2000.0);
  t.frames(2);
  EXPECT_EQ(desk.why_not_compare(), "");
}

TEST_F(ParameterDeskTest, AnUndoAfterAWriteIsToBeWrittenAsWell) {
  desk.file = "robot.yaml";
  const double opened = desk.opened(1, JointParameter::kKp);
  ASSERT_EQ(desk.type(1, JointParameter::kKp, "2000"), "");
  t.frames(2);
  EXPECT_EQ(desk.in_file(1, JointParameter::kKp), opened) << "not written yet";
  ASSERT_EQ(desk.unwritten().size(), 1U);
  EXPECT_EQ(desk.unwritten()[0].now, 2000.0);
  desk.written(desk.unwritten());
  EXPECT_EQ(desk.in_file(1, JointParameter::kKp), 2000.0);
  EXPECT_TRUE(desk.unwritten().empty());
  EXPECT_NE(desk.why_not_compare(), "");
  desk.undo();
  t.frames(2);
  EXPECT_EQ(desk.now(1, JointParameter::kKp), opened);
  EXPECT_TRUE(desk.changed().empty()) << "runs as it was opened";
  ASSERT_EQ(desk.unwritten().size(), 1U) << "and the file has something else";
  EXPECT_EQ(desk.unwritten()[0].before, 2000.0);
  EXPECT_EQ(desk.unwritten()[0].now, opened);
  EXPECT_EQ(desk.why_not_compare(), "");
}

TEST_F(ParameterDeskTest, MarginsAreWorkedOutOneAFrameAndAnewWithOtherGains) {
  int asked = 0;
  desk.margin_of = [&](JointIndex, const JointConfig& joint, JointParameter, double most) {
    ++asked;
    return std::min(most, 2.0 * joint.gains.kp);
  };
  const double kp = desk.now(0, JointParameter::kKp);
  t.frame();
  EXPECT_EQ(desk.margin(0, JointParameter::kKp), 2.0 * kp);
  EXPECT_TRUE(std::isinf(desk.margin(0, JointParameter::kKd))) << "in the next frame";
  EXPECT_TRUE(std::isinf(desk.margin(0, JointParameter::kTorqueMax))) << "a limit has none";
  t.frame();
  EXPECT_FALSE(std::isinf(desk.margin(0, JointParameter::kKd)));
  EXPECT_EQ(desk.margin(0, JointParameter::kKp), 2.0 * kp);
  EXPECT_EQ(asked, 2);
  desk.set(0, JointParameter::kKp, 2000.0);
  t.frames(2);
  EXPECT_EQ(desk.margin(0, JointParameter::kKp), 4000.0);
}

TEST_F(ParameterDeskTest, AGainsSliderHasWhatItWasOpenedWithInTheMiddle) {
  const double kp = desk.opened(0, JointParameter::kKp);
  EXPECT_DOUBLE_EQ(desk.scale(0, JointParameter::kKp).place(kp), 0.5);
  EXPECT_FALSE(desk.scale(0, JointParameter::kTorqueMax).has_middle());
}

}  // namespace
}  // namespace jointrig::gui
