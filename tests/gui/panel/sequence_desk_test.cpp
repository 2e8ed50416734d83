#include "gui/panel/sequence_desk.h"

#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

struct SequenceDeskTest : ::testing::Test {
  SequencePose pose(double q0, double q1) const {
    return {.name = "p", .q = {q0, q1, std::nullopt}, .speed = 1.0};
  }
  /// Two poses, everything in POSITION, and as fast as may be.
  void make_ready() {
    desk.sequence.poses = {pose(0.4, 0.0), pose(0.0, -0.4)};
    t.arm_and_run();
    t.override_speed(1.0);
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) {
      t.frame();
    }
  }
  [[nodiscard]] double reference(std::size_t i) const { return t.rig.joint(i).reference.q; }
  int moves_sent() {
    int moves = 0;
    for (const Command& command : t.commands()) moves += testing::is<Move>(command);
    return moves;
  }

  testing::RigWithPanel t;
  SequenceDesk& desk = t.desks.sequence;
};

TEST_F(SequenceDeskTest, RecordsWhereTheJointsOfTheShownPartAre) {
  t.rig.robot.joint[1].q = 0.5;
  t.frame();
  desk.record();
  ASSERT_EQ(desk.sequence.poses.size(), 1U);
  EXPECT_NEAR(desk.sequence.poses[0].q[1].value(), 0.5, 1e-4);
  EXPECT_EQ(joints_of(desk.sequence).count(), 3U);
  RobotConfig config = testing::ideal_config(3);
  config.parts = {{"arm", {0, 2}}};
  testing::RigWithPanel with_parts(config);
  SequenceDesk of_part(with_parts.panel);
  with_parts.panel.part = 0;
  of_part.record();
  EXPECT_FALSE(of_part.sequence.poses[0].q[1].has_value());
}

TEST_F(SequenceDeskTest, RecordingSendsNothing) {
  t.panel.set_access(Access::kArmed);
  t.commands();
  desk.record();
  desk.record_again();
  desk.duplicate();
  desk.shift(-1);
  desk.remove();
  frames(3);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(SequenceDeskTest, PosesAreReorderedWithinTheTable) {
  desk.sequence.poses = {pose(0.1, 0), pose(0.2, 0), pose(0.3, 0)};
  desk.selected = 0;
  desk.shift(-1);
  EXPECT_EQ(desk.selected, 0U);
  desk.shift(1);
  EXPECT_EQ(desk.selected, 1U);
  EXPECT_EQ(desk.sequence.poses[0].q[0], 0.2);
  EXPECT_EQ(desk.sequence.poses[1].q[0], 0.1);
  desk.selected = 2;
  desk.shift(1);
  EXPECT_EQ(desk.sequence.poses[2].q[0], 0.3);
}

TEST_F(SequenceDeskTest, ATypedTimeMakesAPoseTimedAndATypedSpeedDoesNot) {
  desk.sequence.poses = {pose(0.1, 0)};
  EXPECT_EQ(desk.type_time(0, "500 ms"), "");
  EXPECT_TRUE(desk.sequence.poses[0].timed);
  EXPECT_DOUBLE_EQ(desk.sequence.poses[0].time, 0.5);
  EXPECT_EQ(desk.type_speed(0, "40 %"), "");
  EXPECT_FALSE(desk.sequence.poses[0].timed);
  EXPECT_DOUBLE_EQ(desk.sequence.poses[0].speed, 0.4);
  EXPECT_EQ(desk.type_hold(0, "1.5"), "");
  EXPECT_DOUBLE_EQ(desk.sequence.poses[0].hold, 1.5);
  EXPECT_EQ(desk.type_position(0, 1, "-20 deg"), "");
  EXPECT_NEAR(desk.sequence.poses[0].q[1].value(), -0.349066, 1e-6);
}

TEST_F(SequenceDeskTest, WhatMakesNoSenseIsRefusedAndChangesNothing) {
  desk.sequence.poses = {pose(0.1, 0)};
  const Sequence before = desk.sequence;
  EXPECT_NE(desk.type_time(0, "0"), "");
  EXPECT_NE(desk.type_time(0, "2 m"), "");
  EXPECT_NE(desk.type_speed(0, "130 %"), "");
  EXPECT_NE(desk.type_hold(0, "-1"), "");
  EXPECT_NE(desk.type_position(0, 0, "20 Nm"), "");
  EXPECT_EQ(desk.sequence, before);
}

TEST_F(SequenceDeskTest, PlaysPoseAfterPoseAndHoldsInBetween) {
  make_ready();
  desk.sequence.poses[0].hold = 0.5;
  desk.run();
  frames(30);  // 0.48 s: 0.4 rad at 2 rad/s takes 15/8 · 0.4 / 2 = 0.375 s, or less acceleration
  EXPECT_EQ(desk.row(), 0U);
  frames(20);
  EXPECT_NEAR(reference(0), 0.4, 1e-9);
  EXPECT_TRUE(desk.holding());
  EXPECT_EQ(desk.row(), 0U);
  frames(25);
  EXPECT_EQ(desk.row(), 1U);
  frames(60);
  EXPECT_FALSE(desk.playing());
  EXPECT_NEAR(reference(0), 0.0, 1e-9);
  EXPECT_NEAR(reference(1), -0.4, 1e-9);
  EXPECT_EQ(reference(2), 0.0);
}

TEST_F(SequenceDeskTest, ATimedPoseArrivesInItsTime) {
  make_ready();
  desk.sequence.poses = {pose(0.4, 0.0)};
  desk.type_time(0, "1 s");
  desk.run();
  const TimeNs began = t.rig.stack.snapshot().time_ns;
  t.rig.run(2);
  while (t.rig.joint(0).moving) t.rig.run(1);
  EXPECT_NEAR(to_seconds(t.rig.stack.snapshot().time_ns - began), 1.0, 0.005);
}

TEST_F(SequenceDeskTest, LoopsUntilItIsStopped) {
  make_ready();
  desk.loop = true;
  desk.run();
  frames(300);  // 4.8 s, a round takes some 1 s
  EXPECT_TRUE(desk.playing());
  EXPECT_GT(moves_sent(), 5);
  desk.stop();
  t.commands();
  frames(100);
  EXPECT_FALSE(desk.playing());
  EXPECT_EQ(moves_sent(), 0);
  EXPECT_FALSE(t.rig.joint(0).moving);
}

TEST_F(SequenceDeskTest, AStepGoesToOnePoseAndSelectsTheNext) {
  make_ready();
  desk.selected = 0;
  desk.step();
  frames(60);
  EXPECT_FALSE(desk.playing());
  EXPECT_NEAR(reference(0), 0.4, 1e-9);
  EXPECT_EQ(reference(1), 0.0);
  EXPECT_EQ(desk.selected, 1U);
}

TEST_F(SequenceDeskTest, IsNoFasterThanTheSpeedOverride) {
  make_ready();
  t.override_speed(0.25);  // of 2 rad/s
  desk.run();
  double fastest = 0.0;
  for (int i = 0; i < 200; ++i) {
    frames(1);
    fastest = std::max(fastest, std::abs(t.rig.joint(0).reference.v));
  }
  // A quarter of what the path has at full speed, where a_max keeps it below v_max.
  EXPECT_LE(fastest, 0.25 * 2.0);
  EXPECT_GT(fastest, 0.3);
}

TEST_F(SequenceDeskTest, RunsAndStepsOnlyInArmed) {
  make_ready();
  for (const Access access : {Access::kObserve, Access::kControl}) {
    t.panel.set_access(access);
    t.commands();
    desk.run();
    desk.step();
    frames(5);
    EXPECT_FALSE(desk.playing());
    EXPECT_EQ(t.commands().size(), 0U);
    EXPECT_NE(t.panel.notice().find("not ARMED"), std::string::npos);
  }
}

TEST_F(SequenceDeskTest, DoesNotStartWhereAPoseIsBeyondALimit) {
  make_ready();
  desk.sequence.poses.push_back(pose(2.49, 0.0));
  t.commands();
  desk.run();
  frames(3);
  EXPECT_FALSE(desk.playing());
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_NE(t.panel.notice().find("beyond its limit"), std::string::npos) << t.panel.notice();
}

TEST_F(SequenceDeskTest, DoesNotStartWhereAJointIsNotInPosition) {
  make_ready();
  t.rig.client.set_mode(JointSet{}.set(1), ModeRequest::kTorque);
  t.frames(3);
  t.commands();
  desk.run();
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_EQ(t.panel.notice(), "joint2 is in torque: Run it first");
}

/// Everything that has to end it, each while it plays for good.
struct Ending : SequenceDeskTest {
  void play() {
    make_ready();
    desk.loop = true;
    desk.run();
    frames(10);
    ASSERT_TRUE(desk.playing());
    t.commands();
  }
  void expect_ended() {
    frames(2);
    EXPECT_FALSE(desk.playing());
    t.commands();
    frames(100);
    EXPECT_EQ(moves_sent(), 0);
    EXPECT_FALSE(t.rig.joint(0).moving);
    EXPECT_FALSE(t.rig.joint(1).moving);
  }
};

TEST_F(Ending, Stop) {
  play();
  t.panel.stop_all();
  expect_ended();
}
TEST_F(Ending, Off) {
  play();
  t.panel.off_all();
  expect_ended();
}
TEST_F(Ending, TheEndOfArmed) {
  play();
  t.panel.set_access(Access::kControl);
  expect_ended();
}
TEST_F(Ending, AFaultOfOneOfItsJoints) {
  play();
  t.break_joint(1);
  expect_ended();
}
TEST_F(Ending, AnotherModeOfOneOfItsJoints) {
  play();
  t.rig.client.set_mode(JointSet{}.set(0), ModeRequest::kVelocity);
  t.frames(1);
  expect_ended();
}
TEST_F(Ending, SomebodyElseWhoSendsAJointElsewhere) {
  play();
  t.rig.client.move(JointSet{}.set(0), 0.2, 2.0);
  frames(60);
  expect_ended();
}
TEST_F(Ending, AnotherFileOpened) {
  play();
  desk.opened({});
  expect_ended();
}

TEST_F(SequenceDeskTest, KeepsArmedAsLongAsItPlaysAndNoLonger) {
  make_ready();
  desk.loop = true;
  desk.run();
  for (int i = 0; i < 200; ++i) {
    t.now += 1.0;
    frames(1);
  }
  EXPECT_TRUE(desk.playing());
  desk.stop();
  t.now += AccessGuard::kArmedFor + 1.0;
  frames(1);
  EXPECT_EQ(t.panel.access(), Access::kControl);
}

TEST_F(SequenceDeskTest, StandsStillWhileTheSimulationIsPaused) {
  make_ready();
  desk.sequence.poses[0].hold = 0.2;
  desk.run();
  frames(30);
  t.simulation.is_paused = true;
  t.commands();
  for (int i = 0; i < 50; ++i) {
    t.now += 0.1;
    t.show();
  }
  EXPECT_TRUE(desk.playing());
  EXPECT_EQ(moves_sent(), 0);
}

}  // namespace
}  // namespace jointrig::gui
