#include "hw/can/socketcand_codec.h"

#include "hw/can/hex.h"
#include "hw/can/text.h"

namespace jointrig::can {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// Three digits for 11 bits; more for 29, as clients and servers write them.
bool parse_identifier(std::string_view word, Frame& frame) noexcept {
  const auto id = parse_hex(word);
  if (!id) return false;
  frame.id = *id;
  frame.extended = word.size() > 3;
  return valid(frame);
}

void put_identifier(const Frame& frame, TextWriter& out) noexcept {
  out.put_hex(frame.id, frame.extended ? 8 : 3);
}

bool is_time(std::string_view word) noexcept {
  return !word.empty() && word.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

bool fits_socketcand(const Frame& frame) noexcept {
  return valid(frame) && !frame.fd && !frame.remote;
}

std::size_t encode_socketcand_send(const Frame& frame, std::span<char> out) noexcept {
  if (!fits_socketcand(frame)) return 0;
  TextWriter text(out);
  text.put("< send ");
  put_identifier(frame, text);
  text.put(' ');
  text.put_hex(frame.size, 1);
  for (const std::uint8_t byte : frame.bytes()) {
    text.put(' ');
    text.put_hex(byte, 2);
  }
  text.put(" >");
  return text.size();
}

std::size_t encode_socketcand_frame(const Frame& frame, TimeNs time, std::span<char> out) noexcept {
  if (!fits_socketcand(frame)) return 0;
  TextWriter text(out);
  text.put("< frame ");
  put_identifier(frame, text);
  text.put(' ');
  text.put_decimal(static_cast<std::uint64_t>(time / kSecond));
  text.put('.');
  text.put_decimal(static_cast<std::uint64_t>(time % kSecond / kMicrosecond), 6);
  text.put(' ');
  for (const std::uint8_t byte : frame.bytes()) text.put_hex(byte, 2);
  text.put(" >");
  return text.size();
}

SocketcandMessages::Item SocketcandMessages::next(std::string_view unread) noexcept {
  const std::size_t start = unread.find('<');
  if (start != 0) {
    const std::size_t outside = start == std::string_view::npos ? unread.size() : start;
    const bool blank = trimmed(unread.substr(0, outside)).empty();
    return {blank ? Kind::kMore : Kind::kGarbage, outside, {}};
  }
  const std::size_t end = unread.find_first_of("<>", 1);
  if (end == std::string_view::npos) {
    if (unread.size() < kMaxSocketcandMessage) return {};
    return {Kind::kGarbage, unread.size(), {}};
  }
  if (unread[end] == '<') return {Kind::kGarbage, end, {}};  // half a message, then a new one
  return {Kind::kMessage, end + 1, trimmed(unread.substr(1, end - 1))};
}

std::string_view take_word(std::string_view& words) noexcept {
  words = trimmed(words);
  const std::string_view word = words.substr(0, words.find_first_of(kBlanks));
  words.remove_prefix(word.size());
  return word;
}

std::optional<Frame> parse_socketcand_send(std::string_view words) noexcept {
  Frame frame;
  if (take_word(words) != "send" || !parse_identifier(take_word(words), frame)) return std::nullopt;
  const auto size = parse_hex(take_word(words));
  if (!size || *size > kMaxClassicBytes) return std::nullopt;
  frame.size = static_cast<std::uint8_t>(*size);
  for (std::size_t i = 0; i < frame.size; ++i) {
    const auto byte = parse_hex(take_word(words));
    if (!byte || *byte > 0xFF) return std::nullopt;
    frame.data[i] = static_cast<std::uint8_t>(*byte);
  }
  if (!take_word(words).empty()) return std::nullopt;
  return frame;
}

std::optional<Frame> parse_socketcand_frame(std::string_view words) noexcept {
  Frame frame;
  if (take_word(words) != "frame" || !parse_identifier(take_word(words), frame) ||
      !is_time(take_word(words))) {
    return std::nullopt;
  }
  for (std::string_view digits = take_word(words); !digits.empty(); digits = take_word(words)) {
    for (; !digits.empty(); digits.remove_prefix(2)) {
      if (digits.size() < 2 || frame.size == kMaxClassicBytes) return std::nullopt;
      if (!parse_hex_bytes(digits.substr(0, 2), {&frame.data[frame.size], 1})) return std::nullopt;
      ++frame.size;
    }
  }
  return frame;
}

}  // namespace jointrig::can
