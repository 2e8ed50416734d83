#include "hw/can/slcan_codec.h"

#include "hw/can/hex.h"

namespace jointrig::can {
namespace {

constexpr std::array<std::int64_t, 9> kRates{10'000,  20'000,  50'000,  100'000,  125'000,
                                             250'000, 500'000, 800'000, 1'000'000};

char letter_of(const Frame& frame) noexcept {
  char letter = 't';
  if (frame.remote) letter = 'r';
  if (frame.fd) letter = frame.bit_rate_switch ? 'b' : 'd';
  return frame.extended ? static_cast<char>(letter - 'a' + 'A') : letter;
}

/// The kind of frame that a letter opens; false for other letters.
bool start_frame(char letter, Frame& frame) noexcept {
  frame.extended = letter >= 'A' && letter <= 'Z';
  switch (frame.extended ? letter - 'A' + 'a' : letter) {
    case 't':
      return true;
    case 'r':
      return frame.remote = true;
    case 'b':
      frame.bit_rate_switch = true;
      [[fallthrough]];
    case 'd':
      return frame.fd = true;
    default:
      return false;
  }
}

std::optional<std::uint16_t> parse_counter(std::string_view digits) noexcept {
  std::uint16_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    value = static_cast<std::uint16_t>(10 * value + (c - '0'));
  }
  return value;
}

/// s{a,w,p,b}RRRTTT, the counters in decimal digits.
SlcanAnswer parse_state(std::string_view line) noexcept {
  if (line.size() != 8) return {};
  const std::size_t state = std::string_view("awpb").find(line[1]);
  const auto rx = parse_counter(line.substr(2, 3));
  const auto tx = parse_counter(line.substr(5, 3));
  if (state == std::string_view::npos || !rx || !tx) return {};
  SlcanAnswer answer;
  answer.kind = SlcanAnswer::Kind::kState;
  answer.bus = static_cast<BusState>(state);
  answer.rx_errors = *rx;
  answer.tx_errors = *tx;
  return answer;
}

/// e<n> and n letters: a acknowledge, b B bit, c CRC, f form, s stuff, o O overrun.
SlcanAnswer parse_errors(std::string_view line) noexcept {
  if (line.size() < 2 || line[1] < '1' || line[1] > '9') return {};
  SlcanAnswer answer;
  answer.error_count = line[1] - '0';
  if (line.size() != 2 + static_cast<std::size_t>(answer.error_count)) return {};
  if (line.find_first_not_of("abBcfoOs", 2) != std::string_view::npos) return {};
  answer.overrun = line.find('o', 2) != std::string_view::npos;
  answer.kind = SlcanAnswer::Kind::kErrors;
  return answer;
}

bool is_printable(std::string_view line) noexcept {
  for (const char c : line) {
    if (c < ' ' || c > '~') return false;
  }
  return true;
}

}  // namespace

std::size_t encode_slcan(const Frame& frame, std::span<char> out) noexcept {
  if (!valid(frame)) return 0;
  TextWriter line(out);
  line.put(letter_of(frame));
  line.put_hex(frame.id, frame.extended ? 8 : 3);
  line.put_hex(dlc_of(frame.size), 1);
  for (const std::uint8_t byte : frame.bytes()) line.put_hex(byte, 2);
  line.put('\r');
  return line.size();
}

std::optional<SlcanFrame> parse_slcan_frame(std::string_view line) noexcept {
  SlcanFrame result;
  Frame& frame = result.frame;
  if (line.empty() || !start_frame(line[0], frame)) return std::nullopt;
  const std::size_t id_digits = frame.extended ? 8 : 3;
  if (line.size() < 2 + id_digits) return std::nullopt;
  const auto id = parse_hex(line.substr(1, id_digits));
  const int dlc = hex_digit(line[1 + id_digits]);
  if (!id || dlc < 0) return std::nullopt;
  frame.id = *id;
  frame.size = kFdSizes[static_cast<std::size_t>(dlc)];
  if (!valid(frame)) return std::nullopt;

  std::string_view rest = line.substr(2 + id_digits);
  const std::size_t data_digits = 2 * frame.bytes().size();
  if (rest.size() == data_digits + 4) {
    const auto stamp = parse_hex(rest.substr(data_digits));
    if (!stamp) return std::nullopt;
    result.stamp_ms = static_cast<std::uint16_t>(*stamp);
    rest = rest.substr(0, data_digits);
  }
  if (!parse_hex_bytes(rest, {frame.data.data(), frame.bytes().size()})) return std::nullopt;
  return result;
}

SlcanAnswer parse_slcan_answer(std::string_view line) noexcept {
  SlcanAnswer answer;
  if (line.empty() || line == "z" || line == "Z") {
    answer.kind = SlcanAnswer::Kind::kDone;
    return answer;
  }
  if (const auto frame = parse_slcan_frame(line)) {
    answer.kind = SlcanAnswer::Kind::kFrame;
    answer.frame = *frame;
    return answer;
  }
  if (line[0] == 's') return parse_state(line);
  if (line[0] == 'e') return parse_errors(line);
  const bool is_text = std::string_view("VNFv").find(line[0]) != std::string_view::npos;
  if (is_text && line.size() <= 32 && is_printable(line)) answer.kind = SlcanAnswer::Kind::kText;
  return answer;
}

SlcanLines::Item SlcanLines::next(std::string_view unread) noexcept {
  const std::size_t end = unread.find_first_of("\r\a");
  if (end == std::string_view::npos) {
    if (unread.size() < kMaxSlcanLine) return {};
    const bool first = !skipping_;
    skipping_ = true;
    return {first ? Kind::kGarbage : Kind::kMore, unread.size(), {}};
  }
  if (skipping_) {
    skipping_ = false;
    return {Kind::kMore, end + 1, {}};
  }
  std::string_view line = unread.substr(0, end);
  while (!line.empty() && line.front() == '\n') line.remove_prefix(1);
  while (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  if (unread[end] == '\r') return {Kind::kLine, end + 1, line};
  if (!line.empty()) return {Kind::kGarbage, end, {}};
  return {Kind::kRefused, end + 1, {}};
}

std::optional<char> slcan_rate_digit(std::int64_t bit_rate) noexcept {
  for (std::size_t i = 0; i < kRates.size(); ++i) {
    if (kRates[i] == bit_rate) return static_cast<char>('0' + i);
  }
  return std::nullopt;
}

std::optional<std::int64_t> slcan_rate(char digit) noexcept {
  if (digit < '0' || digit > '8') return std::nullopt;
  return kRates[static_cast<std::size_t>(digit - '0')];
}

std::optional<char> slcan_data_rate_digit(std::int64_t bit_rate) noexcept {
  for (const char digit : {'1', '2', '4', '5', '8'}) {
    if (bit_rate == (digit - '0') * std::int64_t{1'000'000}) return digit;
  }
  return std::nullopt;
}

std::optional<std::int64_t> slcan_data_rate(char digit) noexcept {
  const std::int64_t rate = (digit - '0') * std::int64_t{1'000'000};
  return slcan_data_rate_digit(rate) ? std::optional(rate) : std::nullopt;
}

}  // namespace jointrig::can
