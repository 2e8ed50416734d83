#pragma once
/// Random numbers that are the same on every machine, with eight bytes of state.

#include <cstdint>

namespace jointrig::sim {

/// SplitMix64: a counter and a mixing function (Steele, Lea, Flood 2014, "Fast Splittable
/// Pseudorandom Number Generators"). Trivially copyable: a copy continues the same sequence.
class Random {
 public:
  constexpr explicit Random(std::uint64_t seed = 0) noexcept : counter_(seed) {}

  constexpr std::uint64_t bits() noexcept {
    counter_ += 0x9E3779B97F4A7C15U;  // 2^64 / golden ratio
    std::uint64_t z = counter_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  /// Nearly normal, mean 0, deviation 1: the sum of twelve uniform numbers less 6 (Irwin-Hall). It
  /// uses integers alone, so that no mathematical library can change a run; never beyond 6.
  constexpr double normal() noexcept {
    std::uint64_t sum = 0;
    for (int draw = 0; draw < 3; ++draw) {
      const std::uint64_t four = bits();
      sum +=
          (four & 0xFFFFU) + ((four >> 16U) & 0xFFFFU) + ((four >> 32U) & 0xFFFFU) + (four >> 48U);
    }
    constexpr double kMean = 12 * 65535 / 2.0;
    return (static_cast<double>(sum) - kMean) / 65536.0;
  }

  [[nodiscard]] constexpr std::uint64_t state() const noexcept { return counter_; }

 private:
  std::uint64_t counter_;
};

/// A seed for one of several sources of noise, far from the other seeds.
constexpr std::uint64_t seed_of(std::uint64_t run_seed, std::uint64_t index) noexcept {
  Random mixed(run_seed);
  return mixed.bits() ^ Random(index).bits();
}

}  // namespace jointrig::sim
