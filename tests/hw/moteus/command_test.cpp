#include "hw/moteus/command.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hw/moteus/words.h"
#include "tests/hw/moteus/frame_bytes.h"

namespace jointrig::moteus {
namespace {

using enum Resolution;

std::string written(const PositionCommand& command, Resolution resolution) {
  can::Frame frame;
  FrameWriter writer(frame);
  EXPECT_TRUE(put_position(writer, command, resolution));
  return hex_of(frame);
}

TEST(MoteusCommand, APositionIsModeAndTargetAndWhatIsNotAtItsDefault) {
  EXPECT_EQ(written({.position = 0.5}, kInt16),
            "01000a"
            "05208813");
  EXPECT_EQ(written({.position = 1.0, .velocity = -2.0, .timeout = 0.02}, kFloat),
            "01000a"
            "0d200000803f"
            "0d21000000c0"
            "05271400");
  EXPECT_EQ(
      written({.position = 0.25, .kp_scale = 0.5, .kd_scale = 0.0, .max_torque = 3.0}, kInt32),
      "01000a"
      "0920a8610000"
      "05230040"
      "012400"
      "05252c01");
}

TEST(MoteusCommand, WhereItIsIsWrittenOutSinceAnUnwrittenPositionIsZero) {
  EXPECT_EQ(written({.velocity = 2.0}, kInt16),
            "01000a"
            "012080"
            "0521401f");
}

TEST(MoteusCommand, TorqueAloneHasAllGainsAtNothing) {
  EXPECT_EQ(
      written(
          {.feedforward = 1.5, .kp_scale = 0, .kd_scale = 0, .ilimit_scale = 0, .timeout = 0.02},
          kFloat),
      "01000a"
      "012080"
      "0d220000c03f"
      "012300"
      "012400"
      "012b00"
      "05271400");
}

TEST(MoteusCommand, ATorqueWithItsQueryFitsThirtyTwoBytes) {
  can::Frame frame;
  FrameWriter writer(frame);
  ASSERT_TRUE(put_position(
      writer,
      {.feedforward = 1.5, .kp_scale = 0, .kd_scale = 0, .ilimit_scale = 0, .timeout = 0.02},
      kFloat));
  ASSERT_TRUE(put_query(writer, kFloat));
  writer.finish();
  EXPECT_EQ(frame.size, 32);
}

TEST(MoteusCommand, StopAndVoltageAreTheirModes) {
  can::Frame stop;
  FrameWriter stop_writer(stop);
  EXPECT_TRUE(put_stop(stop_writer));
  EXPECT_EQ(hex_of(stop), "010000");
  can::Frame voltage;
  FrameWriter voltage_writer(voltage);
  EXPECT_TRUE(put_q_voltage(voltage_writer, 12.0));
  EXPECT_EQ(hex_of(voltage),
            "010008"
            "0d1b00004041");
}

TEST(MoteusCommand, TheQueryAsksForModeStateAndHealth) {
  can::Frame frame;
  FrameWriter writer(frame);
  EXPECT_TRUE(put_query(writer, kFloat));
  EXPECT_EQ(hex_of(frame),
            "1100"
            "1f01"
            "130d");
}

TEST(MoteusCommand, AnAnswerIsAReport) {
  // Mode 10; 0.5 rev, 1 rev/s, -2 N·m as floats; 24 V, 31 °C, notice 102.
  const auto report =
      report_of(bytes_of("21000a"
                         "2f010000003f0000803f000000c0"
                         "230d301f66"
                         "5050"));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->mode, Mode::kPosition);
  EXPECT_EQ(report->position, 0.5);
  EXPECT_EQ(report->velocity, 1.0);
  EXPECT_EQ(report->torque, -2.0);
  EXPECT_EQ(report->voltage_V, 24.0);
  EXPECT_EQ(report->temperature_C, 31.0);
  EXPECT_EQ(report->fault, 102);
}

TEST(MoteusCommand, InputsAreAskedForWithTheOthersAndArePinsInTheirOrder) {
  can::Frame frame;
  FrameWriter writer(frame);
  EXPECT_TRUE(put_query(writer, kFloat, true));
  EXPECT_EQ(hex_of(frame),
            "1100"
            "1f01"
            "130d"
            "125e");
  // 3 + 14 + 5 + 4 bytes, of FD's lengths the next one.
  EXPECT_EQ(report_size(kFloat, true), 32);
  EXPECT_EQ(report_size(kFloat), 24);
  // As above, and pins A, E of aux 1, B, D of aux 2: inputs 0, 4, 6; the ninth there is not.
  const auto report =
      report_of(bytes_of("21000a"
                         "2f010000003f0000803f000000c0"
                         "230d301f66"
                         "225e110a5050"));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->inputs, 0b0101'0001);
  const auto half =
      report_of(bytes_of("21000a"
                         "2f010000003f0000803f000000c0"
                         "230d301f66"
                         "215e11"));
  ASSERT_TRUE(half);
  EXPECT_FALSE(half->inputs) << "aux 2 is missing";
  const auto refused =
      report_of(bytes_of("21000a"
                         "2f010000003f0000803f000000c0"
                         "230d301f66"
                         "315e01315f01"));
  ASSERT_TRUE(refused) << "the rest counts";
  EXPECT_FALSE(refused->inputs);
}

TEST(MoteusCommand, AnAnswerWithSomethingMissingIsNone) {
  EXPECT_FALSE(
      report_of(bytes_of("21000a"
                         "2f010000003f0000803f000000c0")))
      << "no health";
  EXPECT_FALSE(
      report_of(bytes_of("2f010000003f0000803f000000c0"
                         "230d301f66")))
      << "no mode";
  EXPECT_FALSE(
      report_of(bytes_of("21000a"
                         "2f010000c07f0000803f000000c0"
                         "230d301f66")))
      << "a position that is no number";
  EXPECT_FALSE(
      report_of(bytes_of("21000a"
                         "2f010000003f0000803f000000c0"
                         "230d301f")))
      << "cut off";
  EXPECT_FALSE(report_of({}));
}

TEST(MoteusCommand, TheIdentityIsAskedForAndRead) {
  can::Frame frame;
  FrameWriter writer(frame);
  EXPECT_TRUE(put_identity_query(writer));
  EXPECT_EQ(hex_of(frame),
            "1b8002"
            "1ba002"
            "110c");
  const auto identity =
      identity_of(bytes_of("2b8002"
                           "04000000"
                           "04030100"
                           "05000000"
                           "2ba002"
                           "efbeadde"
                           "02000000"
                           "03000080"
                           "210c02"));
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->model, 4U);
  EXPECT_EQ(identity->firmware, 0x010304U);
  EXPECT_EQ(identity->register_map, 5U);
  EXPECT_EQ(identity->serial, (std::array<std::uint32_t, 3>{0xDEADBEEF, 2, 0x8000'0003}));
  EXPECT_EQ(identity->home_state, 2);
  EXPECT_FALSE(identity_of(bytes_of("2b8002040000000403010005000000")));
}

TEST(MoteusWords, EveryFaultAndNoticeHasItsOwn) {
  std::vector<std::string_view> said;
  for (int code = 32; code <= 50; ++code) said.push_back(describe_fault(code));
  for (int code = 96; code <= 103; ++code) said.push_back(describe_fault(code));
  for (int code = 0; code < 128; ++code) {
    EXPECT_EQ(is_limit_notice(code), code >= 96 && code <= 103);
  }
  for (const auto& text : said) {
    EXPECT_NE(text, describe_fault(77)) << "known";
    EXPECT_EQ(std::count(said.begin(), said.end(), text), 1) << text;
  }
  EXPECT_EQ(describe(Mode::kTimeout), "timeout");
  EXPECT_EQ(describe(Mode::kBrake), "brake");
  EXPECT_EQ(describe(static_cast<Mode>(-3)), "unknown");
}

}  // namespace
}  // namespace jointrig::moteus
