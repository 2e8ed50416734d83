#pragma once
/// Hexadecimal text of fixed width, without allocation: what text protocols of CAN are made of.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace jointrig::can {

/// -1 where `c` is no hexadecimal digit.
[[nodiscard]] constexpr int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

/// The number that one to eight digits stand for; empty for anything else.
[[nodiscard]] constexpr std::optional<std::uint32_t> parse_hex(std::string_view text) noexcept {
  if (text.empty() || text.size() > 8) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : text) {
    const int digit = hex_digit(c);
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<std::uint32_t>(digit);
  }
  return value;
}

/// Two digits a byte into `bytes`. False, with `bytes` half written, where the text is anything
/// else or has another length.
[[nodiscard]] constexpr bool parse_hex_bytes(std::string_view text,
                                             std::span<std::uint8_t> bytes) noexcept {
  if (text.size() != 2 * bytes.size()) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_digit(text[2 * i]);
    const int low = hex_digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return true;
}

/// Writes text into a buffer of the caller's; what does not fit is left out, and full() tells.
class TextWriter {
 public:
  explicit constexpr TextWriter(std::span<char> out) noexcept : out_(out) {}

  constexpr void put(char c) noexcept {
    if (size_ < out_.size()) {
      out_[size_++] = c;
    } else {
      full_ = true;
    }
  }
  constexpr void put(std::string_view text) noexcept {
    for (const char c : text) put(c);
  }
  constexpr void put_hex(std::uint32_t value, int digits) noexcept {
    for (int i = digits - 1; i >= 0; --i) put("0123456789ABCDEF"[value >> (4 * i) & 0xF]);
  }
  constexpr void put_decimal(std::uint64_t value, int least_digits = 1) noexcept {
    std::array<char, 20> text{};
    int digits = 0;
    for (; value != 0 || digits < least_digits; value /= 10) {
      text[static_cast<std::size_t>(digits++)] = static_cast<char>('0' + value % 10);
    }
    while (digits > 0) put(text[static_cast<std::size_t>(--digits)]);
  }

  [[nodiscard]] constexpr bool full() const noexcept { return full_; }
  /// Characters written; 0 where not all fitted: half a message is none.
  [[nodiscard]] constexpr std::size_t size() const noexcept { return full_ ? 0 : size_; }

 private:
  std::span<char> out_;
  std::size_t size_ = 0;
  bool full_ = false;
};

}  // namespace jointrig::can
