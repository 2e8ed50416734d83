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
  snapshot.joints[2].mode = JointMode::kHwFault;
  snapshot.joints[2].fault.code = FaultCode::kBoardLost;
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

}  // namespace
}  // namespace jointrig::gui
