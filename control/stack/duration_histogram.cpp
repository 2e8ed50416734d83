#include "control/stack/duration_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace jointrig {
namespace {

// With a single writer a load and a store suffice; a read-modify-write would lock the bus.
void add_one(std::atomic<std::uint64_t>& counter) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

/// Number of the `count` samples that a quantile must cover: at least one.
std::uint64_t rank_of(double fraction, std::uint64_t count) noexcept {
  const double rank = std::ceil(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(count));
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(rank), 1, count);
}

}  // namespace

std::size_t DurationHistogram::bucket_of(std::int64_t duration_ns) noexcept {
  const auto value =
      static_cast<std::uint64_t>(std::clamp<std::int64_t>(duration_ns, 0, kLongestNs));
  if (value < kLinear) return static_cast<std::size_t>(value);
  // value = mantissa · 2^shift with mantissa in [64, 128)
  const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - (kSubBits + 1);
  const std::uint64_t mantissa = value >> shift;
  const std::size_t doubling = shift - 1;  // shift is at least 1 here
  return kLinear + (doubling << kSubBits) +
         static_cast<std::size_t>(mantissa - (std::uint64_t{1} << kSubBits));
}

std::int64_t DurationHistogram::middle_of(std::size_t bucket) noexcept {
  if (bucket < kLinear) return static_cast<std::int64_t>(bucket);
  const std::size_t above = bucket - kLinear;
  const std::size_t shift = (above >> kSubBits) + 1;
  const std::size_t mantissa = (above & ((std::size_t{1} << kSubBits) - 1)) + (1U << kSubBits);
  return static_cast<std::int64_t>((mantissa << shift) + (std::size_t{1} << (shift - 1)));
}

void DurationHistogram::record(std::int64_t duration_ns) noexcept {
  const std::size_t bucket = bucket_of(duration_ns);
  if (duration_ns > max_ns_.load(std::memory_order_relaxed))
    max_ns_.store(duration_ns, std::memory_order_relaxed);
  add_one(counts_[bucket]);  // last: a reader that sees the sample sees a maximum that covers it
  lowest_ = std::min(lowest_, bucket);
  highest_ = std::max(highest_, bucket);
}

void DurationHistogram::clear() noexcept {
  for (std::size_t i = lowest_; i <= highest_ && i < kBuckets; ++i)
    counts_[i].store(0, std::memory_order_relaxed);
  max_ns_.store(0, std::memory_order_relaxed);
  lowest_ = kBuckets;
  highest_ = 0;
}

DurationHistogram::Copy DurationHistogram::copy() const noexcept {
  Copy copy;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    copy.counts[i] = counts_[i].load(std::memory_order_acquire);
    copy.count += copy.counts[i];
  }
  copy.max_ns =
      max_ns_.load(std::memory_order_relaxed);  // at least that of every sample counted above
  return copy;
}

std::int64_t DurationHistogram::Copy::quantile_ns(double fraction) const noexcept {
  if (count == 0) return 0;
  const std::uint64_t rank = rank_of(fraction, count);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    seen += counts[i];
    if (seen >= rank) return std::min(middle_of(i), max_ns);
  }
  return max_ns;
}

DurationSummary DurationHistogram::summary() const noexcept {
  const Copy samples = copy();
  return {.count = samples.count,
          .p50_ns = samples.quantile_ns(0.5),
          .p99_ns = samples.quantile_ns(0.99),
          .p999_ns = samples.quantile_ns(0.999),
          .max_ns = samples.max_ns};
}

std::int64_t DurationHistogram::quantile_ns(double fraction) const noexcept {
  return copy().quantile_ns(fraction);
}

std::uint64_t DurationHistogram::count_between(std::int64_t from_ns,
                                               std::int64_t to_ns) const noexcept {
  if (from_ns >= to_ns) return 0;
  std::uint64_t count = 0;
  const std::size_t end = to_ns > kLongestNs ? kBuckets : bucket_of(to_ns);
  for (std::size_t i = bucket_of(from_ns); i < end; ++i)
    count += counts_[i].load(std::memory_order_relaxed);
  return count;
}

}  // namespace jointrig
