#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

namespace jointrig {

/// The newest value, from one thread to one other. Neither ever waits; values in between are lost.
/// Who needs every one has a ring; many readers have SnapshotExchange.
///
/// Three slots: the writer fills one, the reader looks at another, the third lies between them and
/// is exchanged for either's by one atomic operation. T is copied at construction alone, so what
/// it has allocated then stays with it.
template <typename T>
class TripleBuffer {
 public:
  explicit TripleBuffer(const T& initial = T()) { slots_.fill(initial); }

  /// To be filled in before publish(); holds some older value. The writer's thread.
  [[nodiscard]] T& back() noexcept { return slots_[back_]; }
  /// The writer's thread.
  void publish() noexcept {
    back_ = between_.exchange(back_ | kFresh, std::memory_order_acq_rel) & kIndex;
  }

  /// True: front() has become a newer value. The reader's thread.
  bool update() noexcept {
    if ((between_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
    front_ = between_.exchange(front_, std::memory_order_acq_rel) & kIndex;
    return true;
  }
  /// The reader's thread.
  [[nodiscard]] const T& front() const noexcept { return slots_[front_]; }

 private:
  static constexpr std::uint8_t kIndex = 3;
  static constexpr std::uint8_t kFresh = 4;  ///< the reader hasn't had it yet

  std::array<T, 3> slots_;
  alignas(64) std::uint8_t back_ = 0;
  alignas(64) std::uint8_t front_ = 1;
  alignas(64) std::atomic<std::uint8_t> between_{2};
};

}  // namespace jointrig
