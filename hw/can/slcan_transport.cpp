#include "hw/can/slcan_transport.h"

#include <fmt/core.h>
#include <poll.h>

#include <array>
#include <cerrno>

#include "hw/can/clock.h"
#include "hw/can/serial_line.h"

namespace jointrig::can {
namespace {

// USB adapters take some ms; a machine that stands still for half a second is no adapter that is
// missing.
constexpr TimeNs kAnswerTime = 2 * kSecond;
constexpr TimeNs kQuietTime = 20 * kMillisecond;

[[noreturn]] void fail(OpenError::Reason reason, const std::string& device,
                       const std::string& what) {
  throw OpenError(reason, device + ": " + what);
}

/// Speaks with an adapter before frames flow.
class Conversation {
 public:
  Conversation(int fd, const SlcanOptions& options) : fd_(fd), options_(options) {}

  /// From any state: ends a half line, closes the channel, lets old traffic run out.
  void start() {
    write("\rC\r");
    if (!options_.answers) return;
    const TimeNs end = monotonic_now() + kAnswerTime;
    bool anything = false;
    for (;;) {
      const std::string_view bytes = read(std::min(end, monotonic_now() + wait_for(anything)));
      if (bytes.empty()) break;
      anything = true;
      if (monotonic_now() > end) {
        fail(OpenError::Reason::kRefused, options_.device,
             "goes on talking after the command to close; is it an SLCAN adapter?");
      }
    }
    if (!anything) no_answer("C");
  }

  /// Returns what came behind the answer.
  std::string_view command(const std::string& text, const char* meaning) {
    write(text + "\r");
    if (!options_.answers) return {};
    const TimeNs end = monotonic_now() + kAnswerTime;
    while (monotonic_now() < end) {
      const std::string_view bytes = read(end);
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] == '\r') return bytes.substr(i + 1);
        if (bytes[i] == '\a') {
          fail(OpenError::Reason::kRefused, options_.device,
               std::string("the adapter refuses ") + meaning + " (command " + text + ").");
        }
      }
    }
    no_answer(text);
  }

 private:
  static TimeNs wait_for(bool anything) { return anything ? kQuietTime : kAnswerTime; }

  [[noreturn]] void no_answer(const std::string& text) {
    fail(OpenError::Reason::kNoAnswer, options_.device,
         "no answer to command " + text +
             " within 2 s; is it an SLCAN adapter? (option 'silent' for a line that never "
             "answers)");
  }

  void write(const std::string& text) {
    if (::write(fd_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
      fail(OpenError::Reason::kSystem, options_.device, "takes no bytes; reconnect the adapter.");
    }
  }

  /// Bytes that came by `end`; empty: none. That the line was readable does not say that it still
  /// is: an adapter may take back what it has said.
  std::string_view read(TimeNs end) {
    for (;;) {
      pollfd waited{fd_, POLLIN, 0};
      const timespec left = time_left(monotonic_now(), end);
      if (ppoll(&waited, 1, &left, nullptr) == 0) return {};
      const ssize_t got = ::read(fd_, bytes_.data(), bytes_.size());
      if (got > 0) return {bytes_.data(), static_cast<std::size_t>(got)};
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      fail(OpenError::Reason::kNoDevice, options_.device, "went away while it was being opened.");
    }
  }

  int fd_;
  const SlcanOptions& options_;
  std::array<char, 512> bytes_{};
};

char rate_digit(const SlcanOptions& options) {
  const auto digit = slcan_rate_digit(options.bit_rate);
  if (digit) return *digit;
  fail(OpenError::Reason::kAddress, options.device,
       fmt::format("{} bit/s is no bit rate of SLCAN: take 10000, 20000, 50000, 100000, 125000, "
                   "250000, 500000, 800000 or 1000000.",
                   options.bit_rate));
}

char data_rate_digit(const SlcanOptions& options) {
  const auto digit = slcan_data_rate_digit(options.data_bit_rate);
  if (digit) return *digit;
  fail(OpenError::Reason::kAddress, options.device,
       fmt::format("data={} is no data bit rate of SLCAN: take 1000000, 2000000, 4000000, 5000000 "
                   "or 8000000.",
                   options.data_bit_rate));
}

}  // namespace

SlcanTransport::SlcanTransport(const SlcanOptions& options)
    : StreamTransport("slcan:" + options.device, Medium::kTerminal),
      fd_bus_(options.data_bit_rate != 0) {
  const char rate = rate_digit(options);
  const char data_rate = fd_bus_ ? data_rate_digit(options) : '0';
  UniqueFd line = open_serial_line(options.device, options.baud);
  Conversation adapter(line.get(), options);
  adapter.start();
  adapter.command(std::string("S") + rate, "the bit rate");
  if (fd_bus_) adapter.command(std::string("Y") + data_rate, "the data bit rate");
  keep_unread(adapter.command(options.listen_only ? "L" : "O", "to open the channel"));
  opened(std::move(line));
}

std::size_t SlcanTransport::encode(const Frame& frame, std::span<char> out) noexcept {
  return frame.fd && !fd_bus_ ? 0 : encode_slcan(frame, out);
}

StreamTransport::Taken SlcanTransport::take(std::string_view unread) noexcept {
  const SlcanLines::Item item = lines_.next(unread);
  Taken taken{item.consumed, false, {}};
  switch (item.kind) {
    case SlcanLines::Kind::kMore:
      break;
    case SlcanLines::Kind::kRefused:
      ++counters_ref().tx_rejected;
      break;
    case SlcanLines::Kind::kGarbage:
      ++counters_ref().rx_garbage;
      break;
    case SlcanLines::Kind::kLine: {
      const SlcanAnswer answer = parse_slcan_answer(item.line);
      taken.is_frame = answer.kind == SlcanAnswer::Kind::kFrame;
      if (taken.is_frame) taken.frame = answer.frame.frame;
      follow(answer);
      break;
    }
  }
  return taken;
}

void SlcanTransport::follow(const SlcanAnswer& answer) noexcept {
  switch (answer.kind) {
    case SlcanAnswer::Kind::kGarbage:
      ++counters_ref().rx_garbage;
      break;
    case SlcanAnswer::Kind::kState:
      status_ref().bus = answer.bus;
      status_ref().rx_errors = answer.rx_errors;
      status_ref().tx_errors = answer.tx_errors;
      break;
    case SlcanAnswer::Kind::kErrors:
      counters_ref().bus_errors += static_cast<std::uint64_t>(answer.error_count);
      if (answer.overrun) ++counters_ref().rx_lost;
      break;
    case SlcanAnswer::Kind::kFrame:
    case SlcanAnswer::Kind::kDone:
    case SlcanAnswer::Kind::kText:
      break;
  }
}

}  // namespace jointrig::can
