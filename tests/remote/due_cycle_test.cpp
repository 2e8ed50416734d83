#include "remote/due_cycle.h"

#include <gtest/gtest.h>

namespace jointrig::remote {
namespace {

constexpr TimeNs kPeriod = 1'000'000;

TEST(DueCycle, TakesTheFirstStateThereIsAndThenEachTenth) {
  DueCycle due(kPeriod, 10);
  EXPECT_TRUE(due.take(13)) << "whoever begins to look has the present state";
  for (std::uint64_t cycle = 13; cycle < 20; ++cycle) EXPECT_FALSE(due.take(cycle)) << cycle;
  EXPECT_TRUE(due.take(20));
  EXPECT_FALSE(due.take(29));
  EXPECT_TRUE(due.take(34)) << "late: the one of 30";
  EXPECT_FALSE(due.take(39));
  EXPECT_EQ(due.missed(), 0U);
}

TEST(DueCycle, CountsStatesThatWereDueAndNeverTaken) {
  DueCycle due(kPeriod, 1);
  EXPECT_TRUE(due.take(100));
  EXPECT_TRUE(due.take(101));
  EXPECT_EQ(due.missed(), 0U);
  EXPECT_TRUE(due.take(105)) << "102, 103, 104 are gone";
  EXPECT_EQ(due.missed(), 3U);
}

TEST(DueCycle, AlwaysSleepsAQuarterOfACycleAtLeast) {
  DueCycle due(40 * kPeriod, 1);
  const auto begun = std::chrono::steady_clock::now();
  due.sleep();
  EXPECT_GE(std::chrono::steady_clock::now() - begun, std::chrono::milliseconds(10));
}

}  // namespace
}  // namespace jointrig::remote
