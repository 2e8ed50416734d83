#pragma once

#include <cstddef>
#include <vector>

namespace jointrig::can {

/// First in, first out, of a size set when it is made; never allocates afterwards.
template <typename T>
class FixedRing {
 public:
  explicit FixedRing(std::size_t capacity) : items_(capacity) {}

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] bool full() const noexcept { return size_ == items_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const T& front() const noexcept { return items_[first_]; }

  /// False, and nothing stored, when full.
  bool push(const T& item) noexcept {
    if (full()) return false;
    items_[(first_ + size_++) % items_.size()] = item;
    return true;
  }
  void pop() noexcept {
    if (empty()) return;
    first_ = (first_ + 1) % items_.size();
    --size_;
  }
  void clear() noexcept { size_ = 0; }

 private:
  std::vector<T> items_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace jointrig::can
