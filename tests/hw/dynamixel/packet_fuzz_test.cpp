#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "hw/dynamixel/packet.h"
#include "hw/dynamixel/servo_machine.h"

namespace jointrig::dynamixel {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Bytes out of which headers arise often.
std::uint8_t some_byte(std::mt19937& random) {
  constexpr std::array<std::uint8_t, 6> kLikely{0xFF, 0xFF, 0xFD, 0x00, 0x01, 0xFE};
  return random() % 2 == 0 ? kLikely[random() % kLikely.size()]
                           : static_cast<std::uint8_t>(random());
}

Bytes some_packet(std::mt19937& random) {
  constexpr std::array kKinds{
      Instruction::kPing,     Instruction::kRead,      Instruction::kWrite,
      Instruction::kRegWrite, Instruction::kAction,    Instruction::kStatus,
      Instruction::kSyncRead, Instruction::kSyncWrite, Instruction::kFastSyncRead,
      Instruction::kBulkRead, Instruction::kBulkWrite, Instruction::kReboot};
  Bytes parameters(random() % 40);
  for (std::uint8_t& byte : parameters) byte = some_byte(random);
  Bytes out(200);
  const auto id = static_cast<std::uint8_t>(random() % 3 == 0 ? kBroadcast : 1);
  out.resize(write_packet(id, kKinds[random() % kKinds.size()], parameters, out));
  return out;
}

/// Bytes from a bad line: changed, lost and added.
void damage(Bytes& bytes, std::mt19937& random) {
  for (unsigned i = random() % 4; i > 0 && !bytes.empty(); --i) {
    const auto at = static_cast<std::ptrdiff_t>(random() % bytes.size());
    switch (random() % 3) {
      case 0:
        bytes[static_cast<std::size_t>(at)] = some_byte(random);
        break;
      case 1:
        bytes.erase(bytes.begin() + at);
        break;
      default:
        bytes.insert(bytes.begin() + at, some_byte(random));
    }
  }
}

TEST(DynamixelFuzz, AReaderFindsAGoodPacketAfterAnything) {
  std::mt19937 random(1);
  PacketReader reader;
  const Bytes silence(kMostPacket, 0x00);  // ends a packet that pretends to be long
  for (int run = 0; run < 100'000; ++run) {
    Bytes bytes = some_packet(random);
    damage(bytes, random);
    reader.feed(bytes);
    while (reader.next()) continue;
    if (run % 100 != 0) continue;
    reader.feed(silence);
    while (reader.next()) continue;
    reader.feed(Bytes{0xFF, 0xFF, 0xFD, 0x00, 0x01, 0x03, 0x00, 0x01, 0x19, 0x4E});
    const auto packet = reader.next();
    ASSERT_TRUE(packet) << "run " << run;
    EXPECT_EQ(packet->instruction, Instruction::kPing);
  }
  EXPECT_GT(reader.counters().packets, 20'000U);
  EXPECT_GT(reader.counters().crc_errors, 10'000U);
}

TEST(DynamixelFuzz, EveryPacketThatIsReadIsTheOneThatWasWritten) {
  std::mt19937 random(2);
  PacketReader reader;
  for (int run = 0; run < 20'000; ++run) {
    Bytes parameters(random() % 60);
    for (std::uint8_t& byte : parameters) byte = some_byte(random);
    Bytes out(200);
    out.resize(write_packet(5, Instruction::kSyncWrite, parameters, out));
    reader.feed(out);
    const auto packet = reader.next();
    ASSERT_TRUE(packet) << "run " << run;
    ASSERT_EQ(Bytes(packet->parameters.begin(), packet->parameters.end()), parameters);
  }
}

TEST(DynamixelFuzz, AServoStaysWithinItsLimitsWhateverItHears) {
  std::mt19937 random(3);
  ServoMachine servo({.id = 1, .current_limit = 500});
  for (int run = 0; run < 100'000; ++run) {
    Bytes bytes = some_packet(random);
    if (random() % 2 == 0) damage(bytes, random);
    servo.clear_answer();
    servo.hear_host(bytes);
    servo.hear_servo(bytes);
    const ServoDrive drive = servo.update(1e-3);
    const int limit = static_cast<int>(servo.value(item::kCurrentLimit));
    ASSERT_LE(std::abs(drive.current), std::max(limit, 500));
    ASSERT_LE(servo.answer().size(), kMostPacket);
    ASSERT_EQ(servo.value(item::kModelNumber), 1020U);
  }
}

}  // namespace
}  // namespace jointrig::dynamixel
