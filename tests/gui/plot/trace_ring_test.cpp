#include "gui/plot/trace_ring.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <thread>

#include "tests/support/ideal_robot.h"

namespace jointrig::gui {
namespace {

Snapshot in_cycle(std::uint64_t cycle) {
  Snapshot snapshot;
  snapshot.joints.resize(2);
  snapshot.cycle = cycle;
  snapshot.time_ns = static_cast<TimeNs>(cycle) * 1'000'000;
  for (JointSnapshot& joint : snapshot.joints) joint.state.q = static_cast<double>(cycle);
  return snapshot;
}

TEST(TraceRing, HandsOverWhatThePlotsShow) {
  const RobotConfig config = testing::ideal_config(2);
  TraceRing ring(config, 4);
  const TraceTable table(config);
  Snapshot snapshot = in_cycle(5);
  snapshot.joints[1].state.q = std::numbers::pi;
  snapshot.joints[1].mode = JointMode::kTorque;
  snapshot.times.jitter_us = 12.0F;
  EXPECT_TRUE(ring.push(snapshot));
  EXPECT_TRUE(ring.pop([&](const TraceRow& row) {
    EXPECT_EQ(row.cycle, 5U);
    EXPECT_EQ(row.time_ns, 5'000'000);
    ASSERT_EQ(row.values.size(), table.size());
    EXPECT_FLOAT_EQ(row.values[table.index(1, JointTrace::kPosition)], 180.0F);
    EXPECT_TRUE(std::isnan(row.values[table.index(1, JointTrace::kReference)])) << "torque mode";
    EXPECT_EQ(row.values[table.index(LoopTrace::kJitter)], 12.0F);
    EXPECT_EQ(row.modes[1], JointMode::kTorque);
  }));
  EXPECT_FALSE(ring.pop([](const TraceRow&) { FAIL(); }));
}

TEST(TraceRing, WhereTheWindowIsAWholeRingBehindCyclesAreDroppedAndCounted) {
  TraceRing ring(testing::ideal_config(2), 3);
  EXPECT_EQ(ring.capacity(), 4U);
  for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(ring.push(in_cycle(i)), i < 4);
  EXPECT_EQ(ring.dropped(), 6U);
  std::uint64_t next = 0;
  while (ring.pop([&](const TraceRow& row) { EXPECT_EQ(row.cycle, next++); })) {
  }
  EXPECT_EQ(next, 4U);
  EXPECT_TRUE(ring.push(in_cycle(10)));
}

TEST(TraceRing, ALoopAndAWindowOnTwoThreadsLoseNothingAndMixNothing) {
  constexpr std::uint64_t kCycles = 20'000;
  const RobotConfig config = testing::ideal_config(2);
  TraceRing ring(config, 64);
  const TraceTable table(config);
  const auto degrees = [](std::uint64_t cycle) {
    return static_cast<float>(static_cast<double>(cycle) * 180.0 / std::numbers::pi);
  };
  std::thread loop([&] {
    for (std::uint64_t i = 0; i < kCycles;) {
      if (ring.push(in_cycle(i))) {
        ++i;
      } else {
        std::this_thread::yield();
      }
    }
  });
  std::uint64_t next = 0;
  while (next < kCycles) {
    const bool came = ring.pop([&](const TraceRow& row) {
      EXPECT_EQ(row.cycle, next);
      for (JointIndex joint = 0; joint < 2; ++joint) {
        EXPECT_FLOAT_EQ(row.values[table.index(joint, JointTrace::kPosition)], degrees(next));
      }
      ++next;
    });
    if (!came) std::this_thread::yield();
  }
  loop.join();
}

}  // namespace
}  // namespace jointrig::gui
