#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

namespace jointrig {

/// Carries the newest value from one thread to another. Neither waits; values in between are lost.
/// A ring keeps every value; SnapshotExchange serves many readers.
///
/// Three slots: the writer fills one, the reader reads another, and one atomic operation exchanges
/// the third for either. T is copied at construction alone, so its allocated memory stays.
template <typename T>
class TripleBuffer {
 public:
  explicit TripleBuffer(const T& initial = T()) { slots_.fill(initial); }

  /// Slot to fill before publish(); contains some older value. The writer's thread.
  [[nodiscard]] T& back() noexcept { return slots_[back_]; }
  /// The writer's thread.
  void publish() noexcept {
    back_ = between_.exchange(back_ | kFresh, std::memory_order_acq_rel) & kIndex;
  }

  /// Returns true if front() became a newer value. The reader's thread.
  bool update() noexcept {
    if ((between_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
    front_ = between_.exchange(front_, std::memory_order_acq_rel) & kIndex;
    return true;
  }
  /// The reader's thread.
  [[nodiscard]] const T& front() const noexcept { return slots_[front_]; }

 private:
  static constexpr std::uint8_t kIndex = 3;
  static constexpr std::uint8_t kFresh = 4;  ///< the reader has not taken it yet

  std::array<T, 3> slots_;
  alignas(64) std::uint8_t back_ = 0;
  alignas(64) std::uint8_t front_ = 1;
  alignas(64) std::atomic<std::uint8_t> between_{2};
};

}  // namespace jointrig
