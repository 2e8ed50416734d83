#include "hw/can/cannelloni_transport.h"

#include <fmt/core.h>
#include <sys/socket.h>

#include <cerrno>

#include "hw/can/clock.h"
#include "hw/can/greeting.h"

namespace jointrig::can {
namespace {

constexpr TimeNs kPatience = 2 * kSecond;
constexpr int kDatagramsPerCall = 64;

std::span<const std::uint8_t> as_bytes(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::span<std::uint8_t> as_bytes(std::span<char> text) noexcept {
  return {reinterpret_cast<std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

CannelloniUdpTransport::CannelloniUdpTransport(const Endpoint& peer, int local_port)
    : FdTransport(fmt::format("cannelloni-udp:{}:{}", to_string(peer), local_port)) {
  opened(connect_udp(peer, local_port));
}

std::size_t CannelloniUdpTransport::send(std::span<const Frame> frames) noexcept {
  std::size_t handed_over = 0;
  std::size_t i = 0;
  bool full = !status_ref().open;
  while (i < frames.size() && !full) {
    out_.start(sequence_);
    while (i < frames.size()) {
      if (!valid(frames[i])) {
        ++counters_ref().tx_unsupported;
      } else if (!out_.add(frames[i])) {
        break;
      }
      ++i;
    }
    if (out_.count() == 0) break;
    full = !send_datagram();
    (full ? counters_ref().tx_refused : counters_ref().sent) += out_.count();
    if (!full) handed_over += out_.count();
  }
  counters_ref().tx_refused += frames.size() - i;
  return handed_over;
}

bool CannelloniUdpTransport::send_datagram() noexcept {
  const auto bytes = out_.bytes();
  // An answer of the network to an earlier datagram fails this call without sending: once more.
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL) >= 0) {
      ++sequence_;
      return true;
    }
    if (errno != ECONNREFUSED) break;
    status_ref().error = LinkError::kPeerUnreachable;
    status_ref().system_error = ECONNREFUSED;
  }
  if (errno == ENOBUFS || errno == ECONNREFUSED) return false;
  would_block_else_fail(errno);
  return false;
}

std::size_t CannelloniUdpTransport::read_available(std::span<ReceivedFrame> into) noexcept {
  std::size_t count = 0;
  for (int datagrams = 0; datagrams < kDatagramsPerCall; ++datagrams) {
    count += unpack(into.subspan(count), monotonic_now());
    if (count == into.size() || !read_datagram()) break;
  }
  return count;
}

bool CannelloniUdpTransport::read_datagram() noexcept {
  ssize_t got = ::recv(fd(), in_.data(), in_.size(), 0);
  if (got < 0 && errno == ECONNREFUSED) {
    status_ref().error = LinkError::kPeerUnreachable;
    status_ref().system_error = ECONNREFUSED;
    got = ::recv(fd(), in_.data(), in_.size(), 0);
  }
  if (got < 0) {
    if (errno != ECONNREFUSED) would_block_else_fail(errno);
    return false;
  }
  in_begin_ = 0;
  in_end_ = static_cast<std::size_t>(got);
  follow_header();
  return true;
}

void CannelloniUdpTransport::follow_header() noexcept {
  const CannelloniHeader header = parse_cannelloni_header({in_.data(), in_end_});
  frames_left_ = 0;
  if (!header.ok) {
    ++counters_ref().rx_garbage;
    return;
  }
  if (status_ref().error == LinkError::kPeerUnreachable) {  // somebody is there
    status_ref().error = LinkError::kNone;
    status_ref().system_error = 0;
  }
  const SequenceWatch::Result order = watch_.take(header.sequence);
  counters_ref().rx_lost += order.missing;
  if (order.verdict == SequenceWatch::Verdict::kLateOrDoubled) ++counters_ref().rx_out_of_order;
  in_begin_ = kCannelloniHeader;
  frames_left_ = header.count;
}

std::size_t CannelloniUdpTransport::unpack(std::span<ReceivedFrame> into, TimeNs now) noexcept {
  std::size_t count = 0;
  while (frames_left_ > 0 && count < into.size()) {
    const CannelloniItem item = next_cannelloni({in_.data() + in_begin_, in_end_ - in_begin_});
    if (item.consumed == 0) {  // shorter than its header says, or damaged
      ++counters_ref().rx_garbage;
      frames_left_ = 0;
      break;
    }
    in_begin_ += item.consumed;
    --frames_left_;
    if (item.kind == CannelloniItem::Kind::kFrame) into[count++] = {item.frame, now};
  }
  return count;
}

CannelloniTcpTransport::CannelloniTcpTransport(const Endpoint& server)
    : StreamTransport("cannelloni-tcp:" + to_string(server), Medium::kSocket) {
  UniqueFd connection = connect_tcp(server, kPatience);
  Greeting greeting(connection.get(), to_string(server), monotonic_now() + kPatience);
  greeting.say(kCannelloniGreeting);
  greeting.expect(kCannelloniGreeting);
  opened(std::move(connection));
}

std::size_t CannelloniTcpTransport::encode(const Frame& frame, std::span<char> out) noexcept {
  return encode_cannelloni(frame, as_bytes(out));
}

StreamTransport::Taken CannelloniTcpTransport::take(std::string_view unread) noexcept {
  const CannelloniItem item = next_cannelloni(as_bytes(unread));
  if (item.kind == CannelloniItem::Kind::kGarbage) {
    ++counters_ref().rx_garbage;
    fail(LinkError::kProtocol, 0);
  }
  return {item.consumed, item.kind == CannelloniItem::Kind::kFrame, item.frame};
}

}  // namespace jointrig::can
