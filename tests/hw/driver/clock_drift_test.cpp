#include "hw/driver/clock_drift.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace jointrig::hw {
namespace {

constexpr std::uint16_t kHeartbeat = 50;  // [ms]
constexpr std::int64_t kPeriodNs = 50'000'000;
constexpr std::int64_t kMillisecondNs = 1'000'000;

/// Between 0 and `most`, the same each time: the golden ratio spreads evenly.
std::int64_t delay(std::int64_t number, std::int64_t most) {
  const double share = 0.618'033'988'75 * static_cast<double>(number);
  return static_cast<std::int64_t>(static_cast<double>(most) * (share - std::floor(share)));
}

/// Reading time of heartbeat `number` of a drive that is fast by `drift`.
std::int64_t arrival(std::int64_t number, double drift, std::int64_t jitter) {
  const double sent = static_cast<double>(number * kPeriodNs) / (1.0 + drift);
  return std::llround(sent) + delay(number, jitter);
}

/// All that is known after so many heartbeats, of which some don't come.
std::vector<double> drifts_of(std::int64_t count, double drift, std::int64_t jitter,
                              const std::function<bool(std::int64_t)>& is_lost = {}) {
  ClockDrift clock(kHeartbeat);
  std::vector<double> found;
  for (std::int64_t number = 0; number < count; ++number) {
    if (is_lost && is_lost(number)) continue;
    if (const auto one = clock.heard(arrival(number, drift, jitter))) found.push_back(*one);
  }
  return found;
}

TEST(ClockDrift, TheWindowIsAsLongAsAMillisecondOfJitterAsksFor) {
  // (3 · 1e-3 s · √12 / (30e-6 · 0.05 s))^(2/3) = 6928.2^(2/3) = 363.4
  EXPECT_EQ(ClockDrift(kHeartbeat).window(), 364);
  // With twice as long between them, fewer of them: 229.0.
  EXPECT_EQ(ClockDrift(100).window(), 229);
}

TEST(ClockDrift, AClockThatIsOffIsFoundWithItsSign) {
  for (const double drift : {150e-6, -150e-6, 60e-6, 0.0, 1500e-6}) {
    const auto found = drifts_of(365, drift, 0);
    ASSERT_EQ(found.size(), 1U) << drift;
    EXPECT_NEAR(found[0], drift, 1e-9) << "arrivals are whole nanoseconds";
  }
}

TEST(ClockDrift, ThroughJitterOfTwoMillisecondsItIsFoundWithinTwentyPpm) {
  for (const double drift : {150e-6, -150e-6, 60e-6}) {
    const auto found = drifts_of(2000, drift, 2 * kMillisecondNs);
    ASSERT_EQ(found.size(), 5U) << "a window each 364 heartbeats";
    for (const double one : found) EXPECT_NEAR(one, drift, 20e-6);
  }
}

TEST(ClockDrift, HeartbeatsThatGetLostLeaveItAsItIs) {
  const auto found = drifts_of(365, 150e-6, 0, [](std::int64_t number) {
    return number % 7 == 3 || (number > 100 && number < 109);
  });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0], 150e-6, 1e-9);
}

TEST(ClockDrift, ADriveThatStartsAnewBeginsANewWindowAndNoJumpIsTakenForADrift) {
  for (const std::int64_t away : {std::int64_t{20}, std::int64_t{1030}, std::int64_t{600}}) {
    SCOPED_TRACE(away);
    ClockDrift clock(kHeartbeat);
    const std::int64_t jump = away * kMillisecondNs;
    for (std::int64_t number = 0; number < 200; ++number) {
      ASSERT_FALSE(clock.heard(arrival(number, 0.0, 0)));
    }
    for (std::int64_t number = 200; number < 564; ++number) {
      ASSERT_FALSE(clock.heard(arrival(number, 0.0, 0) + jump)) << number;
    }
    const auto found = clock.heard(arrival(564, 0.0, 0) + jump);
    ASSERT_TRUE(found) << "364 after the first one of its own";
    EXPECT_NEAR(*found, 0.0, 1e-9);
  }
}

TEST(ClockDrift, AfterARestartTheNextHeartbeatIsTheFirst) {
  ClockDrift clock(kHeartbeat);
  for (std::int64_t number = 0; number < 300; ++number) {
    static_cast<void>(clock.heard(arrival(number, 0.0, 0)));
  }
  clock.restart();
  for (std::int64_t number = 300; number < 664; ++number) {
    ASSERT_FALSE(clock.heard(arrival(number, 150e-6, 0)));
  }
  EXPECT_NEAR(*clock.heard(arrival(664, 150e-6, 0)), 150e-6, 1e-9);
}

TEST(ClockDrift, ATimerThatIsRoundedIsNoCrystal) {
  EXPECT_TRUE(drifts_of(400, 2500e-6, 0).empty());
  EXPECT_TRUE(drifts_of(400, -2500e-6, 0).empty());
}

TEST(ClockDrift, WhereTheDelaysSpreadTooFarNothingIsKnown) {
  // Evenly from 0 to 8 ms: σ = 2.3 ms, and 3 σ of the slope 69 ppm.
  EXPECT_TRUE(drifts_of(2000, 150e-6, 8 * kMillisecondNs).empty());
}

TEST(ClockDrift, ADriveWithoutAHeartbeatTellsNothing) {
  ClockDrift clock(0);
  for (std::int64_t number = 0; number < 1000; ++number) {
    ASSERT_FALSE(clock.heard(arrival(number, 150e-6, 0)));
  }
}

}  // namespace
}  // namespace jointrig::hw
