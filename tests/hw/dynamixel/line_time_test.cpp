#include "hw/dynamixel/line_time.h"

#include <gtest/gtest.h>

#include "hw/can/bit_time.h"
#include "hw/dynamixel/control_table.h"

namespace jointrig::dynamixel {
namespace {

// By hand, of twelve servos with goals of 4 bytes and reports of 18:
//   writes     10 servos in 14 + 10 · 5 = 64 bytes, 2 in 14 + 2 · 5 = 24:   88
//   question   14 + 12:                                                     26
//   answers    fast 8 + 12 · 22 = 272, plain 12 · 29 = 348
constexpr LineLoad kTwelve{.servos = 12, .goal_size = 4, .report_size = kReportSize};

TEST(LineTime, TwelveServosAtFourMegabitTakeNineHundredSixtyFiveMicroseconds) {
  EXPECT_EQ(write_bytes(12, 4), 88U);
  EXPECT_EQ(question_bytes(12), 26U);
  EXPECT_EQ(answer_bytes(kTwelve), 272U);
  EXPECT_NEAR(cycle_time(kTwelve, 4e6), (88 + 26 + 272) * 10 / 4e6, 1e-12);
  EXPECT_NEAR(cycle_time(kTwelve, 4e6), 965e-6, 1e-9);
}

TEST(LineTime, PlainAnswersTakeLongerAndTheReturnDelayOfEachServo) {
  LineLoad plain = kTwelve;
  plain.fast = false;
  plain.return_delay = 500e-6;  // as delivered
  EXPECT_NEAR(cycle_time(plain, 4e6), (88 + 26 + 348) * 2.5e-6 + 12 * 500e-6, 1e-12);
  LineLoad fast = kTwelve;
  fast.return_delay = 500e-6;
  EXPECT_NEAR(cycle_time(fast, 4e6), 965e-6 + 500e-6, 1e-9);
}

TEST(LineTime, APieceOfALineTakesTenBitsAByteOnAModelledBus) {
  can::Frame piece;
  piece.serial = true;
  piece.size = 26;
  EXPECT_TRUE(can::valid(piece));
  EXPECT_EQ(can::duration(piece, {.nominal = 4'000'000}, can::Stuffing::kExact), 65'000);
}

}  // namespace
}  // namespace jointrig::dynamixel
