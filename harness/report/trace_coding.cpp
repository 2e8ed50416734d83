#include "harness/report/trace_coding.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace jointrig::harness::report {
namespace {

constexpr double kSteps = 65535.0;
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

struct Spans {
  std::vector<float> least;
  std::vector<float> most;
};

Spans join(std::span<const float> least, std::span<const float> most, std::size_t joined) {
  Spans spans;
  for (std::size_t i = 0; i < least.size(); i += joined) {
    float low = kNone;
    float high = kNone;
    for (std::size_t k = i; k < std::min(i + joined, least.size()); ++k) {
      if (!std::isfinite(least[k]) || !std::isfinite(most[k])) continue;
      low = std::fmin(low, least[k]);
      high = std::fmax(high, most[k]);
    }
    spans.least.push_back(low);
    spans.most.push_back(high);
  }
  return spans;
}

std::pair<double, double> range_of(const Spans& spans) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t i = 0; i < spans.least.size(); ++i) {
    if (std::isnan(spans.least[i])) continue;
    low = std::min(low, static_cast<double>(spans.least[i]));
    high = std::max(high, static_cast<double>(spans.most[i]));
  }
  return low <= high ? std::pair{low, high} : std::pair{0.0, 0.0};
}

}  // namespace

CodedTrace code_trace(std::span<const float> least, std::span<const float> most,
                      std::size_t joined) {
  const Spans spans = join(least, most, joined);
  const auto [low, high] = range_of(spans);
  CodedTrace coded;
  // Round, then divide by the rounded value: the reader's sums meet the same steps.
  coded.offset = rounded(low, 9);  // as many digits as a float has
  coded.step = rounded((high - low) / kSteps);
  const auto steps = [&coded](double from, double to) {
    return coded.step > 0.0 ? static_cast<int>(std::lround((to - from) / coded.step)) : 0;
  };
  int before = 0;
  bool is_line = true;
  for (std::size_t i = 0; i < spans.least.size(); ++i) {
    if (std::isnan(spans.least[i])) {
      coded.low.emplace_back(std::nullopt);
      coded.high.push_back(0);
      continue;
    }
    const int bottom = steps(coded.offset, static_cast<double>(spans.least[i]));
    const int top = steps(coded.offset, static_cast<double>(spans.most[i]));
    coded.low.emplace_back(bottom - before);
    coded.high.push_back(top - bottom);
    is_line = is_line && top == bottom;
    before = bottom;
  }
  if (is_line) coded.high.clear();
  return coded;
}

std::vector<float> CodedTrace::least() const {
  std::vector<float> values;
  int sum = 0;
  for (const std::optional<int>& difference : low) {
    sum += difference.value_or(0);
    values.push_back(difference ? static_cast<float>(offset + step * sum) : kNone);
  }
  return values;
}

std::vector<float> CodedTrace::most() const {
  std::vector<float> values = least();
  for (std::size_t i = 0; i < high.size(); ++i) {
    values[i] += static_cast<float>(step * high[i]);
  }
  return values;
}

double rounded(double value, int digits) {
  if (!std::isfinite(value)) return value;
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::general, digits)
                       .ptr;
  double back = 0.0;
  std::from_chars(text.data(), end, back);
  return back;
}

}  // namespace jointrig::harness::report
