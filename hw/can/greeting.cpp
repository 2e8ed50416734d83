#include "hw/can/greeting.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "hw/can/clock.h"
#include "hw/can/transport.h"

namespace jointrig::can {
namespace {

constexpr std::size_t kWordsQuoted = 40;
constexpr TimeNs kTimeForMore = 50 * kMillisecond;

/// Text of a stranger, for a message: printable, short.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, kWordsQuoted)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + "'";
}

}  // namespace

void Greeting::say(std::string_view text) {
  if (::send(fd_, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size())) {
    return;
  }
  throw OpenError(OpenError::Reason::kRefused,
                  server_ + ": closed the connection during the greeting.");
}

std::optional<char> Greeting::next(TimeNs deadline) {
  for (;;) {
    pollfd waited{fd_, POLLIN, 0};
    const timespec left = time_left(monotonic_now(), deadline);
    if (ppoll(&waited, 1, &left, nullptr) == 0) return std::nullopt;
    char c = 0;
    const ssize_t count = ::recv(fd_, &c, 1, 0);
    if (count > 0) return c;
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) return std::nullopt;
  }
}

void Greeting::expect(std::string_view text) {
  std::string got;
  while (got != text) {
    const auto c = next(deadline_);
    if (!c) {
      throw OpenError(OpenError::Reason::kNoAnswer, server_ + ": said " + in_quotes(got) +
                                                        " where " + in_quotes(text) +
                                                        " was expected, and no more.");
    }
    got += *c;
    if (text.substr(0, got.size()) == got) continue;
    // Something else: a little more of it tells people what.
    const TimeNs end = monotonic_now() + kTimeForMore;
    while (got.size() < kWordsQuoted && got.back() != '>') {
      const auto more = next(end);
      if (!more) break;
      got += *more;
    }
    throw OpenError(OpenError::Reason::kRefused,
                    server_ + ": said " + in_quotes(got) + " where " + in_quotes(text) +
                        " was expected; does the port belong to such a server?");
  }
}

}  // namespace jointrig::can
