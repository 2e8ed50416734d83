#include "hw/can/bus_hub.h"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "hw/can/cannelloni_transport.h"
#include "hw/can/clock.h"
#include "hw/can/server_links.h"

namespace jointrig::can {
namespace {

constexpr int kFramesPerStep = 256;  // of one client, so that none keeps the others waiting

/// cannelloni over UDP has no connection: the node is there from the start.
class UdpLink final : public HubLink {
 public:
  UdpLink(const Endpoint& peer, int local_port) : transport_(peer, local_port) {}
  Transport& transport() noexcept override { return transport_; }
  [[nodiscard]] unsigned openings() const noexcept override { return 1; }
  [[nodiscard]] bool on_bus() const noexcept override { return true; }

 private:
  CannelloniUdpTransport transport_;
};

void add_up(LinkCounters& sum, const LinkCounters& more) noexcept {
  sum.sent += more.sent;
  sum.received += more.received;
  sum.tx_refused += more.tx_refused;
  sum.tx_unsupported += more.tx_unsupported;
  sum.tx_rejected += more.tx_rejected;
  sum.rx_garbage += more.rx_garbage;
  sum.rx_lost += more.rx_lost;
  sum.rx_out_of_order += more.rx_out_of_order;
  sum.bus_errors += more.bus_errors;
}

}  // namespace

BusHub::BusHub(const BusHubConfig& config) : config_(config), bus_(config.bus) {
  for (int i = 0; i < config_.adapters; ++i) {
    add_port(Kind::kAdapter, fmt::format("adapter{}", i),
             std::make_unique<SlcanAdapter>(config_.bus.rates));
    link_adapter(i);
  }
  for (const BusHubConfig::Udp& udp : config_.cannelloni_udp) {
    add_port(Kind::kUdp, "udp:" + to_string(udp.peer),
             std::make_unique<UdpLink>(udp.peer, udp.local_port));
  }
  if (!config_.cannelloni_tcp.host.empty()) {
    cannelloni_listener_ = listen_tcp(config_.cannelloni_tcp);
    for (int i = 0; i < config_.clients; ++i) {
      add_port(Kind::kCannelloniTcp, fmt::format("cannelloni{}", i), nullptr);
    }
  }
  if (!config_.socketcand.host.empty()) {
    socketcand_listener_ = listen_tcp(config_.socketcand);
    for (int i = 0; i < config_.clients; ++i) {
      add_port(Kind::kSocketcand, fmt::format("socketcand{}", i), nullptr);
    }
  }
}

BusHub::~BusHub() {
  for (int i = 0; i < config_.adapters; ++i) unlink_adapter(i);
}

void BusHub::add_port(Kind kind, const std::string& name, std::unique_ptr<HubLink> link) {
  Port port;
  port.kind = kind;
  if (ports_.size() == kMaxPorts) {
    throw OpenError(OpenError::Reason::kUnsupported,
                    fmt::format("a virtual bus serves at most {} clients.", kMaxPorts));
  }
  port.node = bus_.attach(name);
  port.link = std::move(link);
  bus_.set_online(port.node, false, 0);
  ports_.push_back(std::move(port));
}

void BusHub::add_link(const std::string& name, std::unique_ptr<HubLink> link) {
  add_port(Kind::kOther, name, std::move(link));
}

// --- one step ---

void BusHub::add(BusParticipant participant) {
  participants_.add(std::move(participant), monotonic_now());
}

void BusHub::step(TimeNs deadline) {
  std::array<pollfd, kMaxPorts + 2> waited{};
  const std::size_t count = put_waits(waited);
  const timespec left = time_left(monotonic_now(), std::min(deadline, next_wake()));
  ppoll(waited.data(), count, &left, nullptr);
  serve();
}

std::size_t BusHub::put_waits(std::span<pollfd> into) const noexcept {
  std::size_t count = 0;
  const auto wait_for = [&](int fd) {
    if (fd >= 0 && count < into.size()) into[count++] = {fd, POLLIN, 0};
  };
  wait_for(cannelloni_listener_.get());
  wait_for(socketcand_listener_.get());
  for (const Port& port : ports_) {
    if (port.link) wait_for(port.link->transport().poll_fd());
  }
  return count;
}

TimeNs BusHub::next_wake() const noexcept {
  return more_to_read_ ? 0 : std::min(bus_.next_event(), participants_.next_wake());
}

void BusHub::serve() {
  more_to_read_ = false;
  if (cannelloni_listener_) accept_from(cannelloni_listener_, Kind::kCannelloniTcp);
  if (socketcand_listener_) accept_from(socketcand_listener_, Kind::kSocketcand);
  const TimeNs now = monotonic_now();
  for (Port& port : ports_) {
    if (port.link) read_from(port, now);
  }
  bus_.advance(now);
  participants_.call_all(now);
  bus_.advance(now);
  load_.update(now, bus_.busy());
  for (Port& port : ports_) {
    if (!port.link) continue;
    write_to(port);
    tell_state(port);
    if (!port.link->transport().status().open) let_go(port, now);
  }
}

void BusHub::run(const std::atomic<bool>& stop) {
  prctl(PR_SET_TIMERSLACK, 1);  // frames end to the microsecond, not to the fiftieth
  while (!stop.load(std::memory_order_relaxed)) step(monotonic_now() + 20 * kMillisecond);
}

void BusHub::accept_from(const UniqueFd& listener, Kind kind) {
  for (;;) {
    UniqueFd connection(::accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!connection) return;
    const auto free = std::find_if(ports_.begin(), ports_.end(), [&](const Port& port) {
      return port.kind == kind && !port.link;
    });
    if (free == ports_.end()) {
      ++counters_.turned_away;
      continue;
    }
    ++counters_.accepted;
    if (kind == Kind::kCannelloniTcp) {
      free->link = std::make_unique<CannelloniServerLink>(std::move(connection));
    } else {
      free->link =
          std::make_unique<SocketcandServerLink>(std::move(connection), config_.socketcand_bus);
    }
    free->openings = 0;
  }
}

void BusHub::read_from(Port& port, TimeNs now) noexcept {
  // One by one: an answer belongs between the frame and the command that follows it.
  std::array<ReceivedFrame, 1> frame;
  for (int i = 0; i < kFramesPerStep; ++i) {
    const bool got = port.link->transport().receive(frame, 0) == 1;
    follow_channel(port, now);
    if (!got) return;
    const auto result = bus_.send(port.node, frame[0].frame, now);
    port.link->answer(frame[0].frame, result == VirtualBus::SendResult::kQueued);
  }
  more_to_read_ = true;  // perhaps in a buffer of the link's, where no poll sees it
}

void BusHub::follow_channel(Port& port, TimeNs now) noexcept {
  const HubLink& link = *port.link;
  if (port.openings != link.openings()) {
    port.openings = link.openings();
    bus_.set_online(port.node, false, now);
    port.told = BusState::kErrorActive;
  }
  bus_.set_listen_only(port.node, link.listen_only());
  bus_.set_online(port.node, link.on_bus(), now);
}

void BusHub::write_to(Port& port) noexcept {
  constexpr std::size_t kAtOnce = 32;
  std::array<Delivery, kAtOnce> deliveries;
  std::array<Frame, kAtOnce> frames;
  for (;;) {
    const std::size_t count = bus_.receive(port.node, deliveries);
    if (count == 0) return;
    for (std::size_t i = 0; i < count; ++i) frames[i] = deliveries[i].frame;
    port.link->transport().send({frames.data(), count});
  }
}

void BusHub::tell_state(Port& port) noexcept {
  const VirtualBus::NodeState state = bus_.state(port.node);
  if (state.bus == port.told || !state.online) return;
  port.told = state.bus;
  port.link->tell(state);
}

void BusHub::let_go(Port& port, TimeNs now) noexcept {
  add_up(gone_, port.link->transport().counters());
  port.link.reset();
  port.openings = 0;
  port.told = BusState::kErrorActive;
  bus_.set_online(port.node, false, now);
}

// --- adapters ---

const BusHub::Port* BusHub::adapter(int index) const noexcept {
  return index >= 0 && index < config_.adapters ? &ports_[static_cast<std::size_t>(index)]
                                                : nullptr;
}

BusHub::Port* BusHub::adapter(int index) noexcept {
  return index >= 0 && index < config_.adapters ? &ports_[static_cast<std::size_t>(index)]
                                                : nullptr;
}

std::string BusHub::adapter_device(int index) const {
  const Port* port = adapter(index);
  if (port == nullptr || !port->link) return "";
  return static_cast<const SlcanAdapter&>(*port->link).device();
}

NodeId BusHub::adapter_node(int index) const {
  const Port* port = adapter(index);
  return port == nullptr ? kAnyNode : port->node;
}

void BusHub::inject(int index, std::string_view bytes) noexcept {
  Port* port = adapter(index);
  if (port != nullptr && port->link) static_cast<SlcanAdapter&>(*port->link).inject(bytes);
}

void BusHub::unplug(int index) noexcept {
  Port* port = adapter(index);
  if (port == nullptr || !port->link) return;
  unlink_adapter(index);
  let_go(*port, monotonic_now());
}

void BusHub::plug(int index) {
  Port* port = adapter(index);
  if (port == nullptr || port->link) return;
  port->link = std::make_unique<SlcanAdapter>(config_.bus.rates);
  link_adapter(index);
}

std::string BusHub::link_of(int index) const {
  const auto at = static_cast<std::size_t>(index);
  return at < config_.adapter_links.size() ? config_.adapter_links[at] : "";
}

void BusHub::link_adapter(int index) const {
  const std::string link = link_of(index);
  if (link.empty()) return;
  struct stat found {};
  if (::lstat(link.c_str(), &found) == 0 && !S_ISLNK(found.st_mode)) {
    throw OpenError(OpenError::Reason::kSystem,
                    link +
                        ": is there and no link of a virtual adapter; give the adapter another "
                        "name.");
  }
  ::unlink(link.c_str());
  if (::symlink(adapter_device(index).c_str(), link.c_str()) != 0) {
    throw OpenError(OpenError::Reason::kSystem, link + ": cannot be linked to the adapter.");
  }
}

void BusHub::unlink_adapter(int index) const noexcept {
  const std::string link = link_of(index);
  if (!link.empty()) ::unlink(link.c_str());
}

// --- what there is ---

int BusHub::cannelloni_tcp_port() const {
  return cannelloni_listener_ ? port_of(cannelloni_listener_.get()) : 0;
}

int BusHub::socketcand_port() const {
  return socketcand_listener_ ? port_of(socketcand_listener_.get()) : 0;
}

BusHub::Counters BusHub::counters() const noexcept {
  Counters all = counters_;
  all.clients = gone_;
  for (const Port& port : ports_) {
    if (port.link) add_up(all.clients, port.link->transport().counters());
  }
  return all;
}

}  // namespace jointrig::can
