#include "hw/canopen/heartbeat.h"

#include <gtest/gtest.h>

#include "tests/hw/canopen/frame_text.h"

namespace jointrig::canopen {
namespace {

using Kind = HeartbeatEvent::Kind;

std::vector<Kind> kinds_of(HeartbeatConsumer& consumer) {
  std::vector<Kind> kinds;
  while (const auto event = consumer.events().pop()) kinds.push_back(event->kind);
  return kinds;
}

TEST(HeartbeatProducer, BeatsOnceAPeriod) {
  HeartbeatProducer producer(5);
  FrameQueue out;
  producer.poll(NmtState::kOperational, 0, out);
  EXPECT_EQ(taken_from(out), Texts{});  // off

  producer.set_period(50, 0);
  for (int ms = 0; ms <= 200; ++ms) producer.poll(NmtState::kOperational, ms * kMillisecond, out);
  EXPECT_EQ(taken_from(out), (Texts{"705#05", "705#05", "705#05", "705#05"}));
}

TEST(HeartbeatProducer, DoesNotMakeUpForMissedPeriods) {
  HeartbeatProducer producer(5);
  FrameQueue out;
  producer.set_period(10, 0);
  producer.poll(NmtState::kStopped, 95 * kMillisecond, out);
  EXPECT_EQ(taken_from(out), Texts{"705#04"});
  producer.poll(NmtState::kStopped, 99 * kMillisecond, out);
  EXPECT_EQ(taken_from(out), Texts{});
  producer.poll(NmtState::kStopped, 100 * kMillisecond, out);
  EXPECT_EQ(taken_from(out), Texts{"705#04"});
}

TEST(HeartbeatConsumer, ANodeNeverHeardIsNotLost) {
  HeartbeatConsumer consumer;
  consumer.watch(5, 150);
  consumer.poll(10'000 * kMillisecond);
  EXPECT_TRUE(kinds_of(consumer).empty());
}

TEST(HeartbeatConsumer, ANodeIsLostOnceAndComesBackOnce) {
  HeartbeatConsumer consumer;
  consumer.watch(5, 150);
  consumer.receive(from_text("705#05"), 0);
  consumer.poll(150 * kMillisecond);
  EXPECT_EQ(kinds_of(consumer), (std::vector{Kind::kFirst}));
  consumer.poll(150 * kMillisecond + 1);
  consumer.poll(900 * kMillisecond);
  EXPECT_EQ(kinds_of(consumer), (std::vector{Kind::kLost}));
  EXPECT_TRUE(consumer.node(5).lost);
  consumer.receive(from_text("705#05"), 901 * kMillisecond);
  EXPECT_EQ(kinds_of(consumer), (std::vector{Kind::kBack}));
  EXPECT_FALSE(consumer.node(5).lost);
}

TEST(HeartbeatConsumer, AWatchBegunAnewWaitsForTheFirst) {
  HeartbeatConsumer consumer;
  consumer.watch(5, 150);
  consumer.receive(from_text("705#05"), 0);
  consumer.poll(200 * kMillisecond);
  EXPECT_EQ(kinds_of(consumer), (std::vector{Kind::kFirst, Kind::kLost}));
  consumer.watch(5, 150);
  EXPECT_FALSE(consumer.node(5).lost);
  consumer.poll(900 * kMillisecond);
  consumer.receive(from_text("705#05"), 901 * kMillisecond);
  EXPECT_EQ(kinds_of(consumer), (std::vector{Kind::kFirst}));
}

TEST(HeartbeatConsumer, TellsChangesOfStateAndBootUps) {
  HeartbeatConsumer consumer;
  for (const char* text : {"705#00", "705#7F", "705#7F", "705#05", "705#00"}) {
    EXPECT_TRUE(consumer.receive(from_text(text), 0));
  }
  EXPECT_EQ(kinds_of(consumer),
            (std::vector{Kind::kBootUp, Kind::kFirst, Kind::kChanged, Kind::kBootUp}));
  EXPECT_EQ(consumer.node(5).boot_ups, 2U);
  EXPECT_EQ(consumer.node(5).heartbeats, 3U);
}

TEST(HeartbeatConsumer, HearsTheToggleBitOfGuardingButNotNonsense) {
  HeartbeatConsumer consumer;
  EXPECT_TRUE(consumer.receive(from_text("705#85"), 0));  // operational, toggled
  EXPECT_EQ(consumer.node(5).state, NmtState::kOperational);
  for (const char* none : {"705#", "705#0505", "705#06", "700#05", "780#05"}) {
    EXPECT_FALSE(consumer.receive(from_text(none), 0)) << none;
  }
  can::Frame question = from_text("705#05");
  question.remote = true;
  EXPECT_FALSE(consumer.receive(question, 0));
}

TEST(HeartbeatConsumer, CountsWhatItsRingOfEventsCannotHold) {
  HeartbeatConsumer consumer;
  for (int i = 0; i < 70; ++i) consumer.receive(from_text("705#00"), i);
  EXPECT_EQ(consumer.events().size(), 64U);
  EXPECT_EQ(consumer.events().dropped(), 6U);
}

}  // namespace
}  // namespace jointrig::canopen
