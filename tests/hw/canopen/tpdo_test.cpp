#include "hw/canopen/tpdo.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/hw/canopen/a_slave.h"

namespace jointrig::canopen {
namespace {

/// A slave whose TPDO1 (6041 u16, 6061 i8, 2010:2 u8, 6064 i32) alone is on.
struct Sender : Slave {
  Sender() {
    for (std::uint16_t i = 1; i < 4; ++i) {
      EXPECT_EQ(write(static_cast<std::uint16_t>(0x1800 + i), 1, kPdoInvalid | 0x185),
                AbortCode::kNone);
    }
  }
  void configure(std::uint8_t type, unsigned inhibit = 0, unsigned timer = 0, unsigned start = 0) {
    ASSERT_EQ(write(0x1800, 1, kPdoInvalid | 0x185), AbortCode::kNone);
    ASSERT_EQ(write(0x1800, 2, type), AbortCode::kNone);
    ASSERT_EQ(write(0x1800, 3, inhibit), AbortCode::kNone);
    ASSERT_EQ(write(0x1800, 5, timer), AbortCode::kNone);
    ASSERT_EQ(write(0x1800, 6, start), AbortCode::kNone);
    ASSERT_EQ(write(0x1800, 1, 0x40000185), AbortCode::kNone);
  }
  std::size_t sent_in_syncs(int count) {
    std::size_t sent = 0;
    for (int i = 0; i < count; ++i) sent += hear("080#").size();
    return sent;
  }
  void change_statusword() {
    const auto word = object<std::uint16_t>(0x6041);
    word.set(static_cast<std::uint16_t>(word.get() + 1));
  }
};

TEST(Tpdo, CarriesTheValuesMappedInTheirOrder) {
  Sender slave;
  slave.object<std::uint16_t>(0x6041).set(0x1237);
  slave.object<std::int8_t>(0x6061).set(8);
  slave.object<std::uint8_t>(0x2010, 2).set(0x42);
  slave.object<std::int32_t>(0x6064).set(-2);
  slave.quietly({kStartAll});
  EXPECT_EQ(slave.hear("080#"), Texts{"185#37120842FEFFFFFF"});
}

TEST(Tpdo, Types1To240ComeAtEveryNthSync) {
  constexpr int kSyncs = 2 * 240;
  for (int type = 1; type <= 240; ++type) {
    Sender slave;
    slave.configure(static_cast<std::uint8_t>(type));
    slave.quietly({kStartAll});
    EXPECT_EQ(slave.sent_in_syncs(type - 1), 0U) << type;
    EXPECT_EQ(slave.sent_in_syncs(1), 1U) << type;
    EXPECT_EQ(slave.sent_in_syncs(kSyncs - type), static_cast<std::size_t>(kSyncs / type - 1))
        << type;
  }
}

TEST(Tpdo, Type0ComesAtTheSyncAfterAChange) {
  Sender slave;
  slave.configure(0);
  slave.quietly({kStartAll});
  EXPECT_EQ(slave.sent_in_syncs(5), 1U) << "once, so that the master knows the values";
  slave.change_statusword();
  EXPECT_EQ(slave.wait_ms(50), Texts{}) << "not before the SYNC";
  EXPECT_EQ(slave.sent_in_syncs(5), 1U);
  slave.object<std::int32_t>(0x6064).set(99);
  EXPECT_EQ(slave.sent_in_syncs(5), 0U) << "a position is no event";
}

TEST(Tpdo, EventDrivenOnesComeOnceAtTheStartAndAtEveryChange) {
  for (const std::uint8_t type : {254, 255}) {
    Sender slave;
    slave.configure(type);
    slave.quietly({kStartAll});
    EXPECT_EQ(slave.wait_ms(50), Texts{});
    EXPECT_EQ(slave.sent_in_syncs(5), 0U);
    slave.change_statusword();
    EXPECT_EQ(slave.wait_ms(50).size(), 1U) << int{type};
  }
  Sender slave;
  slave.configure(255);
  EXPECT_EQ(slave.hear(kStartAll).size(), 1U);
}

TEST(Tpdo, WhatTheDeviceCallsWorthTellingIsAnEventEvenIfItIsTheSameAgain) {
  Sender slave;
  slave.configure(255);
  slave.quietly({kStartAll});
  slave.object<std::int32_t>(0x6064).set(7);
  EXPECT_EQ(slave.wait_ms(50), Texts{}) << "a position is no event by itself";
  slave.object<std::int32_t>(0x6064).tell();
  EXPECT_EQ(slave.wait_ms(50), Texts{"185#0000000007000000"});
  slave.object<std::int32_t>(0x6064).tell();
  EXPECT_EQ(slave.wait_ms(50), Texts{"185#0000000007000000"});
}

TEST(Tpdo, TheInhibitTimeKeepsThemApart) {
  Sender slave;
  slave.configure(255, 100);  // 10 ms
  slave.quietly({kStartAll});
  std::size_t sent = 0;
  for (int ms = 0; ms < 100; ++ms) {
    slave.change_statusword();
    sent += slave.wait_ms(1).size();
  }
  EXPECT_EQ(sent, 10U);
  slave.change_statusword();
  EXPECT_EQ(slave.wait_ms(20).size(), 1U) << "the last change gets out too";
}

TEST(Tpdo, TheEventTimerSendsWithoutAnEvent) {
  Sender slave;
  slave.configure(255, 0, 25);
  slave.quietly({kStartAll});
  EXPECT_EQ(slave.wait_ms(100).size(), 4U);
  EXPECT_EQ(slave.wait_ms(20).size(), 0U);
  slave.change_statusword();  // 20 ms after the last one: the timer starts anew
  EXPECT_EQ(slave.wait_ms(1).size(), 1U);
  EXPECT_EQ(slave.wait_ms(24).size(), 0U);
  EXPECT_EQ(slave.wait_ms(1).size(), 1U);
}

TEST(Tpdo, TheSyncStartValueShiftsTheCount) {
  Sender slave;
  ASSERT_EQ(slave.write(0x1019, 0, 10), AbortCode::kNone);
  slave.configure(2, 0, 0, 4);
  slave.quietly({kStartAll});
  Texts came;
  for (int counter = 1; counter <= 10; ++counter) {
    const std::string text = counter == 10 ? "080#0A" : "080#0" + std::to_string(counter);
    if (!slave.hear(text).empty()) came.push_back(text);
  }
  // 4 is the first of two.
  EXPECT_EQ(came, (Texts{"080#05", "080#07", "080#09"}));
}

TEST(Tpdo, WithoutACounterThereIsNoStartToWaitFor) {
  Sender slave;
  slave.configure(2, 0, 0, 4);
  slave.quietly({kStartAll});
  EXPECT_EQ(slave.sent_in_syncs(4), 2U);
}

TEST(Tpdo, SwitchedOffAndOnItStartsAnew) {
  Sender slave;
  slave.configure(5);
  slave.quietly({kStartAll});
  EXPECT_EQ(slave.sent_in_syncs(4), 0U);
  slave.configure(5);
  EXPECT_EQ(slave.sent_in_syncs(4), 0U);
  EXPECT_EQ(slave.sent_in_syncs(1), 1U);
  slave.configure(255);
  EXPECT_EQ(slave.wait_ms(10).size(), 1U) << "an event-driven one tells its values";
  slave.configure(255);
  EXPECT_EQ(slave.wait_ms(10).size(), 1U);
}

TEST(Tpdo, CarriesTheValuesOfItsSync) {
  struct Clock : RecordingApplication {
    SlaveNode* node = nullptr;
    void sample(std::int64_t now) noexcept override {
      node->objects().find(0x6064, 0)->storage[0] = static_cast<std::uint8_t>(now);
    }
  } clock;
  SlaveNode node(joint_board(), 5, clock);
  clock.node = &node;
  node.power_on(0);
  node.receive(from_text(kStartAll), 1);
  node.poll(2);
  (void)taken_from(node.out());
  node.receive(from_text("080#"), 7);
  EXPECT_EQ(taken_from(node.out())[0], "185#0000000007000000");
}

TEST(Tpdo, NothingIsSentOutsideOperationalOrWhenOff) {
  Sender slave;
  EXPECT_EQ(slave.sent_in_syncs(3), 0U);
  slave.quietly({kStartAll});
  EXPECT_EQ(slave.sent_in_syncs(3), 3U);
  slave.quietly({"000#8000"});
  EXPECT_EQ(slave.sent_in_syncs(3), 0U);
  slave.quietly({kStartAll});
  ASSERT_EQ(slave.write(0x1800, 1, kPdoInvalid | 0x185), AbortCode::kNone);
  EXPECT_EQ(slave.sent_in_syncs(3), 0U);
}

TEST(Tpdo, IsSampledBeforeTheCommandsOfTheSameSyncAct) {
  // The echo of the life counter would show a command that acted too early.
  struct Echo : RecordingApplication {
    SlaveNode* node = nullptr;
    void act(std::int64_t /*now*/) noexcept override {
      node->objects().find(0x2010, 2)->storage[0] = node->objects().find(0x2010, 1)->storage[0];
    }
  } echo;
  SlaveNode node(joint_board(), 5, echo);
  echo.node = &node;
  node.power_on(0);
  for (const char* text : {kStartAll, "205#0000007700000000"}) node.receive(from_text(text), 0);
  (void)taken_from(node.out());
  node.receive(from_text("080#"), 0);
  EXPECT_EQ(taken_from(node.out())[0], "185#0000000000000000");
  node.receive(from_text("080#"), 0);
  EXPECT_EQ(taken_from(node.out())[0], "185#0000007700000000");
}

}  // namespace
}  // namespace jointrig::canopen
