#include "hw/can/candump.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/hw/can/random_frame.h"

namespace jointrig::can {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::string line_of(const Frame& frame, TimeNs time = 1'436'509'052'249'713'000) {
  std::array<char, kMaxCandumpLine> text{};
  return {text.data(), encode_candump(frame, time, "can0", text)};
}

TEST(Candump, LinesAreThoseOfCanUtils) {
  Frame frame = data_frame(0x44, Bytes{0x2A, 0x36, 0x6C, 0x2B, 0xBA});
  EXPECT_EQ(line_of(frame), "(1436509052.249713) can0 044#2A366C2BBA\n");
  frame.extended = true;
  EXPECT_EQ(line_of(frame, 1'000), "(0000000000.000001) can0 00000044#2A366C2BBA\n");
  frame.remote = true;
  EXPECT_EQ(line_of(frame), "(1436509052.249713) can0 00000044#R5\n");
  frame.remote = frame.extended = false;
  frame.fd = frame.bit_rate_switch = true;
  EXPECT_EQ(line_of(frame), "(1436509052.249713) can0 044##12A366C2BBA\n");
}

TEST(Candump, EveryFrameComesBackWithItsTime) {
  std::mt19937 random(31);
  for (int i = 0; i < 3'000; ++i) {
    const Frame frame = random_frame(random);
    const TimeNs time = static_cast<TimeNs>(random()) * kMicrosecond;
    const auto read = parse_candump(line_of(frame, time));
    ASSERT_TRUE(read) << line_of(frame, time);
    ASSERT_EQ(read->frame, frame);
    ASSERT_EQ(read->time, time);
    ASSERT_EQ(read->bus, "can0");
  }
}

TEST(Candump, DamagedLinesAreNone) {
  for (const char* line :
       {"", "can0 044#", "(1.000000) 044#", "(1.0) can0 044#", "(1.000000) can0 44#",
        "(1.000000) can0 044#1", "(1.000000) can0 044#1G", "(1.000000) can0 844#",
        "(1.000000) can0 044##", "(1.000000) can0 044##1112233445566778899",
        "(1.000000) can0 044#112233445566778899", "(1.000000) can0 044#R9",
        "(1.000000) can0 044#R11", "(1.000000) can0 044# x", "(-1.000000) can0 044#",
        "(x.000000) can0 044#", "(99999999999.000000) can0 044#"}) {
    EXPECT_FALSE(parse_candump(line)) << line;
  }
}

}  // namespace
}  // namespace jointrig::can
