#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "control/exchange/command_inbox.h"
#include "control/exchange/event_ring.h"
#include "control/exchange/robot_client.h"
#include "control/exchange/snapshot_exchange.h"
#include "control/exchange/triple_buffer.h"
#include "tests/support/ideal_robot.h"
#include "tests/support/requests.h"

namespace jointrig {
namespace {

Command numbered(std::uint16_t sender, std::uint64_t number) {
  Move move;
  move.joints.set(number % 7);
  move.values.push_back({static_cast<double>(number), static_cast<double>(sender)});
  return {.request = move, .sender = sender, .number = number};
}

TEST(CommandInbox, HandsOutCommandsInTheOrderTheyCame) {
  CommandInbox inbox;
  for (std::uint64_t n = 1; n <= 5; ++n) ASSERT_TRUE(inbox.push(numbered(1, n)));
  std::vector<std::uint64_t> seen;
  EXPECT_EQ(inbox.drain(3, [&](const Command& c) { seen.push_back(c.number); }), 3U);
  EXPECT_EQ(inbox.drain(9, [&](const Command& c) { seen.push_back(c.number); }), 2U);
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
}

TEST(CommandInbox, AFullInboxRefusesAndLosesNothing) {
  CommandInbox inbox;
  for (std::uint64_t n = 1; n <= CommandInbox::kCapacity; ++n) {
    ASSERT_TRUE(inbox.push(numbered(1, n)));
  }
  EXPECT_FALSE(inbox.push(numbered(1, 999)));
  std::uint64_t expected = 1;
  inbox.drain(1000, [&](const Command& c) { EXPECT_EQ(c.number, expected++); });
  EXPECT_EQ(expected, CommandInbox::kCapacity + 1);
  EXPECT_TRUE(inbox.push(numbered(1, 1000)));
}

TEST(CommandInbox, ThreeSendersHammeringItLoseAndMixNothing) {
  CommandInbox inbox;
  constexpr std::uint64_t kEach = 20'000;
  std::vector<std::thread> senders;
  for (std::uint16_t id = 1; id <= 3; ++id) {
    senders.emplace_back([&inbox, id] {
      for (std::uint64_t n = 1; n <= kEach;) {
        if (inbox.push(numbered(id, n)))
          ++n;
        else
          std::this_thread::yield();
      }
    });
  }
  std::array<std::uint64_t, 4> last{};
  std::uint64_t taken = 0;
  while (taken < 3 * kEach) {
    taken += inbox.drain(32, [&](const Command& c) {
      ASSERT_EQ(c.number, last[c.sender] + 1) << "per sender, in order";
      const Move::Value& value = testing::as<Move>(c).values[0];
      ASSERT_EQ(value.q, static_cast<double>(c.number)) << "not torn";
      ASSERT_EQ(value.speed, static_cast<double>(c.sender));
      last[c.sender] = c.number;
    });
  }
  for (std::thread& t : senders) t.join();
}

TEST(CommandInbox, KnowsItsSendersByName) {
  CommandInbox inbox;
  const std::uint16_t panel = inbox.connect("panel");
  const std::uint16_t scenario = inbox.connect("scenario");
  EXPECT_NE(panel, scenario);
  EXPECT_EQ(inbox.sender_name(panel), "panel");
  EXPECT_EQ(inbox.sender_name(scenario), "scenario");
  EXPECT_EQ(inbox.sender_name(42), "");
  inbox.rename(panel, "a name that is longer than all names");
  EXPECT_EQ(inbox.sender_name(panel), "a name that is longer than all ");
  EXPECT_EQ(inbox.sender_name(scenario), "scenario");
}

TEST(CommandInbox, ANameIsWholeWhileItsSenderIsRenamed) {
  CommandInbox inbox;
  const std::uint16_t sender = inbox.connect("aaaaaaaaaaaaaaaaaaaaaaaaaaaa");
  std::atomic<bool> ends{false};
  std::thread other([&] {
    while (!ends.load()) {
      inbox.rename(sender, "bbbbbbbb");
      inbox.rename(sender, "aaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    }
  });
  int torn = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::string name(inbox.sender_name(sender));
    if (name != "bbbbbbbb" && name != "aaaaaaaaaaaaaaaaaaaaaaaaaaaa") ++torn;
  }
  ends.store(true);
  other.join();
  EXPECT_EQ(torn, 0);
}

TEST(EventRing, EveryReaderSeesEveryEventOnce) {
  EventRing ring;
  EventRing::Reader first(ring);
  Event e;
  for (std::uint64_t n = 0; n < 100; ++n) {
    e.number = n;
    ring.publish(e);
  }
  EventRing::Reader late(ring);
  for (std::uint64_t n = 0; n < 100; ++n) {
    ASSERT_TRUE(first.next(e));
    EXPECT_EQ(e.number, n);
  }
  EXPECT_FALSE(first.next(e));
  EXPECT_FALSE(late.next(e)) << "a reader begins where it came in";
}

TEST(EventRing, AReaderThatFellBehindIsToldHowManyItLost) {
  EventRing ring;
  EventRing::Reader reader(ring);
  Event e;
  for (std::uint64_t n = 0; n < EventRing::kCapacity + 10; ++n) {
    e.number = n;
    ring.publish(e);
  }
  ASSERT_TRUE(reader.next(e));
  EXPECT_EQ(e.number, 10U);
  EXPECT_EQ(reader.lost(), 10U);
}

TEST(EventRing, ReadersBesideAFastWriterNeverSeeATornEvent) {
  EventRing ring;
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int r = 0; r < 2; ++r) {
    readers.emplace_back([&] {
      EventRing::Reader reader(ring);
      std::uint64_t last = 0;
      Event e;
      while (!done.load()) {
        while (reader.next(e)) {
          ASSERT_EQ(e.value, static_cast<double>(e.number));
          ASSERT_EQ(e.limit, -static_cast<double>(e.number));
          ASSERT_GT(e.number, last);
          last = e.number;
        }
      }
    });
  }
  Event e;
  for (std::uint64_t n = 1; n <= 200'000; ++n) {
    e.number = n;
    e.value = static_cast<double>(n);
    e.limit = -e.value;
    ring.publish(e);
  }
  done = true;
  for (std::thread& t : readers) t.join();
}

Snapshot snapshot_of(std::uint64_t cycle, std::size_t joints) {
  Snapshot s;
  s.cycle = cycle;
  s.joints.resize(joints);
  for (std::size_t i = 0; i < joints; ++i) {
    s.joints[i].state.q = static_cast<double>(cycle);
    s.joints[i].damping = static_cast<double>(cycle + i);
  }
  s.base.position = {1.0, 2.0, static_cast<double>(cycle)};
  return s;
}

void expect_whole(const Snapshot& s, std::size_t joints) {
  ASSERT_EQ(s.joints.size(), joints);
  for (std::size_t i = 0; i < joints; ++i) {
    ASSERT_EQ(s.joints[i].state.q, static_cast<double>(s.cycle));
    ASSERT_EQ(s.joints[i].damping, static_cast<double>(s.cycle + i));
  }
  ASSERT_EQ(s.base.position[2], static_cast<double>(s.cycle));
}

TEST(SnapshotExchange, GivesTheNewestSnapshotWhole) {
  SnapshotExchange exchange(5);
  Snapshot out;
  exchange.publish(snapshot_of(0, 5));
  EXPECT_FALSE(exchange.read(out)) << "nothing was published for who had not asked";
  exchange.publish(snapshot_of(1, 5));
  exchange.publish(snapshot_of(2, 5));
  ASSERT_TRUE(exchange.read(out));
  EXPECT_EQ(out.cycle, 2U);
  expect_whole(out, 5);
}

TEST(SnapshotExchange, AReaderBesideAFastWriterNeverSeesATornSnapshot) {
  SnapshotExchange exchange(7);
  std::atomic<bool> done{false};
  std::uint64_t reads = 0;
  std::thread reader([&] {
    auto out = std::make_unique<Snapshot>();
    std::uint64_t last = 0;
    while (!done.load()) {
      if (!exchange.read(*out)) continue;
      expect_whole(*out, 7);
      ASSERT_GE(out->cycle, last);
      last = out->cycle;
      ++reads;
    }
  });
  for (std::uint64_t n = 1; n <= 50'000; ++n) {
    exchange.publish(snapshot_of(n, 7));
    if (n % 100 == 0) std::this_thread::yield();
  }
  done = true;
  reader.join();
  EXPECT_GT(reads, 0U);
}

TEST(RobotClient, FindsJointsPartsAndAllAndSuggestsTheNearestName) {
  RobotConfig config = testing::ideal_config(3);
  config.parts.push_back({"left_arm", {0, 2}});
  EXPECT_EQ(joints_named(config, "joint2").to_string().back(), '0');
  EXPECT_TRUE(joints_named(config, "joint2").test(1));
  EXPECT_EQ(joints_named(config, "left_arm").count(), 2U);
  EXPECT_EQ(joints_named(config, "all").count(), 3U);
  try {
    joints_named(config, "left_amr");
    FAIL() << "no such part";
  } catch (const UnknownName& e) {
    EXPECT_STREQ(e.what(), "no joint or part \"left_amr\"; did you mean \"left_arm\"?");
  }
}

TEST(RobotClient, SortsValuesByJointAndRefusesOneNamedTwice) {
  const RobotConfig config = testing::ideal_config(3);
  CommandInbox inbox;
  RobotClient client(config, inbox, "test");
  EXPECT_EQ(client.send<StreamTorque>({{2, {3.0}}, {0, {1.0}}}), 1U);
  inbox.drain(1, [&](const Command& c) {
    EXPECT_EQ(c.sender, client.sender());
    const auto& values = testing::as<StreamTorque>(c).values;
    ASSERT_EQ(values.size(), 2U);
    EXPECT_EQ(values[0].tau, 1.0);
    EXPECT_EQ(values[1].tau, 3.0);
  });
  EXPECT_THROW(client.send<StreamTorque>({{1, {}}, {1, {}}}), std::invalid_argument);
}

TEST(TripleBuffer, GivesTheNewestValueOnce) {
  TripleBuffer<int> buffer(7);
  EXPECT_FALSE(buffer.update());
  EXPECT_EQ(buffer.front(), 7);
  for (const int value : {1, 2, 3}) {
    buffer.back() = value;
    buffer.publish();
  }
  EXPECT_TRUE(buffer.update());
  EXPECT_EQ(buffer.front(), 3);
  EXPECT_FALSE(buffer.update());
  EXPECT_EQ(buffer.front(), 3);
}

TEST(TripleBuffer, NeverShowsAValueThatIsBeingWritten) {
  struct Pair {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
  };
  TripleBuffer<Pair> buffer;
  constexpr std::uint64_t kLast = 200'000;
  std::thread writer([&buffer] {
    for (std::uint64_t i = 1; i <= kLast; ++i) {
      buffer.back() = {i, 3 * i};
      buffer.publish();
    }
  });
  std::uint64_t before = 0;
  while (before < kLast) {
    if (!buffer.update()) continue;
    const Pair seen = buffer.front();
    ASSERT_EQ(seen.b, 3 * seen.a);
    ASSERT_GT(seen.a, before);
    before = seen.a;
  }
  writer.join();
}

}  // namespace
}  // namespace jointrig
