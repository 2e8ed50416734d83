#include "app/bus/frame_words.h"

#include <gtest/gtest.h>

#include "hw/canopen/joint_board_objects.h"
#include "tests/hw/canopen/frame_text.h"

namespace jointrig::app {
namespace {

using canopen::from_text;

std::string words(const std::string& frame) {
  static const canopen::DeviceDescription objects = canopen::joint_board();
  return in_words(from_text(frame), objects);
}

TEST(FrameWords, TellsOrdersOfTheNetworkMaster) {
  EXPECT_EQ(words("000#0105"), "NMT node 5: start");
  EXPECT_EQ(words("000#8000"), "NMT all nodes: enter pre-operational");
  EXPECT_EQ(words("000#8282"), "NMT no NMT order: 82 82") << "there is no node 130";
}

TEST(FrameWords, TellsSyncWithAndWithoutItsCounter) {
  EXPECT_EQ(words("080#"), "SYNC");
  EXPECT_EQ(words("080#11"), "SYNC 17");
}

TEST(FrameWords, TellsEmergenciesInWords) {
  EXPECT_EQ(words("085#1186210000000000"),
            "node 5 EMCY: 8611h following error, error register 21h");
  EXPECT_EQ(words("085#0000000000000000"), "node 5 EMCY: all errors gone");
  EXPECT_EQ(words("085#1186"), "node 5 EMCY: not 8 bytes: 11 86");
}

// 0637h = 0000 0110 0011 0111: bits 0, 1, 2, 5 operation enabled, 9 remote, 10 target reached.
TEST(FrameWords, TellsWhatADriveReports) {
  EXPECT_EQ(words("185#3706080040E20100"),
            "node 5 TPDO1: OPERATION ENABLED, target reached, cyclic synchronous position (8), "
            "position 123456");
  EXPECT_EQ(words("285#18FCFFFFECFF1186"),
            "node 5 TPDO2: velocity -1000, torque -20 per mille, error 8611h following error");
  // 2030h:2 in hundredths, 2040h:1 in thousandths, 6079h in mV: hw/canopen/joint_board_objects.h.
  EXPECT_EQ(words("385#B80BFA0080BB0000"),
            "node 5 TPDO3: motor 30.0 degC, homing 25.0 %, supply 48.0 V");
  EXPECT_EQ(words("685#02000400"), "node 5 TPDO5: digital inputs 00040002h");
  EXPECT_EQ(words("6E0#02000400"), "6E0h: 02 00 04 00") << "no node has this for its fifth";
}

TEST(FrameWords, TellsWhatADriveIsTold) {
  EXPECT_EQ(words("205#0F0008009CFFFFFF"),
            "node 5 RPDO1: enable operation (000Fh), cyclic synchronous position (8), target "
            "position -100");
  EXPECT_EQ(words("305#0F000A00F4010000"),
            "node 5 RPDO2: enable operation (000Fh), cyclic synchronous torque (10), target torque "
            "500, duty 0 per mille");
  EXPECT_EQ(words("505#0A000000FBFF"),
            "node 5 RPDO4: velocity offset 10, torque offset -5 per mille");
}

TEST(FrameWords, TellsBytesWhereALengthIsNotTheAgreedOne) {
  EXPECT_EQ(words("185#370608"), "node 5 TPDO1: 37 06 08");
}

TEST(FrameWords, TellsObjectsByTheirNames) {
  EXPECT_EQ(words("605#4041600000000000"), "node 5 SDO -> read 6041h:0 statusword");
  EXPECT_EQ(words("585#4B41600037060000"),
            "node 5 SDO <- 6041h:0 statusword = 1591 (0637h): OPERATION ENABLED, target reached");
  EXPECT_EQ(words("605#2B5A600006000000"),
            "node 5 SDO -> write 605Ah:0 quick stop option code = 6");
  EXPECT_EQ(words("585#605A600000000000"), "node 5 SDO <- 605Ah:0 quick stop option code written");
  EXPECT_EQ(words("585#8041600002000106"),
            "node 5 SDO <- abort of 6041h:0 statusword: the object is read-only (06010002h)");
}

TEST(FrameWords, TellsBeatsAndBootUps) {
  EXPECT_EQ(words("705#05"), "node 5 heartbeat: operational");
  EXPECT_EQ(words("705#00"), "node 5 heartbeat: boot-up");
}

TEST(FrameWords, LeavesOtherIdentifiersAsTheyAre) {
  EXPECT_EQ(words("7E5#04"), "7E5h: 04");
  EXPECT_EQ(words("100#"), "100h: no data");
}

TEST(FrameWords, ARemoteFrameIsNeverReadAsData) {
  can::Frame frame = from_text("585#4B41600037060000");
  frame.remote = true;
  EXPECT_EQ(in_words(frame, canopen::joint_board()), "585h: a remote frame, asks for 8 bytes");
  frame.id = 0x185;
  EXPECT_FALSE(state_report_of(frame));
}

TEST(FrameWords, PdosAlternateFromNumberOneToFour) {
  const auto role = [](std::uint32_t id) {
    can::Frame frame;
    frame.id = id;
    return role_of(frame);
  };
  for (std::uint8_t number = 1; number <= 4; ++number) {
    EXPECT_EQ(role(0x80U + 0x100U * number + 0x7F), (FrameRole{FrameKind::kTpdo, 127, number}));
    EXPECT_EQ(role(0x100U + 0x100U * number + 1), (FrameRole{FrameKind::kRpdo, 1, number}));
  }
}

}  // namespace
}  // namespace jointrig::app
