/// The CANopen slave and the CiA 402 machine together: behaviour that needs both.

#include "tests/hw/canopen/ideal_drive.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/hw/canopen/frame_text.h"

namespace jointrig::canopen {
namespace {

struct Board {
  IdealDrive drive{5};
  std::int64_t now = 0;

  Board() { drive.node().power_on(now); }

  Texts hear(const Texts& frames) {
    for (const std::string& frame : frames) {
      drive.node().receive(from_text(frame), now);
      drive.node().poll(now);
    }
    return taken_from(drive.node().out());
  }
  Texts wait_ms(int ms) {
    for (int i = 0; i < ms; ++i) drive.node().poll(now += kMillisecond);
    return taken_from(drive.node().out());
  }
  /// Operational and enabled in CSP, by RPDO1 and SYNC.
  void enable() {
    hear({"000#0105", "205#0600080000000000", "080#", "205#0700080000000000", "080#",
          "205#0F00080000000000", "080#"});
    ASSERT_EQ(state(), 0x27);
  }
  int state() { return drive.drive().statusword & 0x6F; }
};

bool has(const Texts& texts, const std::string& wanted) {
  return std::ranges::find(texts, wanted) != texts.end();
}

constexpr char kAllIsWell[] = "085#0000000000000000";

TEST(IdealDrive, AMasterThatDiesIsAFaultUntilItIsReset) {
  Board board;
  board.hear({"605#2316100196007F00"});  // 1016h:1: node 127, 150 ms
  board.enable();
  board.hear({"77F#05"});
  const Texts sent = board.wait_ms(170);
  EXPECT_TRUE(has(sent, "085#3081117F00000000"));
  EXPECT_EQ(board.state() & 0x4F, 0x08);
  EXPECT_EQ(board.drive.drive().error_code, 0x8130);
  EXPECT_EQ(board.drive.node().state(), NmtState::kPreOperational);

  const Texts back = board.hear({"77F#05"});
  EXPECT_FALSE(has(back, kAllIsWell)) << "the heartbeat is back, the fault is not over";
  EXPECT_FALSE(has(board.wait_ms(20), kAllIsWell));
  EXPECT_EQ(board.state() & 0x4F, 0x08);

  // 6040h: 0000, 0080
  EXPECT_TRUE(has(board.hear({"605#2B40600000000000", "605#2B40600080000000"}), kAllIsWell));
  EXPECT_EQ(board.state(), 0x40);
}

TEST(IdealDrive, TheResetOfTwoFaultsEndsBoth) {
  Board board;
  board.enable();
  board.drive.raise_fault(0x7320);
  board.drive.raise_fault(0x4310);
  const Texts told = board.wait_ms(50);
  EXPECT_TRUE(has(told, "085#2073010000000000"));
  EXPECT_TRUE(has(told, "085#1043090000000000"));
  EXPECT_TRUE(has(board.hear({"205#0000080000000000", "080#", "205#8000080000000000", "080#"}),
                  kAllIsWell));
  EXPECT_EQ(board.state(), 0x40);
}

TEST(IdealDrive, TakenOutOfOperationalItIsDisabled) {
  for (const char* order : {"000#0205", "000#8005"}) {
    Board board;
    board.enable();
    board.hear({order});
    board.wait_ms(2);
    EXPECT_EQ(board.state(), 0x40) << order;
    EXPECT_FALSE(board.drive.drive().power_stage());
  }
}

TEST(IdealDrive, AResetOfTheNodeSwitchesOffAtOnce) {
  for (const char* order : {"000#8105", "000#8205"}) {
    Board board;
    board.enable();
    board.drive.node().receive(from_text(order), board.now);
    EXPECT_FALSE(board.drive.drive().power_stage()) << order;
    board.hear({"000#0105", "205#0F00080000000000", "080#", "080#"});
    EXPECT_EQ(board.state(), 0x40) << "the old enable is not taken up again";
  }
}

TEST(IdealDrive, AModeThatIsNotThereIsRefusedBothWays) {
  Board board;
  board.hear({"000#0105"});
  EXPECT_TRUE(has(board.hear({"605#2F60600007000000"}), "585#8060600030000906"));
  board.hear({"205#0600070000000000", "080#"});
  EXPECT_EQ(board.drive.drive().mode, 0);
  EXPECT_EQ(board.state(), 0x21) << "the rest of the PDO counts";
}

}  // namespace
}  // namespace jointrig::canopen
