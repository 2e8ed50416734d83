#include "hw/canopen/rpdo.h"

#include <gtest/gtest.h>

#include "tests/hw/canopen/a_slave.h"

namespace jointrig::canopen {
namespace {

/// RPDO1 of node 5: 6040 u16, 6060 i8, 2010:1 u8, 607A i32; type 1.
TEST(Rpdo, WhatCameBeforeASyncActsAtIt) {
  Slave slave;
  slave.quietly({kStartAll});
  slave.quietly({"205#0F0108070A000000"});
  EXPECT_EQ(slave.object<std::int32_t>(0x607A).get(), 0);
  slave.quietly({"080#"});
  EXPECT_EQ(slave.object<std::uint16_t>(0x6040).get(), 0x010F);
  EXPECT_EQ(slave.object<std::int8_t>(0x6060).get(), 8);
  EXPECT_EQ(slave.object<std::uint8_t>(0x2010, 1).get(), 7);
  EXPECT_EQ(slave.object<std::int32_t>(0x607A).get(), 10);
  EXPECT_EQ(slave.application.acts, 1);
  slave.quietly({"080#"});
  EXPECT_EQ(slave.application.acts, 1) << "it acts once";
}

TEST(Rpdo, TheNewestOfOneCycleCounts) {
  Slave slave;
  slave.quietly({kStartAll, "205#0600080001000000", "205#0700080002000000", "080#"});
  EXPECT_EQ(slave.object<std::int32_t>(0x607A).get(), 2);
  EXPECT_EQ(slave.node.rpdo_counters().replaced, 1U);
  EXPECT_EQ(slave.node.rpdo_counters().used, 1U);
}

TEST(Rpdo, OfTwoKindsInOneCycleTheLastOnesControlwordWins) {
  Slave first_position;
  first_position.quietly({kStartAll, "205#0600080001000000", "305#0F000A0005000000", "080#"});
  EXPECT_EQ(first_position.object<std::uint16_t>(0x6040).get(), 0x0F);

  Slave first_torque;
  first_torque.quietly({kStartAll, "305#0F000A0005000000", "205#0600080001000000", "080#"});
  EXPECT_EQ(first_torque.object<std::uint16_t>(0x6040).get(), 0x06);
  EXPECT_EQ(first_torque.object<std::int16_t>(0x6071).get(), 5) << "the other's target counts too";
}

TEST(Rpdo, EventDrivenOnesActAtOnce) {
  for (const std::uint8_t type : {254, 255}) {
    Slave slave;
    ASSERT_EQ(slave.write(0x1400, 2, type), AbortCode::kNone);
    slave.quietly({kStartAll, "205#0F0108070A000000"});
    EXPECT_EQ(slave.object<std::int32_t>(0x607A).get(), 10) << int{type};
    EXPECT_EQ(slave.application.acts, 1);
  }
}

TEST(Rpdo, AnyOfTheSynchronousTypesWaitsForTheNextSync) {
  for (const std::uint8_t type : {0, 1, 2, 240}) {
    Slave slave;
    ASSERT_EQ(slave.write(0x1400, 2, type), AbortCode::kNone);
    slave.quietly({kStartAll, "205#0F0108070A000000"});
    EXPECT_EQ(slave.object<std::int32_t>(0x607A).get(), 0) << int{type};
    slave.quietly({"080#"});
    EXPECT_EQ(slave.object<std::int32_t>(0x607A).get(), 10) << int{type};
  }
}

TEST(Rpdo, IsDeafOutsideOperational) {
  Slave slave;
  slave.quietly({"205#0F0108070A000000", "080#", kStartAll, "080#"});
  EXPECT_EQ(slave.object<std::int32_t>(0x607A).get(), 0);
  // Data that waited for a SYNC is dropped when the node returns.
  slave.quietly({"205#0F0108070A000000", "000#8000", kStartAll, "080#"});
  EXPECT_EQ(slave.object<std::int32_t>(0x607A).get(), 0);
}

TEST(Rpdo, ATooShortOneIsDroppedAndToldOnce) {
  Slave slave;
  slave.quietly({kStartAll});
  EXPECT_EQ(slave.hear_all({"205#0F0108070A0000", "205#"}), Texts{"085#1082110100000000"});
  slave.quietly({"080#"});
  EXPECT_EQ(slave.object<std::int32_t>(0x607A).get(), 0);
  EXPECT_EQ(slave.node.rpdo_counters().too_short, 2U);
  EXPECT_EQ(slave.hear("205#0F0108070A000000"), Texts{"085#0000000000000000"});
}

TEST(Rpdo, OfATooLongOneTheMappedPartIsUsed) {
  Slave slave;  // RPDO4: 60B1 i32, 60B2 i16: 6 bytes
  slave.quietly({kStartAll});
  EXPECT_EQ(slave.hear("505#01000000020033"), Texts{"085#2082110400000000"});
  slave.quietly({"080#"});
  EXPECT_EQ(slave.object<std::int32_t>(0x60B1).get(), 1);
  EXPECT_EQ(slave.object<std::int16_t>(0x60B2).get(), 2);
  EXPECT_EQ(slave.hear("505#010000000200"), Texts{"085#0000000000000000"});
}

TEST(Rpdo, SilenceBeyondItsDeadlineIsToldOnceAndOnlyAfterOneCame) {
  Slave slave;
  ASSERT_EQ(slave.write(0x1400, 5, 20), AbortCode::kNone);  // ms
  slave.quietly({kStartAll});
  (void)slave.wait_ms(100);
  EXPECT_TRUE(slave.application.lost.empty()) << "none came yet";

  slave.quietly({"205#0F0108070A000000"});
  slave.now += 20 * kMillisecond;
  slave.node.poll(slave.now);
  EXPECT_TRUE(slave.application.lost.empty());
  slave.now += 1;
  slave.node.poll(slave.now);
  EXPECT_EQ(slave.application.lost, std::vector<std::uint16_t>{0x8250});
  const Texts sent = taken_from(slave.node.out());
  EXPECT_EQ(std::count(sent.begin(), sent.end(), "085#5082110100000000"), 1);
  (void)slave.wait_ms(100);
  EXPECT_EQ(slave.application.lost.size(), 1U);

  const Texts back = slave.hear("205#0F0108070A000000");
  EXPECT_EQ(std::count(back.begin(), back.end(), "085#0000000000000000"), 1);
}

TEST(Rpdo, ADeadlineStartsAnewWithOperational) {
  Slave slave;
  ASSERT_EQ(slave.write(0x1400, 5, 20), AbortCode::kNone);
  slave.quietly({kStartAll, "205#0F0108070A000000", "000#8000"});
  (void)slave.wait_ms(100);
  slave.quietly({kStartAll});
  (void)slave.wait_ms(100);
  EXPECT_TRUE(slave.application.lost.empty());
}

TEST(Rpdo, OneThatIsSwitchedOffHasNoDeadline) {
  Slave slave;
  ASSERT_EQ(slave.write(0x1400, 5, 20), AbortCode::kNone);
  slave.quietly({kStartAll, "205#0F0108070A000000"});
  ASSERT_EQ(slave.write(0x1400, 1, kPdoInvalid | 0x205), AbortCode::kNone);
  (void)slave.wait_ms(100);
  EXPECT_TRUE(slave.application.lost.empty());
}

TEST(Rpdo, TooLateInTheCycleIsNotUsed) {
  Slave slave;
  ASSERT_EQ(slave.write(0x1007, 0, 800), AbortCode::kNone);  // us
  slave.quietly({kStartAll, "080#"});
  slave.now = 800'000;
  slave.quietly({"205#0F01080701000000"});
  slave.now = 800'001;
  slave.quietly({"205#0F01080702000000"});
  slave.now = 1'000'000;
  slave.quietly({"080#"});
  EXPECT_EQ(slave.object<std::int32_t>(0x607A).get(), 1);
  EXPECT_EQ(slave.node.rpdo_counters().outside_window, 1U);
}

TEST(Rpdo, AValueOutsideItsLimitsIsNotTakenTheOthersAre) {
  Slave slave;  // RPDO2: 6040, 6060, 2010:1, 6071 i16, 2020:1 i16 within ±32767
  slave.quietly({kStartAll, "305#0600000005000080", "080#"});  // -32768
  EXPECT_EQ(slave.object<std::int16_t>(0x6071).get(), 5);
  EXPECT_EQ(slave.object<std::int16_t>(0x2020, 1).get(), 0);
  EXPECT_EQ(slave.node.rpdo_counters().refused, 1U);
}

TEST(Rpdo, DummyBytesAreSkipped) {
  Slave slave;
  ASSERT_EQ(slave.write(0x1403, 1, 0x80000505), AbortCode::kNone);
  ASSERT_EQ(slave.write(0x1603, 0, 0), AbortCode::kNone);
  ASSERT_EQ(slave.write(0x1603, 1, 0x00070020), AbortCode::kNone);  // 4 bytes for nobody
  ASSERT_EQ(slave.write(0x1603, 2, 0x60B20010), AbortCode::kNone);
  ASSERT_EQ(slave.write(0x1603, 0, 2), AbortCode::kNone);
  ASSERT_EQ(slave.write(0x1403, 1, 0x00000505), AbortCode::kNone);
  slave.quietly({kStartAll, "505#FFFFFFFF0300", "080#"});
  EXPECT_EQ(slave.object<std::int16_t>(0x60B2).get(), 3);
}

}  // namespace
}  // namespace jointrig::canopen
