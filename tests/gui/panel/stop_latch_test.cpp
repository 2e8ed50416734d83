#include "gui/panel/stop_latch.h"

#include "control/core/command_facts.h"
#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

struct Stopped : ::testing::Test {
  Stopped() {
    t.arm_and_run();
    t.panel.acts.go_to(far(), t.panel.group());
    t.frames(10);
    t.panel.stop_all();
  }
  [[nodiscard]] static PoseConfig far() { return {"far", {1.5, 1.5, 1.5}}; }
  [[nodiscard]] const StopLatch& latch() const { return t.panel.stop_latch; }
  testing::RigWithPanel t;
};

TEST_F(Stopped, SaysWhenOnceTheLoopHasTakenIt) {
  EXPECT_EQ(latch().when(), "STOP NOT YET TAKEN by the loop");
  t.simulation.is_paused = true;
  EXPECT_EQ(latch().when(), "STOP, as soon as time goes on");
  t.simulation.is_paused = false;
  t.frame();
  EXPECT_EQ(latch().when().rfind("STOP at 0.", 0), 0U) << latch().when();
}

TEST_F(Stopped, SaysWhatBrakesAndThenWhatHoldsInWhichMode) {
  t.frame();
  EXPECT_EQ(latch().holds(), "3 of 3 still brake: 3 in position");
  t.frames(100);
  EXPECT_EQ(latch().holds(), "3 hold: 3 in position");
  t.rig.client.set_mode(JointSet{}.set(1), ModeRequest::kIdle);
  t.rig.client.set_mode(JointSet{}.set(2), ModeRequest::kMixed);
  t.frames(3);
  EXPECT_EQ(latch().holds(), "2 hold: 1 in position, 1 in mixed; 1 off");
  t.break_joint(0);
  EXPECT_EQ(latch().holds(), "1 holds: 1 in mixed; 1 off, 1 in fault");
}

TEST_F(Stopped, OfASilentBoardNothingIsClaimed) {
  t.frames(100);
  Snapshot snapshot = t.rig.stack.snapshot();
  const auto fall_silent = [&](JointSnapshot& joint) {
    joint.state.missed = 40;
    joint.mode = JointMode::kHwFault;
  };
  fall_silent(snapshot.joints[0]);
  ++snapshot.cycle;
  t.panel.see(snapshot);
  EXPECT_EQ(latch().holds(), "2 hold: 2 in position; 1 silent: nobody here knows what they do");
  for (JointSnapshot& joint : snapshot.joints) fall_silent(joint);
  ++snapshot.cycle;
  t.panel.see(snapshot);
  EXPECT_EQ(latch().holds(),
            "no joint that is heard is driven; 3 silent: nobody here knows what they do");
}

TEST(WhatStartsMotion, IsAGoalASampleOrACalibrationAndNoSetting) {
  std::vector<std::string> words;
  for (const CommandKind kind : kAllCommandKind) {
    if (starts_motion(kind)) words.emplace_back(to_string(kind));
  }
  EXPECT_EQ(words, (std::vector<std::string>{"move",
                                             "timed_move",
                                             "set_joint_target",
                                             "stream_position",
                                             "stream_trajectory",
                                             "velocity",
                                             "torque",
                                             "duty",
                                             "calibrate",
                                             "follow_plan",
                                             "set_tool_target",
                                             "stream_tool_target",
                                             "hand_trajectory",
                                             "arm_trajectory",
                                             "chest_trajectory",
                                             "head_trajectory",
                                             "pelvis_orientation",
                                             "pelvis_height",
                                             "foot_trajectory",
                                             "foot_load_bearing",
                                             "hand_load_bearing",
                                             "go_home",
                                             "footstep_list",
                                             "open_gripper",
                                             "close_gripper",
                                             "move_gripper",
                                             "grasp",
                                             "neck_trajectory",
                                             "arm_desired_accelerations",
                                             "neck_desired_accelerations",
                                             "whole_body_trajectory",
                                             "pelvis_trajectory",
                                             "hand_configuration",
                                             "footstep",
                                             "drive_tool"}));
}

TEST_F(Stopped, StaysUntilItIsNotedOrSomethingIsMovedHere) {
  t.frames(4000);
  EXPECT_TRUE(latch().latched());
  t.panel.acts.act(PanelAct::kIdle, JointSet{}.set(1));
  t.panel.acts.act(PanelAct::kRun, JointSet{}.set(1));
  t.frames(3);
  EXPECT_TRUE(latch().latched()) << "a mode moves nothing";
  t.panel.acts.go_to(far(), t.panel.group());  // ARMED has ended
  t.frames(3);
  EXPECT_TRUE(latch().latched()) << "nothing was sent";
  EXPECT_NE(latch().how_to_go_on().find("ARMED"), std::string::npos);
  t.panel.set_access(Access::kArmed);
  EXPECT_EQ(latch().how_to_go_on().find("ARMED"), std::string::npos);
  t.panel.acts.go_to(far(), t.panel.group());
  t.frames(3);
  EXPECT_FALSE(latch().latched());
  t.panel.stop_all();
  t.panel.stop_latch.dismiss();
  EXPECT_FALSE(latch().latched());
}

TEST_F(Stopped, WhatAnotherClientMovesOrIsRefusedIsTold) {
  RobotClient other(t.rig.stack.config(), t.rig.stack.inbox(), "remote");
  t.frames(50);
  EXPECT_EQ(latch().since(), "");
  other.move(JointSet{}.set(0), 1e3);
  t.frames(2);
  EXPECT_EQ(latch().since(), "1 refused since, the last: rejected");
  other.move(JointSet{}.set(0), 0.2);
  t.frames(2);
  EXPECT_TRUE(latch().latched());
  EXPECT_EQ(latch().since().rfind("moved since by remote at ", 0), 0U) << latch().since();
}

TEST(StopLatch, IsSentAgainUntilTheInboxTakesIt) {
  testing::RigWithPanel t;
  t.arm_and_run();
  while (t.asker.stop(JointSet{}.set(0)) != 0) {  // nobody empties the inbox
  }
  t.panel.stop_all();
  EXPECT_NE(t.panel.stop_latch.when().find("NOT SENT"), std::string::npos);
  t.show();
  EXPECT_NE(t.panel.stop_latch.when().find("NOT SENT"), std::string::npos);
  t.frames(200);
  EXPECT_EQ(t.panel.stop_latch.when().rfind("STOP at ", 0), 0U) << t.panel.stop_latch.when();
}

TEST_F(Stopped, AStopThatARobotElsewhereNeverGotIsToldAsSuch) {
  t.panel.stop_all();
  const std::vector<Command> sent = t.commands();
  ASSERT_FALSE(sent.empty());
  t.panel.stop_all();  // its answer is still to come
  Event refused;
  refused.kind = EventKind::kRejected;
  refused.sender = t.asker.sender();
  refused.number = sent.back().number + 1;
  t.panel.see(refused);
  EXPECT_EQ(latch().when(), "STOP DID NOT ARRIVE: rejected");
  t.panel.stop_all();
  t.frames(2);
  EXPECT_EQ(latch().when().rfind("STOP at ", 0), 0U) << latch().when();
}

}  // namespace
}  // namespace jointrig::gui
