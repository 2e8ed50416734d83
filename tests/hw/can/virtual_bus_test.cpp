#include "hw/can/virtual_bus.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/hw/can/random_frame.h"

namespace jointrig::can {
namespace {

using Bytes = std::vector<std::uint8_t>;
using SendResult = VirtualBus::SendResult;

/// Worst-case stuffing, so that times can be worked out by hand: a frame of 8 bytes keeps a bus of
/// 1 Mbit/s for 135 us, one without data for 55 us.
VirtualBusConfig by_hand() {
  VirtualBusConfig config;
  config.stuffing = Stuffing::kWorst;
  return config;
}
constexpr TimeNs kLong = 135 * kMicrosecond;
constexpr TimeNs kShort = 55 * kMicrosecond;
constexpr TimeNs kErrorFrame = 23 * kMicrosecond;

Frame frame8(std::uint32_t id, std::uint8_t first = 0) {
  return data_frame(id, Bytes{first, 0, 0, 0, 0, 0, 0, 0});
}

struct Fixture {
  explicit Fixture(int nodes = 3, const VirtualBusConfig& config = by_hand()) : bus(config) {
    for (int i = 0; i < nodes; ++i) bus.attach("node" + std::to_string(i));
  }
  std::vector<Delivery> read(NodeId node) {
    std::vector<Delivery> all(256);
    all.resize(bus.receive(node, all));
    return all;
  }
  std::vector<std::uint32_t> ids(NodeId node) {
    std::vector<std::uint32_t> all;
    for (const Delivery& delivery : read(node)) all.push_back(delivery.frame.id);
    return all;
  }
  VirtualBus bus;
};

using Ids = std::vector<std::uint32_t>;

TEST(VirtualBus, AFrameIsReceivedByAllOthersWhenItsLastBitIsThere) {
  Fixture fixture;
  EXPECT_EQ(fixture.bus.send(0, frame8(0x181, 7), 1'000), SendResult::kQueued);
  EXPECT_EQ(fixture.bus.next_event(), 1'000);
  fixture.bus.advance(1'000);
  EXPECT_EQ(fixture.bus.next_event(), 1'000 + kLong);
  fixture.bus.advance(1'000 + kLong - 1);
  EXPECT_TRUE(fixture.read(1).empty());
  fixture.bus.advance(1'000 + kLong);
  for (const NodeId node : {1, 2}) {
    const auto got = fixture.read(node);
    ASSERT_EQ(got.size(), 1U);
    EXPECT_EQ(got[0].frame, frame8(0x181, 7));
    EXPECT_EQ(got[0].time, 1'000 + kLong);
    EXPECT_EQ(got[0].sender, 0);
  }
  EXPECT_TRUE(fixture.read(0).empty());
  EXPECT_EQ(fixture.bus.next_event(), kNever);
}

TEST(VirtualBus, TheLeastIdentifierGoesFirstAndTheOthersWait) {
  Fixture fixture(4);
  fixture.bus.send(0, frame8(0x300), 0);
  fixture.bus.send(1, frame8(0x100), 0);
  fixture.bus.send(2, frame8(0x200), 0);
  fixture.bus.advance(3 * kLong);
  const auto got = fixture.read(3);
  ASSERT_EQ(got.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(got[i].frame.id, 0x100U * (i + 1));
    EXPECT_EQ(got[i].time, (i + 1) * kLong);
  }
}

TEST(VirtualBus, AFrameOnTheWireIsNotInterrupted) {
  Fixture fixture;
  fixture.bus.send(0, frame8(0x300), 0);
  fixture.bus.advance(kMicrosecond);
  fixture.bus.send(1, frame8(0x100), kMicrosecond);
  fixture.bus.advance(2 * kLong);
  EXPECT_EQ(fixture.ids(2), (Ids{0x300, 0x100}));
}

TEST(VirtualBus, ANodesOwnFramesKeepTheirOrder) {
  Fixture fixture;
  fixture.bus.send(0, frame8(0x300), 0);
  fixture.bus.send(0, frame8(0x100), 0);
  fixture.bus.send(1, frame8(0x200), 0);
  fixture.bus.advance(3 * kLong);
  EXPECT_EQ(fixture.ids(2), (Ids{0x200, 0x300, 0x100}));
}

TEST(VirtualBus, TheCycleOfSevenJointsTakesWhatTheTableSays) {
  // SYNC, then 14 frames of 8 bytes: 195 % of a millisecond.
  Fixture fixture(2);
  fixture.bus.send(0, data_frame(0x80, {}), 0);
  for (std::uint32_t i = 0; i < 14; ++i) fixture.bus.send(0, frame8(0x181 + i), 0);
  fixture.bus.advance(10 * kMillisecond);
  const auto got = fixture.read(1);
  ASSERT_EQ(got.size(), 15U);
  EXPECT_EQ(got.back().time, kShort + 14 * kLong);
  EXPECT_EQ(fixture.bus.busy(), kShort + 14 * kLong);
  EXPECT_NEAR(static_cast<double>(fixture.bus.busy()) / kMillisecond, 1.95, 0.005);
}

TEST(VirtualBus, BusyCountsTheFrameUnderWay) {
  Fixture fixture;
  fixture.bus.send(0, frame8(1), 0);
  fixture.bus.advance(40 * kMicrosecond);
  EXPECT_EQ(fixture.bus.busy(), 40 * kMicrosecond);
  fixture.bus.advance(kMillisecond);
  EXPECT_EQ(fixture.bus.busy(), kLong);
}

TEST(VirtualBus, WithRealStuffingTheLoadIsThatOfTheFrames) {
  Fixture fixture(2, VirtualBusConfig{});
  std::mt19937 random(6);
  std::vector<CyclicFrame> cyclic;
  for (int i = 0; i < 20; ++i) {
    cyclic.push_back({random_frame(random), 10 * kMillisecond, 1});
    fixture.bus.send(0, cyclic.back().frame, 0);
  }
  fixture.bus.advance(10 * kMillisecond);
  EXPECT_NEAR(static_cast<double>(fixture.bus.busy()) / (10 * kMillisecond),
              cyclic_load(cyclic, BitRates{}, Stuffing::kExact), 1e-9);
}

TEST(VirtualBus, AFullQueueRefuses) {
  VirtualBusConfig config = by_hand();
  config.tx_queue = 3;
  Fixture fixture(2, config);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(fixture.bus.send(0, frame8(1), 0), SendResult::kQueued);
  EXPECT_EQ(fixture.bus.send(0, frame8(1), 0), SendResult::kFull);
  EXPECT_EQ(fixture.bus.counters(0).refused, 1U);
  fixture.bus.advance(kLong);
  EXPECT_EQ(fixture.bus.send(0, frame8(1), kLong), SendResult::kQueued);
}

TEST(VirtualBus, AReaderThatSleepsLosesTheNewestAndIsTold) {
  VirtualBusConfig config = by_hand();
  config.rx_queue = 2;
  Fixture fixture(2, config);
  for (std::uint32_t i = 1; i <= 3; ++i) fixture.bus.send(0, frame8(i), 0);
  fixture.bus.advance(3 * kLong);
  EXPECT_EQ(fixture.ids(1), (Ids{1, 2}));
  EXPECT_EQ(fixture.bus.counters(1).overruns, 1U);
}

TEST(VirtualBus, FramesThatTheBusDoesNotHaveAreRefused) {
  VirtualBusConfig config = by_hand();
  config.fd = false;
  Fixture fixture(2, config);
  Frame frame = frame8(1);
  frame.fd = true;
  EXPECT_EQ(fixture.bus.send(0, frame, 0), SendResult::kUnsupported);
  frame.fd = false;
  frame.id = 0x800;
  EXPECT_EQ(fixture.bus.send(0, frame, 0), SendResult::kUnsupported);
}

TEST(VirtualBus, AloneANodeRepeatsItselfAndBecomesPassiveButNeverBusOff) {
  Fixture fixture(2);
  fixture.bus.set_online(1, false, 0);
  fixture.bus.send(0, frame8(1), 0);
  fixture.bus.advance(100 * kMillisecond);
  EXPECT_EQ(fixture.bus.state(0).bus, BusState::kErrorPassive);
  EXPECT_EQ(fixture.bus.state(0).tx_errors, 128);
  EXPECT_EQ(fixture.bus.state(0).waiting, 1U);
  EXPECT_GT(fixture.bus.counters(0).retransmissions, 500U);
  // Somebody comes: the frame goes out.
  fixture.bus.set_online(1, true, 100 * kMillisecond);
  fixture.bus.advance(101 * kMillisecond);
  EXPECT_EQ(fixture.ids(1), (Ids{1}));
  EXPECT_EQ(fixture.bus.state(0).waiting, 0U);
}

TEST(VirtualBus, AListenerHearsButIsNobody) {
  Fixture fixture(2);
  fixture.bus.set_listen_only(1, true);
  fixture.bus.send(0, frame8(1), 0);
  fixture.bus.advance(10 * kMillisecond);
  EXPECT_TRUE(fixture.read(1).empty());  // never acknowledged, so never whole
  EXPECT_EQ(fixture.bus.send(1, frame8(2), 0), SendResult::kOffline);
}

TEST(VirtualBus, ACutNodeIsAloneAndItsOldFramesComeWhenTheWireIsMended) {
  Fixture fixture;
  fixture.bus.set_cut(0, true, 0);
  fixture.bus.send(0, frame8(0x100), 0);
  fixture.bus.send(1, frame8(0x181), 0);
  fixture.bus.advance(kMillisecond);
  EXPECT_TRUE(fixture.read(0).empty());
  EXPECT_EQ(fixture.ids(2), (Ids{0x181}));
  for (int i = 0; i < 20; ++i) fixture.bus.send(0, frame8(0x100), kMillisecond);
  EXPECT_EQ(fixture.bus.state(0).bus, BusState::kErrorPassive);
  fixture.bus.set_cut(0, false, 2 * kMillisecond);
  fixture.bus.advance(10 * kMillisecond);
  const auto got = fixture.read(2);
  EXPECT_EQ(got.size(), 21U);
  EXPECT_EQ(got.front().time, 2 * kMillisecond + kLong);
}

TEST(VirtualBus, AFrameCutInTheMiddleArrivesNowhere) {
  Fixture fixture;
  fixture.bus.send(0, frame8(1), 0);
  fixture.bus.advance(kMicrosecond);
  fixture.bus.set_cut(0, true, 2 * kMicrosecond);
  fixture.bus.advance(kMillisecond);
  EXPECT_TRUE(fixture.read(1).empty());
  EXPECT_EQ(fixture.bus.counters().error_frames, 1U);
  EXPECT_EQ(fixture.bus.state(0).waiting, 1U);
}

TEST(VirtualBus, PowerOffEmptiesANode) {
  Fixture fixture;
  fixture.bus.send(1, frame8(1), 0);
  fixture.bus.send(0, frame8(2), 0);
  fixture.bus.advance(kLong + kMicrosecond);  // 1 is received, 2 is on the wire
  fixture.bus.set_online(0, false, kLong + 2 * kMicrosecond);
  fixture.bus.set_online(0, true, kLong + 3 * kMicrosecond);
  fixture.bus.advance(kMillisecond);
  EXPECT_TRUE(fixture.read(0).empty());
  EXPECT_EQ(fixture.ids(2), (Ids{1}));
  EXPECT_EQ(fixture.bus.counters(0).discarded, 1U);
  EXPECT_EQ(fixture.bus.counters(0).sent, 0U);
}

TEST(VirtualBus, BusOffIsLeftOnlyWhenAskedTo) {
  Fixture fixture;
  fixture.bus.send(0, frame8(5), 0);
  fixture.bus.force_bus_off(0, 0);
  EXPECT_EQ(fixture.bus.send(0, frame8(1), 0), SendResult::kBusOff);
  fixture.bus.send(1, frame8(2), 0);
  fixture.bus.advance(kSecond);
  EXPECT_EQ(fixture.bus.state(0).bus, BusState::kBusOff);
  EXPECT_TRUE(fixture.read(0).empty());
  EXPECT_EQ(fixture.ids(2), (Ids{2}));
  fixture.bus.recover(0, kSecond);
  EXPECT_EQ(fixture.bus.send(0, frame8(1), kSecond), SendResult::kQueued);
  fixture.bus.advance(2 * kSecond);
  const auto got = fixture.read(2);
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].time, kSecond + 128 * 11 * kMicrosecond + kLong);
}

// --- two nodes with one identifier ---

TEST(VirtualBus, OneFrameSentByTwoNodesAtOnceIsOneFrame) {
  Fixture fixture;
  fixture.bus.send(0, frame8(0x701, 5), 0);
  fixture.bus.send(1, frame8(0x701, 5), 0);
  fixture.bus.advance(10 * kLong);
  EXPECT_EQ(fixture.ids(2), (Ids{0x701}));
  EXPECT_EQ(fixture.bus.counters(0).sent + fixture.bus.counters(1).sent, 2U);
  EXPECT_TRUE(fixture.read(0).empty());
}

TEST(VirtualBus, DifferentFramesUnderOneIdentifierFightUntilOneGivesWay) {
  Fixture fixture;
  fixture.bus.send(0, frame8(0x181, 1), 0);
  fixture.bus.send(1, frame8(0x181, 0), 0);  // dominant: overwrites the other's bit
  fixture.bus.advance(10 * kMillisecond);
  // 16 collisions make both error passive; in the 17th the weaker one only hurts itself.
  EXPECT_EQ(fixture.bus.counters().collisions, 17U);
  const auto got = fixture.read(2);
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0].sender, 1);
  EXPECT_EQ(got[1].sender, 0);
  EXPECT_EQ(got[0].time,
            16 * (kLong + kErrorFrame + 8 * kMicrosecond) - 15 * 8 * kMicrosecond + kLong);
}

TEST(VirtualBus, OfTwoBoardsThatAlwaysFightTheWeakerOneEndsBusOff) {
  Fixture fixture;
  for (int i = 0; i < 60; ++i) {
    fixture.bus.send(0, frame8(0x181, 1), i * kSecond);
    fixture.bus.send(1, frame8(0x181, 0), i * kSecond);
    fixture.bus.advance((i + 1) * kSecond - 1);
  }
  // From 128 on the weaker one gains 8 for its collision and loses 1 for its frame each time.
  EXPECT_EQ(fixture.bus.state(0).bus, BusState::kBusOff);
  EXPECT_EQ(fixture.bus.state(1).bus, BusState::kErrorActive);
  int of_the_stronger = 0;
  for (const Delivery& delivery : fixture.read(2)) of_the_stronger += delivery.sender == 1 ? 1 : 0;
  EXPECT_EQ(of_the_stronger, 60);
}

// --- faults made to order ---

FaultRule rule(FaultKind kind) {
  FaultRule result;
  result.kind = kind;
  return result;
}

TEST(VirtualBusFaults, ALostFrameKeepsTheWireButIsNotReceived) {
  Fixture fixture;
  FaultRule lose = rule(FaultKind::kLose);
  lose.receiver = 1;
  lose.id = 0x181;
  lose.id_mask = 0x7FF;
  ASSERT_TRUE(fixture.bus.add_fault(lose));
  fixture.bus.send(0, frame8(0x181), 0);
  fixture.bus.send(0, frame8(0x182), 0);
  fixture.bus.advance(kMillisecond);
  EXPECT_EQ(fixture.ids(1), (Ids{0x182}));
  EXPECT_EQ(fixture.ids(2), (Ids{0x181, 0x182}));
  EXPECT_EQ(fixture.bus.busy(), 2 * kLong);
  EXPECT_EQ(fixture.bus.counters().fault_hits, 1U);
}

TEST(VirtualBusFaults, SkipAndCountPickFramesOutOfARow) {
  Fixture fixture;
  FaultRule lose = rule(FaultKind::kLose);
  lose.skip = 2;
  lose.count = 3;
  fixture.bus.add_fault(lose);
  for (std::uint32_t i = 0; i < 8; ++i) fixture.bus.send(0, frame8(i), 0);
  fixture.bus.advance(10 * kMillisecond);
  EXPECT_EQ(fixture.ids(1), (Ids{0, 1, 5, 6, 7}));
}

TEST(VirtualBusFaults, ARuleHoldsInItsTimeAndForItsSender) {
  Fixture fixture;
  FaultRule lose = rule(FaultKind::kLose);
  lose.sender = 0;
  lose.from = kMillisecond;
  lose.until = 2 * kMillisecond;
  fixture.bus.add_fault(lose);
  for (int i = 0; i < 3; ++i) {
    fixture.bus.send(0, frame8(0x10 + i), i * kMillisecond);
    fixture.bus.send(1, frame8(0x20 + i), i * kMillisecond);
    fixture.bus.advance((i + 1) * kMillisecond - 1);
  }
  EXPECT_EQ(fixture.ids(2), (Ids{0x10, 0x20, 0x21, 0x12, 0x22}));
}

TEST(VirtualBusFaults, ADelayedFrameComesLaterThanItsFollowers) {
  Fixture fixture;
  FaultRule delay = rule(FaultKind::kDelay);
  delay.id = 1;
  delay.id_mask = 0x7FF;
  delay.delay = 5 * kMillisecond;
  fixture.bus.add_fault(delay);
  fixture.bus.send(0, frame8(1), 0);
  fixture.bus.send(0, frame8(2), 0);
  fixture.bus.advance(4 * kMillisecond);
  EXPECT_EQ(fixture.ids(1), (Ids{2}));
  EXPECT_EQ(fixture.bus.next_event(), kLong + 5 * kMillisecond);
  fixture.bus.advance(6 * kMillisecond);
  const auto late = fixture.read(1);
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].time, kLong + 5 * kMillisecond);
}

TEST(VirtualBusFaults, WhatIsHeldComesInOneBurst) {
  Fixture fixture;
  FaultRule hold = rule(FaultKind::kHold);
  hold.until = 10 * kMillisecond;
  hold.receiver = 1;
  fixture.bus.add_fault(hold);
  for (std::uint32_t i = 0; i < 9; ++i) {
    fixture.bus.send(0, frame8(i), i * kMillisecond);
    fixture.bus.advance((i + 1) * kMillisecond);
  }
  EXPECT_TRUE(fixture.read(1).empty());
  EXPECT_EQ(fixture.read(2).size(), 9U);
  fixture.bus.advance(10 * kMillisecond);
  EXPECT_EQ(fixture.ids(1), (Ids{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(VirtualBusFaults, ADoubledFrameComesTwice) {
  Fixture fixture;
  fixture.bus.add_fault(rule(FaultKind::kDouble));
  fixture.bus.send(0, frame8(1), 0);
  fixture.bus.advance(kMillisecond);
  EXPECT_EQ(fixture.ids(1), (Ids{1, 1}));
  EXPECT_EQ(fixture.bus.counters().frames, 1U);
}

TEST(VirtualBusFaults, AReorderedFrameChangesPlacesWithTheNext) {
  Fixture fixture;
  FaultRule reorder = rule(FaultKind::kReorder);
  reorder.count = 1;
  reorder.delay = 50 * kMillisecond;
  fixture.bus.add_fault(reorder);
  for (std::uint32_t i = 1; i <= 3; ++i) fixture.bus.send(0, frame8(i), 0);
  fixture.bus.advance(3 * kLong);
  EXPECT_EQ(fixture.ids(1), (Ids{2, 1, 3}));
}

TEST(VirtualBusFaults, ReorderingAllFramesLosesNone) {
  Fixture fixture;
  FaultRule reorder = rule(FaultKind::kReorder);
  reorder.delay = 50 * kMillisecond;
  fixture.bus.add_fault(reorder);
  for (std::uint32_t i = 1; i <= 4; ++i) fixture.bus.send(0, frame8(i), 0);
  fixture.bus.advance(4 * kLong);
  EXPECT_EQ(fixture.ids(1), (Ids{2, 1, 4, 3}));
}

TEST(VirtualBusFaults, AReorderedFrameWithoutAFollowerComesAfterItsDelay) {
  Fixture fixture;
  FaultRule reorder = rule(FaultKind::kReorder);
  reorder.delay = 3 * kMillisecond;
  fixture.bus.add_fault(reorder);
  fixture.bus.send(0, frame8(1), 0);
  fixture.bus.advance(kLong);
  EXPECT_EQ(fixture.bus.next_event(), kLong + 3 * kMillisecond);
  fixture.bus.advance(kLong + 3 * kMillisecond);
  EXPECT_EQ(fixture.ids(1), (Ids{1}));
}

TEST(VirtualBusFaults, ACorruptedFrameIsFollowedByAnErrorFrameAndSentAgain) {
  Fixture fixture;
  FaultRule corrupt = rule(FaultKind::kCorrupt);
  corrupt.count = 2;
  fixture.bus.add_fault(corrupt);
  fixture.bus.send(0, frame8(1), 0);
  fixture.bus.advance(kMillisecond);
  const auto got = fixture.read(1);
  ASSERT_EQ(got.size(), 1U);
  EXPECT_GT(got[0].time, kLong + 2 * kErrorFrame);
  EXPECT_LT(got[0].time, 3 * kLong + 2 * kErrorFrame);
  EXPECT_EQ(fixture.bus.counters().error_frames, 2U);
  EXPECT_EQ(fixture.bus.counters(0).retransmissions, 2U);
  EXPECT_EQ(fixture.bus.state(0).tx_errors, 2 * 8 - 1);
  EXPECT_EQ(fixture.bus.state(1).rx_errors, 2 - 1);
  EXPECT_EQ(fixture.bus.busy(), got[0].time);
}

TEST(VirtualBusFaults, ANodeWhoseFramesAreAlwaysDestroyedGoesBusOff) {
  Fixture fixture;
  FaultRule corrupt = rule(FaultKind::kCorrupt);
  corrupt.sender = 0;
  fixture.bus.add_fault(corrupt);
  fixture.bus.send(0, frame8(1), 0);
  fixture.bus.advance(kSecond);
  EXPECT_EQ(fixture.bus.state(0).bus, BusState::kBusOff);
  EXPECT_EQ(fixture.bus.counters(0).retransmissions, 32U);  // 32 times 8 is 256
  EXPECT_EQ(fixture.bus.counters(0).discarded, 1U);
  EXPECT_EQ(fixture.bus.state(1).bus, BusState::kErrorActive);  // 32 errors
}

TEST(VirtualBusFaults, AnErrorPassiveNodeWaitsEightBitsAfterAFrameOfItsOwn) {
  Fixture fixture;
  FaultRule corrupt = rule(FaultKind::kCorrupt);
  corrupt.count = 20;  // 160 errors: two frames later it is still passive
  fixture.bus.add_fault(corrupt);
  for (std::uint32_t i = 1; i <= 3; ++i) fixture.bus.send(0, frame8(i), 0);
  fixture.bus.advance(10 * kMillisecond);
  const auto got = fixture.read(1);
  ASSERT_EQ(got.size(), 3U);
  EXPECT_EQ(got[1].time - got[0].time, kLong + 8 * kMicrosecond);
  EXPECT_EQ(got[2].time - got[1].time, kLong + 8 * kMicrosecond);
  EXPECT_EQ(fixture.bus.state(0).bus, BusState::kErrorPassive);
}

TEST(VirtualBusFaults, OneGoodFrameMakesAnErrorPassiveReceiverActiveAgain) {
  Fixture fixture(6);
  for (NodeId sender = 0; sender < 5; ++sender) {  // 30 errors each: 240 for it, 150 for the others
    FaultRule corrupt = rule(FaultKind::kCorrupt);
    corrupt.sender = sender;
    corrupt.count = 30;
    fixture.bus.add_fault(corrupt);
    fixture.bus.send(sender, frame8(static_cast<std::uint32_t>(sender)), 0);
  }
  fixture.bus.advance(kSecond);
  EXPECT_EQ(fixture.ids(5), (Ids{0, 1, 2, 3, 4}));
  // 150 less the four good frames between, then the last one: ISO 11898-1 wants 119 to 127.
  EXPECT_EQ(fixture.bus.state(5).rx_errors, 127);
  EXPECT_EQ(fixture.bus.state(5).bus, BusState::kErrorWarning);
}

TEST(VirtualBusFaults, RulesThatMakeNoSenseAreRefused) {
  Fixture fixture;
  FaultRule bad = rule(FaultKind::kHold);  // until when?
  EXPECT_FALSE(fixture.bus.add_fault(bad));
  bad = rule(FaultKind::kLose);
  bad.receiver = 3;
  EXPECT_FALSE(fixture.bus.add_fault(bad));
  bad = rule(FaultKind::kLose);
  bad.probability = 1.5;
  EXPECT_FALSE(fixture.bus.add_fault(bad));
  for (std::size_t i = 0; i < VirtualBus::kMaxRules; ++i) {
    EXPECT_TRUE(fixture.bus.add_fault(rule(FaultKind::kLose)));
  }
  EXPECT_FALSE(fixture.bus.add_fault(rule(FaultKind::kLose)));
  fixture.bus.clear_faults();
  fixture.bus.send(0, frame8(1), 0);
  fixture.bus.advance(kMillisecond);
  EXPECT_EQ(fixture.ids(1), (Ids{1}));
}

TEST(VirtualBusFaults, AShareOfFramesIsHitAsTheProbabilitySays) {
  double all_hits = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    VirtualBusConfig config = by_hand();
    config.seed = seed;
    Fixture fixture(2, config);
    FaultRule lose = rule(FaultKind::kLose);
    lose.probability = 0.3;
    fixture.bus.add_fault(lose);
    for (int i = 0; i < 10'000; ++i) {
      fixture.bus.send(0, frame8(1), i * kMillisecond);
      fixture.bus.advance((i + 1) * kMillisecond);
    }
    all_hits += static_cast<double>(fixture.bus.counters().fault_hits);
  }
  EXPECT_NEAR(all_hits, 30'000, 435);  // three standard deviations of 100 000 draws
}

/// Random traffic under all kinds of faults: everything that was received, with its times.
std::vector<std::string> history(std::uint64_t seed) {
  VirtualBusConfig config;
  config.seed = seed;
  Fixture fixture(4, config);
  for (const FaultKind kind : {FaultKind::kLose, FaultKind::kDelay, FaultKind::kDouble,
                               FaultKind::kReorder, FaultKind::kCorrupt}) {
    FaultRule some = rule(kind);
    some.probability = 0.1;
    some.delay = kMillisecond;
    some.until = 400 * kMillisecond;
    EXPECT_TRUE(fixture.bus.add_fault(some));
  }
  std::mt19937 random(7);
  std::vector<std::string> all;
  for (int i = 0; i < 2'000; ++i) {
    const TimeNs now = i * 250 * kMicrosecond;
    fixture.bus.send(static_cast<NodeId>(random() % 4), random_frame(random), now);
    fixture.bus.advance(now);
    for (NodeId node = 0; node < 4; ++node) {
      for (const Delivery& d : fixture.read(node)) {
        all.push_back(std::to_string(node) + ":" + std::to_string(d.frame.id) + "@" +
                      std::to_string(d.time));
      }
    }
  }
  return all;
}

TEST(VirtualBus, OneSeedGivesOneHistory) {
  const auto first = history(1);
  EXPECT_GT(first.size(), 4'000U);
  EXPECT_EQ(first, history(1));
  EXPECT_NE(first, history(2));
}

TEST(VirtualBus, HowOftenTimeIsHandedInChangesNothing) {
  const auto run = [](TimeNs step) {
    Fixture fixture;
    for (std::uint32_t i = 0; i < 50; ++i)
      fixture.bus.send(i % 2 == 0 ? 0 : 1, frame8(i), i * 40'000);
    for (TimeNs now = 0; now <= 20 * kMillisecond; now += step) fixture.bus.advance(now);
    std::vector<TimeNs> times;
    for (const Delivery& d : fixture.read(2)) times.push_back(d.time);
    return times;
  };
  const auto coarse = run(20 * kMillisecond);
  EXPECT_EQ(coarse.size(), 50U);
  EXPECT_EQ(coarse, run(10 * kMicrosecond));
}

TEST(VirtualBus, EveryFrameIsSentOnceAndReceivedByEachOther) {
  Fixture fixture(4, VirtualBusConfig{});
  std::mt19937 random(8);
  std::array<std::size_t, 4> received{};
  std::uint64_t queued = 0;
  for (int i = 0; i < 3'000; ++i) {
    const TimeNs now = i * 300 * kMicrosecond;
    Frame frame = random_frame(random);
    frame.id = static_cast<std::uint32_t>(i);  // no two at once under one identifier
    frame.extended = true;
    queued +=
        fixture.bus.send(static_cast<NodeId>(random() % 4), frame, now) == SendResult::kQueued;
    fixture.bus.advance(now);
    for (NodeId node = 0; node < 4; ++node) received[node] += fixture.read(node).size();
  }
  fixture.bus.advance(10 * kSecond);
  std::uint64_t sent = 0;
  for (NodeId node = 0; node < 4; ++node) {
    received[node] += fixture.read(node).size();
    sent += fixture.bus.counters(node).sent;
  }
  EXPECT_EQ(sent, queued);
  for (NodeId node = 0; node < 4; ++node) {
    EXPECT_EQ(received[node], queued - fixture.bus.counters(node).sent);
  }
  EXPECT_EQ(fixture.bus.counters().error_frames, 0U);
}

}  // namespace
}  // namespace jointrig::can
