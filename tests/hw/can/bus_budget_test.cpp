#include "hw/can/bus_budget.h"

#include <gtest/gtest.h>

#include <vector>

namespace jointrig::can {
namespace {

/// SYNC, and one RPDO and one TPDO of 8 bytes for each joint.
std::vector<CyclicFrame> joints(int count, TimeNs period) {
  Frame sync;
  Frame pdo;
  pdo.size = 8;
  return {{sync, period, 1}, {pdo, period, 2 * count}};
}

TEST(BusBudget, SevenJointsAtAKilohertzAreRefusedWithTheFigure) {
  // 55 + 14 * 135 us in 1000 us are 194.5 %; that by 0.7 is 2.78.
  EXPECT_EQ(
      why_overfull("can0", joints(7, kMillisecond), BitRates{}),
      "can0: its cyclic frames would take 194.5 % of the wire at 1000000 bit/s (1 × 55 µs + 14 × "
      "135 µs = 1945 µs of 1000 µs), 70 % is the limit; make the cycle at least 2.8 times as long, "
      "or spread the joints over at least 3 buses.");
}

TEST(BusBudget, WhatTheRefusalProposesFits) {
  EXPECT_FALSE(why_overfull("can0", joints(7, 2'800 * kMicrosecond), BitRates{}));
  EXPECT_FALSE(why_overfull("can0", joints(2, kMillisecond), BitRates{}));  // 59.5 %
}

TEST(BusBudget, ThreeJointsAtAKilohertzDoNotFit) {
  EXPECT_TRUE(why_overfull("can0", joints(3, kMillisecond), BitRates{}));  // 86.5 %
}

TEST(BusBudget, TheLimitItselfFits) {
  Frame frame;
  frame.size = 8;
  const std::vector<CyclicFrame> frames{{frame, 135 * kMicrosecond * 2, 1}};  // half the wire
  EXPECT_FALSE(why_overfull("can0", frames, BitRates{}, 0.5));
  EXPECT_TRUE(why_overfull("can0", frames, BitRates{}, 0.499));
}

}  // namespace
}  // namespace jointrig::can
