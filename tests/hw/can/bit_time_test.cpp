#include "hw/can/bit_time.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/hw/can/random_frame.h"

namespace jointrig::can {
namespace {

Frame classic(std::uint8_t size, bool extended = false) {
  Frame frame;
  frame.size = size;
  frame.extended = extended;
  return frame;
}

Frame fd(std::uint8_t size, bool extended = false) {
  Frame frame = classic(size, extended);
  frame.fd = true;
  frame.bit_rate_switch = true;
  return frame;
}

double percent(const std::vector<CyclicFrame>& frames, Stuffing stuffing) {
  return 100 * cyclic_load(frames, BitRates{1'000'000, 5'000'000}, stuffing);
}

/// The wire as text, worked out without the product: fields one after another, the CRC by long
/// division, stuff bits by looking back five characters.
namespace text {

std::string binary(std::uint32_t value, int digits) {
  std::string out;
  while (digits-- > 0) out += static_cast<char>('0' + (value >> digits & 1));
  return out;
}

/// Remainder of bits·x^15 by the generator, as one divides on paper.
std::string crc15(std::string bits) {
  const std::string generator = "1100010110011001";
  const std::size_t end = bits.size();
  bits += std::string(15, '0');
  for (std::size_t i = 0; i < end; ++i) {
    if (bits[i] == '0') continue;
    for (std::size_t k = 0; k < generator.size(); ++k) {
      bits[i + k] = bits[i + k] == generator[k] ? '0' : '1';
    }
  }
  return bits.substr(end);
}

/// `closing`: whether a run that ends with the last bit gets its stuff bit too.
std::string stuffed(const std::string& bits, bool closing) {
  std::string out;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    out += bits[i];
    const bool run = out.size() >= 5 && out.substr(out.size() - 5) == std::string(5, bits[i]);
    if (run && (closing || i + 1 < bits.size())) out += bits[i] == '0' ? '1' : '0';
  }
  return out;
}

std::string up_to_control_field(const Frame& frame) {
  const std::string remote = frame.remote ? "1" : "0";
  if (!frame.extended) return "0" + binary(frame.id, 11) + remote + "0";
  return "0" + binary(frame.id >> 18, 11) + "11" + binary(frame.id & 0x3FFFF, 18) + remote;
}

std::string data(const Frame& frame) {
  std::string out;
  for (const std::uint8_t byte : frame.bytes()) out += binary(byte, 8);
  return out;
}

int classic_bits(const Frame& frame) {
  const std::string bits = up_to_control_field(frame) + (frame.extended ? "00" : "0") +
                           binary(frame.size, 4) + data(frame);
  return static_cast<int>(
      (stuffed(bits + crc15(bits), true) + "1" + "11" + "1111111" + "111").size());
}

int fd_dlc(int size) {
  if (size <= 8) return size;
  if (size <= 24) return 9 + (size - 12) / 4;
  return 13 + (size - 32) / 16;
}

int fd_bits(const Frame& frame) {
  const std::string bits = up_to_control_field(frame) + "10" + (frame.bit_rate_switch ? "1" : "0") +
                           (frame.error_state ? "1" : "0") +
                           binary(static_cast<std::uint32_t>(fd_dlc(frame.size)), 4) + data(frame);
  const int checked = frame.size <= 16 ? 4 + 17 : 4 + 21;
  const int fixed = frame.size <= 16 ? 6 : 7;
  return static_cast<int>(stuffed(bits, false).size()) + checked + fixed + 13;
}

}  // namespace text

TEST(BitTime, ClassicFramesHaveTheLengthsOfDavis2007) {
  EXPECT_EQ(frame_bits(classic(8), Stuffing::kWorst).total(), 135);
  EXPECT_EQ(frame_bits(classic(6), Stuffing::kWorst).total(), 115);
  EXPECT_EQ(frame_bits(classic(0), Stuffing::kWorst).total(), 55);
  EXPECT_EQ(frame_bits(classic(8), Stuffing::kNone).total(), 111);
  // 80 + 10 s with 29 bits: the paper's formula (2).
  EXPECT_EQ(frame_bits(classic(8, true), Stuffing::kWorst).total(), 160);
  EXPECT_EQ(frame_bits(classic(0, true), Stuffing::kWorst).total(), 80);
}

TEST(BitTime, ARemoteFrameIsAsShortAsOneWithoutData) {
  Frame remote = classic(8);
  remote.remote = true;
  EXPECT_EQ(frame_bits(remote, Stuffing::kWorst).total(), 55);
}

TEST(BitTime, FdFramesTakeTheTimesWorkedOutAt1And5Mbit) {
  const BitRates rates{1'000'000, 5'000'000};
  // 17 + 4 + 13 bits of 1 us; 69 + 17 + 21 + 6 of 0.2 us
  EXPECT_EQ(duration(fd(8), rates, Stuffing::kWorst), 56'600);
  EXPECT_NEAR(duration(fd(16), rates, Stuffing::kWorst), 73'000, 500);
  EXPECT_NEAR(duration(fd(24), rates, Stuffing::kWorst), 90'000, 500);
  EXPECT_NEAR(duration(fd(64), rates, Stuffing::kWorst), 170'000, 500);
}

TEST(BitTime, NoStuffBitStandsBeforeTheFirstFixedOneOfAnFdFrame) {
  // 29 bits of identifier, 8 bytes: 36 + 69 bits are stuffed, of which the last run needs none:
  // (105 - 2) / 4 = 25 stuff bits, 8 of them before the data phase.
  EXPECT_EQ(frame_bits(fd(8, true), Stuffing::kWorst), (FrameBits{36 + 8 + 13, 69 + 17 + 27}));
}

TEST(BitTime, WithoutASecondRateAllBitsOfAnFdFrameAreNominal) {
  Frame frame = fd(8);
  const FrameBits switched = frame_bits(frame, Stuffing::kWorst);
  frame.bit_rate_switch = false;
  EXPECT_EQ(frame_bits(frame, Stuffing::kWorst), (FrameBits{switched.total(), 0}));
  EXPECT_EQ(switched, (FrameBits{34, 113}));
}

TEST(BitTime, DurationsAreRoundedUp) {
  EXPECT_EQ(duration(FrameBits{1, 0}, BitRates{3, 1}), 333'333'334);
  EXPECT_EQ(duration(FrameBits{135, 0}, BitRates{}), 135'000);
  EXPECT_EQ(duration(FrameBits{135, 0}, BitRates{125'000, 1}), 1'080'000);
}

/// Loads of seven joints at 1 kHz, rounded to a percent: worst, unstuffed.
struct Traffic {
  const char* what;
  std::vector<CyclicFrame> frames;
  double worst;
  double unstuffed;
};

TEST(BitTime, LoadsOfSevenJointsAreThoseWorkedOutByHand) {
  const CyclicFrame sync{classic(0)};
  const auto times = [](int count, const Frame& frame) {
    return CyclicFrame{frame, kMillisecond, count};
  };
  const std::vector<Traffic> table{
      {"one RPDO and two TPDO each", {sync, times(21, classic(8))}, 289, 238},
      {"one RPDO and one TPDO each", {sync, times(14, classic(8))}, 195, 160},
      {"shared RPDO", {sync, times(2, classic(8)), times(7, classic(6))}, 113, 93},
      {"MIT", {times(7, classic(8)), times(7, classic(6))}, 175, 144},
      {"ODrive", {times(21, classic(8))}, 284, 233},
      {"moteus", {times(7, fd(16, true)), times(7, fd(16))}, 118, 100},
      {"CANopen FD", {times(1, fd(0)), times(1, fd(64)), times(7, fd(16))}, 72, 61},
  };
  for (const Traffic& traffic : table) {
    SCOPED_TRACE(traffic.what);
    EXPECT_NEAR(percent(traffic.frames, Stuffing::kWorst), traffic.worst, 0.51);
    EXPECT_NEAR(percent(traffic.frames, Stuffing::kNone), traffic.unstuffed, 0.51);
  }
}

TEST(BitTime, LoadGoesDownWithThePeriod) {
  EXPECT_NEAR(percent({{classic(0), 3 * kMillisecond}, {classic(8), 3 * kMillisecond, 14}},
                      Stuffing::kWorst),
              65, 0.51);
  EXPECT_NEAR(percent({{classic(0), 5 * kMillisecond}, {classic(8), 5 * kMillisecond, 21}},
                      Stuffing::kWorst),
              58, 0.51);
}

TEST(BitTime, ExactLengthsOfFramesStuffedByHand) {
  // FD, id 555, 0 bytes, BRS: 0 10101010101 0 0 1 0 1 | 0 0000: five zeros close the stuffed part
  // and need no stuff bit. 17 + 13 nominal, 5 + 4 + 17 + 6 data.
  Frame alternating = fd(0);
  alternating.id = 0x555;
  EXPECT_EQ(frame_bits(alternating, Stuffing::kExact), (FrameBits{30, 32}));
  // id 000: 0 0000 |1| 0000000 ..: after 5, then after each 5 of the next zeros; 14 zeros before
  // FDF with stuff bits after the 5th and the 10th.
  alternating.id = 0;
  EXPECT_EQ(frame_bits(alternating, Stuffing::kExact), (FrameBits{32, 32}));
}

TEST(BitTime, TheTestsOwnCrcHasThePublishedCheckValue) {
  std::string bits;
  for (const char c : std::string("123456789")) bits += text::binary(static_cast<unsigned>(c), 8);
  EXPECT_EQ(text::crc15(bits), text::binary(0x059E, 15));  // CRC-15/CAN
}

TEST(BitTime, ExactLengthsAreThoseOfAnIndependentCount) {
  std::mt19937 random(1);
  int stuffed = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Frame frame = random_frame(random);
    const FrameBits exact = frame_bits(frame, Stuffing::kExact);
    ASSERT_EQ(exact.total(), frame.fd ? text::fd_bits(frame) : text::classic_bits(frame))
        << "frame " << i << ", id " << frame.id << ", size " << int{frame.size};
    const int least = frame_bits(frame, Stuffing::kNone).total();
    ASSERT_GE(exact.total(), least);
    ASSERT_LE(exact.total(), frame_bits(frame, Stuffing::kWorst).total());
    stuffed += exact.total() - least;
  }
  EXPECT_GT(stuffed, 20'000);
}

TEST(BitTime, TheClassicBoundIsNearlyReached) {
  // 11111 0000 1111 0000 ...: each stuff bit begins the next run. The bound knows nothing of CRCs;
  // of all identifiers with data of this kind one comes close to it.
  Frame frame = classic(8);
  frame.data = {0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3, 0xC3};
  int longest = 0;
  for (frame.id = 0; frame.id <= kMaxStandardId; ++frame.id) {
    for (const std::uint8_t fill : {0xC3, 0x3C, 0x87, 0x78, 0x0F, 0xF0, 0xE1, 0x1E}) {
      std::fill_n(frame.data.begin(), 8, fill);
      longest = std::max(longest, frame_bits(frame, Stuffing::kExact).total());
    }
  }
  EXPECT_GE(longest, 131);
  EXPECT_LE(longest, 135);
}

TEST(ArbitrationKey, LowerIdentifiersAndShorterFormatsWin) {
  const auto key = [](std::uint32_t id, bool extended, bool remote) {
    Frame frame;
    frame.id = id;
    frame.extended = extended;
    frame.remote = remote;
    return arbitration_key(frame);
  };
  EXPECT_LT(key(0x100, false, false), key(0x101, false, false));
  EXPECT_LT(key(0x100, false, false), key(0x100, false, true));
  EXPECT_LT(key(0x100, false, true), key(0x100U << 18, true, false));
  EXPECT_LT(key(0x100U << 18, true, false), key(0x100U << 18, true, true));
  EXPECT_LT(key(0x100U << 18 | 1, true, true), key(0x101, false, false));
}

}  // namespace
}  // namespace jointrig::can
