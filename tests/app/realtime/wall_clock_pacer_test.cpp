#include "app/realtime/wall_clock_pacer.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <limits>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/support/alloc_guard.h"

namespace jointrig::app {
namespace {

constexpr std::int64_t kMs = 1'000'000;

/// A clock that the test turns. A sleep lasts as long as asked plus `oversleep_ns`.
class HandClock final : public WallClock {
 public:
  [[nodiscard]] std::int64_t now_ns() const noexcept override { return now += tick_ns; }
  void sleep_until(std::int64_t time_ns) noexcept override {
    if (during_sleep != nullptr) during_sleep->stop();
    slept_until = time_ns;
    now = time_ns + oversleep_ns;
  }

  mutable std::int64_t now = 1'000'000 * kMs;
  std::int64_t tick_ns = 0;  ///< a look at the clock takes time; without it spinning has no end
  std::int64_t oversleep_ns = 0;
  std::int64_t slept_until = 0;
  WallClockPacer* during_sleep = nullptr;
};

struct Fixture {
  explicit Fixture(const PacerOptions& options = {}) : pacer(options, clock), begin(clock.now) {}
  HandClock clock;
  WallClockPacer pacer;
  std::int64_t begin;
};

TEST(WallClockPacer, WakesAtWholePeriodsHoweverLateTheOnesBeforeWere) {
  Fixture fixture;
  fixture.clock.oversleep_ns = 300'000;
  for (int cycle = 1; cycle <= 1000; ++cycle) {
    ASSERT_EQ(fixture.pacer.wait_until(cycle * kMs), 300'000);
    ASSERT_EQ(fixture.clock.slept_until, fixture.begin + cycle * kMs);
  }
  EXPECT_EQ(fixture.pacer.skipped(), 0U);
  EXPECT_EQ(fixture.pacer.late().summary().count, 1000U);
  EXPECT_EQ(fixture.pacer.late().summary().max_ns, 300'000);
}

TEST(WallClockPacer, DoesNotSleepWhenItIsAlreadyLate) {
  Fixture fixture;
  fixture.clock.now += kMs + 400'000;  // the work took 1.4 periods
  EXPECT_EQ(fixture.pacer.wait_until(kMs), 400'000);
  EXPECT_EQ(fixture.clock.slept_until, 0);
}

TEST(WallClockPacer, SkipsWholePeriodsAndKeepsThePhase) {
  Fixture fixture;
  fixture.clock.now += 4 * kMs + 250'000;  // due at 1 ms: three periods and a quarter late
  EXPECT_EQ(fixture.pacer.wait_until(1 * kMs), 3 * kMs + 250'000);
  EXPECT_EQ(fixture.pacer.skipped(), 3U);

  EXPECT_EQ(fixture.pacer.wait_until(2 * kMs), 0);  // due at 5 ms of wall time, not at once
  EXPECT_EQ(fixture.clock.now, fixture.begin + 5 * kMs);
  EXPECT_EQ(fixture.pacer.skipped(), 3U);
}

TEST(WallClockPacer, StretchesTimeByTheRealTimeFactor) {
  Fixture slow({.real_time_factor = 0.25});
  slow.pacer.wait_until(10 * kMs);
  EXPECT_EQ(slow.clock.now - slow.begin, 40 * kMs);

  Fixture fast({.real_time_factor = 4.0});
  for (int cycle = 1; cycle <= 100; ++cycle) fast.pacer.wait_until(cycle * kMs);
  EXPECT_EQ(fast.clock.now - fast.begin, 25 * kMs);
}

TEST(WallClockPacer, CountsSkippedPeriodsInTheTimeTheyTakeOnTheWall) {
  Fixture slow({.real_time_factor = 0.5});
  slow.clock.now += 2 * kMs + 5 * kMs;  // a period takes 2 ms of wall time: 2.5 of them late
  EXPECT_EQ(slow.pacer.wait_until(kMs), 5 * kMs);
  EXPECT_EQ(slow.pacer.skipped(), 2U);
}

TEST(WallClockPacer, ChangesTheFactorWithoutAJump) {
  Fixture fixture;
  for (int cycle = 1; cycle <= 10; ++cycle) fixture.pacer.wait_until(cycle * kMs);
  fixture.pacer.set_real_time_factor(0.5);
  fixture.pacer.wait_until(11 * kMs);
  EXPECT_EQ(fixture.clock.now - fixture.begin, 12 * kMs);
  fixture.pacer.set_real_time_factor(1.0);
  fixture.pacer.wait_until(12 * kMs);
  EXPECT_EQ(fixture.clock.now - fixture.begin, 13 * kMs);
  EXPECT_EQ(fixture.pacer.restarts(), 0U);
}

TEST(WallClockPacer, SpinsTheLastPart) {
  Fixture fixture({.spin_ns = 200'000});
  fixture.clock.tick_ns = 100;
  fixture.clock.oversleep_ns = 60'000;
  const std::int64_t late_ns = fixture.pacer.wait_until(kMs);
  EXPECT_EQ(fixture.clock.slept_until, fixture.begin + kMs - 200'000);
  EXPECT_LE(late_ns, 300);  // a few looks at the clock, not the 60 µs of the sleep
  EXPECT_GE(fixture.clock.now, fixture.begin + kMs);
}

TEST(WallClockPacer, BeginsAnewAfterTheMachineStoodStill) {
  Fixture fixture;
  fixture.pacer.wait_until(kMs);
  fixture.clock.now += 3'600'000 * kMs;
  EXPECT_EQ(fixture.pacer.wait_until(2 * kMs), 0);
  EXPECT_EQ(fixture.pacer.skipped(), 0U);
  EXPECT_EQ(fixture.pacer.restarts(), 1U);
  EXPECT_EQ(fixture.pacer.late().summary().max_ns, 0);

  const std::int64_t woke = fixture.clock.now;
  fixture.pacer.wait_until(3 * kMs);
  EXPECT_EQ(fixture.clock.now, woke + kMs);
}

TEST(WallClockPacer, BeginsAnewAfterAPauseHoweverShort) {
  Fixture fixture;
  fixture.pacer.wait_until(1 * kMs);
  fixture.clock.now += 300 * kMs;
  fixture.pacer.begin_anew();
  const std::int64_t resumed = fixture.clock.now;
  EXPECT_EQ(fixture.pacer.wait_until(2 * kMs), 0);
  EXPECT_EQ(fixture.clock.now, resumed) << "at once";
  EXPECT_EQ(fixture.pacer.wait_until(3 * kMs), 0);
  EXPECT_EQ(fixture.clock.now, resumed + kMs) << "paced again from there";
  EXPECT_EQ(fixture.pacer.skipped(), 0U);
}

TEST(WallClockPacer, BeginsAnewWhereTheMachineStoodStillDuringASleep) {
  Fixture fixture;
  fixture.clock.oversleep_ns = 5'000 * kMs;
  EXPECT_EQ(fixture.pacer.wait_until(kMs), 0);
  EXPECT_EQ(fixture.pacer.restarts(), 1U);
  EXPECT_EQ(fixture.pacer.late().summary().count, 0U);
}

TEST(WallClockPacer, DoesNotWaitForAClockThatJumpedBack) {
  Fixture fixture;
  fixture.pacer.wait_until(kMs);
  fixture.clock.now -= 86'400'000 * kMs;
  const std::int64_t jumped_to = fixture.clock.now;
  EXPECT_EQ(fixture.pacer.wait_until(2 * kMs), 0);
  EXPECT_EQ(fixture.clock.now, jumped_to);
  fixture.pacer.wait_until(3 * kMs);
  EXPECT_EQ(fixture.clock.now, jumped_to + kMs);
  EXPECT_EQ(fixture.pacer.restarts(), 1U);
}

TEST(WallClockPacer, BeginsAnewWhenTheRunIsReset) {
  Fixture fixture;
  for (int cycle = 1; cycle <= 50; ++cycle) fixture.pacer.wait_until(cycle * kMs);
  const std::int64_t now = fixture.clock.now;
  EXPECT_EQ(fixture.pacer.wait_until(0), 0);
  EXPECT_EQ(fixture.clock.now, now);
  fixture.pacer.wait_until(kMs);
  EXPECT_EQ(fixture.clock.now, now + kMs);
}

TEST(WallClockPacer, ReturnsAtOnceWhenAHandlerStopsItDuringASleep) {
  Fixture fixture;
  fixture.clock.during_sleep = &fixture.pacer;
  fixture.clock.oversleep_ns = -900'000;  // the signal cuts the sleep short
  EXPECT_EQ(fixture.pacer.wait_until(kMs), 0);
  EXPECT_EQ(fixture.clock.now, fixture.begin + 100'000);
  EXPECT_EQ(fixture.pacer.wait_until(2 * kMs), 0);  // and stays stopped
  EXPECT_EQ(fixture.clock.now, fixture.begin + 100'000);
}

TEST(WallClockPacer, SleepsOnAfterASignalThatDoesNotStopIt) {
  class Interrupted final : public WallClock {
   public:
    [[nodiscard]] std::int64_t now_ns() const noexcept override { return now; }
    void sleep_until(std::int64_t time_ns) noexcept override {
      now = ++sleeps < 5 ? now + 100'000 : time_ns;
    }
    std::int64_t now = 0;
    int sleeps = 0;
  } clock;
  WallClockPacer pacer({}, clock);
  EXPECT_EQ(pacer.wait_until(kMs), 0);
  EXPECT_EQ(clock.now, kMs);
  EXPECT_EQ(clock.sleeps, 5);
}

TEST(WallClockPacer, RefusesWhatItCanNotPace) {
  for (const double factor : {0.0, -1.0, 1e4, std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity()}) {
    SCOPED_TRACE(factor);
    EXPECT_THROW(WallClockPacer({.real_time_factor = factor}), std::invalid_argument);
  }
  EXPECT_THROW(WallClockPacer({.period_ns = 0}), std::invalid_argument);
  EXPECT_THROW(WallClockPacer({.spin_ns = -1}), std::invalid_argument);
}

// From here on with the real clock: bounds below are exact, those above leave a busy machine room.

TEST(WallClockPacer, TakesAsLongAsTheWallClockSays) {
  WallClockPacer pacer({});
  const auto begin = std::chrono::steady_clock::now();
  pacer.start();
  for (int cycle = 1; cycle <= 100; ++cycle) pacer.wait_until(cycle * kMs);
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(took, std::chrono::milliseconds(100));
  EXPECT_LT(took, std::chrono::seconds(10)) << "not seconds for milliseconds";
  EXPECT_EQ(pacer.late().summary().count + pacer.restarts(), 100U);
}

TEST(WallClockPacer, StopsWithinAPeriodFromAnotherThread) {
  WallClockPacer pacer({.period_ns = 20 * kMs});
  std::atomic<int> cycles{0};
  std::thread loop([&] {
    while (!pacer.stopped()) pacer.wait_until(++cycles * 20 * kMs);
  });
  while (cycles < 2) std::this_thread::yield();
  pacer.stop();
  const int stopped_in = cycles;
  loop.join();
  EXPECT_LE(cycles, stopped_in + 1) << "one that had looked before";
}

TEST(WallClockPacer, WaitsWithoutAllocatingOrLocking) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  const auto pacer = std::make_unique<WallClockPacer>(PacerOptions{.period_ns = 10'000});
  RealtimeGuard guard;
  for (int cycle = 1; cycle <= 1'000; ++cycle) pacer->wait_until(cycle * 10'000);
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
}

}  // namespace
}  // namespace jointrig::app
