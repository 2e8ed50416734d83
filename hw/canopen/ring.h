#pragma once
/// A bounded queue of one thread, for what state machines hand out.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace jointrig::canopen {

/// First in, first out. A full ring drops and counts; nothing waits, nothing
/// allocates.
template <class T, std::size_t Capacity>
class Ring {
 public:
  static constexpr std::size_t kCapacity = Capacity;

  /// @return false if the ring was full
  bool push(const T& item) noexcept {
    if (count_ == Capacity) {
      ++dropped_;
      return false;
    }
    items_[(first_ + count_) % Capacity] = item;
    ++count_;
    return true;
  }

  [[nodiscard]] std::optional<T> pop() noexcept {
    if (count_ == 0) return std::nullopt;
    const std::size_t taken = first_;
    first_ = (first_ + 1) % Capacity;
    --count_;
    return items_[taken];
  }

  void clear() noexcept { count_ = 0; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  std::array<T, Capacity> items_{};
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace jointrig::canopen
