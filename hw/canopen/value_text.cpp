#include "hw/canopen/value_text.h"

#include <fmt/core.h>

#include <bit>
#include <cctype>
#include <charconv>
#include <stdexcept>

#include "hw/can/text.h"
#include "hw/canopen/bytes.h"

namespace jointrig::canopen {

namespace {

std::invalid_argument not_a(std::string_view what, std::string_view text) {
  return std::invalid_argument("'" + std::string(text) + "' is not " + std::string(what));
}

std::uint64_t parse_magnitude(std::string_view digits, std::string_view whole) {
  int base = 10;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
    base = 16;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits[0] == '0') {
    base = 8;
  }
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc{} || at != end) throw not_a("an integer", whole);
  return value;
}

std::vector<std::uint8_t> parse_hex_bytes(std::string_view text) {
  const std::string_view digits = can::trimmed(text);
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    std::uint8_t byte = 0;
    const char* const end = digits.data() + std::min(i + 2, digits.size());
    const auto [at, error] = std::from_chars(digits.data() + i, end, byte, 16);
    if (error != std::errc{} || at != digits.data() + i + 2) {
      throw not_a("bytes in pairs of hex digits", text);
    }
    bytes.push_back(byte);
  }
  return bytes;
}

template <class Real>
std::string format_real(Real value) {
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc{} ? std::string(text, end) : std::string("?");
}

}  // namespace

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

double parse_real(std::string_view text) {
  const std::string_view digits = can::trimmed(text);
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || at != end) throw not_a("a number", text);
  return value;
}

std::int64_t parse_integer(std::string_view text) {
  const std::string_view digits = can::trimmed(text);
  const bool negative = digits.starts_with('-');
  const std::uint64_t magnitude = parse_magnitude(negative ? digits.substr(1) : digits, text);
  return static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
}

std::vector<std::uint8_t> parse_value(DataType type, std::string_view text) {
  if (type == DataType::kVisibleString) return {text.begin(), text.end()};
  const std::size_t size = size_of(type);
  if (size == 0) return parse_hex_bytes(text);
  std::vector<std::uint8_t> bytes(size);
  if (type == DataType::kReal32) {
    store_little_endian(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(parse_real(text))),
                        size);
  } else if (type == DataType::kReal64) {
    store_little_endian(bytes, std::bit_cast<std::uint64_t>(parse_real(text)), size);
  } else {
    const std::int64_t value = parse_integer(text);
    const bool fits = size == 8 || as_integer(type, static_cast<std::uint64_t>(value)) == value;
    if (!fits || (type == DataType::kBoolean && value != 0 && value != 1)) {
      throw std::invalid_argument("'" + std::string(text) + "' does not fit " +
                                  std::string(to_string(type)));
    }
    store_little_endian(bytes, static_cast<std::uint64_t>(value), size);
  }
  return bytes;
}

std::string format_value(DataType type, std::span<const std::uint8_t> bytes) {
  const std::uint64_t bits = load_little_endian(bytes, bytes.size());
  if (type == DataType::kVisibleString) return {bytes.begin(), bytes.end()};
  if (type == DataType::kReal32) {
    return format_real(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  if (type == DataType::kReal64) return format_real(std::bit_cast<double>(bits));
  if (type == DataType::kUnsigned64) return fmt::format("{}", bits);
  if (is_integer(type)) return fmt::format("{}", as_integer(type, bits));
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += "0123456789ABCDEF"[byte >> 4];
    text += "0123456789ABCDEF"[byte & 0xF];
  }
  return text;
}

}  // namespace jointrig::canopen
