#pragma once
/// Serves a virtual bus to other programs: as SLCAN adapters on ptys, over cannelloni (UDP, TCP)
/// and as a socketcand server. Every client is a node of the bus; nodes inside of this program may
/// be attached as well.
///
/// One thread calls step() again and again; it alone touches the hub and its bus. Queues to clients
/// are those of the system: a client misses frames that it does not read in time; they are counted.
/// A client that breaks the rules loses its connection, never the hub.

#include <poll.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "hw/can/bus_participant.h"
#include "hw/can/hub_link.h"
#include "hw/can/inet.h"
#include "hw/can/load_window.h"
#include "hw/can/slcan_adapter.h"
#include "hw/can/virtual_bus.h"

namespace jointrig::can {

struct BusHubConfig {
  VirtualBusConfig bus;
  int adapters = 0;  ///< SLCAN adapters on ptys
  /// Symbolic links to their devices, by adapter: names that stay when one is plugged in again.
  /// Empty, or too few: none.
  std::vector<std::string> adapter_links;
  struct Udp {
    Endpoint peer;
    int local_port = 0;
  };
  std::vector<Udp> cannelloni_udp;
  Endpoint cannelloni_tcp;  ///< listened to; port 0: any; without a host: not served
  Endpoint socketcand;
  std::string socketcand_bus = "can0";
  int clients = 4;  ///< at once, of each of the two servers
};

class BusHub {
 public:
  static constexpr std::size_t kMaxPorts = 62;  ///< adapters, UDP peers and connections

  /// Throws OpenError.
  explicit BusHub(const BusHubConfig& config);
  ~BusHub();

  [[nodiscard]] VirtualBus& bus() noexcept { return bus_; }
  [[nodiscard]] double load() const noexcept { return load_.load(); }  ///< of the last second
  [[nodiscard]] double peak_load() const noexcept { return load_.peak(); }

  /// A client on a link of another kind. Throws OpenError.
  void add_link(const std::string& name, std::unique_ptr<HubLink> link);

  /// A board in this program, on a node that it has attached to bus(): called in every step.
  void add(BusParticipant participant);

  /// Waits until a client says something, something happens on the bus, or the monotonic clock
  /// reads `deadline`; carries all of it out and returns.
  void step(TimeNs deadline);
  void run(const std::atomic<bool>& stop);

  // For a thread that waits for several hubs, or for something else besides: poll what put_waits()
  // gives until next_wake(), then serve() each. step() does so for one.
  /// @return how many were written; kMaxPorts + 2 at most
  std::size_t put_waits(std::span<pollfd> into) const noexcept;
  [[nodiscard]] TimeNs next_wake() const noexcept;
  void serve();

  /// The path that SLCAN clients open; empty while the adapter is unplugged.
  [[nodiscard]] std::string adapter_device(int adapter) const;
  [[nodiscard]] NodeId adapter_node(int adapter) const;
  /// Bytes to an adapter's client as they are.
  void inject(int adapter, std::string_view bytes) noexcept;
  /// The adapter vanishes: its client reads an error. plug() gives it a new device.
  void unplug(int adapter) noexcept;
  void plug(int adapter);

  [[nodiscard]] int cannelloni_tcp_port() const;  ///< 0 if not served
  [[nodiscard]] int socketcand_port() const;

  struct Counters {
    LinkCounters clients;           ///< of all links there are, seen from the hub
    std::uint64_t accepted = 0;     ///< connections
    std::uint64_t turned_away = 0;  ///< connections beyond `clients`
  };
  [[nodiscard]] Counters counters() const noexcept;

 private:
  enum class Kind { kAdapter, kUdp, kCannelloniTcp, kSocketcand, kOther };
  struct Port {
    Kind kind = Kind::kAdapter;
    NodeId node = kAnyNode;
    std::unique_ptr<HubLink> link;  ///< none: free
    unsigned openings = 0;
    BusState told = BusState::kErrorActive;
  };

  void add_port(Kind kind, const std::string& name, std::unique_ptr<HubLink> link);
  [[nodiscard]] std::string link_of(int adapter) const;
  [[nodiscard]] const Port* adapter(int index) const noexcept;
  [[nodiscard]] Port* adapter(int index) noexcept;
  void link_adapter(int index) const;
  void unlink_adapter(int index) const noexcept;
  void accept_from(const UniqueFd& listener, Kind kind);
  void read_from(Port& port, TimeNs now) noexcept;
  void follow_channel(Port& port, TimeNs now) noexcept;
  void write_to(Port& port) noexcept;
  void tell_state(Port& port) noexcept;
  void let_go(Port& port, TimeNs now) noexcept;

  BusHubConfig config_;
  VirtualBus bus_;
  LoadWindow load_;
  BusParticipants participants_;
  std::vector<Port> ports_;
  UniqueFd cannelloni_listener_;
  UniqueFd socketcand_listener_;
  bool more_to_read_ = false;
  Counters counters_;
  LinkCounters gone_;  ///< of links that are no more
};

}  // namespace jointrig::can
