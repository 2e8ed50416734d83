#include "gui/panel/event_list.h"

#include <gtest/gtest.h>

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

TEST(EventList, CountsTheSameSentenceInARowOnOneLine) {
  EventList list;
  for (TimeNs t = 1; t <= 3; ++t) list.add(of_kind(EventKind::kLimited, t), "torque limited");
  list.add(of_kind(EventKind::kFault, 4), "fault");
  list.add(of_kind(EventKind::kLimited, 5), "torque limited");
  ASSERT_EQ(list.lines().size(), 3U);
  EXPECT_EQ(list.lines()[0].repeats, 3U);
  EXPECT_EQ(list.lines()[0].time_ns, 3);
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
