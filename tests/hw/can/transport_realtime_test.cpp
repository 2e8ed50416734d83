/// Calls of a bus thread, cycle after cycle: no allocation, no lock, no exception.

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <vector>

#include "hw/can/cannelloni_transport.h"
#include "hw/can/clock.h"
#include "hw/can/slcan_transport.h"
#include "hw/can/virtual_bus.h"
#include "tests/hw/can/random_frame.h"
#include "tests/support/alloc_guard.h"

namespace jointrig::can {
namespace {

void expect_calm(RealtimeGuard& guard) {
  const ViolationCounts seen = guard.violations();  // writing to the medium is the purpose
  EXPECT_EQ(seen[RealtimeViolation::kAllocation] + seen[RealtimeViolation::kDeallocation] +
                seen[RealtimeViolation::kLock] + seen[RealtimeViolation::kException],
            0U)
      << guard.report();
}

std::vector<Frame> cycle_of_frames() {
  std::vector<Frame> frames;
  for (std::uint32_t i = 0; i < 14; ++i) {
    frames.push_back(data_frame(0x181 + i, std::array<std::uint8_t, 8>{}));
  }
  return frames;
}

TEST(TransportInACycle, CannelloniOverUdp) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  const int a_port = port_of(listen_udp({"127.0.0.1", 0}).get());
  const int b_port = port_of(listen_udp({"127.0.0.1", 0}).get());
  CannelloniUdpTransport a({"127.0.0.1", b_port}, a_port);
  CannelloniUdpTransport b({"127.0.0.1", a_port}, b_port);
  const std::vector<Frame> frames = cycle_of_frames();
  std::array<ReceivedFrame, 64> received;
  RealtimeGuard guard;
  std::size_t count = 0;
  for (int cycle = 0; cycle < 200; ++cycle) {
    a.send(frames);
    count += b.receive(received, monotonic_now() + kSecond);
    b.receive(received, monotonic_now() + 10 * kMicrosecond);  // nothing: waits
    b.flush();
  }
  a.close();
  a.send(frames);
  expect_calm(guard);
  EXPECT_EQ(count, 200U * frames.size());
}

TEST(TransportInACycle, SlcanWithGarbageAFullLineAndALineThatGoesAway) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  int adapter = -1;
  int line = -1;
  ASSERT_EQ(openpty(&adapter, &line, nullptr, nullptr, nullptr), 0);
  SlcanOptions options;
  options.device = ttyname(line);
  options.answers = false;
  SlcanTransport bus(options);
  const std::vector<Frame> frames = cycle_of_frames();
  std::array<ReceivedFrame, 64> received;
  constexpr std::string_view kTraffic = "z\rt1810\rgarb\xFF\rt18\asb000256\r";
  RealtimeGuard guard;
  std::size_t count = 0;
  for (int cycle = 0; cycle < 100; ++cycle) {  // nobody reads: the line fills
    bus.send(frames);
    EXPECT_EQ(::write(adapter, kTraffic.data(), kTraffic.size()),
              static_cast<ssize_t>(kTraffic.size()));
    count += bus.receive(received, monotonic_now() + kSecond);
  }
  ::close(line);
  ::close(adapter);
  bus.receive(received, monotonic_now() + kSecond);
  bus.send(frames);
  expect_calm(guard);
  EXPECT_EQ(count, 100U);
  EXPECT_GT(bus.counters().tx_refused, 0U);
  EXPECT_FALSE(bus.status().open);
}

TEST(VirtualBusInACycle, TrafficUnderAllFaults) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  VirtualBus bus{VirtualBusConfig{}};
  for (int i = 0; i < 8; ++i) bus.attach("node");
  std::mt19937 random(1);
  std::vector<Frame> frames;
  for (int i = 0; i < 500; ++i) frames.push_back(random_frame(random));
  RealtimeGuard guard;
  for (const FaultKind kind : {FaultKind::kLose, FaultKind::kDelay, FaultKind::kDouble,
                               FaultKind::kReorder, FaultKind::kCorrupt}) {
    FaultRule rule;
    rule.kind = kind;
    rule.probability = 0.05;  // destroyed frames above one in nine drive all nodes bus-off
    rule.delay = kMillisecond;
    EXPECT_TRUE(bus.add_fault(rule));
  }
  std::array<Delivery, 16> deliveries;
  for (TimeNs cycle = 0; cycle < 1'000; ++cycle) {
    const TimeNs now = cycle * kMillisecond;
    for (NodeId node = 0; node < 8; ++node) {
      if ((cycle + node) % 4 == 0) {
        bus.send(node, frames[static_cast<std::size_t>(cycle + 60 * node) % 500], now);
      }
      if (node < 7) bus.receive(node, deliveries);  // the last one sleeps: its queue overruns
    }
    if (cycle == 300) bus.force_bus_off(2, now);
    if (cycle == 400) bus.recover(2, now);
    if (cycle == 500) bus.set_cut(3, true, now);
    bus.advance(now);
  }
  expect_calm(guard);
  EXPECT_GT(bus.counters().frames, 1'000U);
  EXPECT_GT(bus.counters(7).overruns, 0U);
}

}  // namespace
}  // namespace jointrig::can
