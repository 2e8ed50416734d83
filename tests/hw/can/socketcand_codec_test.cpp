#include "hw/can/socketcand_codec.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/hw/can/random_frame.h"

namespace jointrig::can {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Kind = SocketcandMessages::Kind;

std::string sent(const Frame& frame) {
  std::array<char, kMaxSocketcandMessage> text{};
  return {text.data(), encode_socketcand_send(frame, text)};
}

std::string received(const Frame& frame, TimeNs time) {
  std::array<char, kMaxSocketcandMessage> text{};
  return {text.data(), encode_socketcand_frame(frame, time, text)};
}

TEST(SocketcandCodec, MessagesAreThoseOfTheDocument) {
  EXPECT_EQ(sent(data_frame(0x123, Bytes{0x1A, 0xF1})), "< send 123 2 1A F1 >");
  EXPECT_EQ(received(data_frame(0x123, Bytes{0x1A, 0xF1}), 23'424'242'000),
            "< frame 123 23.424242 1AF1 >");
  Frame extended = data_frame(5, {});
  extended.extended = true;
  EXPECT_EQ(sent(extended), "< send 00000005 0 >");
  EXPECT_EQ(received(extended, 1'000), "< frame 00000005 0.000001  >");
}

TEST(SocketcandCodec, FdAndRemoteFramesAreNotCarried) {
  Frame frame = data_frame(1, {});
  frame.remote = true;
  EXPECT_EQ(sent(frame), "");
  frame.remote = false;
  frame.fd = true;
  EXPECT_EQ(received(frame, 0), "");
}

TEST(SocketcandCodec, EveryClassicDataFrameComesBackInBothDirections) {
  std::mt19937 random(4);
  for (int i = 0; i < 3'000; ++i) {
    const Frame frame = random_frame(random, FrameKinds::kClassicData);
    const std::string there = sent(frame);
    const std::string back = received(frame, random());
    ASSERT_EQ(parse_socketcand_send(SocketcandMessages::next(there).words), frame) << there;
    ASSERT_EQ(parse_socketcand_frame(SocketcandMessages::next(back).words), frame) << back;
  }
}

TEST(SocketcandCodec, OtherWaysToWriteTheSameAreRead) {
  const Frame frame = data_frame(0x123, Bytes{1, 0xF1});
  EXPECT_EQ(parse_socketcand_send("send 123 2 1 f1"), frame);
  EXPECT_EQ(parse_socketcand_send("send  123  2  01  F1"), frame);
  EXPECT_EQ(parse_socketcand_frame("frame 123 0.0 01 F1"), frame);
  Frame extended = data_frame(0x123, {});
  extended.extended = true;
  EXPECT_EQ(parse_socketcand_send("send 0123 0"), extended);
  EXPECT_EQ(parse_socketcand_frame("frame 123 5 01f1"), frame);
}

TEST(SocketcandCodec, DamagedMessagesAreNoFrames) {
  for (const char* words : {"", "send", "send 123", "send 123 1", "send 123 1 1 2",
                            "send 123 9 1 2 3 4 5 6 7 8 9", "send 123 1 100", "send 123 1 G",
                            "send 800 0", "send 20000000 0", "send 123 -1", "frame 123 0.0 01"}) {
    EXPECT_FALSE(parse_socketcand_send(words)) << words;
  }
  for (const char* words :
       {"frame", "frame 123", "frame 123 x 01", "frame 123 0.0 0", "frame 123 0.0 010",
        "frame 123 0.0 112233445566778899", "frame 123 0.0 zz", "send 123 1 1"}) {
    EXPECT_FALSE(parse_socketcand_frame(words)) << words;
  }
}

std::vector<std::string> items_of(std::string_view text, std::size_t piece) {
  std::vector<std::string> items;
  std::string unread;
  while (!text.empty()) {
    unread += text.substr(0, piece);
    text.remove_prefix(std::min(piece, text.size()));
    for (;;) {
      const auto item = SocketcandMessages::next(unread);
      if (item.kind == Kind::kMessage) items.emplace_back(item.words);
      if (item.kind == Kind::kGarbage) items.emplace_back("?");
      if (item.consumed == 0) break;
      unread.erase(0, item.consumed);
    }
  }
  return items;
}

TEST(SocketcandMessages, CutsWhateverThePiecesAre) {
  const std::vector<std::string> expected{"hi", "frame 1AB 0.1 00", "", "ok"};
  for (std::size_t piece = 1; piece < 30; ++piece) {
    EXPECT_EQ(items_of("< hi >< frame 1AB 0.1 00 > <> \n<ok>", piece), expected) << piece;
  }
}

TEST(SocketcandMessages, HalfAMessageIsGarbageAndTheNextOneIsRead) {
  EXPECT_EQ(items_of("< fra< ok >", 100), (std::vector<std::string>{"?", "ok"}));
  EXPECT_EQ(items_of("xx< ok >", 100), (std::vector<std::string>{"?", "ok"}));
}

TEST(SocketcandMessages, AMessageWithoutEndIsLetGo) {
  const auto items = items_of("<" + std::string(500, 'a') + "< ok >", 40);
  ASSERT_FALSE(items.empty());
  EXPECT_EQ(items.front(), "?");
  EXPECT_EQ(items.back(), "ok");
}

}  // namespace
}  // namespace jointrig::can
