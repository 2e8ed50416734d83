#include "remote/state_feed.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace jointrig::remote {
namespace {

struct FeedOfOneJoint {
  FeedOfOneJoint() : exchange(1) {
    shown->joints.resize(1);
    EXPECT_EQ(feed.newest(), nullptr) << "asks for snapshots";
  }
  void publish(std::uint64_t cycle) {
    shown->cycle = cycle;
    exchange.publish(*shown);
  }

  SnapshotExchange exchange;
  std::unique_ptr<Snapshot> shown = std::make_unique<Snapshot>();
  std::atomic<int> built = 0;
  StateFeed feed{exchange, [this](const Snapshot& snapshot, v1::State& message) {
                   ++built;
                   message.set_cycle(snapshot.cycle);
                 }};
};

TEST(StateFeed, BuildsAStateOnceForAllWhoAsk) {
  FeedOfOneJoint rig;
  rig.publish(7);
  const auto first = rig.feed.newest();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->cycle, 7U);
  EXPECT_EQ(first->message.cycle(), 7U);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(rig.feed.newest(), first) << "the same object";
  EXPECT_EQ(rig.built, 1);
}

TEST(StateFeed, AStateThatSomebodyStillWritesStaysAsItIs) {
  FeedOfOneJoint rig;
  rig.publish(1);
  const auto held = rig.feed.newest();
  rig.publish(2);
  EXPECT_EQ(rig.feed.newest()->message.cycle(), 2U);
  EXPECT_EQ(held->message.cycle(), 1U);
}

TEST(StateFeed, EightReadersBesideARunningLoopSeeCyclesRiseToTheLast) {
  FeedOfOneJoint rig;
  constexpr std::uint64_t kCycles = 20'000;
  std::atomic<int> fallen = 0;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 8; ++i) {
    readers.emplace_back([&] {
      for (std::uint64_t last = 0; last < kCycles;) {
        const auto state = rig.feed.newest();
        if (state == nullptr) continue;
        if (state->cycle < last || state->message.cycle() != state->cycle) ++fallen;
        last = state->cycle;
      }
    });
  }
  for (std::uint64_t cycle = 1; cycle <= kCycles; ++cycle) rig.publish(cycle);
  readers.clear();
  EXPECT_EQ(fallen, 0);
  EXPECT_LE(rig.built, static_cast<int>(kCycles) + 1);
}

}  // namespace
}  // namespace jointrig::remote
