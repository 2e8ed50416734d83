#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gui/plot/packed_samples.h"

namespace jointrig::gui {

/// Smallest and largest of some samples; those that are NaN don't count.
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
/// 256 of them, so that a plot of a minute costs as much as one of a second. Memory is taken as it
/// fills.
///
/// A sample is known by its index, which counts from 0 and never comes back; the oldest fall out.
/// NaN stands for a sample that is missing. One thread.
class SampleRing {
 public:
  /// @param capacity  samples to keep; rounded up to a multiple of 256
  explicit SampleRing(std::size_t capacity);

  void push(float value) noexcept;

  [[nodiscard]] std::size_t capacity() const noexcept { return kCoarse * chunks_.size(); }

  /// One after the newest.
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  /// The oldest that is kept.
  [[nodiscard]] std::uint64_t begin() const noexcept {
    return end_ > capacity() ? end_ - capacity() : 0;
  }
  /// Unpacks the 16 samples around it: for many samples in order use SampleReader.
  /// @param index  begin() ≤ index < end()
  [[nodiscard]] float at(std::uint64_t index) const noexcept;
  using Block = PackedSamples::Block;
  /// The 16 samples from 16 · number on; those that are not kept mean nothing.
  [[nodiscard]] Block block(std::uint64_t number) const noexcept;

  /// Of the samples [from, to), as far as they are kept.
  /// @param looked_at  if given, counts up by the numbers that were compared
  [[nodiscard]] Extremes extremes(std::uint64_t from, std::uint64_t to,
                                  std::size_t* looked_at = nullptr) const noexcept;

  /// Bytes that the samples take.
  [[nodiscard]] std::size_t bytes() const noexcept;

  /// Samples that are unpacked together, and those whose extremes are kept.
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

  std::vector<Chunk> chunks_;          ///< those that are whole
  std::array<float, kCoarse> open_{};  ///< the newest, not packed yet
  std::uint64_t end_ = 0;
};

/// Samples of a series in order, each block unpacked once. The series outlives it and gets no more
/// samples meanwhile.
class SampleReader {
 public:
  explicit SampleReader(const SampleRing& series) : series_(&series) {}
  /// As SampleRing::at.
  [[nodiscard]] float at(std::uint64_t index) noexcept {
    const std::uint64_t number = index / SampleRing::kFine;
    if (number != number_) block_ = series_->block(number_ = number);
    return block_[index % SampleRing::kFine];
  }

 private:
  const SampleRing* series_;
  std::uint64_t number_ = std::numeric_limits<std::uint64_t>::max();
  SampleRing::Block block_{};
};

/// The sample with which a column `step` samples wide begins that would begin at `at`. Wide columns
/// begin and end with a block: half a column's shift at the most, which nobody sees, and a handful
/// of blocks to look at in place of dozens of samples.
std::uint64_t column_edge(double at, double step) noexcept;

/// What is drawn of the samples [from, to): one entry a pixel column, empty where all are missing.
/// `from` and `to` may be fractions, and lie outside of what is kept. Each sample is in one column;
/// of wide columns the ends are moved to those of blocks.
void columns(const SampleRing& series, double from, double to, std::vector<Extremes>& out);

/// Of the samples [from, to) that are there; all 0 where none is.
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
