#include "hw/can/socketcan_codec.h"

#include <gtest/gtest.h>
#include <linux/can.h>
#include <linux/can/error.h>

#include <cstring>
#include <vector>

#include "tests/hw/can/random_frame.h"

/// The structs of the kernel's own headers give the expectation.

namespace jointrig::can {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Kind = SocketCanItem::Kind;

template <typename Struct>
Bytes bytes_of(const Struct& value) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

Bytes encoded(const Frame& frame) {
  Bytes bytes(sizeof(canfd_frame));
  bytes.resize(encode_socketcan(frame, bytes));
  return bytes;
}

BusReport report_of(const can_frame& error) {
  const SocketCanItem item = parse_socketcan(bytes_of(error));
  EXPECT_EQ(item.kind, Kind::kReport);
  return item.report;
}

TEST(SocketCanCodec, AClassicFrameIsACanFrame) {
  can_frame expected{};
  expected.can_id = 0x123;
  expected.can_dlc = 2;
  expected.data[0] = 0xAA;
  expected.data[1] = 0xBB;
  EXPECT_EQ(encoded(data_frame(0x123, Bytes{0xAA, 0xBB})), bytes_of(expected));

  Frame remote;
  remote.id = 0x1ABCDEF0;
  remote.extended = remote.remote = true;
  remote.size = 3;
  can_frame question{};
  question.can_id = 0x1ABCDEF0 | CAN_EFF_FLAG | CAN_RTR_FLAG;
  question.can_dlc = 3;
  EXPECT_EQ(encoded(remote), bytes_of(question));
}

TEST(SocketCanCodec, AnFdFrameIsACanfdFrame) {
  Frame frame;
  frame.id = 0x7;
  frame.fd = frame.bit_rate_switch = frame.error_state = true;
  frame.size = 12;
  frame.data[11] = 9;
  canfd_frame expected{};
  expected.can_id = 7;
  expected.len = 12;
  expected.flags = CANFD_BRS | CANFD_ESI | 0x04 /* CANFD_FDF, newer than some headers */;
  expected.data[11] = 9;
  EXPECT_EQ(encoded(frame), bytes_of(expected));
}

TEST(SocketCanCodec, EveryFrameComesBack) {
  std::mt19937 random(5);
  for (int i = 0; i < 3'000; ++i) {
    const Frame frame = random_frame(random);
    const SocketCanItem item = parse_socketcan(encoded(frame));
    ASSERT_EQ(item.kind, Kind::kFrame);
    ASSERT_EQ(item.frame, frame);
  }
}

TEST(SocketCanCodec, BusOffAndRestartAreTold) {
  can_frame error{};
  error.can_dlc = 8;
  error.can_id = CAN_ERR_FLAG | CAN_ERR_BUSOFF;
  EXPECT_TRUE(report_of(error).bus_state_known);
  EXPECT_EQ(report_of(error).bus, BusState::kBusOff);
  error.can_id = CAN_ERR_FLAG | CAN_ERR_RESTARTED;
  EXPECT_EQ(report_of(error).bus, BusState::kErrorActive);
}

TEST(SocketCanCodec, StatesOfTheControllerAndItsCountersAreTold) {
  can_frame error{};
  error.can_dlc = 8;
  error.can_id = CAN_ERR_FLAG | CAN_ERR_CRTL | 0x200U /* CAN_ERR_CNT */;
  error.data[1] = CAN_ERR_CRTL_TX_PASSIVE;
  error.data[6] = 130;
  error.data[7] = 4;
  EXPECT_EQ(report_of(error).bus, BusState::kErrorPassive);
  EXPECT_TRUE(report_of(error).counters_known);
  EXPECT_EQ(report_of(error).tx_errors, 130);
  EXPECT_EQ(report_of(error).rx_errors, 4);
  error.data[1] = CAN_ERR_CRTL_RX_WARNING;
  EXPECT_EQ(report_of(error).bus, BusState::kErrorWarning);
  error.data[1] = CAN_ERR_CRTL_ACTIVE;
  EXPECT_EQ(report_of(error).bus, BusState::kErrorActive);
  error.data[1] = CAN_ERR_CRTL_RX_OVERFLOW;
  EXPECT_TRUE(report_of(error).overrun);
  EXPECT_FALSE(report_of(error).bus_state_known);
}

TEST(SocketCanCodec, ErrorsOnTheWireAreToldWithoutAState) {
  can_frame error{};
  error.can_dlc = 8;
  for (const std::uint32_t kind :
       {CAN_ERR_TX_TIMEOUT, CAN_ERR_PROT, CAN_ERR_ACK, CAN_ERR_BUSERROR}) {
    error.can_id = CAN_ERR_FLAG | kind;
    EXPECT_TRUE(report_of(error).error_on_bus) << kind;
    EXPECT_FALSE(report_of(error).bus_state_known) << kind;
  }
}

TEST(SocketCanCodec, OtherSizesAndImpossibleFramesAreGarbage) {
  can_frame frame{};
  frame.can_dlc = 9;
  EXPECT_EQ(parse_socketcan(bytes_of(frame)).kind, Kind::kGarbage);
  frame.can_dlc = 0;
  frame.can_id = 0x800;
  EXPECT_EQ(parse_socketcan(bytes_of(frame)).kind, Kind::kGarbage);
  EXPECT_EQ(parse_socketcan(Bytes(15)).kind, Kind::kGarbage);
  EXPECT_EQ(parse_socketcan({}).kind, Kind::kGarbage);
}

}  // namespace
}  // namespace jointrig::can
