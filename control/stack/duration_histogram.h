#pragma once
/// Statistics of many durations, in fixed memory.
///
/// Buckets are log-linear: exact below 128 ns, then 64 to each doubling. A quantile is the middle
/// of its bucket, so it is off by at most half a bucket, 1/128 = 0.8 % of the value, up to 10 s; a
/// longer sample counts as 10 s in the quantiles, and in full in `max_ns`.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace jointrig {

/// Summary of the samples since the last reset; all 0 without samples.
struct DurationSummary {
  std::uint64_t count = 0;
  std::int64_t p50_ns = 0;
  std::int64_t p99_ns = 0;
  std::int64_t p999_ns = 0;
  std::int64_t max_ns = 0;

  bool operator==(const DurationSummary&) const = default;
};

/// One thread records, any number of threads read at the same time; no thread waits.
class DurationHistogram {
 public:
  static constexpr std::int64_t kLongestNs = 10'000'000'000;

  /// Adds one sample; a negative one counts as 0. Recording thread only: no allocation, no lock, a
  /// bounded number of steps.
  void record(std::int64_t duration_ns) noexcept;

  /// Removes all samples. Recording thread only; costs a store per bucket used since the last
  /// reset.
  void clear() noexcept;

  /// Any thread. While samples arrive the result belongs to some moment during the call; with a
  /// clear() at the same time it can contain a part of the old samples once.
  [[nodiscard]] DurationSummary summary() const noexcept;

  /// The smallest duration that at least `fraction` (0..1) of the samples don't exceed. Any thread.
  [[nodiscard]] std::int64_t quantile_ns(double fraction) const noexcept;

  /// Samples in [from_ns, to_ns), to within one bucket at either end. Any thread.
  [[nodiscard]] std::uint64_t count_between(std::int64_t from_ns,
                                            std::int64_t to_ns) const noexcept;

 private:
  static constexpr unsigned kSubBits = 6;                             // 64 buckets to a doubling
  static constexpr std::size_t kLinear = std::size_t{2} << kSubBits;  // below: one per ns
  static constexpr std::size_t kDoublings = 27;                       // 2^7 ns .. 2^34 ns > 10 s
  static constexpr std::size_t kBuckets = kLinear + (kDoublings << kSubBits);

  struct Copy {
    std::array<std::uint64_t, kBuckets> counts{};
    std::uint64_t count = 0;
    std::int64_t max_ns = 0;
    [[nodiscard]] std::int64_t quantile_ns(double fraction) const noexcept;
  };

  [[nodiscard]] Copy copy() const noexcept;
  static std::size_t bucket_of(std::int64_t duration_ns) noexcept;
  static std::int64_t middle_of(std::size_t bucket) noexcept;

  std::array<std::atomic<std::uint64_t>, kBuckets> counts_{};
  std::atomic<std::int64_t> max_ns_{0};
  std::size_t lowest_ = kBuckets;  // range of buckets in use: the recording thread's own
  std::size_t highest_ = 0;
};

}  // namespace jointrig
