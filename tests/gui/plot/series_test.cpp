#include "gui/plot/series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace jointrig::gui {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

/// Made up, without a pattern that a block could hide: a linear congruential generator.
float noise(std::uint64_t i) {
  return static_cast<float>((i * 6364136223846793005ULL + 1442695040888963407ULL) >> 40U);
}

Extremes one_by_one(const SampleRing& series, std::uint64_t from, std::uint64_t to) {
  Extremes found;
  for (std::uint64_t i = std::max(from, series.begin()); i < std::min(to, series.end()); ++i) {
    found.add(series.at(i));
  }
  return found;
}

TEST(SampleRing, KeepsTheNewestAndCountsOn) {
  SampleRing series(256);
  for (int i = 0; i < 1000; ++i) series.push(static_cast<float>(i));
  EXPECT_EQ(series.end(), 1000U);
  EXPECT_EQ(series.begin(), 744U);
  EXPECT_EQ(series.at(744), 744.0F);
  EXPECT_EQ(series.at(999), 999.0F);
}

TEST(SampleRing, ExtremesAreThoseOfEverySampleOneByOne) {
  SampleRing series(1024);
  for (std::uint64_t n = 0; n < 3000; ++n) {
    series.push(noise(n));
    if (n % 97 != 0) continue;
    for (const std::uint64_t from : {0UL, n / 3, n / 2 + 5, n - n % 16, n}) {
      for (const std::uint64_t to : {n + 1, n, n / 2 + 300, n + 500}) {
        const Extremes fast = series.extremes(from, to);
        const Extremes slow = one_by_one(series, from, to);
        ASSERT_EQ(fast.empty(), slow.empty()) << n << ": " << from << ".." << to;
        if (slow.empty()) continue;
        ASSERT_EQ(fast.low, slow.low) << n << ": " << from << ".." << to;
        ASSERT_EQ(fast.high, slow.high) << n << ": " << from << ".." << to;
      }
    }
  }
}

TEST(SampleRing, OneSampleStandsOutOfAMinute) {
  SampleRing series(60'000);
  for (int i = 0; i < 60'000; ++i) series.push(i == 31'234 ? 5.0F : 0.0F);
  EXPECT_EQ(series.extremes(0, 60'000).high, 5.0F);
  EXPECT_EQ(series.extremes(0, 31'234).high, 0.0F);
  EXPECT_EQ(series.extremes(31'235, 60'000).high, 0.0F);
}

TEST(SampleRing, MissingSamplesDontCountAndAloneAreEmpty) {
  SampleRing series(512);
  for (int i = 0; i < 300; ++i) series.push(i < 256 ? kMissing : 2.0F);
  EXPECT_TRUE(series.extremes(0, 256).empty());
  EXPECT_EQ(series.extremes(0, 300).low, 2.0F);
  EXPECT_EQ(series.extremes(0, 300).high, 2.0F);
}

TEST(SampleRing, AMinuteCostsAboutAsMuchAsASecond) {
  SampleRing series(60'000);
  for (std::uint64_t i = 0; i < 60'000; ++i) series.push(noise(i));
  const auto cost = [&](std::uint64_t samples) {
    std::size_t looked_at = 0;
    for (std::uint64_t column = 0; column < 1000; ++column) {
      (void)series.extremes(column * samples / 1000, (column + 1) * samples / 1000, &looked_at);
    }
    return looked_at;
  };
  EXPECT_EQ(cost(1000), 1000U) << "a sample a column";
  EXPECT_LT(cost(60'000), 40'000U) << "of 60000 samples: at most 30 at the ends and 3 blocks each";
  std::size_t whole = 0;
  (void)series.extremes(0, 60'000, &whole);
  EXPECT_LT(whole, 300U);
}

TEST(Columns, EachHasTheExtremesOfItsSamples) {
  SampleRing series(1024);
  for (int i = 0; i < 100; ++i) series.push(static_cast<float>(i));
  std::vector<Extremes> out(10);
  columns(series, 0.0, 100.0, out);
  for (std::size_t c = 0; c < 10; ++c) {
    EXPECT_EQ(out[c].low, static_cast<float>(10 * c));
    EXPECT_EQ(out[c].high, static_cast<float>(10 * c + 9));
  }
}

TEST(Columns, NoSpikeIsLostAndNoneIsSeenTwiceHoweverWideTheyAre) {
  for (const std::size_t width : {2000U, 700U, 333U, 90U}) {  // 30 to 667 samples a column
    for (const std::uint64_t spike : {17U, 12'345U, 30'000U, 59'999U}) {
      SampleRing series(60'000);
      for (std::uint64_t i = 0; i < 60'000; ++i) series.push(i == spike ? 1.0F : 0.0F);
      std::vector<Extremes> out(width);
      columns(series, 0.0, 60'000.0, out);
      std::size_t seen = 0;
      for (std::size_t i = 0; i < width; ++i) {
        if (out[i].high != 1.0F) continue;
        ++seen;
        const double where = static_cast<double>(spike * width) / 60'000.0;
        EXPECT_NEAR(static_cast<double>(i) + 0.5, where, 1.01) << width << " columns";
      }
      EXPECT_EQ(seen, 1U) << width << " columns, sample " << spike;
    }
  }
}

TEST(Columns, AreEmptyBeforeTheFirstAndAfterTheLastSample) {
  SampleRing series(1024);
  for (int i = 0; i < 100; ++i) series.push(1.0F);
  std::vector<Extremes> out(40);  // of ten samples each
  columns(series, -100.0, 300.0, out);
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_EQ(out[i].empty(), i < 10 || i >= 20) << "column " << i;
  }
}

TEST(Statistics, OfASineAreThoseOfTheTextbook) {
  // Offset 3, amplitude 2, ten whole periods: mean 3, deviation 2/√2, rms √(9 + 2).
  SampleRing series(4096);
  for (int i = 0; i < 1000; ++i) {
    series.push(static_cast<float>(3.0 + 2.0 * std::sin(2.0 * std::numbers::pi * i / 100.0)));
  }
  const Statistics s = statistics(series, 0, 1000);
  EXPECT_EQ(s.count, 1000U);
  EXPECT_NEAR(s.mean, 3.0, 1e-6);
  EXPECT_NEAR(s.deviation, std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(s.rms, std::sqrt(11.0), 1e-6);
  EXPECT_NEAR(s.low, 1.0, 1e-6);
  EXPECT_NEAR(s.high, 5.0, 1e-6);
}

TEST(Statistics, ARippleOnALargeOffsetKeepsItsDigits) {
  SampleRing series(4096);
  for (int i = 0; i < 1000; ++i) series.push(i % 2 == 0 ? 8000.0F : 8000.001953125F);
  EXPECT_NEAR(statistics(series, 0, 1000).deviation, 0.0009765625, 1e-9);
}

TEST(Statistics, PassOverWhatIsMissing) {
  SampleRing series(256);
  for (const float value : {1.0F, kMissing, 3.0F}) series.push(value);
  const Statistics s = statistics(series, 0, 3);
  EXPECT_EQ(s.count, 2U);
  EXPECT_DOUBLE_EQ(s.mean, 2.0);
  EXPECT_EQ(statistics(series, 1, 2).count, 0U);
  EXPECT_DOUBLE_EQ(statistics(series, 1, 2).rms, 0.0);
}

}  // namespace
}  // namespace jointrig::gui
