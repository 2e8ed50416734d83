#include "hw/moteus/codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/hw/moteus/frame_bytes.h"

namespace jointrig::moteus {
namespace {

using enum Resolution;

TEST(MoteusAddress, HasSourceDestinationAndTheWishForAnAnswerInItsBits) {
  const can::Frame ask = frame_to({.source = 0, .destination = 1, .wants_reply = true});
  EXPECT_EQ(ask.id, 0x8001U);
  EXPECT_TRUE(ask.extended) << "more than 7FFh doesn't fit 11 bits";
  EXPECT_TRUE(ask.fd && ask.bit_rate_switch);
  const can::Frame answer = frame_to({.source = 1, .destination = 0});
  EXPECT_EQ(answer.id, 0x0100U);
  EXPECT_FALSE(answer.extended);
  EXPECT_TRUE(frame_to({.source = 8, .destination = 0}).extended);
  EXPECT_EQ(address_of(ask), (Address{.source = 0, .destination = 1, .wants_reply = true}));
  EXPECT_EQ(address_of(frame_to({.source = 127, .destination = 126})),
            (Address{.source = 127, .destination = 126}));
}

TEST(MoteusAddress, FramesOfOtherProtocolsHaveNone) {
  can::Frame frame = frame_to({.source = 0, .destination = 1});
  frame.fd = frame.bit_rate_switch = false;
  EXPECT_FALSE(address_of(frame)) << "classic";
  frame = frame_to({.source = 0, .destination = 1});
  frame.id |= 0x10000;
  EXPECT_FALSE(address_of(frame)) << "a prefix";
  frame.id = 0x80;
  EXPECT_FALSE(address_of(frame)) << "bit 7 belongs to nobody";
}

// By the maker's tables: the step of each integer.
struct Scaling {
  Quantity quantity;
  double value;
  std::uint32_t int8, int16, int32;
};

TEST(MoteusCodec, IntegersCountTheStepsOfTheMakersTables) {
  const Scaling kCases[] = {
      {Quantity::kPosition, 0.5, 50, 5000, 50'000},
      {Quantity::kVelocity, 2.0, 20, 8000, 200'000},
      {Quantity::kAcceleration, 1.0, 20, 1000, 100'000},
      {Quantity::kTorque, 3.0, 6, 300, 3000},
      {Quantity::kCurrent, 7.0, 7, 70, 7000},
      {Quantity::kVoltage, 24.0, 48, 240, 24'000},
      {Quantity::kTemperature, 31.0, 31, 310, 31'000},
      {Quantity::kTime, 0.25, 25, 250, 250'000},
      {Quantity::kRatio, 1.0, 127, 32'767, 2'147'483'647},
      {Quantity::kPower, 100.0, 10, 2000, 1'000'000},
      {Quantity::kInteger, 11.0, 11, 11, 11},
  };
  for (const Scaling& c : kCases) {
    SCOPED_TRACE(static_cast<int>(c.quantity));
    EXPECT_EQ(encode(c.value, c.quantity, kInt8), c.int8);
    EXPECT_EQ(encode(c.value, c.quantity, kInt16), c.int16);
    EXPECT_EQ(encode(c.value, c.quantity, kInt32), c.int32);
    EXPECT_DOUBLE_EQ(decode(c.int8, c.quantity, kInt8), c.value);
    EXPECT_DOUBLE_EQ(decode(c.int16, c.quantity, kInt16), c.value);
    EXPECT_DOUBLE_EQ(decode(c.int32, c.quantity, kInt32), c.value);
  }
}

TEST(MoteusCodec, TheIntegersLeastValueIsNoNumberAndWhatIsTooMuchStopsBeforeIt) {
  EXPECT_EQ(encode(std::nan(""), Quantity::kPosition, kInt8) & 0xFF, 0x80U);
  EXPECT_EQ(encode(std::nan(""), Quantity::kPosition, kInt16) & 0xFFFF, 0x8000U);
  EXPECT_EQ(encode(std::nan(""), Quantity::kPosition, kInt32), 0x8000'0000U);
  EXPECT_TRUE(std::isnan(decode(0x80, Quantity::kPosition, kInt8)));
  EXPECT_TRUE(std::isnan(decode(0x8000, Quantity::kTorque, kInt16)));
  EXPECT_EQ(decode(0x8000'0000, Quantity::kInteger, kInt32), -2147483648.0) << "a serial number";
  EXPECT_EQ(encode(-1e9, Quantity::kTorque, kInt8) & 0xFF, 0x81U);
  EXPECT_EQ(encode(1e9, Quantity::kTorque, kInt16), 32'767U);
  EXPECT_EQ(encode(-0.0176, Quantity::kPosition, kInt16) & 0xFFFF, 0xFF50U);  // -176
}

TEST(MoteusCodec, AFloatIsTheValueItself) {
  EXPECT_EQ(encode(1.0, Quantity::kTorque, kFloat), 0x3F80'0000U);
  EXPECT_EQ(decode(0xC000'0000U, Quantity::kVoltage, kFloat), -2.0);
  EXPECT_TRUE(std::isnan(decode(0x7FC0'0000U, Quantity::kPosition, kFloat)));
}

// The example of the maker's protocol page: position 0.0096 rev, velocity 0.072 rev/s, -1.76 N·m,
// and a query.
TEST(MoteusCodec, WritesTheExampleOfTheProtocolsPage) {
  can::Frame frame = frame_to({.source = 0, .destination = 1, .wants_reply = true});
  FrameWriter writer(frame);
  const double command[] = {0.0096, 0.072, -1.76};
  EXPECT_TRUE(writer.write(Register::kMode, kInt8, 10));
  EXPECT_TRUE(writer.write(Register::kCommandPosition, kInt16, command));
  EXPECT_TRUE(writer.read(Register::kMode, kInt16, 4));
  EXPECT_TRUE(writer.read(Register::kVoltage, kInt8, 3));
  writer.finish();
  EXPECT_EQ(hex_of(frame), "01000a07206000200150ff140400130d");
}

TEST(MoteusCodec, ReadsTheExamplesAnswer) {
  const auto bytes = bytes_of("2404000a005000000170ff230d181400");
  FrameReader reader(bytes);
  const double kExpected[] = {10, 0.008, 0.064, -1.44, 12.0, 20.0, 0};
  const std::uint32_t kNumbers[] = {0, 1, 2, 3, 0xD, 0xE, 0xF};
  for (std::size_t i = 0; i < 7; ++i) {
    const auto item = reader.next();
    ASSERT_TRUE(item) << i;
    EXPECT_EQ(item->kind, Item::Kind::kReply);
    EXPECT_EQ(item->number, kNumbers[i]);
    EXPECT_NEAR(item->value, kExpected[i], 1e-12);
  }
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.is_malformed());
}

TEST(MoteusCodec, RegistersAbove127TakeTwoBytes) {
  can::Frame frame;
  FrameWriter writer(frame);
  EXPECT_TRUE(writer.read(Register::kSerial1, kInt32, 3));  // 120h = 0xA0, 0x02
  EXPECT_EQ(hex_of(frame), "1ba002");
  FrameReader reader(frame.bytes());
  EXPECT_EQ(reader.next()->number, 0x120U);
  EXPECT_EQ(reader.next()->number, 0x121U);
  EXPECT_EQ(reader.next()->number, 0x122U);
  EXPECT_FALSE(reader.next());
}

TEST(MoteusCodec, FramesArePaddedWithNothingToALengthOfFd) {
  can::Frame frame;
  FrameWriter writer(frame);
  EXPECT_TRUE(writer.write(Register::kCommandPosition, kFloat, 1.0));  // 6 bytes
  EXPECT_TRUE(writer.write(Register::kMode, kInt8, 0));                // 3 more
  writer.finish();
  EXPECT_EQ(hex_of(frame), "0d200000803f010000505050");
  FrameReader reader(frame.bytes());
  EXPECT_TRUE(reader.next());
  EXPECT_TRUE(reader.next());
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.is_malformed());
}

TEST(MoteusCodec, ErrorsAreToldWithRegisterAndCode) {
  can::Frame frame;
  FrameWriter writer(frame);
  EXPECT_TRUE(writer.error(true, 0x001, 2));
  EXPECT_TRUE(writer.error(false, 0x155, 1));
  EXPECT_EQ(hex_of(frame), "30010231d50201");
  FrameReader reader(frame.bytes());
  const auto first = reader.next();
  EXPECT_EQ(first->kind, Item::Kind::kWriteError);
  EXPECT_EQ(first->number, 1U);
  EXPECT_EQ(first->error_code, 2U);
  const auto second = reader.next();
  EXPECT_EQ(second->kind, Item::Kind::kReadError);
  EXPECT_EQ(second->number, 0x155U);
}

TEST(MoteusCodec, WhatDoesNotFitAFrameIsLeftOutWhole) {
  can::Frame frame;
  FrameWriter writer(frame);
  const std::vector<double> values(15, 1.0);
  EXPECT_TRUE(writer.write(Register::kCommandPosition, kInt32, values));  // 3 + 60 bytes
  EXPECT_FALSE(writer.write(Register::kMode, kInt8, 0));
  EXPECT_EQ(frame.size, 63);
  EXPECT_FALSE(writer.write(Register::kMode, kInt8, std::vector<double>(65, 0.0)));
  EXPECT_FALSE(writer.read(Register::kMode, kInt8, 65));
}

TEST(MoteusCodec, BytesThatAreNoSubframeEndTheReading) {
  const char* const kBad[] = {
      "0f2000000000",  // three floats announced, one and a half there
      "60",            // no such head
      "100000",        // long form, no registers, then a write of none without its register
      "10",            // long form without a count
      "11",            // no register
      "11ffffffffff",  // a varuint of more than five bytes
      "11ffffffff7f",  // of more than 32 bits
      "104100",        // 65 registers
      "3001",          // an error without its code
  };
  for (const char* text : kBad) {
    SCOPED_TRACE(text);
    const auto bytes = bytes_of(text);
    FrameReader reader(bytes);
    for (int i = 0; i < 3 && reader.next(); ++i) {
    }
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.is_malformed());
  }
}

}  // namespace
}  // namespace jointrig::moteus
