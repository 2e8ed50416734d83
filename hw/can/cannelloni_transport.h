#pragma once

#include "hw/can/cannelloni_codec.h"
#include "hw/can/inet.h"
#include "hw/can/stream_transport.h"

namespace jointrig::can {

/// cannelloni over UDP: all frames of one send() in one datagram (or as few as hold them). A
/// datagram that comes twice or late is counted and its frames handed on: what is stale is judged
/// by what the frames say. Missing datagrams are counted by their sequence numbers (rx_lost). While
/// nobody takes our datagrams status().error is kPeerUnreachable; the link stays open.
class CannelloniUdpTransport final : public FdTransport {
 public:
  /// @param local_port  that the peer sends to; throws OpenError
  CannelloniUdpTransport(const Endpoint& peer, int local_port);
  ~CannelloniUdpTransport() override { close(); }

  std::size_t send(std::span<const Frame> frames) noexcept override;
  [[nodiscard]] Capabilities capabilities() const noexcept override {
    return {.fd = true, .remote = true, .bus_state = false};
  }

 private:
  std::size_t read_available(std::span<ReceivedFrame> into) noexcept override;
  bool send_datagram() noexcept;
  bool read_datagram() noexcept;
  void follow_header() noexcept;
  std::size_t unpack(std::span<ReceivedFrame> into, TimeNs now) noexcept;

  CannelloniDatagram out_;
  std::uint8_t sequence_ = 0;
  SequenceWatch watch_;
  /// One datagram of any size that UDP has; what does not fit into the caller's array stays here.
  std::array<std::uint8_t, 65'536> in_{};
  std::size_t in_begin_ = 0;
  std::size_t in_end_ = 0;
  std::uint16_t frames_left_ = 0;
};

/// cannelloni over TCP, the side that connects: greeting, then frames. Anything else breaks the
/// link (kProtocol), since the stream has no place to start again.
class CannelloniTcpTransport final : public StreamTransport {
 public:
  /// Throws OpenError; takes at most 2 s.
  explicit CannelloniTcpTransport(const Endpoint& server);
  ~CannelloniTcpTransport() override { close(); }
  [[nodiscard]] Capabilities capabilities() const noexcept override {
    return {.fd = true, .remote = true, .bus_state = false};
  }

 private:
  Taken take(std::string_view unread) noexcept override;
  std::size_t encode(const Frame& frame, std::span<char> out) noexcept override;
};

}  // namespace jointrig::can
