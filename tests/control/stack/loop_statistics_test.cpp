#include "control/stack/loop_statistics.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "tests/support/alloc_guard.h"

namespace jointrig::app {
namespace {

constexpr TimeNs kPeriodNs = 1'000'000;

std::uint64_t overruns_by(const LoopStatistics& statistics, LoopStage stage) {
  return statistics.summary().overruns_by[static_cast<std::size_t>(stage)];
}

TEST(LoopStatistics, KeepsEachStageApart) {
  const auto statistics = std::make_unique<LoopStatistics>(kPeriodNs);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(statistics->record({.late_ns = 10, .read_ns = 20, .decide_ns = 30, .write_ns = 40}),
              std::nullopt);
  }
  const LoopSummary summary = statistics->summary();
  EXPECT_EQ(summary.late, (DurationSummary{100, 10, 10, 10, 10}));
  EXPECT_EQ(summary.read, (DurationSummary{100, 20, 20, 20, 20}));
  EXPECT_EQ(summary.decide, (DurationSummary{100, 30, 30, 30, 30}));
  EXPECT_EQ(summary.write, (DurationSummary{100, 40, 40, 40, 40}));
  EXPECT_EQ(summary.cycle, (DurationSummary{100, 90, 90, 90, 90}));
}

TEST(LoopStatistics, NamesTheLongestStageAsTheCauseOfAnOverrun) {
  const auto statistics = std::make_unique<LoopStatistics>(kPeriodNs);
  EXPECT_EQ(statistics->record({.late_ns = 900'000, .decide_ns = 100'001}), LoopStage::kWakeUp);
  EXPECT_EQ(statistics->record({.read_ns = 600'000, .decide_ns = 500'000}), LoopStage::kRead);
  EXPECT_EQ(statistics->record({.read_ns = 1, .decide_ns = 1'000'000}), LoopStage::kDecide);
  EXPECT_EQ(statistics->record({.write_ns = 2'000'000}), LoopStage::kWrite);
  EXPECT_EQ(statistics->record({.write_ns = 2'000'000}), LoopStage::kWrite);

  EXPECT_EQ(overruns_by(*statistics, LoopStage::kWakeUp), 1U);
  EXPECT_EQ(overruns_by(*statistics, LoopStage::kRead), 1U);
  EXPECT_EQ(overruns_by(*statistics, LoopStage::kDecide), 1U);
  EXPECT_EQ(overruns_by(*statistics, LoopStage::kWrite), 2U);
  EXPECT_EQ(statistics->overruns(), 5U);
  EXPECT_EQ(statistics->summary().overruns(), 5U);
}

TEST(LoopStatistics, AllowsACycleThatJustFits) {
  const auto statistics = std::make_unique<LoopStatistics>(kPeriodNs);
  EXPECT_EQ(statistics->record({.late_ns = 400'000, .decide_ns = 600'000}), std::nullopt);
  EXPECT_EQ(statistics->record({.late_ns = 400'000, .decide_ns = 600'001}), LoopStage::kDecide);
}

TEST(LoopStatistics, CountsLatenessOnlyWhereACycleWasDue) {
  const auto statistics = std::make_unique<LoopStatistics>(kPeriodNs);
  statistics->record({.decide_ns = 5});
  EXPECT_EQ(statistics->summary().late.count, 0U);
  EXPECT_EQ(statistics->summary().cycle.count, 1U);
}

TEST(LoopStatistics, BeginsAnewWithTheCycleAfterAReset) {
  const auto statistics = std::make_unique<LoopStatistics>(kPeriodNs);
  statistics->record({.late_ns = 1, .decide_ns = 5'000'000});
  statistics->add_skipped(4);
  statistics->reset();
  statistics->record({.late_ns = 1, .read_ns = 2, .decide_ns = 3, .write_ns = 4});

  const LoopSummary summary = statistics->summary();
  EXPECT_EQ(summary.cycle, (DurationSummary{1, 9, 9, 9, 9}));
  EXPECT_EQ(summary.late.count, 1U);
  EXPECT_EQ(summary.overruns(), 0U);
  EXPECT_EQ(summary.skipped, 0U);
}

TEST(LoopStatistics, SaysItInOneLine) {
  const auto statistics = std::make_unique<LoopStatistics>(kPeriodNs);
  for (int i = 0; i < 10; ++i) statistics->record({.decide_ns = 100});
  EXPECT_EQ(to_line(statistics->summary()),
            "1 kHz  cycle p50 100 ns  p99 100 ns  p99.9 100 ns  max 100 ns · overruns 0");

  statistics->record({.late_ns = 50, .read_ns = 3'000'000});
  statistics->record({.late_ns = 50, .decide_ns = 1'200'000});
  statistics->add_skipped(3);
  const std::string line = to_line(statistics->summary());
  EXPECT_NE(line.find("max 3.00 ms · overruns 2 (read 1, decide 1)"), std::string::npos) << line;
  EXPECT_NE(line.find(" · late p50 50 ns  p99 50 ns  max 50 ns · skipped 3"), std::string::npos)
      << line;
}

TEST(LoopStatistics, NamesTheRateOfAnyPeriod) {
  const auto begin_of_line = [](TimeNs period_ns) {
    LoopSummary summary;
    summary.period_ns = period_ns;
    const std::string line = to_line(summary);
    return line.substr(0, line.find("  "));
  };
  EXPECT_EQ(begin_of_line(1'000'000), "1 kHz");
  EXPECT_EQ(begin_of_line(2'000'000), "500 Hz");
  EXPECT_EQ(begin_of_line(125'000), "8 kHz");
  EXPECT_EQ(begin_of_line(3'000'000), "333.3 Hz");
}

TEST(DurationText, HasThreeDigitsAndAUnit) {
  EXPECT_EQ(duration_text(0), "0 ns");
  EXPECT_EQ(duration_text(999), "999 ns");
  EXPECT_EQ(duration_text(1'000), "1.00 µs");
  EXPECT_EQ(duration_text(3'140), "3.14 µs");
  EXPECT_EQ(duration_text(41'260), "41.3 µs");
  EXPECT_EQ(duration_text(999'400), "999 µs");
  EXPECT_EQ(duration_text(999'600), "1.00 ms");
  EXPECT_EQ(duration_text(12'340'000), "12.3 ms");
  EXPECT_EQ(duration_text(2'500'000'000), "2.50 s");
}

TEST(LoopStatistics, RecordsWithoutAllocatingOrLocking) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  const auto statistics = std::make_unique<LoopStatistics>(kPeriodNs);
  RealtimeGuard guard;
  for (int i = 0; i < 10'000; ++i) {
    statistics->record({.late_ns = i, .read_ns = i, .decide_ns = 150 * i, .write_ns = i});
    if (i % 1'000 == 0) statistics->reset();
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
}

TEST(LoopStatistics, IsReadAndResetWhileTheLoopRecords) {
  const auto statistics = std::make_unique<LoopStatistics>(kPeriodNs);
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      EXPECT_LE(statistics->summary().cycle.p50_ns, 3'000);
      statistics->reset();
    }
  });
  for (int i = 0; i < 100'000; ++i) {
    statistics->record({.late_ns = 1'000, .read_ns = 1'000, .decide_ns = 1'000, .write_ns = 1'000});
  }
  done = true;
  reader.join();
  statistics->reset();
  statistics->record({.read_ns = 1});
  EXPECT_EQ(statistics->summary().cycle.count, 1U);
}

}  // namespace
}  // namespace jointrig::app
