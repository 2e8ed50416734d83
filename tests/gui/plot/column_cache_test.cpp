#include "gui/plot/column_cache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace jointrig::gui {
namespace {

/// Each column by itself, from all its samples.
std::vector<Extremes> one_by_one(const SampleRing& series, double step, std::int64_t first,
                                 std::size_t count) {
  std::vector<Extremes> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<double>(first + static_cast<std::int64_t>(i));
    const std::uint64_t end = std::min(series.end(), column_edge((k + 1.0) * step, step));
    for (std::uint64_t s = std::max(series.begin(), column_edge(k * step, step)); s < end; ++s) {
      out[i].add(series.at(s));
    }
  }
  return out;
}

void expect_equal(const std::vector<Extremes>& a, const std::vector<Extremes>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].empty(), b[i].empty()) << "column " << i;
    if (a[i].empty() || b[i].empty()) continue;
    EXPECT_EQ(a[i].low, b[i].low) << "column " << i;
    EXPECT_EQ(a[i].high, b[i].high) << "column " << i;
  }
}

TEST(ColumnCache, GivesWhatEachColumnHasHoweverTheViewMoves) {
  for (const double step : {1.7, 13.3, 40.0, 100.4, 700.0}) {
    SCOPED_TRACE(step);
    SampleRing series(20'000);
    ColumnCache cache;
    std::mt19937 random(7);
    std::int64_t first = -30;
    for (int frame = 0; frame < 300; ++frame) {
      for (unsigned i = random() % 200; i > 0; --i) {
        series.push(random() % 50 == 0 ? std::nanf("") : static_cast<float>(random() % 1000));
      }
      switch (random() % 8) {
        case 0:
          first -= static_cast<std::int64_t>(random() % 40);  // somebody looks back
          break;
        case 1:
          first += 500;  // and jumps ahead
          break;
        default:  // follows
          first = static_cast<std::int64_t>(static_cast<double>(series.end()) / step) - 119;
          break;
      }
      expect_equal(cache.update(series, step, first, 120), one_by_one(series, step, first, 120));
      if (HasFailure()) return;
    }
  }
}

TEST(ColumnCache, WorksOutOnlyWhatIsNewWhileItFollows) {
  SampleRing series(60'000);
  for (int i = 0; i < 60'000; ++i) series.push(static_cast<float>(i % 77));
  ColumnCache minute;
  ColumnCache second;
  std::size_t of_minute = 0;
  std::size_t of_second = 0;
  for (int frame = 0; frame < 100; ++frame) {
    for (int i = 0; i < 50; ++i) series.push(1.0F);  // 20 frames a second
    const auto end = static_cast<double>(series.end());
    minute.update(series, 100.0, static_cast<std::int64_t>(end / 100.0) - 599, 600);
    second.update(series, 1000.0 / 600.0, static_cast<std::int64_t>(end * 0.6) - 599, 600);
    if (frame == 0) continue;  // all of them
    of_minute += minute.worked_out();
    of_second += second.worked_out();
  }
  EXPECT_LE(of_minute, 99U * 4) << "the newest, one before, and what falls out of the record";
  EXPECT_LE(of_second, 99U * 33) << "30 new ones a frame";
}

TEST(ColumnCache, AnotherSpanBeginsAnewAndRoundingDoesNot) {
  SampleRing series(4096);
  for (int i = 0; i < 4000; ++i) series.push(1.0F);
  ColumnCache cache;
  cache.update(series, 10.0, 0, 400);
  EXPECT_EQ(cache.worked_out(), 400U);
  cache.update(series, 10.0 * (1.0 + 1e-12), 0, 400);
  EXPECT_EQ(cache.worked_out(), 0U);
  cache.update(series, 10.1, 0, 400);
  EXPECT_EQ(cache.worked_out(), 400U);
}

}  // namespace
}  // namespace jointrig::gui
