#pragma once
/// Types of plain scalars: YAML 1.2, section 10.3 (core schema), numbers in decimal, whole numbers
/// in hexadecimal too.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// Removes the digits at the front of `text`; returns their number.
inline std::size_t take_digits(std::string_view& text) noexcept {
  std::size_t count = 0;
  while (count < text.size() && text[count] >= '0' && text[count] <= '9') ++count;
  text.remove_prefix(count);
  return count;
}

/// Removes `12`, `-1.5e-3`, `.5` from the front of `text`; returns false, and removes nothing, if
/// there is none.
inline bool take_decimal(std::string_view& text) noexcept {
  std::string_view rest = text;
  if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
  std::size_t digits = take_digits(rest);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    digits += take_digits(rest);
  }
  if (digits == 0) return false;
  std::string_view exponent = rest;
  if (exponent.starts_with('e') || exponent.starts_with('E')) {
    exponent.remove_prefix(1);
    if (exponent.starts_with('-') || exponent.starts_with('+')) exponent.remove_prefix(1);
    if (take_digits(exponent) > 0) rest = exponent;
  }
  text = rest;
  return true;
}

/// Value of `0x17C`, as in the core schema: without a sign. Nothing for any other text, and beyond
/// 15 digits.
inline std::optional<std::int64_t> hexadecimal(std::string_view text) noexcept {
  constexpr std::size_t kMostDigits = 15;  // digits that fit a signed number
  if (!text.starts_with("0x")) return std::nullopt;
  text.remove_prefix(2);
  if (text.empty() || text.size() > kMostDigits) return std::nullopt;
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, 16);
  const bool whole = result.ec == std::errc{} && result.ptr == end && text[0] != '-';
  return whole ? std::optional(value) : std::nullopt;
}

inline YamlNode::Kind kind_of_plain(std::string_view text) noexcept {
  for (const std::string_view word : {"", "~", "null", "Null", "NULL"}) {
    if (text == word) return YamlNode::Kind::kNull;
  }
  for (const std::string_view word : {"true", "True", "TRUE", "false", "False", "FALSE"}) {
    if (text == word) return YamlNode::Kind::kBoolean;
  }
  for (const std::string_view word : {".nan", ".NaN", ".NAN"}) {
    if (text == word) return YamlNode::Kind::kNumber;
  }
  std::string_view unsigned_text = text;
  if (text.starts_with('-') || text.starts_with('+')) unsigned_text.remove_prefix(1);
  for (const std::string_view word : {".inf", ".Inf", ".INF"}) {
    if (unsigned_text == word) return YamlNode::Kind::kNumber;
  }
  if (hexadecimal(text)) return YamlNode::Kind::kNumber;
  return take_decimal(text) && text.empty() ? YamlNode::Kind::kNumber : YamlNode::Kind::kString;
}

}  // namespace jointrig::harness
