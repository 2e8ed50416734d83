#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace jointrig::sim {

/// FNV-1a, 64 bit, over numbers one at a time, so that padding never counts. Two simulations with
/// the same hash are in the same state, to the bit.
class StateHash {
 public:
  template <typename... T>
  void add(const T&... numbers) noexcept {
    (add_one(numbers), ...);
  }
  void add_array(const double* numbers, std::size_t count) noexcept {
    add_bytes(numbers, count * sizeof(double));
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return hash_; }

 private:
  template <typename T>
  void add_one(const T& number) noexcept {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    add_bytes(&number, sizeof(T));
  }
  void add_bytes(const void* data, std::size_t size) noexcept {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash_ = (hash_ ^ bytes[i]) * 0x100000001B3U;
  }
  std::uint64_t hash_ = 0xCBF29CE484222325U;
};

}  // namespace jointrig::sim
