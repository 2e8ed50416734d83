#include "gui/panel/recording_desk.h"

#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

TEST(ResetDesk, ResetsOnlyWhoMayControlAndNotWhileSomethingIsRecorded) {
  testing::RigWithPanel t;
  ResetDesk& desk = t.desks.reset;
  RecordingDesk& recording = t.desks.recording;
  desk.ask("home");
  EXPECT_FALSE(desk.wanted) << "OBSERVE";
  t.panel.set_access(Access::kControl);
  recording.logging = true;
  desk.ask("home");
  EXPECT_FALSE(desk.wanted) << "a log is written";
  recording.logging = false;
  recording.toggle_session();
  desk.ask("home");
  EXPECT_FALSE(desk.wanted) << "a session is recorded";
  recording.toggle_session();
  desk.ask("home");
  EXPECT_TRUE(desk.wanted);
  EXPECT_EQ(desk.to, "home");
}

TEST(ResetDesk, ARealRobotIsNotReset) {
  testing::RigWithPanel t(2, /*real=*/true);
  t.panel.set_access(Access::kArmed);
  t.desks.reset.ask("");
  EXPECT_FALSE(t.desks.reset.wanted);
}

TEST(RecordingDesk, ASessionWithoutACommandIsNoScenario) {
  testing::RigWithPanel t;
  RecordingDesk& desk = t.desks.recording;
  desk.toggle_session();
  EXPECT_TRUE(desk.session.recording());
  desk.toggle_session();
  EXPECT_FALSE(desk.session.recording());
  EXPECT_FALSE(desk.wants_session_file);
}

Command a_command(std::uint64_t number) { return {.request = Stop{}, .number = number}; }

TEST(SessionRecorder, KeepsWhatTheLoopHasTakenWithItsTime) {
  SessionRecorder session;
  Snapshot snapshot;
  snapshot.time_ns = 5'000'000;
  session.sent(a_command(1));  // before it began
  session.start(snapshot);
  session.sent(a_command(2));
  session.sent(a_command(3));
  session.answered(1, true, 6'000'000);
  session.answered(2, false, 6'000'000);
  session.answered(3, true, 7'000'000);
  ASSERT_EQ(session.commands().size(), 1U);
  EXPECT_EQ(session.commands()[0].command.number, 3U);
  EXPECT_EQ(session.commands()[0].time_ns, 7'000'000);
  EXPECT_EQ(session.began_ns(), 5'000'000);
}

TEST(SessionRecorder, StopsTakingMoreWhenItIsFull) {
  SessionRecorder session;
  session.start(Snapshot{});
  for (std::uint64_t i = 1; i <= SessionRecorder::kMost + 5; ++i) {
    session.sent(a_command(i));
    session.answered(i, true, static_cast<TimeNs>(i));
  }
  EXPECT_TRUE(session.is_full());
  EXPECT_EQ(session.commands().size(), SessionRecorder::kMost);
}

TEST(InBytes, AreShownAsPeopleReadThem) {
  EXPECT_EQ(in_bytes(12'345), "12 kB");
  EXPECT_EQ(in_bytes(3'140'000), "3.1 MB");
}

}  // namespace
}  // namespace jointrig::gui
