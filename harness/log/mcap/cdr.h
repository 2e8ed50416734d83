#pragma once
/// CDR, the byte layout of ROS 2 messages: OMG DDSI-RTPS 2.5 §10.2 (encapsulation) over the CDR of
/// CORBA 3.3 part 2 §9.3, little-endian, version 1.
///
///     00 01 00 00 | value, value, ...
///
/// Each primitive starts at a multiple of its own size, counted from behind those four bytes. A
/// string is its length with the closing NUL (uint32), its bytes and the NUL; a sequence is its
/// length (uint32) and its elements; an array of fixed length is its elements alone.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace jointrig::harness {

static_assert(std::endian::native == std::endian::little, "CDR is written as it lies in memory");

inline constexpr std::size_t kCdrHeaderBytes = 4;

template <typename T>
concept CdrNumber = std::is_arithmetic_v<T> &&(sizeof(T) <= 8) && !std::same_as<T, long double>;

/// Encodes into bytes that the caller owns. A value that does not fit is not written, nor is any
/// later one: check fits() at the end.
class CdrWriter {
 public:
  explicit CdrWriter(std::span<std::byte> out) noexcept : out_(out) {
    constexpr std::uint8_t kLittleEndian[kCdrHeaderBytes] = {0, 1, 0, 0};
    copy(kLittleEndian, kCdrHeaderBytes);
  }

  template <CdrNumber T>
  void put(T value) noexcept {
    align(sizeof(T));
    copy(&value, sizeof(T));
  }

  void put(std::string_view text) noexcept {
    put(static_cast<std::uint32_t>(text.size() + 1));
    copy(text.data(), text.size());
    constexpr char kEnd = 0;
    copy(&kEnd, 1);
  }

  template <CdrNumber T>
  void put_array(std::span<const T> values) noexcept {
    if (values.empty()) return;
    align(sizeof(T));
    copy(values.data(), values.size_bytes());
  }

  template <CdrNumber T>
  void put_sequence(std::span<const T> values) noexcept {
    put(static_cast<std::uint32_t>(values.size()));
    put_array(values);
  }

  /// A sequence of any values that put() accepts, as strings.
  template <typename Strings>
  void put_strings(const Strings& values) noexcept {
    put(static_cast<std::uint32_t>(std::size(values)));
    for (const auto& value : values) put(std::string_view(value));
  }

  bool fits() const noexcept { return fits_; }
  std::size_t size() const noexcept { return used_; }
  std::span<const std::byte> bytes() const noexcept { return out_.first(used_); }

 private:
  void align(std::size_t size) noexcept {
    constexpr std::byte kZeros[8] = {};
    const std::size_t over = (used_ - kCdrHeaderBytes) & (size - 1);
    if (over != 0) copy(kZeros, size - over);
  }

  void copy(const void* from, std::size_t count) noexcept {
    fits_ = fits_ && count <= out_.size() - used_;
    if (!fits_ || count == 0) return;
    std::memcpy(out_.data() + used_, from, count);
    used_ += count;
  }

  std::span<std::byte> out_;
  std::size_t used_ = 0;
  bool fits_ = true;
};

/// Decodes the values in the same order. A read past the end gives zero or an empty string and sets
/// ok() to false from then on.
class CdrReader {
 public:
  explicit CdrReader(std::span<const std::byte> in) noexcept : in_(in) {
    ok_ = in.size() >= kCdrHeaderBytes && in[0] == std::byte{0} && in[1] == std::byte{1};
    at_ = ok_ ? kCdrHeaderBytes : in.size();
  }

  template <CdrNumber T>
  T get() noexcept {
    align(sizeof(T));
    T value{};
    if (const std::byte* from = take(sizeof(T))) {
      if constexpr (std::same_as<T, bool>) {
        value = *from != std::byte{0};
      } else {
        std::memcpy(&value, from, sizeof(T));
      }
    }
    return value;
  }

  std::string_view get_string() noexcept {
    const auto length = get<std::uint32_t>();
    const std::byte* from = length > 0 ? take(length) : nullptr;
    return from == nullptr ? std::string_view()
                           : std::string_view(reinterpret_cast<const char*>(from), length - 1);
  }

  bool ok() const noexcept { return ok_; }
  std::size_t left() const noexcept { return in_.size() - at_; }

 private:
  void align(std::size_t size) noexcept {
    const std::size_t over = (at_ - kCdrHeaderBytes) & (size - 1);
    if (ok_ && over != 0) take(size - over);
  }

  const std::byte* take(std::size_t count) noexcept {
    ok_ = ok_ && count <= left();
    if (!ok_) return nullptr;
    const std::byte* from = in_.data() + at_;
    at_ += count;
    return from;
  }

  std::span<const std::byte> in_;
  std::size_t at_ = 0;
  bool ok_ = false;
};

}  // namespace jointrig::harness
