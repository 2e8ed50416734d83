#pragma once

#include "hw/can/inet.h"
#include "hw/can/socketcand_codec.h"
#include "hw/can/stream_transport.h"

namespace jointrig::can {

/// A client of socketcand in raw mode. Classic data frames only; a damaged message is counted
/// (rx_garbage) and the next one is read. The server's < error > messages count as bus_errors.
class SocketcandTransport final : public StreamTransport {
 public:
  /// @param bus  the interface at the server, "can0". Throws OpenError; takes at most 2 s.
  SocketcandTransport(const Endpoint& server, const std::string& bus);
  ~SocketcandTransport() override { close(); }
  [[nodiscard]] Capabilities capabilities() const noexcept override { return {}; }

 private:
  Taken take(std::string_view unread) noexcept override;
  std::size_t encode(const Frame& frame, std::span<char> out) noexcept override {
    return encode_socketcand_send(frame, out);
  }
};

}  // namespace jointrig::can
