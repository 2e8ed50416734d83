#include "gui/plot/column_cache.h"

#include <algorithm>
#include <cmath>

namespace jointrig::gui {
namespace {

constexpr double kSameStep = 1e-6;  // share of a step: rounding of a span that only moves

}  // namespace

const std::vector<Extremes>& ColumnCache::update(const SampleRing& series, double step,
                                                 std::int64_t first, std::size_t count) {
  const bool same =
      series_ == &series && columns_.size() == count && std::abs(step - step_) <= kSameStep * step_;
  const auto size = static_cast<std::int64_t>(count);
  if (!same) {
    series_ = &series;
    step_ = step;
    columns_.assign(count, {});
    whole_end_ = first;
  } else if (first < first_ || first - first_ >= size) {
    whole_end_ = first;  // rare: the view moved back, or far ahead
  } else {
    std::move(columns_.begin() + (first - first_), columns_.end(), columns_.begin());
  }
  first_ = first;
  worked_out_ = 0;
  std::int64_t whole_end = std::max(whole_end_, first);
  for (std::int64_t k = first; k < first + size; ++k) {
    const auto begin = column_edge(step_ * static_cast<double>(k), step_);
    const auto end = column_edge(step_ * static_cast<double>(k + 1), step_);
    // Samples dropped from the record disappear from the picture, too.
    const bool known = same && k < whole_end_ && begin >= series.begin();
    if (known) continue;
    columns_[static_cast<std::size_t>(k - first)] = series.extremes(begin, end);
    ++worked_out_;
    if (k == whole_end && end <= series.end()) ++whole_end;
  }
  whole_end_ = whole_end;
  return columns_;
}

}  // namespace jointrig::gui
