// Round trips over transports of this machine: a host sends frames at 1 kHz, a thread answers as
// many.
//
//     transport_rtt slcan|udp|hub [FRAMES=14] [CYCLES=2000]
//
// hub: both are clients (UDP) of a hub, whose bus adds the time of the frames; 14 do not fit 1 ms.
//
// Prints the time from before send() until the last answer is received [us]: median, 99 %,
// greatest.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "hw/can/bus_hub.h"
#include "hw/can/cannelloni_transport.h"
#include "hw/can/clock.h"
#include "hw/can/slcan_adapter.h"
#include "hw/can/slcan_transport.h"

namespace jointrig::can {
namespace {

void answer(Transport& bus, std::size_t frames, const std::atomic<bool>& stop) {
  const std::vector<Frame> answers(frames, data_frame(0x181, std::array<std::uint8_t, 8>{}));
  std::array<ReceivedFrame, 64> received;
  std::size_t count = 0;
  while (!stop.load()) {
    count += bus.receive(received, monotonic_now() + 10 * kMillisecond);
    if (count < frames) continue;
    count = 0;
    bus.send(answers);
  }
}

/// @param open_host  called while the board's side already answers
void measure(const std::function<std::unique_ptr<Transport>()>& open_host, Transport& board,
             std::size_t frames, int cycles) {
  std::atomic<bool> stop{false};
  std::thread thread([&] { answer(board, frames, stop); });
  const std::unique_ptr<Transport> host = open_host();
  const std::vector<Frame> commands(frames, data_frame(0x201, std::array<std::uint8_t, 8>{}));
  std::array<ReceivedFrame, 64> received;
  std::vector<double> times;
  int lost = 0;
  for (TimeNs start = monotonic_now() + 50 * kMillisecond; cycles > 0; --cycles) {
    start += kMillisecond;
    const timespec until{static_cast<time_t>(start / kSecond), static_cast<long>(start % kSecond)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
    const TimeNs before = monotonic_now();
    host->send(commands);
    std::size_t count = 0;
    while (count < frames) {
      const std::size_t got = host->receive(received, before + 500 * kMillisecond);
      if (got == 0) break;
      count += got;
    }
    if (count < frames) {
      ++lost;
    } else {
      times.push_back(static_cast<double>(monotonic_now() - before) / kMicrosecond);
    }
  }
  stop.store(true);
  thread.join();
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return times[std::min(times.size() - 1, static_cast<std::size_t>(share * times.size()))];
  };
  if (times.empty()) std::abort();
  std::printf(
      "%s: %zu frames each way, %zu cycles, %d incomplete: p50 %.0f, p99 %.0f, max %.0f us\n",
      host->name().c_str(), frames, times.size(), lost, at(0.5), at(0.99), times.back());
}

int run(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "udp";
  const auto frames = static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 14);
  const int cycles = argc > 3 ? std::atoi(argv[3]) : 2'000;
  if (way == "slcan") {
    SlcanAdapter board(BitRates{});
    SlcanOptions options;
    options.device = board.device();
    measure([&] { return std::make_unique<SlcanTransport>(options); }, board, frames, cycles);
    return 0;
  }
  if (way == "hub") {
    std::array<int, 4> ports{};
    for (int& port : ports) port = port_of(listen_udp({"127.0.0.1", 0}).get());
    BusHubConfig config;
    config.cannelloni_udp = {{{"127.0.0.1", ports[0]}, ports[1]},
                             {{"127.0.0.1", ports[2]}, ports[3]}};
    BusHub hub(config);
    std::atomic<bool> stop{false};
    std::thread thread([&] { hub.run(stop); });
    CannelloniUdpTransport board({"127.0.0.1", ports[3]}, ports[2]);
    measure(
        [&] {
          return std::make_unique<CannelloniUdpTransport>(Endpoint{"127.0.0.1", ports[1]},
                                                          ports[0]);
        },
        board, frames, cycles);
    stop.store(true);
    thread.join();
    const auto wire = static_cast<double>(hub.bus().busy()) / static_cast<double>(kMicrosecond);
    std::printf("on the wire %.0f us for a cycle\n", wire / cycles);
    return 0;
  }
  const int a = port_of(listen_udp({"127.0.0.1", 0}).get());
  const int b = port_of(listen_udp({"127.0.0.1", 0}).get());
  CannelloniUdpTransport board({"127.0.0.1", a}, b);
  measure(
      [&] {
        return std::make_unique<CannelloniUdpTransport>(Endpoint{"127.0.0.1", b}, a);
      },
      board, frames, cycles);
  return 0;
}

}  // namespace
}  // namespace jointrig::can

int main(int argc, char** argv) { return jointrig::can::run(argc, argv); }
