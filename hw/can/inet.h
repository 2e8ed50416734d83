#pragma once
/// IP sockets as transports and the hub use them. All throw OpenError, none blocks once open.

#include <string>

#include "hw/can/time.h"
#include "hw/can/unique_fd.h"

namespace jointrig::can {

/// @param host  a name or an address, IPv4 or IPv6 (without brackets)
struct Endpoint {
  std::string host;
  int port = 0;  ///< 1..65535; 0 in listen_*: any free one

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};
[[nodiscard]] std::string to_string(const Endpoint& endpoint);

/// Connects within `patience`; without Nagle's delay.
[[nodiscard]] UniqueFd connect_tcp(const Endpoint& server, TimeNs patience);

/// A datagram socket on `local_port` of every address, that sends to `peer` and takes from it
/// alone.
[[nodiscard]] UniqueFd connect_udp(const Endpoint& peer, int local_port);

/// Listen on one address of this machine.
[[nodiscard]] UniqueFd listen_tcp(const Endpoint& local);
[[nodiscard]] UniqueFd listen_udp(const Endpoint& local);

/// The port that a socket has got.
[[nodiscard]] int port_of(int fd);

/// Small messages at once instead of large ones later.
void send_without_delay(int fd) noexcept;

}  // namespace jointrig::can
