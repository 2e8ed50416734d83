#include "hw/can/slcan_codec.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/hw/can/random_frame.h"

namespace jointrig::can {
namespace {

using AnswerKind = SlcanAnswer::Kind;
using LineKind = SlcanLines::Kind;

std::string encoded(const Frame& frame) {
  std::array<char, kMaxSlcanLine> line{};
  return {line.data(), encode_slcan(frame, line)};
}

Frame frame_with(std::uint32_t id, std::vector<std::uint8_t> bytes) {
  return data_frame(id, bytes);
}

TEST(SlcanCodec, LinesAreThoseOfTheManual) {
  EXPECT_EQ(encoded(frame_with(0x100, {0x11, 0x22, 0x33})), "t1003112233\r");
  EXPECT_EQ(encoded(frame_with(0x7FF, {})), "t7FF0\r");
  Frame frame;
  frame.id = 0x00000100;
  frame.extended = true;
  frame.remote = true;
  frame.size = 8;
  EXPECT_EQ(encoded(frame), "R000001008\r");
  frame.extended = false;
  EXPECT_EQ(encoded(frame), "r1008\r");
}

TEST(SlcanCodec, FdFramesSayTheirLengthByCode) {
  Frame frame;
  frame.fd = true;
  frame.id = 0x123;
  frame.size = 12;
  EXPECT_EQ(encoded(frame), "d1239" + std::string(24, '0') + "\r");
  frame.bit_rate_switch = true;
  frame.extended = true;
  frame.size = 64;
  EXPECT_EQ(encoded(frame), "B00000123F" + std::string(128, '0') + "\r");
}

TEST(SlcanCodec, NothingIsWrittenOfAFrameThatIsNotValidOrDoesNotFit) {
  Frame frame = frame_with(0x100, {1, 2, 3});
  std::array<char, 10> short_buffer{};
  EXPECT_EQ(encode_slcan(frame, short_buffer), 0U);
  frame.id = 0x800;
  EXPECT_EQ(encoded(frame), "");
  frame.id = 0x100;
  frame.size = 9;
  EXPECT_EQ(encoded(frame), "");
}

TEST(SlcanCodec, ALongestLineFitsTheBufferOfThatSize) {
  Frame frame;
  frame.fd = frame.extended = frame.bit_rate_switch = true;
  frame.size = 64;
  EXPECT_EQ(encoded(frame).size() + 4, kMaxSlcanLine);  // four more with a stamp
}

TEST(SlcanCodec, EveryFrameComesBackAsItWas) {
  std::mt19937 random(2);
  for (int i = 0; i < 5'000; ++i) {
    Frame frame = random_frame(random);
    frame.error_state = false;  // has no place in a line
    std::string line = encoded(frame);
    ASSERT_EQ(line.back(), '\r');
    line.pop_back();
    const auto back = parse_slcan_frame(line);
    ASSERT_TRUE(back) << line;
    ASSERT_EQ(back->frame, frame) << line;
    ASSERT_FALSE(back->stamp_ms);
  }
}

TEST(SlcanCodec, AStampOfFourDigitsIsRead) {
  const auto read = parse_slcan_frame("t10021122EA5F");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->frame, frame_with(0x100, {0x11, 0x22}));
  EXPECT_EQ(read->stamp_ms, 59'999);
  EXPECT_EQ(parse_slcan_frame("r10081234")->stamp_ms, 0x1234);
}

TEST(SlcanCodec, SmallLettersAreDigitsToo) {
  EXPECT_EQ(parse_slcan_frame("t1ab1ff")->frame, frame_with(0x1AB, {0xFF}));
}

TEST(SlcanCodec, HalfAndDamagedLinesAreNoFrames) {
  for (const char* line : {"",           "t",          "t1",           "t100",
                           "t1003",      "t100311223", "t10031122334", "t100311223344",
                           "t10g0",      "t8000",      "T200000000",   "t1009112233445566778899",
                           "t10011G",    "x1000",      "tt1000",       "t100 0",
                           "r10081",     "d1239",      "d123900",      "t1001112",
                           "t10011\x80", "t-100",      "t100111234G"}) {
    EXPECT_FALSE(parse_slcan_frame(line)) << line;
    EXPECT_EQ(parse_slcan_answer(line).kind, *line == 0 ? AnswerKind::kDone : AnswerKind::kGarbage)
        << line;
  }
}

TEST(SlcanCodec, AnswersOfAdaptersAreTold) {
  EXPECT_EQ(parse_slcan_answer("").kind, AnswerKind::kDone);
  EXPECT_EQ(parse_slcan_answer("z").kind, AnswerKind::kDone);
  EXPECT_EQ(parse_slcan_answer("Z").kind, AnswerKind::kDone);
  EXPECT_EQ(parse_slcan_answer("V1013").kind, AnswerKind::kText);
  EXPECT_EQ(parse_slcan_answer("NA123").kind, AnswerKind::kText);
  EXPECT_EQ(parse_slcan_answer("F00").kind, AnswerKind::kText);
  EXPECT_EQ(parse_slcan_answer("t1000").kind, AnswerKind::kFrame);
  EXPECT_EQ(parse_slcan_answer("zz").kind, AnswerKind::kGarbage);
  EXPECT_EQ(parse_slcan_answer("V\x01").kind, AnswerKind::kGarbage);
}

TEST(SlcanCodec, StateLinesCarryBusOffAndCounters) {
  const SlcanAnswer passive = parse_slcan_answer("sp012130");
  EXPECT_EQ(passive.kind, AnswerKind::kState);
  EXPECT_EQ(passive.bus, BusState::kErrorPassive);
  EXPECT_EQ(passive.rx_errors, 12);
  EXPECT_EQ(passive.tx_errors, 130);
  EXPECT_EQ(parse_slcan_answer("sb000256").bus, BusState::kBusOff);
  EXPECT_EQ(parse_slcan_answer("sa000000").bus, BusState::kErrorActive);
  EXPECT_EQ(parse_slcan_answer("sw096000").bus, BusState::kErrorWarning);
  for (const char* line : {"s", "sb", "sx000000", "sb00025", "sb0002560", "sb00A256"}) {
    EXPECT_EQ(parse_slcan_answer(line).kind, AnswerKind::kGarbage) << line;
  }
}

TEST(SlcanCodec, ErrorLinesAreCounted) {
  EXPECT_EQ(parse_slcan_answer("e2as").error_count, 2);
  EXPECT_FALSE(parse_slcan_answer("e2as").overrun);
  EXPECT_TRUE(parse_slcan_answer("e1o").overrun);
  for (const char* line : {"e", "e0", "e1", "e1x", "e2a", "e1aa", "eab"}) {
    EXPECT_EQ(parse_slcan_answer(line).kind, AnswerKind::kGarbage) << line;
  }
}

/// Everything that the reader makes of a text handed over in pieces of a size.
std::vector<std::string> items_of(std::string_view text, std::size_t piece) {
  std::vector<std::string> items;
  SlcanLines lines;
  std::string unread;
  while (!text.empty()) {
    unread += text.substr(0, piece);
    text.remove_prefix(std::min(piece, text.size()));
    for (;;) {
      const SlcanLines::Item item = lines.next(unread);
      if (item.kind == LineKind::kLine) items.push_back("line " + std::string(item.line));
      if (item.kind == LineKind::kRefused) items.emplace_back("bell");
      if (item.kind == LineKind::kGarbage) items.emplace_back("garbage");
      if (item.consumed == 0) break;
      unread.erase(0, item.consumed);
    }
  }
  return items;
}

TEST(SlcanLines, CutsWhateverThePiecesAre) {
  const std::vector<std::string> expected{"line t1000", "line z", "line ", "bell", "line sb000256"};
  for (std::size_t piece = 1; piece < 20; ++piece) {
    EXPECT_EQ(items_of("t1000\rz\r\r\asb000256\r", piece), expected) << piece;
  }
}

TEST(SlcanLines, LineFeedsAreNotSeen) {
  EXPECT_EQ(items_of("t1000\r\nz\r\n", 3), (std::vector<std::string>{"line t1000", "line z"}));
}

TEST(SlcanLines, HalfALineBeforeABellIsGarbage) {
  EXPECT_EQ(items_of("t10\az\r", 4), (std::vector<std::string>{"garbage", "bell", "line z"}));
}

TEST(SlcanLines, AfterALineWithoutEndItGoesOnAtTheNextCr) {
  const std::string endless(1'000, 'U');
  for (const std::size_t piece : {1UL, 7UL, 64UL, 143UL, 5'000UL}) {
    const auto items = items_of(endless + "\rt1000\r", piece);
    ASSERT_EQ(items.size(), 2U) << piece;
    EXPECT_TRUE(items[0] == "garbage" || items[0] == "line " + endless) << piece;
    EXPECT_EQ(items[1], "line t1000");
  }
}

TEST(SlcanRates, AreThoseOfTheManual) {
  EXPECT_EQ(slcan_rate_digit(1'000'000), '8');
  EXPECT_EQ(slcan_rate_digit(800'000), '7');
  EXPECT_EQ(slcan_rate_digit(10'000), '0');
  EXPECT_EQ(slcan_rate_digit(750'000), std::nullopt);
  EXPECT_EQ(slcan_data_rate_digit(5'000'000), '5');
  EXPECT_EQ(slcan_data_rate_digit(3'000'000), std::nullopt);
  for (char digit = '0'; digit <= '8'; ++digit)
    EXPECT_EQ(slcan_rate_digit(*slcan_rate(digit)), digit);
  EXPECT_FALSE(slcan_rate('9'));
  EXPECT_EQ(slcan_data_rate('2'), 2'000'000);
  EXPECT_FALSE(slcan_data_rate('3'));
}

}  // namespace
}  // namespace jointrig::can
