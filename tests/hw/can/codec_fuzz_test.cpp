/// Codecs fed with damaged traffic from a seed: whatever comes, they go on, take no more than is
/// there, hand out valid frames only, and read the next whole message.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hw/can/cannelloni_codec.h"
#include "hw/can/slcan_codec.h"
#include "hw/can/socketcan_codec.h"
#include "hw/can/socketcand_codec.h"
#include "tests/hw/can/damage.h"
#include "tests/hw/can/random_frame.h"

namespace jointrig::can {
namespace {

constexpr int kRounds = 100'000;

std::string slcan_line(const Frame& frame) {
  std::array<char, kMaxSlcanLine> line{};
  return {line.data(), encode_slcan(frame, line)};
}

/// Reads everything and checks that each frame is valid; returns the last one.
std::optional<Frame> read_slcan(SlcanLines& lines, std::string& unread) {
  std::optional<Frame> last;
  for (;;) {
    const SlcanLines::Item item = lines.next(unread);
    EXPECT_LE(item.consumed, unread.size());
    if (item.kind == SlcanLines::Kind::kLine) {
      const SlcanAnswer answer = parse_slcan_answer(item.line);
      if (answer.kind == SlcanAnswer::Kind::kFrame) {
        EXPECT_TRUE(valid(answer.frame.frame));
        last = answer.frame.frame;
      }
    }
    if (item.consumed == 0) break;
    unread.erase(0, item.consumed);
  }
  EXPECT_LT(unread.size(), kMaxSlcanLine);
  return last;
}

TEST(CodecFuzz, SlcanReadsTheNextWholeLineAfterAnyDamage) {
  Damage damage(11);
  SlcanLines lines;
  std::string unread;
  int frames_of_damaged_lines = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::string line = slcan_line(random_frame(damage.random()));
    damage.hurt(line);
    unread += line;
    if (read_slcan(lines, unread)) ++frames_of_damaged_lines;

    Frame good = random_frame(damage.random());
    good.error_state = false;
    unread += '\r' + slcan_line(good);
    ASSERT_EQ(read_slcan(lines, unread), good) << "round " << round;
  }
  EXPECT_GT(frames_of_damaged_lines, kRounds / 10);  // a fifth of them is not hurt at all
  EXPECT_LT(frames_of_damaged_lines, kRounds / 2);
}

TEST(CodecFuzz, ASlcanFrameThatIsReadIsTheOneThatWasWritten) {
  Damage damage(12);
  for (int round = 0; round < kRounds; ++round) {
    std::string line = slcan_line(random_frame(damage.random()));
    damage.hurt(line);
    const auto read = parse_slcan_frame(line);
    if (!read) continue;
    std::string again = slcan_line(read->frame);
    again.pop_back();
    // The same text but for small letters and a stamp.
    if (read->stamp_ms) line.resize(line.size() - 4);
    for (std::size_t i = 1; i < line.size(); ++i)
      line[i] = static_cast<char>(std::toupper(line[i]));
    ASSERT_EQ(again, line);
  }
}

TEST(CodecFuzz, SocketcandReadsTheNextWholeMessageAfterAnyDamage) {
  Damage damage(13);
  std::string unread;
  const auto read = [&] {
    std::optional<Frame> last;
    for (;;) {
      const auto item = SocketcandMessages::next(unread);
      EXPECT_LE(item.consumed, unread.size());
      if (item.kind == SocketcandMessages::Kind::kMessage) {
        for (const auto& frame :
             {parse_socketcand_send(item.words), parse_socketcand_frame(item.words)}) {
          if (!frame) continue;
          EXPECT_TRUE(fits_socketcand(*frame));
          last = frame;
        }
      }
      if (item.consumed == 0) break;
      unread.erase(0, item.consumed);
    }
    EXPECT_LT(unread.size(), kMaxSocketcandMessage);
    return last;
  };
  for (int round = 0; round < kRounds; ++round) {
    std::array<char, kMaxSocketcandMessage> text{};
    const Frame first = random_frame(damage.random(), FrameKinds::kClassicData);
    std::string message(text.data(), round % 2 == 0 ? encode_socketcand_send(first, text)
                                                    : encode_socketcand_frame(first, round, text));
    damage.hurt(message);
    unread += message;
    (void)read();

    const Frame good = random_frame(damage.random(), FrameKinds::kClassicData);
    unread += std::string(text.data(), encode_socketcand_send(good, text));
    ASSERT_EQ(read(), good) << "round " << round;
  }
}

TEST(CodecFuzz, CannelloniTakesNoMoreThanIsThere) {
  Damage damage(14);
  int frames = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::array<std::uint8_t, kMaxCannelloniFrame> bytes{};
    const std::size_t size = encode_cannelloni(random_frame(damage.random()), bytes);
    std::string text(reinterpret_cast<const char*>(bytes.data()), size);
    damage.hurt(text);
    const std::vector<std::uint8_t> exact(text.begin(),
                                          text.end());  // so that a reader's tool sees
    (void)parse_cannelloni_header(exact);
    const CannelloniItem item = next_cannelloni(exact);
    ASSERT_LE(item.consumed, exact.size());
    if (item.kind == CannelloniItem::Kind::kFrame) {
      ASSERT_TRUE(valid(item.frame));
      ASSERT_GT(item.consumed, 0U);
      ++frames;
    }
  }
  EXPECT_GT(frames, kRounds / 5);
}

TEST(CodecFuzz, SocketCanTakesAnyBytes) {
  Damage damage(15);
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::uint8_t> bytes(round % 3 == 0 ? damage.pick(80)
                                                   : (round % 3 == 1 ? 16U : 72U));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(damage.pick(256));
    const SocketCanItem item = parse_socketcan(bytes);
    ASSERT_TRUE(item.kind != SocketCanItem::Kind::kFrame || valid(item.frame));
  }
}

}  // namespace
}  // namespace jointrig::can
