#include "hw/can/inet.h"

#include <fmt/core.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>
#include <system_error>

#include "hw/can/clock.h"
#include "hw/can/transport.h"

namespace jointrig::can {
namespace {

using Reason = OpenError::Reason;

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Addresses resolve(const Endpoint& endpoint, int type, bool passive) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = type;
  hints.ai_flags = AI_NUMERICSERV | (passive ? AI_PASSIVE : 0);
  addrinfo* list = nullptr;
  const std::string port = fmt::format("{}", endpoint.port);
  const int error = getaddrinfo(endpoint.host.empty() ? nullptr : endpoint.host.c_str(),
                                port.c_str(), &hints, &list);
  if (error != 0) {
    throw OpenError(Reason::kNoDevice, "no address for '" + endpoint.host +
                                           "': " + gai_strerror(error) +
                                           "; give a host name or an IP address.");
  }
  return Addresses(list);
}

std::string words(int error_number) { return std::generic_category().message(error_number); }

UniqueFd make_socket(const addrinfo& address) {
  return UniqueFd(::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                           address.ai_protocol));
}

/// 0, or why not.
int wait_until_connected(int fd, TimeNs deadline) {
  for (;;) {
    pollfd waited{fd, POLLOUT, 0};
    const timespec left = time_left(monotonic_now(), deadline);
    const int ready = ppoll(&waited, 1, &left, nullptr);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return ETIMEDOUT;
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
  }
}

int connect_one(int fd, const addrinfo& address, TimeNs deadline) {
  if (::connect(fd, address.ai_addr, address.ai_addrlen) == 0) return 0;
  return errno == EINPROGRESS ? wait_until_connected(fd, deadline) : errno;
}

UniqueFd bind_to(const Endpoint& local, int type) {
  const Addresses addresses = resolve(local, type, true);
  UniqueFd fd = make_socket(*addresses);
  if (!fd) throw OpenError(Reason::kSystem, "no socket: " + words(errno) + ".");
  const int yes = 1;
  if (type == SOCK_STREAM) setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(fd.get(), addresses->ai_addr, addresses->ai_addrlen) != 0) {
    throw OpenError(Reason::kRefused, to_string(local) + ": cannot be listened to: " +
                                          words(errno) + "; take another port.");
  }
  return fd;
}

}  // namespace

std::string to_string(const Endpoint& endpoint) {
  const bool is_v6 = endpoint.host.find(':') != std::string::npos;
  return fmt::format("{}:{}", is_v6 ? "[" + endpoint.host + "]" : endpoint.host, endpoint.port);
}

UniqueFd connect_tcp(const Endpoint& server, TimeNs patience) {
  const TimeNs deadline = monotonic_now() + patience;
  const Addresses addresses = resolve(server, SOCK_STREAM, false);
  int error = 0;
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
    UniqueFd fd = make_socket(*address);
    error = fd ? connect_one(fd.get(), *address, deadline) : errno;
    if (error != 0) continue;
    send_without_delay(fd.get());
    return fd;
  }
  const bool nobody = error == ECONNREFUSED;
  throw OpenError(nobody ? Reason::kRefused : Reason::kNoAnswer,
                  to_string(server) + ": " + words(error) +
                      (nobody ? "; no server listens there: start it, or correct the port."
                              : "; is the host up, and the network between?"));
}

UniqueFd connect_udp(const Endpoint& peer, int local_port) {
  const Addresses addresses = resolve(peer, SOCK_DGRAM, false);
  UniqueFd fd = make_socket(*addresses);
  if (!fd) throw OpenError(Reason::kSystem, "no socket: " + words(errno) + ".");
  int error = 0;
  if (addresses->ai_family == AF_INET6) {
    sockaddr_in6 local{};
    local.sin6_family = AF_INET6;
    local.sin6_port = htons(static_cast<std::uint16_t>(local_port));
    error = ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&local), sizeof local);
  } else {
    sockaddr_in local{};
    local.sin_family = AF_INET;
    local.sin_port = htons(static_cast<std::uint16_t>(local_port));
    error = ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&local), sizeof local);
  }
  if (error != 0) {
    throw OpenError(Reason::kRefused,
                    fmt::format("local port {} cannot be used: {}; take another one.", local_port,
                                words(errno)));
  }
  if (::connect(fd.get(), addresses->ai_addr, addresses->ai_addrlen) != 0) {
    throw OpenError(Reason::kSystem, to_string(peer) + ": " + words(errno) + ".");
  }
  return fd;
}

UniqueFd listen_tcp(const Endpoint& local) {
  UniqueFd fd = bind_to(local, SOCK_STREAM);
  if (::listen(fd.get(), 8) != 0) {
    throw OpenError(Reason::kRefused, to_string(local) + ": cannot be listened to: " +
                                          words(errno) + "; take another port.");
  }
  return fd;
}

UniqueFd listen_udp(const Endpoint& local) { return bind_to(local, SOCK_DGRAM); }

int port_of(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  if (address.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

void send_without_delay(int fd) noexcept {
  const int yes = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

}  // namespace jointrig::can
