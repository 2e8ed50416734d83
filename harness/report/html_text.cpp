#include "harness/report/html_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace jointrig::harness::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kNothing = "\xE2\x80\x93";      // an en dash

// Length of the UTF-8 sequence at the start of the text; 0 if it is invalid.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

std::string_view entity_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\n' && c != '\t') || code == 0x7F;
}

std::string to_text(double value, std::chars_format format, int digits) {
  if (std::isnan(value)) return std::string(kNothing);
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, digits).ptr;
  return {text.data(), end};
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const std::string_view entity = entity_of(text.front());
    if (length == 0 || is_control(text.front())) {
      out += kReplacement;
    } else {
      out += entity.empty() ? text.substr(0, length) : entity;
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string relative_link(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out = "./";
  while (!path.empty() && path.front() == '/') path.remove_prefix(1);
  for (const char c : path) {
    const auto code = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += {'%', kHex[code / 16U], kHex[code % 16U]};
    }
  }
  return out;
}

std::string number_text(double value) { return to_text(value, std::chars_format::general, 6); }

std::string number_text(const std::optional<double>& value) {
  return number_text(value.value_or(std::nan("")));
}

std::string page_seconds(double seconds) {
  const std::string text = to_text(seconds, std::chars_format::fixed, 3);
  return std::isnan(seconds) ? text : text + " s";
}

std::string script_safe(std::string json) {
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) {
    json.replace(at, 1, "\\u003c");
  }
  return json;
}

}  // namespace jointrig::harness::report
