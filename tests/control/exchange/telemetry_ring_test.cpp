#include "control/exchange/telemetry_ring.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <thread>

namespace jointrig {
namespace {

using Values = std::array<double, 2>;

Snapshot numbered_snapshot(std::uint64_t cycle, std::size_t joints) {
  Snapshot s;
  s.cycle = cycle;
  s.joints.resize(joints);
  for (std::size_t i = 0; i < joints; ++i) s.joints[i].state.q = static_cast<double>(cycle + i);
  s.base.position = {1.0, 2.0, static_cast<double>(cycle)};
  return s;
}

Values values_of(std::uint64_t cycle) {
  return {static_cast<double>(cycle), -static_cast<double>(cycle)};
}

void expect_whole(const Snapshot& s, const Values& values, std::size_t joints) {
  ASSERT_EQ(s.joints.size(), joints);
  for (std::size_t i = 0; i < joints; ++i) {
    ASSERT_EQ(s.joints[i].state.q, static_cast<double>(s.cycle + i));
  }
  ASSERT_EQ(s.base.position[2], static_cast<double>(s.cycle));
  ASSERT_EQ(values, values_of(s.cycle));
}

TEST(TelemetryRing, CarriesEverySnapshotWithItsValuesInOrder) {
  TelemetryRing ring(3, 2, 4);
  Snapshot out;
  Values values{};
  EXPECT_FALSE(ring.pop(out, values)) << "nothing pushed yet";
  for (std::uint64_t n = 1; n <= 10; ++n) {  // two and a half times round
    ASSERT_TRUE(ring.push(numbered_snapshot(n, 3), values_of(n)));
    ASSERT_TRUE(ring.pop(out, values));
    EXPECT_EQ(out.cycle, n);
    expect_whole(out, values, 3);
  }
  EXPECT_EQ(ring.dropped(), 0U);
}

TEST(TelemetryRing, DropsTheNewestWhenItIsFullAndCountsThem) {
  TelemetryRing ring(1, 0, 4);
  for (std::uint64_t n = 1; n <= 7; ++n) EXPECT_EQ(ring.push(numbered_snapshot(n, 1)), n <= 4);
  EXPECT_TRUE(ring.full());
  EXPECT_EQ(ring.dropped(), 3U);
  EXPECT_EQ(ring.waiting(), 4U);

  Snapshot out;
  for (std::uint64_t n = 1; n <= 4; ++n) {
    ASSERT_TRUE(ring.pop(out));
    EXPECT_EQ(out.cycle, n);
  }
  EXPECT_FALSE(ring.pop(out));

  ring.push(numbered_snapshot(8, 1));
  ASSERT_TRUE(ring.pop(out));
  EXPECT_EQ(out.cycle, 8U);
}

TEST(TelemetryRing, AFollowerOnAnotherThreadGetsEachOneWholeOrItIsCounted) {
  TelemetryRing ring(7, 2, 64);
  constexpr std::uint64_t kCount = 20'000;
  std::uint64_t seen = 0;
  std::thread follower([&] {
    auto out = std::make_unique<Snapshot>();
    Values values{};
    std::uint64_t last = 0;
    while (out->cycle < kCount) {
      if (!ring.pop(*out, values)) {
        std::this_thread::yield();
        continue;
      }
      expect_whole(*out, values, 7);
      ASSERT_GT(out->cycle, last);
      last = out->cycle;
      ++seen;
    }
  });
  for (std::uint64_t n = 1; n < kCount; ++n) {
    ring.push(numbered_snapshot(n, 7), values_of(n));
    if (n % 100 == 0) std::this_thread::yield();
  }
  while (ring.full()) std::this_thread::yield();
  ASSERT_TRUE(ring.push(numbered_snapshot(kCount, 7), values_of(kCount)));
  follower.join();
  EXPECT_EQ(seen + ring.dropped(), kCount);
}

}  // namespace
}  // namespace jointrig
