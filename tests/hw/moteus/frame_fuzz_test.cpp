// Random and damaged frames: nothing crashes, nothing is read past the end (run under asan), the
// servo stays within its torque and drives only when told to by a whole frame.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "hw/moteus/servo_machine.h"
#include "tests/hw/can/random_frame.h"

namespace jointrig::moteus {
namespace {

/// Bytes in memory of exactly their size, so that a sanitizer sees a read past them.
std::size_t items_of(std::span<const std::uint8_t> bytes) {
  const std::unique_ptr<std::uint8_t[]> copy(new std::uint8_t[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), copy.get());
  FrameReader reader(std::span<const std::uint8_t>(copy.get(), bytes.size()));
  std::size_t items = 0;
  while (reader.next()) ++items;
  return items;
}

TEST(MoteusFuzz, ReadingAnyBytesEndsSoon) {
  std::mt19937 random(1);
  int reports = 0;
  for (int i = 0; i < 200'000; ++i) {
    const can::Frame frame = can::random_frame(random);
    // Three bytes make a read of at most kMostRegisters.
    ASSERT_LE(items_of(frame.bytes()), 22U * FrameReader::kMostRegisters);
    reports += report_of(frame.bytes()) || identity_of(frame.bytes()) ? 1 : 0;
  }
  EXPECT_EQ(reports, 0) << "chance makes no answer";
}

/// A whole command with some of its bits turned, or cut off.
can::Frame damaged_command(std::mt19937& random) {
  can::Frame frame = frame_to({.source = 0, .destination = 1, .wants_reply = random() % 2 == 0});
  FrameWriter writer(frame);
  const auto resolution = static_cast<Resolution>(random() % 4);
  put_position(writer, {.position = 0.1, .velocity = 3.0, .feedforward = 0.5, .kp_scale = 0.5},
               resolution);
  put_query(writer, resolution);
  writer.finish();
  for (std::uint32_t bits = random() % 4; bits > 0; --bits) {
    frame.data[random() % frame.size] ^= static_cast<std::uint8_t>(1U << random() % 8);
  }
  if (random() % 4 == 0) frame.size = can::kFdSizes[random() % 13];
  return frame;
}

TEST(MoteusFuzz, AServoStaysWithinItsTorqueWhateverItIsSent) {
  std::mt19937 random(2);
  ServoConfig config;
  config.kp = 100.0;
  config.ki = 10.0;
  config.kd = 1.0;
  config.ilimit = 1.0;
  config.max_torque = 2.0;
  ServoMachine servo(config);
  int driven = 0;
  for (int i = 0; i < 200'000; ++i) {
    can::Frame frame = random() % 2 == 0 ? can::random_frame(random) : damaged_command(random);
    if (random() % 2 == 0) frame.id = 0x8001;
    const auto answer = servo.receive(frame);
    if (answer) {
      ASSERT_TRUE(can::valid(*answer));
    }
    servo.sense({.position = std::sin(i * 1e-3), .velocity = std::cos(i * 1e-3), .voltage = 24.0});
    if (random() % 4 != 0) continue;
    const ServoDrive drive = servo.update(1e-3);
    ASSERT_LE(std::abs(drive.torque), 5.0) << "the damping of a time-out has the most";
    if (servo.mode() == Mode::kPosition) {
      ASSERT_LE(std::abs(drive.torque), 2.0);
    }
    ASSERT_LE(std::abs(drive.duty), 1.0);
    if (drive.stage != ServoDrive::Stage::kOff) ++driven;
  }
  EXPECT_GT(driven, 1000) << "it was driven";
}

TEST(MoteusFuzz, AFrameThatIsMalformedAfterItsModeCommandsNothing) {
  ServoMachine servo(ServoConfig{});
  can::Frame frame = frame_to({.source = 0, .destination = 1});
  frame.size = 8;
  // Mode 10, then a float of which three bytes are there.
  frame.data = {0x01, 0x00, 0x0A, 0x0D, 0x20, 0x00, 0x00, 0x00};
  servo.receive(frame);
  EXPECT_EQ(servo.mode(), Mode::kStopped);
}

}  // namespace
}  // namespace jointrig::moteus
