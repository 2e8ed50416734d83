#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gui/plot/packed_samples.h"

namespace jointrig::gui {

/// Smallest and largest of some samples; NaN is ignored.
struct Extremes {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
  [[nodiscard]] bool empty() const noexcept { return low > high; }
  void add(float value) noexcept {
    if (value < low) low = value;  // false for NaN
    if (value > high) high = value;
  }
  void add(const Extremes& other) noexcept {
    if (other.low < low) low = other.low;
    if (other.high > high) high = other.high;
  }
};

/// The last samples of one signal, packed without loss (PackedSamples), and the extremes of every
/// 256 of them, so that a plot of a minute costs as much as one of a second. Memory grows as it
/// fills.
///
/// The index of a sample counts from 0 and is never reused; the oldest samples are dropped. NaN is
/// a missing sample. One thread.
class SampleRing {
 public:
  /// @param capacity  samples to keep; rounded up to a multiple of 256
  /// @param first  index of the first sample, a multiple of 256
  explicit SampleRing(std::size_t capacity, std::uint64_t first = 0);

  void push(float value) noexcept;

  [[nodiscard]] std::size_t capacity() const noexcept { return kCoarse * chunks_.size(); }

  /// Index after the newest sample.
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  /// Index of the oldest stored sample.
  [[nodiscard]] std::uint64_t begin() const noexcept {
    return end_ > first_ + capacity() ? end_ - capacity() : first_;
  }
  /// Unpacks the 16 samples around it: for many samples in order use SampleReader.
  /// @param index  begin() ≤ index < end()
  [[nodiscard]] float at(std::uint64_t index) const noexcept;
  using Block = PackedSamples::Block;
  /// The 16 samples from 16 · number on; samples that are not stored are undefined.
  [[nodiscard]] Block block(std::uint64_t number) const noexcept;

  /// Extremes of the stored samples in [from, to).
  /// @param looked_at  if given, increased by the number of comparisons
  [[nodiscard]] Extremes extremes(std::uint64_t from, std::uint64_t to,
                                  std::size_t* looked_at = nullptr) const noexcept;

  /// Bytes of the samples.
  [[nodiscard]] std::size_t bytes() const noexcept;

  /// Number of samples that are unpacked together, and number per stored extremes.
  static constexpr std::uint64_t kFine = PackedSamples::kBlock;
  static constexpr std::uint64_t kCoarse = PackedSamples::kSamples;

 private:
  struct Chunk {
    PackedSamples samples;
    Extremes extremes;
  };
  [[nodiscard]] const Chunk& chunk(std::uint64_t number) const noexcept {
    return chunks_[number % chunks_.size()];
  }

  std::vector<Chunk> chunks_;          ///< complete chunks
  std::array<float, kCoarse> open_{};  ///< the newest samples, not packed yet
  std::uint64_t first_;
  std::uint64_t end_;
};

/// Reads samples of a series in order, unpacking each block once. The series outlives it and gets
/// no more samples meanwhile.
class SampleReader {
 public:
  explicit SampleReader(const SampleRing& series) : series_(&series) {}
  /// As SampleRing::at.
  [[nodiscard]] float at(std::uint64_t index) noexcept {
    const std::uint64_t number = index / SampleRing::kFine;
    if (number != number_) block_ = series_->block(number_ = number);
    return block_[index % SampleRing::kFine];
  }
  /// NaN where nothing is stored.
  [[nodiscard]] float at_or_missing(std::uint64_t index) noexcept {
    const bool is_stored = index >= series_->begin() && index < series_->end();
    return is_stored ? at(index) : std::numeric_limits<float>::quiet_NaN();
  }

 private:
  const SampleRing* series_;
  std::uint64_t number_ = std::numeric_limits<std::uint64_t>::max();
  SampleRing::Block block_{};
};

/// First sample of a column of `step` samples near `at`. Wide columns begin and end with a block: a
/// shift of at most half a column, which is invisible, and a few blocks to read in place of dozens
/// of samples.
std::uint64_t column_edge(double at, double step) noexcept;

/// Drawing data of the samples [from, to): one entry per pixel column, empty if all its samples are
/// missing. `from` and `to` may be fractions, and lie outside the stored range. Each sample is in
/// one column; the ends of wide columns are moved to those of blocks.
void columns(const SampleRing& series, double from, double to, std::vector<Extremes>& out);

/// Statistics of the existing samples in [from, to); all 0 if there are none.
struct Statistics {
  double low = 0.0;
  double high = 0.0;
  double mean = 0.0;
  double rms = 0.0;
  double deviation = 0.0;  ///< standard deviation of the population
  std::size_t count = 0;
};
Statistics statistics(const SampleRing& series, std::uint64_t from, std::uint64_t to) noexcept;

}  // namespace jointrig::gui
