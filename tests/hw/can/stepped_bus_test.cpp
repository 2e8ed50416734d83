#include "hw/can/stepped_bus.h"

#include <gtest/gtest.h>

#include <vector>

namespace jointrig::can {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr TimeNs kLong = 135 * kMicrosecond;  // 8 bytes at 1 Mbit/s, every stuff bit
constexpr TimeNs kShort = 55 * kMicrosecond;  // none

VirtualBusConfig by_hand() {
  VirtualBusConfig config;
  config.stuffing = Stuffing::kWorst;
  return config;
}

/// Answers SYNC with its TPDO1, as a board does.
BusParticipant board(SteppedBus& bus, std::uint32_t id) {
  const NodeId node = bus.bus().attach("board");
  return [&bus, node, id](TimeNs now) {
    std::array<Delivery, 8> heard;
    const std::size_t count = bus.bus().receive(node, heard);
    for (std::size_t i = 0; i < count; ++i) {
      if (heard[i].frame.id != 0x80) continue;
      bus.bus().send(node, data_frame(0x180 + id, Bytes(8)), now);
    }
    return kNever;
  };
}

TEST(SteppedBus, ACycleOfSevenBoardsComesToTheMicrosecond) {
  SteppedBus bus(by_hand());
  SteppedTransport host(bus, "host");
  for (std::uint32_t id = 7; id > 0; --id) bus.add(board(bus, id));
  const Frame sync = data_frame(0x80, {});
  EXPECT_EQ(host.send({&sync, 1}), 1U);
  std::array<ReceivedFrame, 16> frames;
  for (std::uint32_t i = 1; i <= 7; ++i) {
    ASSERT_EQ(host.receive(frames, kMillisecond * 2), 1U);
    EXPECT_EQ(frames[0].frame.id, 0x180 + i);
    EXPECT_EQ(frames[0].time, kShort + i * kLong);
    EXPECT_EQ(bus.now(), frames[0].time);
  }
}

TEST(SteppedBus, WaitingEndsAtTheDeadlineAndNoTimePassesOtherwise) {
  SteppedBus bus(by_hand());
  SteppedTransport host(bus, "host");
  std::array<ReceivedFrame, 1> frame;
  EXPECT_EQ(host.receive(frame, 5 * kMillisecond), 0U);
  EXPECT_EQ(bus.now(), 5 * kMillisecond);
  EXPECT_EQ(host.receive(frame, 3 * kMillisecond), 0U);
  EXPECT_EQ(bus.now(), 5 * kMillisecond);
}

TEST(SteppedBus, AParticipantIsCalledWhenItWantsToBe) {
  SteppedBus bus(by_hand());
  std::vector<TimeNs> calls;
  bus.add([&](TimeNs now) {
    calls.push_back(now);
    return now + 10 * kMillisecond;
  });
  bus.run_until(35 * kMillisecond);
  EXPECT_EQ(calls, (std::vector<TimeNs>{0, 10 * kMillisecond, 20 * kMillisecond, 30 * kMillisecond,
                                        35 * kMillisecond}));
}

TEST(SteppedBus, AFrameOfAParticipantIsHeardByTheOthers) {
  SteppedBus bus(by_hand());
  SteppedTransport host(bus, "host");
  const NodeId node = bus.bus().attach("heartbeat");
  bus.add([&, next = TimeNs{0}](TimeNs now) mutable {
    if (now >= next) {
      bus.bus().send(node, data_frame(0x705, Bytes{5}), now);
      next += 50 * kMillisecond;
    }
    return next;
  });
  std::array<ReceivedFrame, 1> frame;
  const TimeNs length = (47 + 8 + 41 / 4) * kMicrosecond;  // Davis: 34 + 8 + 13 + 41 / 4
  for (int beat = 0; beat < 5; ++beat) {
    ASSERT_EQ(host.receive(frame, kSecond), 1U);
    EXPECT_EQ(frame[0].time, beat * 50 * kMillisecond + length);
  }
}

TEST(SteppedTransport, AFullQueueAndABrokenLinkRefuse) {
  VirtualBusConfig config = by_hand();
  config.tx_queue = 2;
  config.fd = false;
  SteppedBus bus(config);
  SteppedTransport host(bus, "host");
  SteppedTransport other(bus, "other");
  Frame fd_frame;
  fd_frame.fd = true;
  const std::vector<Frame> frames{fd_frame, data_frame(1, {}), data_frame(2, {}), data_frame(3, {}),
                                  data_frame(4, {})};
  EXPECT_EQ(host.send(frames), 2U);
  EXPECT_EQ(host.counters().tx_unsupported, 1U);
  EXPECT_EQ(host.counters().tx_refused, 2U);
  host.unplug();
  EXPECT_EQ(host.status().error, LinkError::kDeviceGone);
  EXPECT_EQ(host.send(frames), 0U);
  std::array<ReceivedFrame, 4> some;
  EXPECT_EQ(host.receive(some, kSecond), 0U);
  EXPECT_EQ(bus.now(), 0);                      // at once
  EXPECT_EQ(other.receive(some, kSecond), 0U);  // what waited went with the adapter
}

TEST(SteppedTransport, BusOffIsSeenInItsStatus) {
  SteppedBus bus(by_hand());
  SteppedTransport host(bus, "host");
  bus.bus().force_bus_off(host.node(), 0);
  EXPECT_EQ(host.status().bus, BusState::kBusOff);
  EXPECT_TRUE(host.status().open);
  const Frame frame = data_frame(1, {});
  EXPECT_EQ(host.send({&frame, 1}), 0U);
  EXPECT_EQ(host.counters().tx_refused, 1U);
}

TEST(SteppedTransport, FlushForgetsWhatCame) {
  SteppedBus bus(by_hand());
  SteppedTransport host(bus, "host");
  SteppedTransport other(bus, "other");
  const std::vector<Frame> frames(5, data_frame(1, {}));
  other.send(frames);
  bus.run_until(kMillisecond);
  host.flush();
  std::array<ReceivedFrame, 8> some;
  EXPECT_EQ(host.receive(some, 0), 0U);
}

}  // namespace
}  // namespace jointrig::can
