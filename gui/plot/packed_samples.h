#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace jointrig::gui {

/// 256 samples of one signal without loss, in as few bytes as their changes need.
///
///     k(x)   the float's 32 bits as an integer that grows with x
///     d_i  = k(x_i) − k(x_{i−1}), modulo 2^32, small changes of either sign as small numbers
///
/// Blocks of 16 samples keep the first k whole and each d with as many bits as the largest of the
/// block needs, so that a block can be read alone. Samples that are all the same, bit by bit, keep
/// one of them. What moves smoothly at 1 kHz takes 2 to 3 bytes a sample, noise 4.4 at most.
class PackedSamples {
 public:
  static constexpr std::size_t kSamples = 256;
  static constexpr std::size_t kBlock = 16;
  using Block = std::array<float, kBlock>;

  PackedSamples() = default;
  explicit PackedSamples(std::span<const float, kSamples> samples);

  /// @param block  0..15
  [[nodiscard]] Block block(std::size_t block) const noexcept;
  /// On the heap.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::uint32_t same_ = 0;   ///< k of all of them where there are no bytes
  std::uint32_t bytes_ = 0;  ///< of data_
  /// 16 numbers of bits; for each block its first k and its 15 d.
  std::unique_ptr<std::byte[]> data_;
};

}  // namespace jointrig::gui
