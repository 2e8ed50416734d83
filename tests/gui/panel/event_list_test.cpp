#include "gui/panel/event_list.h"

#include <gtest/gtest.h>

#include "control/core/board_notice.h"

namespace jointrig::gui {
namespace {

Event of_kind(EventKind kind, TimeNs time = 0) {
  Event event;
  event.kind = kind;
  event.time_ns = time;
  return event;
}

TEST(EventList, ShowsWhatIsAtLeastAsSevereAndHasTheWordInIt) {
  EventList list;
  list.add(of_kind(EventKind::kModeChanged), "elbow: idle -> position");
  list.add(of_kind(EventKind::kRejected), "elbow: rejected velocity");
  list.add(of_kind(EventKind::kFault), "Wrist: the motor is too hot");
  EXPECT_EQ(list.shown(EventSeverity::kInfo, "").size(), 3U);
  EXPECT_EQ(list.shown(EventSeverity::kWarning, "").size(), 2U);
  const auto hot = list.shown(EventSeverity::kInfo, "wRIST");
  ASSERT_EQ(hot.size(), 1U);
  EXPECT_EQ(hot.front()->severity, EventSeverity::kError);
}

TEST(EventList, ALostForceSensorIsAWarning) {
  EventList list;
  Event lost = of_kind(EventKind::kForceSensor);
  lost.detail = static_cast<std::uint8_t>(ForceSensorState::kStale);
  list.add(lost, "arm: nothing fresh comes from the force/torque sensor");
  EXPECT_EQ(list.shown(EventSeverity::kWarning, "").size(), 1U);
}

Event overrun(double seconds, TimeNs time) {
  Event event = of_kind(EventKind::kOverrun, time);
  event.value = seconds;
  event.limit = 1e-3;
  return event;
}

Event limited(JointIndex joint, Limit limit, double torque, TimeNs time = 0) {
  Event event = of_kind(EventKind::kLimited, time);
  event.joint = joint;
  event.detail = static_cast<std::uint8_t>(limit);
  event.value = torque;
  return event;
}

TEST(EventList, CountsTheSameSentenceInARowOnOneLine) {
  EventList list;
  for (TimeNs t = 1; t <= 3; ++t) list.add(of_kind(EventKind::kModeChanged, t), "mode idle");
  list.add(of_kind(EventKind::kFault, 4), "fault");
  list.add(of_kind(EventKind::kModeChanged, 5), "mode idle");
  ASSERT_EQ(list.lines().size(), 3U);
  EXPECT_EQ(list.lines()[0].repeats, 3U);
  EXPECT_EQ(list.lines()[0].time_ns, 3);
  EXPECT_EQ(words_of(list.lines()[0]), "mode idle  (×3)");
}

TEST(EventList, OverrunsFoldIntoOneLineThatTellsTheWorst) {
  EventList list;
  for (TimeNs t = 1; t <= 119; ++t) list.add(overrun(1.5e-3, t), "robot: 1.5 ms");
  list.add(of_kind(EventKind::kModeChanged, 120), "elbow: mode idle");
  list.add(overrun(7.42e-3, 121), "robot: 7.42 ms");
  list.add(overrun(2e-3, 122), "robot: 2 ms");
  ASSERT_EQ(list.lines().size(), 2U);
  EXPECT_EQ(words_of(list.lines().back()),
            "robot: overrun ×121, worst 7.4 ms after it was due (period 1 ms)");
  EXPECT_EQ(list.lines().back().time_ns, 122);
  EXPECT_EQ(list.lines().front().text, "elbow: mode idle");
}

Event silent(JointIndex joint, TimeNs time) {
  Event event = of_kind(EventKind::kFault, time);
  event.joint = joint;
  event.fault = FaultCode::kBoardLost;
  return event;
}

TEST(EventList, WhatHappensToSeveralJointsAtOnceIsOneLineWithTheirNames) {
  EventList list;
  list.add(silent(0, 0), "hip: board_lost: nothing came for 20 ms");
  list.add(silent(1, 1'000'000), "knee: board_lost: nothing came for 21 ms");
  list.add(overrun(2e-3, 1'000'000), "robot: 2 ms");
  list.add(silent(2, EventList::kAtOnce), "ankle: board_lost: nothing came for 20 ms");
  ASSERT_EQ(list.lines().size(), 2U);
  const EventLine& lost = list.lines().front();
  EXPECT_EQ(words_of(lost),
            "hip (and 2 more with values of their own): board_lost: nothing came for 20 ms")
      << "the knee's is 21 ms";
  EXPECT_EQ(joints_of(lost), "hip, knee, ankle");
  EXPECT_EQ(list.shown(EventSeverity::kInfo, "ankle").size(), 1U) << "found by each name";
  list.add(silent(1, EventList::kAtOnce), "knee: board_lost: nothing came for 30 ms");
  list.add(silent(3, 2 * EventList::kAtOnce + 1), "toe: board_lost: nothing came for 20 ms");
  ASSERT_EQ(list.lines().size(), 4U) << "a second one of the same joint, and one that came later";
  EXPECT_EQ(words_of(list.lines()[2]), "knee: board_lost: nothing came for 30 ms");
  Event frozen = silent(4, 2 * EventList::kAtOnce + 1);
  frozen.fault = FaultCode::kEncoderFrozen;
  list.add(frozen, "wrist: frozen_encoder");
  EXPECT_EQ(list.lines().size(), 5U) << "another cause";
}

TEST(EventList, GoalsOfSeveralJointsAreNotTakenForOne) {
  EventList list;
  Event reached = of_kind(EventKind::kGoalReached);
  const auto reach = [&](JointIndex joint, const std::string& text) {
    reached.joint = joint;
    list.add(reached, text);
  };
  reach(0, "hip: goal 0 ° reached");
  reach(1, "knee: goal 0 ° reached");
  EXPECT_EQ(words_of(list.lines().back()), "hip and 1 more: goal 0 ° reached");
  reach(2, "ankle: goal 45 ° reached");
  ASSERT_EQ(list.lines().size(), 1U);
  EXPECT_EQ(words_of(list.lines().back()),
            "hip (and 2 more with values of their own): goal 0 ° reached");
}

Event stale(JointIndex joint, TimeNs time) {
  Event event = of_kind(EventKind::kNotice, time);
  event.joint = joint;
  event.detail = static_cast<std::uint8_t>(Notice::kLinkStale);
  event.value = 1000;
  return event;
}

TEST(EventList, BoardsThatStaySilentKeepOneLineHoweverLong) {
  constexpr TimeNs kSecond = 1'000'000'000;
  EventList list;
  for (TimeNs second = 0; second < 60; ++second) {
    list.add(overrun(2e-3, second * kSecond), "robot: 2 ms");
    list.add(stale(0, second * kSecond), "hip: link_stale: 1000 cycles");
    list.add(stale(1, second * kSecond + 1), "knee: link_stale: 1000 cycles");
    list.add(stale(2, second * kSecond + 2), "ankle: link_stale: 1000 cycles");
  }
  ASSERT_EQ(list.lines().size(), 2U);
  EXPECT_EQ(words_of(list.lines().back()), "hip and 2 more: link_stale: 1000 cycles  (×60)");
  list.add(stale(3, 60 * kSecond), "toe: link_stale: 1000 cycles");
  EXPECT_EQ(list.lines().size(), 3U) << "another board";
}

TEST(EventList, AMotorThatComesOnWithAJoltKeepsItsNumber) {
  EventList list;
  Event engaged = of_kind(EventKind::kEngaged);
  for (JointIndex joint = 0; joint < 2; ++joint) {
    engaged.joint = joint;
    list.add(engaged, joint == 0 ? "hip: the motor came on with 4 N·m"
                                 : "knee: the motor came on with 3 N·m");
  }
  EXPECT_EQ(list.lines().size(), 2U);
}

TEST(EventList, ALineThatHasBeenQuietForTenSecondsIsLeftBehind) {
  EventList list;
  list.add(overrun(2e-3, 0), "old");
  list.add(overrun(2e-3, EventList::kFoldFor), "in time");
  list.add(overrun(2e-3, 2 * EventList::kFoldFor + 1), "new");
  ASSERT_EQ(list.lines().size(), 2U);
  EXPECT_EQ(list.lines()[0].repeats, 2U);
}

TEST(EventList, LimitsFoldByJointAndLimitAndTheirWorstIsTold) {
  EventList list;
  list.add(limited(0, Limit::kTorque, -5.0), "joint1: -5 N·m");
  list.add(limited(1, Limit::kTorque, 6.0), "joint2: 6 N·m");
  list.add(limited(0, Limit::kTorque, 3.0), "joint1: 3 N·m");
  list.add(limited(0, Limit::kVelocity, 3.0), "joint1: 3 rad/s");
  ASSERT_EQ(list.lines().size(), 3U);
  EXPECT_EQ(words_of(list.lines()[1]), "joint1: -5 N·m  (×2, the worst)");
}

TEST(EventList, OfARobotThatWasResetTheNewRunHasLinesOfItsOwn) {
  EventList list;
  list.add(overrun(2e-3, 5'000'000'000), "before");
  list.add(overrun(2e-3, 1'000'000), "after");
  EXPECT_EQ(list.lines().size(), 2U);
}

TEST(EventList, AFamilyIsShownAlone) {
  EventList list;
  list.add(overrun(2e-3, 1), "late");
  list.add(of_kind(EventKind::kModeChanged, 2), "mode");
  list.add(of_kind(EventKind::kFault, 3), "fault");
  const auto timing = list.shown(EventSeverity::kInfo, "", EventFamily::kTiming);
  ASSERT_EQ(timing.size(), 1U);
  EXPECT_EQ(timing.front()->text, "late");
  EXPECT_EQ(list.shown(EventSeverity::kInfo, "", EventFamily::kNotices).size(), 0U);
}

TEST(EventList, KeepsTheNewestTwoThousand) {
  EventList list;
  for (int i = 0; i < 2500; ++i) list.add(of_kind(EventKind::kFault), std::to_string(i));
  EXPECT_EQ(list.lines().size(), EventList::kCapacity);
  EXPECT_EQ(list.lines().front().text, "500");
}

TEST(EventList, AnswersToAStreamAreNoNewsAndRefusalsOfItAre) {
  Event event = of_kind(EventKind::kAccepted);
  event.command = CommandKind::kStreamVelocity;
  EXPECT_FALSE(is_news(event));
  event.kind = EventKind::kRejected;
  EXPECT_TRUE(is_news(event));
  event.kind = EventKind::kAccepted;
  event.command = CommandKind::kSetMode;
  EXPECT_TRUE(is_news(event));
}

}  // namespace
}  // namespace jointrig::gui
