#include "control/core/board_notice.h"
#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

TEST(RobotWatch, ALoopThatStandsStillIsToldUnlessItIsPaused) {
  testing::RigWithPanel t;
  EXPECT_FALSE(t.panel.watch.is_stale());
  t.now += 0.3;
  t.show();
  EXPECT_TRUE(t.panel.watch.is_stale());
  t.simulation.is_paused = true;
  EXPECT_FALSE(t.panel.watch.is_stale());
}

/// Nobody here knows what it does now: nothing of it may look alive.
TEST(RobotWatch, TheLastValuesOfARobotElsewhereAreGreyOnceNothingNewComes) {
  testing::RigWithPanel t(testing::ideal_config(3), false, /*elsewhere=*/true);
  t.arm_and_run();
  const RobotWatch& watch = t.panel.watch;
  EXPECT_EQ(watch.status(0).look, JointMode::kPosition);
  t.now += 0.4;  // a network is late at times
  t.show();
  EXPECT_FALSE(watch.status(0).silent);
  t.now += 3.3;
  t.show();
  const JointStatus old = watch.status(0);
  EXPECT_TRUE(old.silent);
  EXPECT_EQ(old.look, JointMode::kNotConfigured);
  EXPECT_FALSE(old.at_target);
  EXPECT_EQ(old.title, "OLD for 3 s, was POSITION · stiff");
  EXPECT_TRUE(watch.is_silent(2)) << "grey in the 3D view, too";
  EXPECT_TRUE(watch.silent_groups().empty()) << "its boards are not to blame";
  EXPECT_NE(t.panel.stop_latch.holds().find("the values are old"), std::string::npos);
  t.frame();
  EXPECT_FALSE(watch.status(0).silent);
}

TEST(RobotWatch, TheRealTimeFactorIsRobotTimePerWallTime) {
  testing::RigWithPanel t;
  for (int i = 0; i < 200; ++i) {  // 16 ms of robot time every 32 ms
    t.now += 0.016;
    t.frame();
  }
  EXPECT_NEAR(t.panel.watch.real_time_factor(), 0.5, 0.02);
}

TEST(RobotWatch, CountsTheBoardsThatAreSilentAndKnowsWhenABusIsOff) {
  testing::RigWithPanel t(3);
  EXPECT_EQ(t.panel.watch.bus().boards, 3U);
  EXPECT_EQ(t.panel.watch.bus().silent, 0U);
  Snapshot snapshot = t.rig.stack.snapshot();
  snapshot.joints[0].state.missed = 1;  // a frame that is late
  snapshot.joints[1].state.missed = 5;
  snapshot.joints[2].mode = JointMode::kNotConfigured;
  t.panel.see(snapshot);
  EXPECT_EQ(t.panel.watch.bus().silent, 2U);
  Event event;
  event.kind = EventKind::kNotice;
  for (const auto& [notice, off] : {std::pair{Notice::kBusOff, true},
                                    {Notice::kLinkStale, true},
                                    {Notice::kBusBack, false},
                                    {Notice::kAdapterLost, true}}) {
    event.detail = static_cast<std::uint8_t>(notice);
    t.panel.see(event);
    EXPECT_EQ(t.panel.watch.bus().off, off) << to_string(notice);
  }
}

TEST(RobotWatch, ASilentBoardIsGreyWithItsAgeUntilItIsHeardAgain) {
  testing::RigWithPanel t(2);
  Snapshot snapshot = t.rig.stack.snapshot();
  const auto see = [&](std::uint32_t missed, JointMode mode, double seconds) {
    snapshot.joints[0].state.missed = missed;
    snapshot.joints[0].mode = mode;
    snapshot.time_ns += to_ns(seconds);
    t.panel.see(snapshot);
    return t.panel.watch.status(0);
  };
  EXPECT_FALSE(see(19, JointMode::kPosition, 0.019).silent) << "may come yet";
  const JointStatus lost = see(20, JointMode::kHwFault, 0.001);
  EXPECT_TRUE(lost.silent);
  EXPECT_EQ(lost.look, JointMode::kNotConfigured) << "grey, not the mode's colour";
  EXPECT_EQ(lost.mode, JointMode::kHwFault);
  EXPECT_EQ(lost.title, "SILENT for 0 ms");
  EXPECT_EQ(see(2500, JointMode::kHwFault, 2.48).title, "SILENT for 2 s");
  // It starts anew: the driver counts from there.
  EXPECT_TRUE(see(1, JointMode::kHwFault, 0.001).silent);
  EXPECT_TRUE(see(0, JointMode::kNotConfigured, 0.7).silent);
  const JointStatus back = see(0, JointMode::kHwFault, 0.001);
  EXPECT_FALSE(back.silent) << "its values are measured again";
  EXPECT_EQ(back.title, "HARDWARE FAULT");
  EXPECT_FALSE(t.panel.watch.status(1).silent);
}

TEST(RobotWatch, SilentBoardsOfOneBusAreOneCauseAndOneOfSeveralHasItsName) {
  std::vector<JointCapabilities> boards(5);
  std::vector<Silence> silences(5);
  JointSnapshot silent;
  silent.state.missed = 40;
  JointSnapshot heard;
  heard.mode = JointMode::kIdle;
  silent.mode = JointMode::kHwFault;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    boards[i].joint = "j" + std::to_string(i + 1);
    boards[i].bus = i < 2 ? "wires" : "legs";
    silences[i].see(i == 3 ? heard : silent, to_ns(1.0), to_ns(1e-3));
  }
  const auto groups = group_silent(silences, boards);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].title, "2 of 3 boards silent on bus legs: j3, j5");
  EXPECT_EQ(groups[1].title, "2 boards silent: all on bus wires");
  EXPECT_EQ(groups[1].joints, (std::vector<JointIndex>{0, 1}));
  EXPECT_EQ(groups[1].since_ns, to_ns(0.96));
  EXPECT_NE(groups[0].likely, groups[1].likely) << "a wire, or a board";
  EXPECT_TRUE(group_silent(std::vector<Silence>(5), boards).empty());

  silences[3].see(silent, to_ns(1.1), to_ns(1e-3));
  const auto all = group_silent(silences, boards);
  ASSERT_EQ(all.size(), 1U) << "buses don't fail together: what they have in common does";
  EXPECT_EQ(all[0].title, "5 boards silent: all, on 2 buses");
  EXPECT_EQ(all[0].joints.size(), 5U);
  EXPECT_EQ(all[0].since_ns, to_ns(0.96)) << "of the first one";
}

TEST(MotorPanel, APartThatHoldsSoftlyIsToldAsLongAsItDoes) {
  testing::RigWithPanel t;
  EXPECT_EQ(t.panel.lasting_notice(), "");
  Snapshot snapshot = t.rig.stack.snapshot();
  snapshot.protection.squished = true;
  t.panel.see(snapshot);
  EXPECT_NE(t.panel.lasting_notice().find("holds softly"), std::string::npos);
  EXPECT_NE(t.panel.lasting_notice().find("Run leads on"), std::string::npos);
  snapshot.protection.squished = false;
  t.panel.see(snapshot);
  EXPECT_EQ(t.panel.lasting_notice(), "");
}

}  // namespace
}  // namespace jointrig::gui
