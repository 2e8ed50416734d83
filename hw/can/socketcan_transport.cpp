#include "hw/can/socketcan_transport.h"

#include <linux/can.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "hw/can/clock.h"

namespace jointrig::can {
namespace {

using Reason = OpenError::Reason;

std::string words(int error_number) { return std::generic_category().message(error_number); }

UniqueFd make_socket(const std::string& where) {
  UniqueFd fd(::socket(PF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW));
  if (fd) return fd;
  if (errno == EAFNOSUPPORT || errno == EPROTONOSUPPORT || errno == ESOCKTNOSUPPORT) {
    throw OpenError(Reason::kUnsupported,
                    where + ": this kernel has no CAN (" + words(errno) +
                        "); load the modules can and can_raw, or use slcan:, cannelloni-udp:, "
                        "cannelloni-tcp: or socketcand:.");
  }
  throw OpenError(Reason::kSystem, where + ": no CAN socket: " + words(errno) + ".");
}

template <typename Value>
void set_option(int fd, int level, int option, const Value& value, const std::string& where,
                const char* meaning) {
  if (setsockopt(fd, level, option, &value, sizeof value) == 0) return;
  throw OpenError(Reason::kUnsupported, where + ": cannot " + meaning + ": " + words(errno) + ".");
}

void bind_to_interface(int fd, const std::string& interface, const std::string& where) {
  const unsigned index = if_nametoindex(interface.c_str());
  if (index == 0) {
    throw OpenError(Reason::kNoDevice,
                    where + ": there is no such interface; 'ip link' lists those there are.");
  }
  sockaddr_can address{};
  address.can_family = AF_CAN;
  address.can_ifindex = static_cast<int>(index);
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw OpenError(Reason::kRefused,
                    where + ": cannot be used: " + words(errno) + "; is it a CAN interface?");
  }
}

}  // namespace

SocketCanTransport::SocketCanTransport(const SocketCanOptions& options)
    : FdTransport("socketcan:" + options.interface), fd_bus_(options.fd) {
  const std::string& where = name();
  UniqueFd fd = make_socket(where);
  const can_err_mask_t errors = CAN_ERR_TX_TIMEOUT | CAN_ERR_CRTL | CAN_ERR_ACK | CAN_ERR_BUSOFF |
                                CAN_ERR_RESTARTED | CAN_ERR_PROT;
  set_option(fd.get(), SOL_CAN_RAW, CAN_RAW_ERR_FILTER, errors, where, "ask for error frames");
  const int no = 0;
  set_option(fd.get(), SOL_CAN_RAW, CAN_RAW_RECV_OWN_MSGS, no, where, "leave out our own frames");
  if (fd_bus_) {
    const int yes = 1;
    set_option(fd.get(), SOL_CAN_RAW, CAN_RAW_FD_FRAMES, yes, where, "use CAN FD");
  }
  set_option(fd.get(), SOL_SOCKET, SO_SNDBUF, options.send_bytes, where, "bound the queue");
  bind_to_interface(fd.get(), options.interface, where);
  opened(std::move(fd));
}

std::size_t SocketCanTransport::send(std::span<const Frame> frames) noexcept {
  std::size_t handed_over = 0;
  std::size_t done = 0;
  bool full = !status_ref().open;
  while (done < frames.size() && !full) {
    std::size_t tried = 0;
    handed_over += send_batch(frames.subspan(done), tried, full);
    done += tried;
  }
  counters_ref().sent += handed_over;
  counters_ref().tx_refused += frames.size() - done;
  return handed_over;
}

/// One sendmmsg.
/// @param tried  frames that were looked at: sent, refused or left out
std::size_t SocketCanTransport::send_batch(std::span<const Frame> frames, std::size_t& tried,
                                           bool& full) noexcept {
  std::array<std::array<std::uint8_t, kLinuxFdFrameBytes>, kBatch> bytes{};
  std::array<iovec, kBatch> parts{};
  std::array<mmsghdr, kBatch> messages{};
  unsigned count = 0;
  for (tried = 0; tried < frames.size() && count < kBatch; ++tried) {
    const Frame& frame = frames[tried];
    const std::size_t size = frame.fd && !fd_bus_ ? 0 : encode_socketcan(frame, bytes[count]);
    if (size == 0) {
      ++counters_ref().tx_unsupported;
      continue;
    }
    parts[count] = {bytes[count].data(), size};
    messages[count].msg_hdr.msg_iov = &parts[count];
    messages[count].msg_hdr.msg_iovlen = 1;
    ++count;
  }
  if (count == 0) return 0;
  const int sent = ::sendmmsg(fd(), messages.data(), count, MSG_DONTWAIT);
  if (sent < 0 && errno != ENOBUFS) would_block_else_fail(errno);
  const auto out = static_cast<unsigned>(std::max(sent, 0));
  full = out < count;
  counters_ref().tx_refused += count - out;
  return out;
}

std::size_t SocketCanTransport::read_available(std::span<ReceivedFrame> into) noexcept {
  std::size_t count = 0;
  // Error frames give nothing to the caller; a storm of them gives control back.
  for (std::size_t reads = 0; reads < into.size() + 64 && count < into.size(); ++reads) {
    std::array<std::uint8_t, kLinuxFdFrameBytes> bytes{};
    const ssize_t got = ::recv(fd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0) {
      would_block_else_fail(errno);
      break;
    }
    const SocketCanItem item = parse_socketcan({bytes.data(), static_cast<std::size_t>(got)});
    if (item.kind == SocketCanItem::Kind::kFrame) into[count++] = {item.frame, monotonic_now()};
    if (item.kind == SocketCanItem::Kind::kReport) follow(item.report);
    if (item.kind == SocketCanItem::Kind::kGarbage) ++counters_ref().rx_garbage;
  }
  return count;
}

void SocketCanTransport::follow(const BusReport& report) noexcept {
  if (report.bus_state_known) status_ref().bus = report.bus;
  if (report.counters_known) {
    status_ref().tx_errors = report.tx_errors;
    status_ref().rx_errors = report.rx_errors;
  }
  if (report.overrun) ++counters_ref().rx_lost;
  if (report.error_on_bus) ++counters_ref().bus_errors;
}

}  // namespace jointrig::can
