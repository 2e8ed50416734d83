#include "hw/canopen/emergency.h"

#include <gtest/gtest.h>

#include <set>

#include "hw/canopen/joint_board_objects.h"
#include "tests/hw/canopen/frame_text.h"

namespace jointrig::canopen {
namespace {

struct Board {
  ObjectDictionary objects{joint_board(), 5};
  EmergencyProducer emergencies{objects};
  FrameQueue out;

  Board() { objects.object<std::uint16_t>(0x1015).set(0); }  // no inhibit time
  Texts sent(std::int64_t now = 0) {
    emergencies.poll(true, now, out);
    return taken_from(out);
  }
  std::uint64_t value(std::uint16_t index, std::uint8_t sub) {
    return objects.find(index, sub)->bits();
  }
};

TEST(EmergencyProducer, TellsAnErrorOnceAndItsEndOnce) {
  Board board;
  EXPECT_TRUE(board.emergencies.raise(0x7320));
  EXPECT_FALSE(board.emergencies.raise(0x7320));
  EXPECT_EQ(board.sent(), Texts{"085#2073010000000000"});
  board.emergencies.clear(0x7320);
  board.emergencies.clear(0x7320);
  EXPECT_EQ(board.sent(), Texts{"085#0000000000000000"});
}

TEST(EmergencyProducer, SaysAllIsWellOnlyWhenItIs) {
  Board board;
  board.emergencies.raise(0x2310);
  board.emergencies.raise(0x4310);
  board.emergencies.raise(0x8210, 3);
  EXPECT_EQ(board.sent(), (Texts{"085#1023030000000000",     // generic + current
                                 "085#10430B0000000000",     // + temperature
                                 "085#10821B0300000000"}));  // + communication; RPDO 3
  board.emergencies.clear(0x4310);
  EXPECT_EQ(board.value(0x1001, 0), 0x13U);
  board.emergencies.clear(0x2310);
  EXPECT_EQ(board.sent(), Texts{});
  board.emergencies.clear(0x8210, 3);
  EXPECT_EQ(board.sent(), Texts{"085#0000000000000000"});
  EXPECT_EQ(board.value(0x1001, 0), 0U);
}

TEST(EmergencyProducer, WhatIsLatchedOutlivesItsCause) {
  Board board;
  board.emergencies.raise(0x8130, 127);
  board.emergencies.latch(0x8130);  // the drive has faulted for it
  EXPECT_EQ(board.sent(), Texts{"085#3081117F00000000"}) << "told once";
  board.emergencies.clear(0x8130, 127);
  EXPECT_EQ(board.sent(), Texts{}) << "the master is back, the fault is not over";
  EXPECT_EQ(board.value(0x1001, 0), 0x11U);
  board.emergencies.release_latched();
  EXPECT_EQ(board.sent(), Texts{"085#0000000000000000"});
}

TEST(EmergencyProducer, AllThatIsLatchedEndsTogether) {
  Board board;
  board.emergencies.latch(0x7320);
  board.emergencies.latch(0x7320);
  board.emergencies.latch(0x4310);
  EXPECT_EQ(board.sent().size(), 2U);
  board.emergencies.clear(0x7320);
  EXPECT_EQ(board.sent(), Texts{}) << "clear() is for what raise() told";
  board.emergencies.raise(0x8210, 1);
  board.emergencies.release_latched();
  EXPECT_EQ(board.sent(), Texts{"085#1082190100000000"}) << "the short PDO is still there";
  board.emergencies.clear(0x8210, 1);
  EXPECT_EQ(board.sent(), Texts{"085#0000000000000000"});
}

TEST(EmergencyProducer, KeepsAHistoryWithTheNewestFirst) {
  Board board;
  for (std::uint16_t i = 0; i < 10; ++i)
    board.emergencies.raise(static_cast<std::uint16_t>(0xFF00 + i));
  EXPECT_EQ(board.value(0x1003, 0), 8U);
  EXPECT_EQ(board.value(0x1003, 1), 0xFF09U);
  EXPECT_EQ(board.value(0x1003, 8), 0xFF02U);
}

TEST(EmergencyProducer, OnlyZeroClearsTheHistory) {
  Board board;
  board.emergencies.raise(0x8210, 2);
  EXPECT_EQ(board.value(0x1003, 1), 0x28210U);
  Entry& count = *board.objects.find(0x1003, 0);
  const std::uint8_t one[] = {1};
  const std::uint8_t zero[] = {0};
  EXPECT_EQ(board.objects.write(count, one), AbortCode::kValue);
  EXPECT_EQ(board.value(0x1003, 0), 1U);
  EXPECT_EQ(board.objects.write(count, zero), AbortCode::kNone);
  EXPECT_EQ(board.value(0x1003, 0), 0U);
  EXPECT_EQ(board.value(0x1003, 1), 0U);
}

TEST(EmergencyProducer, AResetLeavesNothingOfIt) {
  Board board;
  board.emergencies.raise(0x7320);
  board.emergencies.reset();
  EXPECT_EQ(board.sent(), Texts{}) << "not even that all is well";
  EXPECT_EQ(board.value(0x1001, 0), 0U);
  EXPECT_EQ(board.value(0x1003, 0), 0U);
  EXPECT_EQ(board.value(0x1003, 1), 0U);
}

TEST(EmergencyProducer, SendsNoFasterThanTheInhibitTime) {
  Board board;
  board.objects.object<std::uint16_t>(0x1015).set(100);  // 10 ms
  for (std::uint16_t i = 0; i < 3; ++i)
    board.emergencies.raise(static_cast<std::uint16_t>(0xFF00 + i));
  EXPECT_EQ(board.sent(0).size(), 1U);
  EXPECT_EQ(board.sent(9'999'999).size(), 0U);
  EXPECT_EQ(board.sent(10'000'000).size(), 1U);
  EXPECT_EQ(board.sent(30'000'000).size(), 1U);
  EXPECT_EQ(board.sent(90'000'000).size(), 0U);
}

TEST(EmergencyProducer, AResetEndsTheInhibitTime) {
  Board board;
  board.objects.object<std::uint16_t>(0x1015).set(100);
  board.emergencies.raise(0x7320);
  EXPECT_EQ(board.sent(0).size(), 1U);
  board.emergencies.reset();
  board.emergencies.raise(0x7320);
  EXPECT_EQ(board.sent(1).size(), 1U);
}

TEST(EmergencyProducer, IsSilentWhereItsIdentifierIsOff) {
  Board board;
  board.objects.object<std::uint32_t>(0x1014).set(0x80000085);
  board.emergencies.raise(0x7320);
  EXPECT_EQ(board.sent(), Texts{});
  EXPECT_EQ(board.value(0x1003, 1), 0x7320U) << "the history has it all the same";
}

TEST(EmergencyProducer, WaitsWhileTheNodeMayNotSend) {
  Board board;
  board.emergencies.raise(0x7320);
  board.emergencies.poll(false, 0, board.out);
  EXPECT_EQ(taken_from(board.out), Texts{});
  EXPECT_EQ(board.sent(1).size(), 1U);
}

TEST(EmergencyProducer, AStormIsBoundedAndCounted) {
  Board board;
  for (std::uint16_t i = 0; i < 100; ++i)
    board.emergencies.raise(static_cast<std::uint16_t>(0xFF00 + i));
  EXPECT_EQ(board.sent().size(), 32U);
  // 68 EMCYs found the queue full; 84 errors found no place in the list of 16.
  EXPECT_EQ(board.emergencies.dropped(), 68U + 84U);
}

TEST(EmergencyLog, KeepsTheNewestAndCountsAll) {
  EmergencyLog log;
  EXPECT_EQ(log.present(), 0);
  for (int i = 0; i < 70; ++i) EXPECT_TRUE(log.receive(from_text("085#2073210102030405"), i));
  EXPECT_TRUE(log.receive(from_text("085#0000000000000000"), 70));
  EXPECT_EQ(log.total(), 71U);
  EXPECT_EQ(log.kept(), 64U);
  EXPECT_EQ(log.present(), 0);
  EXPECT_EQ(log.recent(1).emergency, (Emergency{0x7320, 0x21, {1, 2, 3, 4, 5}}));
  EXPECT_EQ(log.recent(1).time, 69);
  EXPECT_EQ(log.recent(63).time, 7);
  for (const char* none : {"080#0000000000000000", "100#0000000000000000", "085#20732101020304"}) {
    EXPECT_FALSE(log.receive(from_text(none), 0)) << none;
  }
}

TEST(EmergencyLog, KnowsAStorm) {
  EmergencyLog log;
  constexpr std::int64_t kSecond = 1'000'000'000;
  for (int i = 0; i < 150; ++i) log.receive(from_text("085#2073210102030405"), i);
  EXPECT_EQ(log.per_second(kSecond - 1), 150U);
  EXPECT_EQ(log.per_second(kSecond), 150U);
  EXPECT_EQ(log.per_second(2 * kSecond), 0U);
  log.receive(from_text("085#2073210102030405"), kSecond);
  EXPECT_EQ(log.per_second(kSecond), 150U);
  log.receive(from_text("085#2073210102030405"), 3 * kSecond);
  EXPECT_EQ(log.per_second(3 * kSecond), 1U);
}

TEST(EmergencyWords, EveryCodeInUseHasItsOwnWords) {
  std::set<std::string_view> words;
  const std::uint16_t codes[] = {0x2310, 0x2320, 0x3210, 0x3220, 0x4210, 0x4310, 0x6320,
                                 0x7121, 0x7305, 0x7320, 0x8110, 0x8120, 0x8130, 0x8140,
                                 0x8150, 0x8210, 0x8220, 0x8240, 0x8250, 0x8611, 0x8612};
  for (const std::uint16_t code : codes) words.insert(emergency_in_words(code));
  EXPECT_EQ(words.size(), std::size(codes));
  EXPECT_EQ(emergency_in_words(0x8611), "following error");
  EXPECT_EQ(emergency_in_words(0x3299), "voltage, inside");  // its class
  EXPECT_EQ(emergency_in_words(0x2999), "current");          // its wider class
  EXPECT_EQ(emergency_in_words(0xFF03), "manufacturer's error");
  EXPECT_EQ(emergency_in_words(0xE000), "an unlisted error");
}

}  // namespace
}  // namespace jointrig::canopen
