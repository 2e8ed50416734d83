#include "hw/canopen/slave_node.h"

#include <gtest/gtest.h>

#include "tests/hw/canopen/a_slave.h"

namespace jointrig::canopen {
namespace {

TEST(SlaveNode, BootsWithOneMessageAndIsPreOperational) {
  RecordingApplication application;
  SlaveNode node(joint_board(), 5, application);
  node.receive(from_text(kStartAll), 0);
  EXPECT_EQ(node.state(), NmtState::kInitialising) << "deaf before it is powered on";
  node.power_on(0);
  EXPECT_EQ(taken_from(node.out()), Texts{"705#00"});
  EXPECT_EQ(node.state(), NmtState::kPreOperational);
}

TEST(SlaveNode, ObeysOrdersToItAndToAll) {
  Slave slave;
  slave.quietly({"000#0106"});
  EXPECT_EQ(slave.node.state(), NmtState::kPreOperational) << "node 6 was meant";
  slave.quietly({"000#0105"});
  EXPECT_EQ(slave.node.state(), NmtState::kOperational);
  slave.quietly({"000#0200"});
  EXPECT_EQ(slave.node.state(), NmtState::kStopped);
  slave.quietly({"000#8005"});
  EXPECT_EQ(slave.node.state(), NmtState::kPreOperational);
  EXPECT_EQ(slave.application.states, (std::vector<std::string>{"pre-operational", "operational",
                                                                "stopped", "pre-operational"}));
}

TEST(SlaveNode, ResetCommunicationKeepsTheDrivesOwnValues) {
  Slave slave;
  ASSERT_EQ(slave.write(0x1017, 0, 50), AbortCode::kNone);
  ASSERT_EQ(slave.write(0x6065, 0, 77), AbortCode::kNone);
  EXPECT_EQ(slave.hear("000#8205"), Texts{"705#00"});
  EXPECT_EQ(slave.object<std::uint16_t>(0x1017).get(), 0);
  EXPECT_EQ(slave.object<std::uint32_t>(0x6065).get(), 77U);
  EXPECT_EQ(slave.hear("000#8105"), Texts{"705#00"});
  EXPECT_EQ(slave.object<std::uint32_t>(0x6065).get(), 0xFFFF'FFFFU);
  EXPECT_EQ(slave.application.resets, (std::vector<bool>{false, true}));
}

TEST(SlaveNode, ResetBringsAChangedPdoBack) {
  Slave slave;
  ASSERT_EQ(slave.write(0x1800, 1, kPdoInvalid | 0x185), AbortCode::kNone);
  slave.quietly({"000#8205", kStartAll});
  EXPECT_EQ(slave.hear("080#")[0].substr(0, 4), "185#");
}

TEST(SlaveNode, AnswersSdosOnlyWhereItMay) {
  const std::string ask = "605#4000100000000000";
  const Texts answer{"585#4300100092010200"};
  Slave slave;
  EXPECT_EQ(slave.hear(ask), answer);
  slave.quietly({kStartAll});
  EXPECT_EQ(slave.hear(ask), answer);
  slave.quietly({"000#0205"});
  EXPECT_EQ(slave.hear(ask), Texts{}) << "stopped: NMT and heartbeat only";
  EXPECT_EQ(slave.hear("606#4000100000000000"), Texts{}) << "another node's";
}

TEST(SlaveNode, AStoppedNodeForgetsATransfer) {
  Slave slave;
  slave.quietly({"605#4008100000000000", "000#0205", "000#8005"});
  EXPECT_EQ(slave.hear("605#6000000000000000"), Texts{"585#8008100001000405"});
}

TEST(SlaveNode, AStoppedNodeHearsNoSync) {
  Slave slave;
  slave.quietly({"080#"});
  EXPECT_EQ(slave.application.syncs, 1) << "pre-operational does";
  slave.quietly({"000#0205", "080#", "080#01"});
  EXPECT_EQ(slave.application.syncs, 1);
  EXPECT_EQ(slave.object<std::uint8_t>(0x1001).get(), 0);
}

TEST(SlaveNode, BeingStartedAgainDisturbsNothing) {
  Slave slave;
  slave.quietly({kStartAll, "205#0F0108070A000000", kStartAll, "080#"});
  EXPECT_EQ(slave.object<std::int32_t>(0x607A).get(), 10);
  EXPECT_EQ(slave.application.states, (std::vector<std::string>{"pre-operational", "operational"}));
}

TEST(SlaveNode, BeatsAsToldInEveryState) {
  Slave slave;
  ASSERT_EQ(slave.write(0x1017, 0, 10), AbortCode::kNone);
  EXPECT_EQ(slave.wait_ms(20), (Texts{"705#7F", "705#7F"}));
  slave.quietly({"000#0205"});
  EXPECT_EQ(slave.wait_ms(20), (Texts{"705#04", "705#04"}));
}

/// 1016h:1: node 127, 150 ms.
constexpr std::uint64_t kWatchMaster = 127ULL << 16 | 150;

TEST(SlaveNode, AMasterThatFallsSilentTakesItOutOfOperational) {
  struct Case {
    std::uint8_t behaviour;
    NmtState state;
  };
  for (const Case& c : {Case{0, NmtState::kPreOperational}, Case{1, NmtState::kOperational},
                        Case{2, NmtState::kStopped}}) {
    SCOPED_TRACE(int{c.behaviour});
    Slave slave;
    ASSERT_EQ(slave.write(0x1016, 1, kWatchMaster), AbortCode::kNone);
    ASSERT_EQ(slave.write(0x1029, 1, c.behaviour), AbortCode::kNone);
    slave.quietly({kStartAll, "77F#05"});
    (void)slave.wait_ms(150);
    EXPECT_EQ(slave.node.state(), NmtState::kOperational);
    const Texts sent = slave.wait_ms(1);
    EXPECT_EQ(slave.node.state(), c.state);
    EXPECT_EQ(slave.application.lost, std::vector<std::uint16_t>{0x8130});
    const bool told = std::find(sent.begin(), sent.end(), "085#3081117F00000000") != sent.end();
    EXPECT_EQ(told, c.state != NmtState::kStopped) << "stopped: no EMCY either";
    slave.quietly({"77F#05"});
    EXPECT_EQ(slave.object<std::uint8_t>(0x1001).get(), 0);
    EXPECT_EQ(slave.node.state(), c.state) << "nothing starts again by itself";
  }
}

TEST(SlaveNode, AWatchThatIsEndedEndsItsError) {
  Slave slave;
  ASSERT_EQ(slave.write(0x1016, 1, kWatchMaster), AbortCode::kNone);
  slave.quietly({"77F#05"});
  (void)slave.wait_ms(200);
  ASSERT_NE(slave.object<std::uint8_t>(0x1001).get(), 0);
  ASSERT_EQ(slave.write(0x1016, 1, 0), AbortCode::kNone);
  EXPECT_EQ(slave.object<std::uint8_t>(0x1001).get(), 0);
}

TEST(SlaveNode, AResetEndsTheWatchOverTheMaster) {
  Slave slave;
  ASSERT_EQ(slave.write(0x1016, 1, kWatchMaster), AbortCode::kNone);
  slave.quietly({"77F#05", "000#8205", kStartAll});
  (void)slave.wait_ms(1000);
  EXPECT_TRUE(slave.application.lost.empty());
  EXPECT_EQ(slave.node.state(), NmtState::kOperational);
}

TEST(SlaveNode, OneNodeIsWatchedByOneEntry) {
  Slave slave;
  ASSERT_EQ(slave.write(0x1016, 1, kWatchMaster), AbortCode::kNone);
  EXPECT_EQ(slave.write(0x1016, 2, kWatchMaster), AbortCode::kParameterIncompatible);
  EXPECT_EQ(slave.write(0x1016, 2, 0x007F0000), AbortCode::kNone);  // no time: watches nobody
  EXPECT_EQ(slave.write(0x1016, 1, kWatchMaster + 1), AbortCode::kNone);
  EXPECT_EQ(slave.write(0x1016, 2, 0x00800010), AbortCode::kValue);  // node 128
  EXPECT_EQ(slave.write(0x1016, 2, 0x017E0010), AbortCode::kValue);  // reserved bits
}

TEST(SlaveNode, ASyncOfTheWrongLengthIsToldAndNotUsed) {
  Slave slave;
  slave.quietly({kStartAll});
  EXPECT_EQ(slave.hear("080#01"), Texts{"085#4082110000000000"});
  EXPECT_EQ(slave.application.syncs, 0);
  const Texts answer = slave.hear("080#");
  EXPECT_EQ(slave.application.syncs, 1);
  EXPECT_EQ(answer.back(), "085#0000000000000000");
}

TEST(SlaveNode, TheCounterOfSyncIsSetBeforeThePeriod) {
  Slave slave;
  EXPECT_EQ(slave.write(0x1019, 0, 1), AbortCode::kValue);
  EXPECT_EQ(slave.write(0x1019, 0, 241), AbortCode::kValue);
  EXPECT_EQ(slave.write(0x1019, 0, 240), AbortCode::kNone);
  ASSERT_EQ(slave.write(0x1006, 0, 1000), AbortCode::kNone);
  EXPECT_EQ(slave.write(0x1019, 0, 10), AbortCode::kDeviceState);
}

TEST(SlaveNode, MakesNoSyncItselfAndListensWhereItIsTold) {
  Slave slave;
  EXPECT_EQ(slave.write(0x1005, 0, 0x40000080), AbortCode::kValue);
  EXPECT_EQ(slave.write(0x1005, 0, 0), AbortCode::kValue);
  EXPECT_EQ(slave.write(0x1005, 0, 0x81), AbortCode::kNone);
  slave.quietly({kStartAll, "080#"});
  EXPECT_EQ(slave.application.syncs, 0);
  slave.quietly({"081#"});
  EXPECT_EQ(slave.application.syncs, 1);
}

TEST(SlaveNode, FramesOfOtherKindsAreNotForIt) {
  Slave slave;
  slave.quietly({kStartAll});
  for (int kind = 0; kind < 3; ++kind) {
    can::Frame frame = from_text("605#4000100000000000");
    frame.extended = kind == 0;
    frame.remote = kind == 1;
    frame.fd = kind == 2;
    slave.node.receive(frame, 0);
    EXPECT_EQ(taken_from(slave.node.out()), Texts{}) << kind;
  }
}

TEST(SlaveNode, NeedsTheObjectsThatEveryDeviceHas) {
  RecordingApplication application;
  DeviceDescription device = joint_board();
  device.objects.erase(device.objects.begin());  // 1000h
  EXPECT_THROW(SlaveNode(device, 5, application), std::invalid_argument);
}

}  // namespace
}  // namespace jointrig::canopen
