#include "hw/moteus/servo_machine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/hw/moteus/frame_bytes.h"

namespace jointrig::moteus {
namespace {

using Stage = ServoDrive::Stage;
constexpr double kPeriod = 1e-3;  // [s]
constexpr double kHold = 0.02;    // timeout of the commands [s]

ServoConfig config() {
  ServoConfig c;
  c.id = 5;
  c.kp = 10.0;
  c.kd = 0.5;
  c.max_torque = 4.0;
  c.torque_constant = 0.25;
  return c;
}

class MoteusServo : public testing::Test {
 protected:
  explicit MoteusServo(const ServoConfig& c = config()) : servo(c) {
    servo.sense({.position = 0.2, .velocity = 0.0, .voltage = 24.0, .temperature = 30.0});
  }

  /// A frame from host 0 that wants an answer.
  can::Frame say(const std::function<bool(FrameWriter&)>& put) {
    can::Frame frame = frame_to({.source = 0, .destination = 5, .wants_reply = true});
    FrameWriter writer(frame);
    EXPECT_TRUE(put(writer));
    writer.finish();
    const auto answer = servo.receive(frame);
    EXPECT_TRUE(answer);
    return answer.value_or(can::Frame{});
  }
  void command(const PositionCommand& wish) {
    say([&](FrameWriter& w) { return put_position(w, wish, Resolution::kFloat); });
  }
  void stop() { say(put_stop); }
  void mode(Mode wish) {
    say([&](FrameWriter& w) {
      return w.write(Register::kMode, Resolution::kInt8, static_cast<double>(wish));
    });
  }
  ServoDrive update(int periods = 1) {
    ServoDrive drive;
    for (int i = 0; i < periods; ++i) drive = servo.update(kPeriod);
    return drive;
  }

  ServoMachine servo;
};

TEST_F(MoteusServo, IsStoppedAfterPowerOn) {
  EXPECT_EQ(servo.mode(), Mode::kStopped);
  EXPECT_EQ(update().stage, Stage::kOff);
}

TEST_F(MoteusServo, AnswersAQueryToWhoeverAsked) {
  can::Frame frame = frame_to({.source = 3, .destination = 5, .wants_reply = true});
  FrameWriter writer(frame);
  put_query(writer, Resolution::kFloat);
  writer.finish();
  const auto answer = servo.receive(frame);
  ASSERT_TRUE(answer);
  EXPECT_EQ(address_of(*answer), (Address{.source = 5, .destination = 3}));
  const auto report = report_of(answer->bytes());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->mode, Mode::kStopped);
  EXPECT_FLOAT_EQ(static_cast<float>(report->position), 0.2F);
  EXPECT_EQ(report->voltage_V, 24.0);
  EXPECT_EQ(report->temperature_C, 30.0);
}

TEST_F(MoteusServo, AnswersRegistersThatFollowOneAnotherTogether) {
  const can::Frame answer = say([](FrameWriter& w) { return put_query(w, Resolution::kInt16); });
  // Mode 0; 0.2 rev = 2000, no velocity, no torque; 24 V = 48 halves, 30 °C, no fault; padding.
  EXPECT_EQ(hex_of(answer),
            "210000"
            "2701d00700000000"
            "230d301e00");
}

TEST_F(MoteusServo, SaysNothingUnaskedAndNothingForOthers) {
  can::Frame frame = frame_to({.source = 0, .destination = 5});
  FrameWriter writer(frame);
  put_query(writer, Resolution::kFloat);
  EXPECT_FALSE(servo.receive(frame));
  EXPECT_FALSE(servo.receive(frame_to({.source = 0, .destination = 6, .wants_reply = true})));
}

TEST_F(MoteusServo, HoldsAPositionByItsGains) {
  command({.position = 0.3, .velocity = 0.1, .feedforward = 0.5, .timeout = kHold});
  const ServoDrive drive = update();
  EXPECT_EQ(servo.mode(), Mode::kPosition);
  EXPECT_EQ(drive.stage, Stage::kTorque);
  EXPECT_NEAR(drive.torque, 10.0 * 0.1 + 0.5 * 0.1 + 0.5, 1e-6);
  EXPECT_NEAR(update().torque, 10.0 * (0.1 + 0.1 * kPeriod) + 0.05 + 0.5, 1e-6)
      << "the target moves on by itself";
}

TEST_F(MoteusServo, ScalesShrinkTheGainsAndTheTorqueHasItsMaximum) {
  command({.position = 0.3, .velocity = 1.0, .kp_scale = 0.5, .kd_scale = 0.0, .timeout = kHold});
  EXPECT_NEAR(update().torque, 10.0 * 0.5 * 0.1, 1e-4);
  command({.position = 1.2, .max_torque = 1.5, .timeout = kHold});
  EXPECT_NEAR(update().torque, 1.5, 1e-9) << "of the command";
  command({.position = 1.2, .max_torque = 9.0, .timeout = kHold});
  EXPECT_NEAR(update().torque, 4.0, 1e-9) << "of the servo";
}

TEST_F(MoteusServo, WithoutAPositionItGoesOnFromWhereItIs) {
  command({.velocity = 2.0, .timeout = kHold});
  EXPECT_NEAR(update().torque, 0.5 * 2.0, 1e-9) << "damping towards the velocity alone";
  command({.velocity = 2.0, .timeout = kHold});
  EXPECT_NEAR(update().torque, 1.0 + 10.0 * 2.0 * kPeriod, 1e-9) << "the target has moved";
}

TEST_F(MoteusServo, AnUnwrittenPositionIsZeroAsTheReferenceSays) {
  mode(Mode::kPosition);
  EXPECT_NEAR(update().torque, -2.0, 1e-9);
}

TEST_F(MoteusServo, TimesOutWithoutCommandsAndOnlyAStopLeadsOut) {
  command({.position = 0.2, .timeout = kHold});
  update(20);
  EXPECT_EQ(servo.mode(), Mode::kPosition) << "20 ms are allowed";
  update(1);
  EXPECT_EQ(servo.mode(), Mode::kTimeout);
  servo.sense({.position = 0.2, .velocity = 2.0, .voltage = 24.0});
  EXPECT_NEAR(update().torque, -0.5 * 2.0, 1e-9) << "it damps";
  for (const Mode wish : {Mode::kPosition, Mode::kCurrent, Mode::kBrake, Mode::kVoltageDq}) {
    mode(wish);
    update(3);
    EXPECT_EQ(servo.mode(), Mode::kTimeout) << describe(wish);
  }
  stop();
  EXPECT_EQ(servo.mode(), Mode::kStopped);
  EXPECT_EQ(update().stage, Stage::kOff);
}

TEST_F(MoteusServo, AQueryDoesNotFeedTheWatchdog) {
  command({.position = 0.2, .timeout = kHold});
  for (int i = 0; i < 30; ++i) {
    say([](FrameWriter& w) { return put_query(w, Resolution::kInt16); });
    update();
  }
  EXPECT_EQ(servo.mode(), Mode::kTimeout);
}

TEST_F(MoteusServo, TheTimeoutIsTheServosWithoutOneAndNoneForNoNumber) {
  command({.position = 0.2});
  update(100);
  EXPECT_EQ(servo.mode(), Mode::kPosition);
  update(1);
  EXPECT_EQ(servo.mode(), Mode::kTimeout) << "0.1 s";
  stop();
  command({.position = 0.2, .timeout = std::nan("")});
  update(5000);
  EXPECT_EQ(servo.mode(), Mode::kPosition);
}

TEST_F(MoteusServo, AFaultStaysUntilAStopAndTheFirstOneCounts) {
  command({.position = 0.2, .timeout = kHold});
  servo.raise_fault(FaultCode::kOverTemperature);
  servo.raise_fault(FaultCode::kEncoder);
  EXPECT_EQ(servo.mode(), Mode::kFault);
  EXPECT_EQ(servo.fault(), FaultCode::kOverTemperature);
  for (int i = 0; i < 50; ++i) {
    command({.position = 0.2, .timeout = kHold});
    EXPECT_EQ(update().stage, Stage::kOff);
  }
  EXPECT_EQ(servo.mode(), Mode::kFault);
  EXPECT_FALSE(servo.take_stop());
  stop();
  EXPECT_TRUE(servo.take_stop());
  EXPECT_FALSE(servo.take_stop()) << "told once";
  EXPECT_EQ(servo.mode(), Mode::kStopped);
  EXPECT_EQ(servo.fault(), FaultCode::kNone);
}

TEST_F(MoteusServo, OtherModesDoWhatTheirNamesSay) {
  say([](FrameWriter& w) {
    return w.write(Register::kMode, Resolution::kInt8, 9) &&
           w.write(Register::kCommandQCurrent, Resolution::kFloat, 2.0);
  });
  EXPECT_NEAR(update().torque, 0.5, 1e-9) << "2 A at 0.25 N·m/A";
  say([](FrameWriter& w) { return put_q_voltage(w, -6.0); });
  EXPECT_EQ(update().stage, Stage::kDuty);
  EXPECT_NEAR(update().duty, -0.25, 1e-9) << "6 of 24 V";
  servo.sense({.velocity = -3.0, .voltage = 24.0});
  mode(Mode::kZeroVelocity);
  EXPECT_NEAR(update().torque, 1.5, 1e-9);
  for (const Mode still : {Mode::kBrake, Mode::kPwm}) {
    mode(still);
    EXPECT_EQ(update().stage, Stage::kDuty);
    EXPECT_EQ(update().duty, 0.0);
  }
  update(1000);
  EXPECT_EQ(servo.mode(), Mode::kPwm) << "the watchdog guards position mode alone";
}

TEST_F(MoteusServo, WhatItDoesNotHaveIsAnsweredByAnError) {
  const can::Frame answer = say([](FrameWriter& w) {
    return w.write(Register::kPosition, Resolution::kInt8, 1) &&
           w.write(static_cast<Register>(0x7000), Resolution::kInt8, 1) &&
           w.write(Register::kMode, Resolution::kInt8, 14) &&
           w.read(static_cast<Register>(0x200), Resolution::kInt8, 1);
  });
  // 001h isn't writable (2), 7000h = 80 E0 01 unknown (1), mode 14 (3), 200h = 80 04 unknown.
  EXPECT_TRUE(
      hex_of(answer).starts_with("300102"
                                 "3080e00101"
                                 "300003"
                                 "31800401"))
      << hex_of(answer);
  EXPECT_EQ(servo.mode(), Mode::kStopped);
}

TEST_F(MoteusServo, CommandsAreReadBackAsTheyWereWritten) {
  command({.position = 0.25, .max_torque = 1.5, .timeout = kHold});
  const can::Frame answer = say([](FrameWriter& w) {
    return w.read(Register::kCommandPosition, Resolution::kInt16, 1) &&
           w.read(Register::kCommandMaxTorque, Resolution::kInt8, 1) &&
           w.read(Register::kCommandTimeout, Resolution::kInt16, 1);
  });
  EXPECT_EQ(hex_of(answer),
            "2520c409"
            "212503"
            "25271400"
            "50");
}

TEST_F(MoteusServo, TheOutputCanBeSetAndCountsFromThere) {
  say([](FrameWriter& w) { return w.write(Register::kSetOutputExact, Resolution::kFloat, 1.0); });
  const auto report =
      report_of(say([](FrameWriter& w) { return put_query(w, Resolution::kFloat); }).bytes());
  EXPECT_NEAR(report->position, 1.0, 1e-7);
  command({.position = 1.1, .timeout = kHold});
  EXPECT_NEAR(update().torque, 10.0 * 0.1, 1e-5);
}

class LimitedServo : public MoteusServo {
 protected:
  static ServoConfig limited() {
    ServoConfig c = config();
    c.position_min = -0.1;
    c.position_max = 0.1;
    c.enabling_periods = 4;
    c.timeout_mode = Mode::kPosition;
    return c;
  }
  LimitedServo() : MoteusServo(limited()) {}
};

TEST_F(LimitedServo, RefusesToHoldAPositionFromOutsideItsLimits) {
  command({.position = 0.05, .timeout = kHold});
  update(5);
  EXPECT_EQ(servo.mode(), Mode::kFault);
  EXPECT_EQ(servo.fault(), FaultCode::kOutsideLimit);
}

TEST_F(LimitedServo, TakesItsTimeToEnableAndHoldsWhereATimeoutFindsIt) {
  servo.sense({.position = 0.05, .voltage = 24.0});
  command({.position = 0.0, .timeout = kHold});
  EXPECT_EQ(servo.mode(), Mode::kEnabling);
  EXPECT_EQ(update(3).stage, Stage::kOff);
  update(2);
  EXPECT_EQ(servo.mode(), Mode::kPosition);
  update(20);
  ASSERT_EQ(servo.mode(), Mode::kTimeout);
  EXPECT_NEAR(update().torque, 0.0, 1e-9);
  servo.sense({.position = 0.06, .voltage = 24.0});
  EXPECT_NEAR(update().torque, -10.0 * 0.01, 1e-9);
}

}  // namespace
}  // namespace jointrig::moteus
