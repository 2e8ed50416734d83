#include "hw/dynamixel/packet.h"

#include <gtest/gtest.h>

#include <vector>

namespace jointrig::dynamixel {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes written(std::uint8_t id, Instruction instruction, const Bytes& parameters) {
  Bytes out(kMostPacket);
  out.resize(write_packet(id, instruction, parameters, out));
  return out;
}

// From the maker's e-manual, "DYNAMIXEL Protocol 2.0", examples of its instructions.
const Bytes kPing1{0xFF, 0xFF, 0xFD, 0x00, 0x01, 0x03, 0x00, 0x01, 0x19, 0x4E};
const Bytes kPing1Answer{0xFF, 0xFF, 0xFD, 0x00, 0x01, 0x07, 0x00,
                         0x55, 0x00, 0x06, 0x04, 0x26, 0x65, 0x5D};
const Bytes kRead132{0xFF, 0xFF, 0xFD, 0x00, 0x01, 0x07, 0x00,
                     0x02, 0x84, 0x00, 0x04, 0x00, 0x1D, 0x15};
const Bytes kRead132Answer{0xFF, 0xFF, 0xFD, 0x00, 0x01, 0x08, 0x00, 0x55,
                           0x00, 0xA6, 0x00, 0x00, 0x00, 0x8C, 0xC0};
const Bytes kWrite512{0xFF, 0xFF, 0xFD, 0x00, 0x01, 0x09, 0x00, 0x03,
                      0x74, 0x00, 0x00, 0x02, 0x00, 0x00, 0xCA, 0x89};

TEST(DynamixelPacket, IsTheOneOfTheMakersExamples) {
  EXPECT_EQ(written(1, Instruction::kPing, {}), kPing1);
  EXPECT_EQ(written(1, Instruction::kStatus, {0x00, 0x06, 0x04, 0x26}), kPing1Answer);
  EXPECT_EQ(written(1, Instruction::kRead, {0x84, 0x00, 0x04, 0x00}), kRead132);
  EXPECT_EQ(written(1, Instruction::kStatus, {0x00, 0xA6, 0x00, 0x00, 0x00}), kRead132Answer);
  EXPECT_EQ(written(1, Instruction::kWrite, {0x74, 0x00, 0x00, 0x02, 0x00, 0x00}), kWrite512);
}

TEST(DynamixelPacket, HasTheCrcOfThePublishedCheckString) {
  // CRC-16/UMTS (polynomial 8005h, start 0, not reflected): FEE8h of "123456789".
  const Bytes digits{'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  EXPECT_EQ(crc16(digits), 0xFEE8);
}

TEST(DynamixelPacket, IsStuffedWhereItsParametersLookLikeAHeader) {
  const Bytes parameters{0x01, 0xFF, 0xFF, 0xFD, 0xFF, 0xFF, 0xFD, 0xFD, 0x00};
  const Bytes packet = written(7, Instruction::kWrite, parameters);
  const Bytes body(packet.begin() + 8, packet.end() - 2);
  const Bytes stuffed{0x01, 0xFF, 0xFF, 0xFD, 0xFD, 0xFF, 0xFF, 0xFD, 0xFD, 0xFD, 0x00};
  EXPECT_EQ(body, stuffed);
  EXPECT_EQ(packet[5], stuffed.size() + 3);  // with instruction and CRC
  PacketReader reader;
  reader.feed(packet);
  const auto read = reader.next();
  ASSERT_TRUE(read);
  EXPECT_EQ(Bytes(read->parameters.begin(), read->parameters.end()), parameters);
}

TEST(DynamixelPacket, IsFoundBehindGarbageAndInPieces) {
  PacketReader reader;
  reader.feed(Bytes{0x00, 0xFF, 0xFF, 0xFF, 0x12});
  EXPECT_FALSE(reader.next());
  for (const std::uint8_t byte : kPing1Answer) {
    EXPECT_FALSE(reader.next());
    reader.feed(Bytes{byte});
  }
  const auto packet = reader.next();
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->id, 1);
  EXPECT_EQ(packet->instruction, Instruction::kStatus);
  EXPECT_EQ(reader.counters().garbage, 5U);
}

TEST(DynamixelPacket, IsRefusedWithAWrongCrcAndTheNextOneTaken) {
  Bytes bytes = kRead132Answer;
  bytes[9] ^= 0x01;
  bytes.insert(bytes.end(), kPing1.begin(), kPing1.end());
  PacketReader reader;
  reader.feed(bytes);
  const auto packet = reader.next();
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->instruction, Instruction::kPing);
  EXPECT_EQ(reader.counters().crc_errors, 1U);
}

TEST(DynamixelPacket, IsNotWrittenWhereItHasNoRoom) {
  const Bytes parameters{0x84, 0x00, 0x04, 0x00};
  Bytes out(13);
  EXPECT_EQ(write_packet(1, Instruction::kRead, parameters, out), 0U);
  out.resize(14);
  EXPECT_EQ(write_packet(1, Instruction::kRead, parameters, out), 14U) << "just enough";
  EXPECT_EQ(out, kRead132);
}

TEST(DynamixelPacket, HasRoomForTheStuffingThatItNeedsAndForNoMore) {
  const Bytes parameters{0x00, 0xFF, 0xFF, 0xFD};
  Bytes out(14 + 2, 0xAA);
  EXPECT_EQ(write_packet(1, Instruction::kWrite, parameters, std::span(out).first(14)), 0U);
  EXPECT_EQ(out[14], 0xAA);
  EXPECT_EQ(write_packet(1, Instruction::kWrite, parameters, std::span(out).first(15)), 15U);
  EXPECT_EQ(out[15], 0xAA);
}

}  // namespace
}  // namespace jointrig::dynamixel
