#pragma once
/// A frame's data as hexadecimal digits, and back: as the maker's pages write them.

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "hw/can/frame.h"

namespace jointrig::moteus {

inline std::string hex_of(const can::Frame& frame) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : frame.bytes()) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0xFU];
  }
  return text;
}

inline std::vector<std::uint8_t> bytes_of(std::string_view text) {
  std::vector<std::uint8_t> bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, bytes[i], 16);
  }
  return bytes;
}

}  // namespace jointrig::moteus
