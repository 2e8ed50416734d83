// The C++ half of can_foreign_test.py.
//
//     can_tool hub UDP_LOCAL_PORT UDP_PEER_PORT LOG
//                               a bus with two SLCAN adapters, cannelloni over UDP and TCP, and
//                               socketcand; a node on it echoes. Prints where; reads commands.
//                               Each frame on it goes to LOG, as candump writes it.
//     can_tool echo ADDRESS     echoes on a bus that somebody else provides, until stdin ends
//
// An echo has the identifier with its highest bit set; frames that have it already get none.

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "hw/can/bus_hub.h"
#include "hw/can/candump.h"
#include "hw/can/clock.h"
#include "hw/can/transport_address.h"

namespace jointrig::can {
namespace {

constexpr TimeNs kLongest = 120 * kSecond;  // whatever happens to the other half

std::uint32_t echo_bit(const Frame& frame) { return frame.extended ? 0x1000'0000 : 0x400; }

bool is_question(const Frame& frame) { return (frame.id & echo_bit(frame)) == 0; }

Frame echo_of(Frame frame) {
  frame.id |= echo_bit(frame);
  return frame;
}

/// Lines of stdin without waiting.
class Commands {
 public:
  /// False when stdin has ended.
  bool read_more() {
    pollfd waited{STDIN_FILENO, POLLIN, 0};
    if (::poll(&waited, 1, 0) <= 0) return true;
    std::array<char, 256> bytes{};
    const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (got <= 0) return false;
    text_.append(bytes.data(), static_cast<std::size_t>(got));
    return true;
  }
  bool next(std::string& line) {
    const std::size_t end = text_.find('\n');
    if (end == std::string::npos) return false;
    line = text_.substr(0, end);
    text_.erase(0, end + 1);
    return true;
  }

 private:
  std::string text_;
};

void carry_out(const std::string& line, BusHub& hub, bool& echoes) {
  std::istringstream words(line);
  std::string command;
  words >> command;
  int number = 0;
  if (command == "busy") {  // time and time that the wire was taken [ns], frames
    std::printf("%" PRId64 " %" PRId64 " %" PRIu64 "\n", monotonic_now(), hub.bus().busy(),
                hub.bus().counters().frames);
  } else if (command == "lose") {  // ID SKIP COUNT: for all receivers
    FaultRule rule;
    words >> std::hex >> rule.id >> std::dec >> rule.skip >> rule.count;
    rule.id_mask = kMaxExtendedId;
    std::puts(hub.bus().add_fault(rule) ? "ok" : "no");
  } else if (command == "corrupt") {  // SHARE of all frames
    FaultRule rule;
    rule.kind = FaultKind::kCorrupt;
    words >> rule.probability;
    std::puts(hub.bus().add_fault(rule) ? "ok" : "no");
  } else if (command == "quiet") {  // no echoes from now on
    echoes = false;
    std::puts("ok");
  } else if (command == "heal") {
    hub.bus().clear_faults();
    std::puts("ok");
  } else if (command == "errors") {
    std::printf("%" PRIu64 "\n", hub.bus().counters().error_frames);
  } else if (command == "unplug" && words >> number) {
    hub.unplug(number);
    std::puts("ok");
  } else if (command == "plug" && words >> number) {
    hub.plug(number);
    std::puts(hub.adapter_device(number).c_str());
  } else {
    std::puts("?");
  }
}

void echo_on_bus(VirtualBus& bus, NodeId node, bool echoes, TimeNs now) {
  std::array<Delivery, 16> deliveries;
  for (std::size_t n = bus.receive(node, deliveries); n > 0; n = bus.receive(node, deliveries)) {
    for (std::size_t i = 0; i < n; ++i) {
      if (!echoes || !is_question(deliveries[i].frame)) continue;
      bus.send(node, echo_of(deliveries[i].frame), now);
    }
  }
}

/// A passive node: what it hears, with the time at which each frame ended.
class Log {
 public:
  Log(VirtualBus& bus, const std::string& path)
      : bus_(bus), node_(bus.attach("log")), file_(path, std::ios::binary) {
    bus_.set_listen_only(node_, true);
  }
  void write() {
    std::array<Delivery, 16> heard;
    for (std::size_t n = bus_.receive(node_, heard); n > 0; n = bus_.receive(node_, heard)) {
      for (std::size_t i = 0; i < n; ++i) {
        std::array<char, kMaxCandumpLine> line{};
        file_.write(line.data(), static_cast<std::streamsize>(
                                     encode_candump(heard[i].frame, heard[i].time, "can0", line)));
      }
    }
  }

 private:
  VirtualBus& bus_;
  NodeId node_;
  std::ofstream file_;
};

int serve(int udp_local, int udp_peer, const std::string& log_path) {
  BusHubConfig config;
  config.adapters = 2;
  config.cannelloni_udp.push_back({{"127.0.0.1", udp_peer}, udp_local});
  config.cannelloni_tcp = {"127.0.0.1", 0};
  config.socketcand = {"127.0.0.1", 0};
  BusHub hub(config);
  bool echoes = true;
  hub.add([&bus = hub.bus(), node = hub.bus().attach("echo"), &echoes](TimeNs now) {
    echo_on_bus(bus, node, echoes, now);
    return kNever;
  });
  Log log(hub.bus(), log_path);
  std::printf("%s %s %d %d\n", hub.adapter_device(0).c_str(), hub.adapter_device(1).c_str(),
              hub.cannelloni_tcp_port(), hub.socketcand_port());
  std::fflush(stdout);
  Commands commands;
  std::string line;
  for (const TimeNs end = monotonic_now() + kLongest; monotonic_now() < end;) {
    hub.step(monotonic_now() + 2 * kMillisecond);
    log.write();
    if (!commands.read_more()) return 0;
    while (commands.next(line)) carry_out(line, hub, echoes);
    std::fflush(stdout);
  }
  return 1;
}

int echo(const std::string& address) {
  const auto bus = open_transport(address);
  std::puts("open");
  std::fflush(stdout);
  Commands commands;
  std::array<ReceivedFrame, 64> received;
  for (const TimeNs end = monotonic_now() + kLongest; monotonic_now() < end;) {
    const std::size_t count = bus->receive(received, monotonic_now() + 5 * kMillisecond);
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_question(received[i].frame)) continue;
      const Frame answer = echo_of(received[i].frame);
      bus->send({&answer, 1});
    }
    if (!bus->status().open || !commands.read_more()) break;
  }
  const LinkCounters counters = bus->counters();
  std::printf("received %" PRIu64 " sent %" PRIu64 " garbage %" PRIu64 " lost %" PRIu64 "\n",
              counters.received, counters.sent, counters.rx_garbage, counters.rx_lost);
  std::puts(describe(bus->status(), bus->name()).c_str());
  return 0;
}

int run(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "hub" && argc == 5) return serve(std::atoi(argv[2]), std::atoi(argv[3]), argv[4]);
  if (mode == "echo" && argc == 3) return echo(argv[2]);
  std::cerr << "see the head of can_tool.cpp\n";
  return 2;
}

}  // namespace
}  // namespace jointrig::can

int main(int argc, char** argv) {
  try {
    return jointrig::can::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
