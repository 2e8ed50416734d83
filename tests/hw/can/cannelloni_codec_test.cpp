#include "hw/can/cannelloni_codec.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/hw/can/random_frame.h"

namespace jointrig::can {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Kind = CannelloniItem::Kind;

Bytes encoded(const Frame& frame) {
  Bytes bytes(kMaxCannelloniFrame);
  bytes.resize(encode_cannelloni(frame, bytes));
  return bytes;
}

TEST(CannelloniCodec, FramesAreThoseOfTheDocument) {
  EXPECT_EQ(encoded(data_frame(0x123, Bytes{0xAA, 0xBB})), (Bytes{0, 0, 1, 0x23, 2, 0xAA, 0xBB}));
  Frame frame;
  frame.id = 0x1ABCDEF0;
  frame.extended = true;
  frame.remote = true;
  frame.size = 4;  // asked for, not carried
  EXPECT_EQ(encoded(frame), (Bytes{0xDA, 0xBC, 0xDE, 0xF0, 4}));
  frame.remote = false;
  frame.fd = frame.bit_rate_switch = frame.error_state = true;
  frame.size = 1;
  frame.data[0] = 0x55;
  EXPECT_EQ(encoded(frame), (Bytes{0x9A, 0xBC, 0xDE, 0xF0, 0x81, 0x03, 0x55}));
}

TEST(CannelloniCodec, EveryFrameComesBackAndIsWaitedForByteByByte) {
  std::mt19937 random(3);
  for (int i = 0; i < 3'000; ++i) {
    const Frame frame = random_frame(random);
    const Bytes bytes = encoded(frame);
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      ASSERT_EQ(next_cannelloni({bytes.data(), n}).kind, Kind::kMore);
    }
    const CannelloniItem item = next_cannelloni(bytes);
    ASSERT_EQ(item.kind, Kind::kFrame);
    ASSERT_EQ(item.frame, frame);
    ASSERT_EQ(item.consumed, bytes.size());
  }
}

TEST(CannelloniCodec, FramesThatCannotBeAreGarbage) {
  EXPECT_EQ(next_cannelloni(Bytes{0, 0, 1, 0, 9}).kind, Kind::kGarbage);            // 9 bytes
  EXPECT_EQ(next_cannelloni(Bytes{0, 0, 8, 0, 0}).kind, Kind::kGarbage);            // id 800
  EXPECT_EQ(next_cannelloni(Bytes{0, 0, 1, 0, 0x80 | 9, 0}).kind, Kind::kGarbage);  // FD of 9
  EXPECT_EQ(next_cannelloni(Bytes{0x40, 0, 1, 0, 0x80, 0}).kind, Kind::kGarbage);   // remote FD
}

TEST(CannelloniCodec, AnErrorFrameIsSteppedOver) {
  const Bytes bytes{0x20, 0, 0, 0x40, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF};
  const CannelloniItem item = next_cannelloni(bytes);
  EXPECT_EQ(item.kind, Kind::kSkipped);
  EXPECT_EQ(item.consumed, 13U);
}

TEST(CannelloniDatagram, HasVersionSequenceAndCountBeforeTheFrames) {
  CannelloniDatagram datagram;
  datagram.start(0xFE);
  ASSERT_TRUE(datagram.add(data_frame(0x80, {})));
  ASSERT_TRUE(datagram.add(data_frame(0x201, Bytes{7})));
  const auto bytes = datagram.bytes();
  EXPECT_EQ(Bytes(bytes.begin(), bytes.end()),
            (Bytes{2, 0, 0xFE, 0, 2, 0, 0, 0, 0x80, 0, 0, 0, 2, 1, 1, 7}));
  const CannelloniHeader header = parse_cannelloni_header(bytes);
  EXPECT_TRUE(header.ok);
  EXPECT_EQ(header.sequence, 0xFE);
  EXPECT_EQ(header.count, 2);
}

TEST(CannelloniDatagram, TakesNoMoreThanAnEthernetPacketHolds) {
  CannelloniDatagram datagram;
  datagram.start(0);
  const Frame frame = data_frame(1, Bytes(8));
  int taken = 0;
  while (datagram.add(frame)) ++taken;
  EXPECT_EQ(taken, (1472 - 5) / 13);
  EXPECT_LE(datagram.bytes().size(), 1472U);
}

TEST(CannelloniHeader, OtherVersionsAndOperationsAreRefused) {
  EXPECT_FALSE(parse_cannelloni_header(Bytes{2, 0, 0, 0}).ok);
  EXPECT_FALSE(parse_cannelloni_header(Bytes{1, 0, 0, 0, 0}).ok);
  EXPECT_FALSE(parse_cannelloni_header(Bytes{2, 1, 0, 0, 0}).ok);
}

TEST(SequenceWatch, TellsGapsFromLateOnes) {
  using Verdict = SequenceWatch::Verdict;
  SequenceWatch watch;
  EXPECT_EQ(watch.take(250).verdict, Verdict::kInOrder);  // wherever it starts
  EXPECT_EQ(watch.take(251).verdict, Verdict::kInOrder);
  const auto gap = watch.take(2);  // 252..255, 0, 1
  EXPECT_EQ(gap.verdict, Verdict::kGap);
  EXPECT_EQ(gap.missing, 6);
  EXPECT_EQ(watch.take(2).verdict, Verdict::kLateOrDoubled);
  EXPECT_EQ(watch.take(255).verdict, Verdict::kLateOrDoubled);
  EXPECT_EQ(watch.take(3).verdict, Verdict::kInOrder);
  EXPECT_EQ(watch.take(4 + 128).verdict, Verdict::kLateOrDoubled);
  EXPECT_EQ(watch.take(4 + 127).missing, 127);
}

}  // namespace
}  // namespace jointrig::can
