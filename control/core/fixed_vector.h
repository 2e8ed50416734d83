#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <type_traits>

namespace jointrig {

/// A vector with fixed storage inside: it never allocates, and a copy moves only the elements in
/// use. For plain data that crosses the cycle. To grow past the capacity is a programming error.
template <typename T, std::size_t kCapacity>
class FixedVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // Elements are initialised when they come into use.
  FixedVector() noexcept = default;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  explicit FixedVector(std::size_t size) noexcept { resize(size); }
  FixedVector(const FixedVector& other) noexcept { *this = other; }
  FixedVector& operator=(const FixedVector& other) noexcept {
    size_ = other.size_;
    std::copy_n(other.data_.begin(), size_, data_.begin());
    return *this;
  }
  ~FixedVector() = default;

  static constexpr std::size_t capacity() noexcept { return kCapacity; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  /// New elements are value-initialised.
  void resize(std::size_t size) noexcept {
    assert(size <= kCapacity);
    for (std::size_t i = size_; i < size; ++i) data_[i] = T{};
    size_ = size;
  }
  void clear() noexcept { size_ = 0; }
  void push_back(const T& value) noexcept {
    assert(size_ < kCapacity);
    data_[size_++] = value;
  }

  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  T* data() noexcept { return data_.data(); }
  const T* data() const noexcept { return data_.data(); }
  T* begin() noexcept { return data_.data(); }
  T* end() noexcept { return data_.data() + size_; }
  const T* begin() const noexcept { return data_.data(); }
  const T* end() const noexcept { return data_.data() + size_; }

  bool operator==(const FixedVector& other) const noexcept {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  std::size_t size_ = 0;
  std::array<T, kCapacity> data_;
};

}  // namespace jointrig
