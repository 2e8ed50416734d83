#include "hw/can/candump.h"

#include <charconv>

#include "hw/can/hex.h"
#include "hw/can/socketcand_codec.h"

namespace jointrig::can {
namespace {

constexpr std::uint32_t kBitRateSwitch = 1;
constexpr std::uint32_t kErrorState = 2;

/// "(seconds.microseconds)", six decimals.
std::optional<TimeNs> parse_time(std::string_view word) noexcept {
  if (word.size() < 10 || word.front() != '(' || word.back() != ')') return std::nullopt;
  word = word.substr(1, word.size() - 2);
  const std::size_t point = word.find('.');
  if (point == std::string_view::npos || word.size() - point != 7) return std::nullopt;
  std::int64_t seconds = 0;
  std::int64_t micros = 0;
  const auto whole = [](std::string_view digits, std::int64_t& value) {
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    return error == std::errc{} && stop == end && value >= 0;
  };
  if (!whole(word.substr(0, point), seconds) || !whole(word.substr(point + 1), micros)) {
    return std::nullopt;
  }
  constexpr std::int64_t kMostSeconds = 9'000'000'000;  // what fits into 64 bits of nanoseconds
  if (seconds > kMostSeconds) return std::nullopt;
  return seconds * kSecond + micros * kMicrosecond;
}

bool parse_data(std::string_view digits, Frame& frame) noexcept {
  if (digits.size() % 2 != 0 || digits.size() > 2 * kMaxFdBytes) return false;
  frame.size = static_cast<std::uint8_t>(digits.size() / 2);
  return parse_hex_bytes(digits, {frame.data.data(), frame.size});
}

/// "123#1122", "123#R8", "123##31122".
std::optional<Frame> parse_frame(std::string_view word) noexcept {
  Frame frame;
  const std::size_t sign = word.find('#');
  if (sign != 3 && sign != 8) return std::nullopt;
  const auto id = parse_hex(word.substr(0, sign));
  if (!id) return std::nullopt;
  frame.id = *id;
  frame.extended = sign == 8;
  std::string_view rest = word.substr(sign + 1);
  bool whole = false;
  if (rest.starts_with('#')) {
    const int flags = rest.size() < 2 ? -1 : hex_digit(rest[1]);
    frame.fd = true;
    frame.bit_rate_switch = flags > 0 && (static_cast<std::uint32_t>(flags) & kBitRateSwitch) != 0;
    frame.error_state = flags > 0 && (static_cast<std::uint32_t>(flags) & kErrorState) != 0;
    whole = flags >= 0 && parse_data(rest.substr(2), frame);
  } else if (rest.starts_with('R')) {
    const int size = rest.size() == 2 ? hex_digit(rest[1]) : (rest.size() == 1 ? 0 : -1);
    frame.remote = true;
    frame.size = static_cast<std::uint8_t>(size < 0 ? 0 : size);
    whole = size >= 0;
  } else {
    whole = parse_data(rest, frame);
  }
  if (!whole || !valid(frame)) return std::nullopt;
  return frame;
}

}  // namespace

std::size_t encode_candump(const Frame& frame, TimeNs time, std::string_view bus,
                           std::span<char> out) noexcept {
  if (!valid(frame) || time < 0) return 0;
  TextWriter line(out);
  line.put('(');
  line.put_decimal(static_cast<std::uint64_t>(time / kSecond), 10);
  line.put('.');
  line.put_decimal(static_cast<std::uint64_t>(time % kSecond / kMicrosecond), 6);
  line.put(") ");
  line.put(bus);
  line.put(' ');
  line.put_hex(frame.id, frame.extended ? 8 : 3);
  line.put('#');
  if (frame.fd) {
    line.put('#');
    line.put_hex(
        (frame.bit_rate_switch ? kBitRateSwitch : 0) | (frame.error_state ? kErrorState : 0), 1);
  } else if (frame.remote) {
    line.put('R');
    line.put_hex(frame.size, 1);
  }
  for (const std::uint8_t byte : frame.bytes()) line.put_hex(byte, 2);
  line.put('\n');
  return line.size();
}

std::optional<CandumpLine> parse_candump(std::string_view text) {
  const auto time = parse_time(take_word(text));
  const std::string_view bus = take_word(text);
  const auto frame = parse_frame(take_word(text));
  if (!time || bus.empty() || !frame || !take_word(text).empty()) return std::nullopt;
  return CandumpLine{*time, std::string(bus), *frame};
}

}  // namespace jointrig::can
