#include "control/stack/duration_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace jointrig::app {
namespace {

constexpr double kAllowedError = 0.01;

/// The smallest sample that at least `fraction` of the samples don't exceed, by sorting them.
std::int64_t exact_quantile(std::vector<std::int64_t> samples, double fraction) {
  std::sort(samples.begin(), samples.end());
  const auto rank =
      static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(samples.size())));
  return samples[std::max<std::size_t>(rank, 1) - 1];
}

void expect_quantiles_of(const std::vector<std::int64_t>& samples) {
  const auto histogram = std::make_unique<DurationHistogram>();
  for (const std::int64_t sample : samples) histogram->record(sample);
  const DurationSummary summary = histogram->summary();

  const auto expect_near = [](std::int64_t got, std::int64_t exact) {
    EXPECT_NEAR(static_cast<double>(got), static_cast<double>(exact),
                kAllowedError * static_cast<double>(exact));
  };
  EXPECT_EQ(summary.count, samples.size());
  EXPECT_EQ(summary.max_ns, *std::max_element(samples.begin(), samples.end()));
  expect_near(summary.p50_ns, exact_quantile(samples, 0.5));
  expect_near(summary.p99_ns, exact_quantile(samples, 0.99));
  expect_near(summary.p999_ns, exact_quantile(samples, 0.999));
  for (const double fraction : {0.0, 0.01, 0.25, 0.9, 1.0}) {
    SCOPED_TRACE(fraction);
    expect_near(histogram->quantile_ns(fraction), exact_quantile(samples, fraction));
  }
}

TEST(DurationHistogram, HasNothingToSayBeforeTheFirstSample) {
  const auto histogram = std::make_unique<DurationHistogram>();
  EXPECT_EQ(histogram->summary(), DurationSummary{});
  EXPECT_EQ(histogram->quantile_ns(0.5), 0);
}

TEST(DurationHistogram, IsWithinOnePercentForEveryDurationFrom100NsTo10S) {
  for (double value = 100.0; value <= 1e10; value *= 1.0037) {
    const auto sample = static_cast<std::int64_t>(value);
    const auto histogram = std::make_unique<DurationHistogram>();
    histogram->record(sample);
    histogram->record(sample * 10);  // so that the quantile isn't the exact maximum
    EXPECT_NEAR(static_cast<double>(histogram->summary().p50_ns), value, kAllowedError * value);
  }
}

TEST(DurationHistogram, AgreesWithSortingUniformSamples) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int64_t> uniform(100, 2'000'000);
  std::vector<std::int64_t> samples(50'000);
  for (auto& sample : samples) sample = uniform(random);
  expect_quantiles_of(samples);
}

TEST(DurationHistogram, AgreesWithSortingSamplesThatSpanEightDecades) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(2.0, 10.0);
  std::vector<std::int64_t> samples(50'000);
  for (auto& sample : samples) {
    sample = static_cast<std::int64_t>(std::pow(10.0, exponent(random)));
  }
  expect_quantiles_of(samples);
}

TEST(DurationHistogram, AgreesWithSortingTwoFarPeaks) {
  // 990 fast cycles and 10 slow ones: p99 is still fast, p99.9 is slow.
  std::vector<std::int64_t> samples(990, 3'000);
  samples.insert(samples.end(), 10, 400'000);
  expect_quantiles_of(samples);
}

TEST(DurationHistogram, IsExactBelow128Ns) {
  const auto histogram = std::make_unique<DurationHistogram>();
  for (std::int64_t i = 0; i <= 100; ++i) histogram->record(i);
  EXPECT_EQ(histogram->summary(), (DurationSummary{101, 50, 99, 100, 100}));
}

TEST(DurationHistogram, TakesWhatIsOutOfItsRange) {
  const auto histogram = std::make_unique<DurationHistogram>();
  histogram->record(-5);
  EXPECT_EQ(histogram->summary(), (DurationSummary{1, 0, 0, 0, 0}));
  histogram->record(3'600'000'000'000);  // an hour
  EXPECT_EQ(histogram->summary().count, 2U);
  EXPECT_EQ(histogram->summary().max_ns, 3'600'000'000'000);
  EXPECT_NEAR(static_cast<double>(histogram->summary().p99_ns), 1e10, 1e8);
}

TEST(DurationHistogram, ForgetsEverythingWhenCleared) {
  const auto histogram = std::make_unique<DurationHistogram>();
  for (const std::int64_t sample : {std::int64_t{0}, std::int64_t{5'000}, std::int64_t{1} << 40}) {
    histogram->record(sample);
  }
  histogram->clear();
  EXPECT_EQ(histogram->summary(), DurationSummary{});
  histogram->record(7);
  EXPECT_EQ(histogram->summary(), (DurationSummary{1, 7, 7, 7, 7}));
}

TEST(DurationHistogram, CountsBetweenTwoDurations) {
  const auto histogram = std::make_unique<DurationHistogram>();
  for (const std::int64_t sample : {500, 1'500, 2'500, 30'000}) histogram->record(sample);
  EXPECT_EQ(histogram->count_between(0, 1'000), 1U);
  EXPECT_EQ(histogram->count_between(1'000, 10'000), 2U);
  EXPECT_EQ(histogram->count_between(10'000, std::int64_t{1} << 60), 1U);
  EXPECT_EQ(histogram->count_between(5, 5), 0U);
}

TEST(DurationHistogram, ShowsReadersOnlyWhatWasRecordedWhileItIsWritten) {
  // Run under the thread sanitizer too: it finds a race that luck hides.
  const auto histogram = std::make_unique<DurationHistogram>();
  constexpr std::uint64_t kSamples = 200'000;
  std::atomic<bool> done{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      std::uint64_t last = 0;
      while (!done) {
        const DurationSummary summary = histogram->summary();
        EXPECT_GE(summary.count, last);
        EXPECT_LE(summary.p50_ns, summary.p99_ns);
        EXPECT_LE(summary.p999_ns, summary.max_ns);
        if (summary.count > 0) {
          EXPECT_GE(summary.p50_ns, 1'000);
        }
        last = summary.count;
      }
    });
  }
  for (std::uint64_t i = 0; i < kSamples; ++i) {
    histogram->record(1'000 + static_cast<std::int64_t>(i % 9'000));
  }
  done = true;
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(histogram->summary().count, kSamples);
}

}  // namespace
}  // namespace jointrig::app
