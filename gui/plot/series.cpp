#include "gui/plot/series.h"

#include <algorithm>
#include <cmath>

namespace jointrig::gui {

SampleRing::SampleRing(std::size_t capacity, std::uint64_t first)
    : chunks_((capacity + kCoarse - 1) / kCoarse), first_(first), end_(first) {}

void SampleRing::push(float value) noexcept {
  open_[end_ % kCoarse] = value;
  ++end_;
  if (end_ % kCoarse != 0) return;
  Chunk& whole = chunks_[(end_ / kCoarse - 1) % chunks_.size()];
  whole.samples = PackedSamples(open_);
  whole.extremes = {};
  for (const float sample : open_) whole.extremes.add(sample);
}

float SampleRing::at(std::uint64_t index) const noexcept {
  if (index / kCoarse == end_ / kCoarse) return open_[index % kCoarse];
  return block(index / kFine)[index % kFine];
}

SampleRing::Block SampleRing::block(std::uint64_t number) const noexcept {
  constexpr std::uint64_t kBlocks = kCoarse / kFine;
  if (number / kBlocks != end_ / kCoarse) {
    return chunk(number / kBlocks).samples.block(number % kBlocks);
  }
  Block samples{};
  std::copy_n(open_.begin() + static_cast<std::ptrdiff_t>(number % kBlocks * kFine), kFine,
              samples.begin());
  return samples;
}

std::size_t SampleRing::bytes() const noexcept {
  std::size_t sum = sizeof *this + chunks_.size() * sizeof(Chunk);
  for (const Chunk& one : chunks_) sum += one.samples.bytes();
  return sum;
}

Extremes SampleRing::extremes(std::uint64_t from, std::uint64_t to,
                              std::size_t* looked_at) const noexcept {
  Extremes found;
  std::size_t steps = 0;
  std::uint64_t i = std::max(from, begin());
  const std::uint64_t last = std::min(to, end_);
  // The largest block that begins here and ends in time. A block that begins before begin() is
  // never used: its place may already be reused.
  while (i < last) {
    if (i % kCoarse == 0 && i + kCoarse <= last) {
      found.add(chunk(i / kCoarse).extremes);
      i += kCoarse;
      ++steps;
      continue;
    }
    const Block samples = block(i / kFine);
    const std::uint64_t stop = std::min(last, (i / kFine + 1) * kFine);
    steps += stop - i == kFine ? 1 : stop - i;
    for (; i < stop; ++i) found.add(samples[i % kFine]);
  }
  if (looked_at != nullptr) *looked_at += steps;
  return found;
}

std::uint64_t column_edge(double at, double step) noexcept {
  if (at <= 0.0) return 0;
  const std::uint64_t block = step >= 2.0 * SampleRing::kCoarse ? SampleRing::kCoarse
                              : step >= 2.0 * SampleRing::kFine ? SampleRing::kFine
                                                                : 1;
  return static_cast<std::uint64_t>(at) / block * block;
}

void columns(const SampleRing& series, double from, double to, std::vector<Extremes>& out) {
  const double step = (to - from) / static_cast<double>(out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double begin = from + step * static_cast<double>(i);
    const double end = from + step * static_cast<double>(i + 1);
    // Samples after the last whole block are in the last column.
    const bool is_last = i + 1 == out.size();
    out[i] = series.extremes(
        column_edge(begin, step),
        is_last && end > 0.0 ? static_cast<std::uint64_t>(std::ceil(end)) : column_edge(end, step));
  }
}

Statistics statistics(const SampleRing& series, std::uint64_t from, std::uint64_t to) noexcept {
  Statistics s;
  const std::uint64_t first = std::max(from, series.begin());
  const std::uint64_t last = std::min(to, series.end());
  SampleReader samples(series);
  double sum = 0.0;
  double squares = 0.0;
  for (std::uint64_t i = first; i < last; ++i) {
    const double value = samples.at(i);
    if (std::isnan(value)) continue;
    sum += value;
    squares += value * value;
    ++s.count;
  }
  if (s.count == 0) return s;
  const auto n = static_cast<double>(s.count);
  s.mean = sum / n;
  s.rms = std::sqrt(squares / n);
  // A second pass around the mean: the difference of the two sums above would lose all digits of a
  // small ripple on a large offset.
  double around = 0.0;
  for (std::uint64_t i = first; i < last; ++i) {
    const double off = samples.at(i) - s.mean;
    if (!std::isnan(off)) around += off * off;
  }
  s.deviation = std::sqrt(around / n);
  const Extremes extremes = series.extremes(first, last);
  s.low = extremes.low;
  s.high = extremes.high;
  return s;
}

}  // namespace jointrig::gui
