#include "hw/driver/servo_host.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hw/moteus/servo_machine.h"

namespace jointrig::hw {
namespace {

using moteus::Mode;

constexpr double kTurn = 2 * std::numbers::pi;

ServoHostSpec spec() {
  ServoHostSpec s;
  s.units = MoteusUnits({.gear = 2, .reversed = true, .zero = 0.1}, false);
  s.v_max = 2.0;
  s.kp = 40.0;
  s.kd = 2.0;
  s.allows_duty = true;
  return s;
}

/// A host and a servo that hear each other once a cycle.
class Pair {
 public:
  explicit Pair(const ServoHostSpec& s = spec(), const moteus::ServoConfig& c = servo_config())
      : host(s), servo(c) {
    host.set_configured(true);
    host.begin();
    sensed.position = 0.1;
    sensed.voltage = 24.0;
    sensed.temperature = 30.0;
  }

  static moteus::ServoConfig servo_config() {
    moteus::ServoConfig c;
    c.id = 4;
    c.kp = 40.0;
    c.kd = 2.0;
    c.max_torque = 100.0;
    return c;
  }

  void cycle(const JointSetpoint& setpoint) {
    can::Frame frame = moteus::frame_to({.source = 0x70, .destination = 4, .wants_reply = true});
    moteus::FrameWriter writer(frame);
    host.put(setpoint, writer);
    told = frame.size > 0;
    moteus::put_query(writer, moteus::Resolution::kFloat, host.spec().reads_inputs);
    writer.finish();
    servo.sense(sensed);
    const auto answer = servo.receive(frame);
    const auto report = moteus::report_of(answer->bytes());
    ASSERT_TRUE(report);
    host.heard(*report);
    host.state(joint);
    drive = servo.update(1e-3);
  }
  void cycles(int count, const JointSetpoint& setpoint) {
    for (int i = 0; i < count; ++i) cycle(setpoint);
  }

  ServoHost host;
  moteus::ServoMachine servo;
  moteus::ServoSensed sensed;
  moteus::ServoDrive drive;
  JointState joint;
  bool told = false;
};

JointSetpoint driven(DriveMode mode) {
  JointSetpoint s;
  s.drive = mode;
  return s;
}
JointSetpoint off() { return {}; }
JointSetpoint clearing() {
  JointSetpoint s;
  s.request = BoardRequest::kClearFault;
  return s;
}

TEST(ServoHost, AnAnswerIsTheJointsState) {
  Pair pair;
  pair.sensed = {
      .position = 1.1, .velocity = 2.0, .torque = 3.0, .voltage = 24.0, .temperature = 31.0};
  pair.cycle(off());
  EXPECT_NEAR(pair.joint.q, -kTurn / 2, 1e-6);
  EXPECT_NEAR(pair.joint.v, -kTurn, 1e-6);
  EXPECT_NEAR(pair.joint.tau, -6.0, 1e-6);
  EXPECT_EQ(pair.joint.supply_V, 24.0);
  EXPECT_EQ(pair.joint.temperature_C, 31.0);
  EXPECT_EQ(pair.joint.status, BoardStatus::kReady);
  EXPECT_EQ(pair.joint.missed, 0U);
}

TEST(ServoHost, InputsAreReadWhereTheyAreWantedAndOffFromTheThirdCycleOfSilence) {
  ServoHostSpec reads = spec();
  reads.reads_inputs = true;
  Pair pair(reads);
  pair.sensed.inputs = 0b1010'0100;
  pair.cycle(off());
  EXPECT_EQ(pair.joint.inputs, 0b1010'0100);
  const auto silent = [&] {
    pair.host.silent();
    pair.host.state(pair.joint);
    return pair.joint.inputs;
  };
  EXPECT_EQ(silent(), 0b1010'0100);
  EXPECT_EQ(silent(), 0b1010'0100);
  EXPECT_EQ(silent(), 0);
  pair.cycle(off());
  EXPECT_EQ(pair.joint.inputs, 0b1010'0100);
  pair.host.set_configured(false);
  pair.cycle(off());
  EXPECT_EQ(pair.joint.inputs, 0);

  reads.inputs_active_low = 0b0000'0110;
  Pair low(reads);
  low.host.state(low.joint);
  EXPECT_EQ(low.joint.inputs, 0) << "nothing is known yet";
  low.sensed.inputs = 0b0000'0100;
  low.cycle(off());
  EXPECT_EQ(low.joint.inputs, 0b0000'0010);

  Pair unasked;
  unasked.sensed.inputs = 0xFF;
  unasked.cycle(off());
  EXPECT_EQ(unasked.joint.inputs, 0);
}

TEST(ServoHost, ADriveOfTheStackIsAModeOfTheServo) {
  for (const DriveMode mode : {DriveMode::kPosition, DriveMode::kVelocity, DriveMode::kTorque,
                               DriveMode::kImpedance, DriveMode::kDuty}) {
    SCOPED_TRACE(to_string(mode));
    Pair pair;
    pair.cycles(3, driven(mode));
    EXPECT_EQ(pair.servo.mode(), mode == DriveMode::kDuty ? Mode::kVoltageDq : Mode::kPosition);
    EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled);
    pair.cycles(3, off());
    EXPECT_EQ(pair.servo.mode(), Mode::kStopped);
    EXPECT_EQ(pair.joint.status, BoardStatus::kReady);
  }
}

TEST(ServoHost, TorqueIsFeedForwardAlone) {
  Pair pair;
  JointSetpoint push = driven(DriveMode::kTorque);
  push.tau = 5.0;
  push.q = 99.0;  // not this mode's
  pair.sensed.velocity = 3.0;
  pair.cycles(2, push);
  EXPECT_NEAR(pair.drive.torque, -2.5, 1e-6) << "through the gear, the other way round";
}

TEST(ServoHost, PositionHasTheServosGainsAndItsFeedForwards) {
  Pair pair;
  JointSetpoint hold = driven(DriveMode::kPosition);
  hold.q = kTurn / 20;  // a tenth of a turn of the servo, backwards
  hold.v = -kTurn / 2;  // one turn a second of the servo
  hold.tau = 1.0;
  pair.cycle(off());
  pair.cycle(hold);
  EXPECT_NEAR(pair.drive.torque, 40.0 * -0.1 + 2.0 * 1.0 - 0.5, 1e-5);
}

TEST(ServoHost, StiffnessAndDampingScaleTheGains) {
  Pair pair;
  JointSetpoint soft = driven(DriveMode::kImpedance);
  soft.stiffness = 10.0;  // [N·m/rad] at the joint
  soft.damping = 1.0;
  soft.q = kTurn / 20;
  pair.sensed.velocity = -1.0;  // kTurn / 2 at the joint
  pair.cycle(off());
  pair.cycle(soft);
  const double at_joint = 10.0 * kTurn / 20 - 1.0 * kTurn / 2;
  EXPECT_NEAR(pair.drive.torque, -at_joint / 2, 1e-3) << "a scale has 15 bits";
}

TEST(ServoHost, ADutyIsItsPartOfTheSupply) {
  Pair pair;
  JointSetpoint duty = driven(DriveMode::kDuty);
  duty.duty = 0.25;
  pair.cycles(2, duty);
  EXPECT_EQ(pair.drive.stage, moteus::ServoDrive::Stage::kDuty);
  EXPECT_NEAR(pair.drive.duty, -0.25, 1e-9);
}

TEST(ServoHost, WhatTheServoIsNotSetUpForLeavesItOff) {
  ServoHostSpec s = spec();
  s.allows_duty = false;
  s.kp = 0;
  Pair pair(s);
  pair.cycles(5, driven(DriveMode::kDuty));
  EXPECT_EQ(pair.servo.mode(), Mode::kStopped);
  pair.cycles(5, driven(DriveMode::kImpedance));
  EXPECT_EQ(pair.servo.mode(), Mode::kStopped);
}

TEST(ServoHost, AFaultIsLeftByClearFaultAloneAndTheServoIsToldNothingMeanwhile) {
  Pair pair;
  pair.cycles(5, driven(DriveMode::kTorque));
  pair.servo.raise_fault(moteus::FaultCode::kOverTemperature);
  pair.cycle(driven(DriveMode::kTorque));
  for (const DriveMode mode : kAllDriveMode) {
    SCOPED_TRACE(to_string(mode));
    pair.cycles(20, driven(mode));
    EXPECT_FALSE(pair.told) << "a stop would clear it";
    EXPECT_EQ(pair.servo.mode(), Mode::kFault);
    EXPECT_EQ(pair.joint.status, BoardStatus::kHwFault);
    EXPECT_EQ(pair.joint.fault, FaultCode::kOverTemperature);
  }
  pair.cycles(2, clearing());
  pair.cycle(off());
  EXPECT_EQ(pair.servo.mode(), Mode::kStopped);
  EXPECT_EQ(pair.joint.status, BoardStatus::kReady);
  EXPECT_EQ(pair.joint.fault, FaultCode::kNone);
}

TEST(ServoHost, ATimeoutOfTheServoIsACommandThatWasLost) {
  Pair pair;
  pair.cycles(5, driven(DriveMode::kTorque));
  for (int i = 0; i < 30; ++i) pair.servo.update(1e-3);
  ASSERT_EQ(pair.servo.mode(), Mode::kTimeout);
  pair.cycles(50, driven(DriveMode::kTorque));
  EXPECT_EQ(pair.joint.status, BoardStatus::kHwFault);
  EXPECT_EQ(pair.joint.fault, FaultCode::kCommandLost);
  EXPECT_EQ(pair.servo.mode(), Mode::kTimeout);
  pair.cycles(2, clearing());
  EXPECT_EQ(pair.joint.status, BoardStatus::kReady);
}

TEST(ServoHost, AFaultStaysThoughSomebodyElseResetsTheServo) {
  Pair pair;
  pair.cycles(5, driven(DriveMode::kTorque));
  pair.servo.raise_fault(moteus::FaultCode::kEncoder);
  pair.cycle(off());
  can::Frame stop = moteus::frame_to({.source = 9, .destination = 4});
  moteus::FrameWriter writer(stop);
  moteus::put_stop(writer);
  pair.servo.receive(stop);
  pair.cycles(20, driven(DriveMode::kTorque));
  EXPECT_EQ(pair.joint.status, BoardStatus::kHwFault);
  EXPECT_EQ(pair.joint.fault, FaultCode::kEncoderLost);
  EXPECT_EQ(pair.servo.mode(), Mode::kStopped) << "it isn't driven";
}

TEST(ServoHost, AServoThatStopsUntoldIsAFaultAndDoesNotGoOn) {
  Pair pair;
  pair.cycles(10, driven(DriveMode::kTorque));
  pair.servo.reset();  // its supply blinked
  pair.cycles(20, driven(DriveMode::kTorque));
  EXPECT_EQ(pair.joint.status, BoardStatus::kHwFault);
  EXPECT_EQ(pair.joint.fault, FaultCode::kMotorPowerLost);
  EXPECT_EQ(pair.servo.mode(), Mode::kStopped);
}

TEST(ServoHost, AServoThatTakesItsTimeToEnableIsReadyMeanwhile) {
  moteus::ServoConfig slow = Pair::servo_config();
  slow.enabling_periods = 30;
  Pair pair(spec(), slow);
  pair.cycles(20, driven(DriveMode::kTorque));
  EXPECT_EQ(pair.joint.status, BoardStatus::kReady);
  pair.cycles(20, driven(DriveMode::kTorque));
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled);
}

TEST(ServoHost, AServoThatNeverTakesUpItsModeIsAFaultAfterHalfASecond) {
  moteus::ServoConfig stuck = Pair::servo_config();
  stuck.enabling_periods = 100'000;
  Pair pair(spec(), stuck);
  pair.cycles(495, driven(DriveMode::kTorque));
  EXPECT_EQ(pair.joint.fault, FaultCode::kNone);
  pair.cycles(10, driven(DriveMode::kTorque));
  EXPECT_EQ(pair.joint.fault, FaultCode::kEnableTimeout);
  EXPECT_EQ(pair.joint.fault_limit, 0.5);
}

TEST(ServoHost, SilenceIsCarriedOverForTwoCyclesAndToldInAll) {
  Pair pair;
  pair.sensed.velocity = -2.0;  // 2 pi rad/s of the joint
  pair.cycle(off());
  const double q = pair.joint.q;
  const double step = kTurn * 1e-3;
  const double expected[] = {q + step, q + 2 * step, q + 2 * step};
  for (unsigned i = 0; i < 3; ++i) {
    pair.host.silent();
    pair.host.state(pair.joint);
    EXPECT_NEAR(pair.joint.q, expected[i], 1e-12);
    EXPECT_EQ(pair.joint.missed, i + 1);
  }
}

TEST(ServoHost, ThreeJumpsInARowAreAFaultAndTurnTheServoOff) {
  Pair pair;
  pair.cycles(10, driven(DriveMode::kTorque));
  pair.sensed.position += 0.5;
  pair.cycles(2, driven(DriveMode::kTorque));
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled);
  EXPECT_EQ(pair.joint.missed, 2U);
  pair.cycles(3, driven(DriveMode::kTorque));
  EXPECT_EQ(pair.joint.fault, FaultCode::kEncoderJump);
  EXPECT_EQ(pair.servo.mode(), Mode::kStopped);
  EXPECT_EQ(pair.host.replaced_samples(), 3U);
}

TEST(ServoHost, ASetpointThatIsNoNumberIsNotSent) {
  Pair pair;
  JointSetpoint bad = driven(DriveMode::kTorque);
  bad.tau = std::nan("");
  pair.cycles(2, bad);
  EXPECT_FALSE(pair.told);
}

ServoHostSpec watched() {
  ServoHostSpec s = spec();
  s.following_window = 0.1;
  s.following_time = 0.0105;  // between two cycles
  return s;
}

JointSetpoint at(double q) {
  JointSetpoint s = driven(DriveMode::kPosition);
  s.q = q;
  return s;
}

TEST(ServoHost, AServoThatStaysBehindItsTargetIsAFaultAfterTheTimeAndTurnedOff) {
  Pair pair(watched());
  pair.cycles(50, at(0.0));
  ASSERT_EQ(pair.joint.status, BoardStatus::kEnabled);
  pair.cycles(50, at(0.09));
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled) << "within the window";
  // Told with the first burst, it acts until the second, which is the first sample that is away.
  pair.cycles(1 + 10, at(0.3));
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled) << "for 10 ms";
  pair.cycles(1, at(0.3));
  EXPECT_EQ(pair.joint.fault, FaultCode::kFollowingError);
  EXPECT_NEAR(pair.joint.fault_value, 0.3, 1e-6);
  EXPECT_EQ(pair.joint.fault_limit, 0.1);
  pair.cycle(at(0.3));
  EXPECT_EQ(pair.servo.mode(), Mode::kStopped);
  pair.cycle(clearing());
  pair.cycles(5, at(0.0));
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled);

  Pair unwatched;
  unwatched.cycles(200, at(0.3));
  EXPECT_EQ(unwatched.joint.status, BoardStatus::kEnabled) << "without a window";
}

TEST(ServoHost, AnEncoderThatStandsWhileVelocityIsAskedForIsAFault) {
  Pair pair(watched());
  JointSetpoint on = driven(DriveMode::kVelocity);
  pair.cycles(50, on);
  on.v = 1.0;
  for (int i = 0; i < 500; ++i) {
    pair.sensed.position -= 1e-3 / kTurn * 2.0;
    pair.cycle(on);
  }
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled) << "it moves";
  pair.cycles(190, on);
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled) << "two windows take 200 ms";
  pair.cycles(20, on);
  EXPECT_EQ(pair.joint.fault, FaultCode::kEncoderFrozen);
}

TEST(ServoHost, FaultsOfServosHaveTheirNamesOrTheirCode) {
  EXPECT_EQ(fault_of_servo(0), FaultCode::kNone);
  EXPECT_EQ(fault_of_servo(34), FaultCode::kSupplyVoltage);
  EXPECT_EQ(fault_of_servo(40), FaultCode::kSupplyVoltage);
  EXPECT_EQ(fault_of_servo(49), FaultCode::kFollowingError);
  EXPECT_EQ(fault_of_servo(33), FaultCode::kDriveFault);
  Pair pair;
  pair.cycle(off());
  pair.servo.raise_fault(moteus::FaultCode::kMotorDriver);
  pair.cycle(off());
  EXPECT_EQ(pair.joint.fault, FaultCode::kDriveFault);
  EXPECT_EQ(pair.joint.fault_value, 33.0);
  for (const FaultCode fault : {FaultCode::kOverTemperature, FaultCode::kSupplyVoltage,
                                FaultCode::kPositionRange, FaultCode::kFollowingError}) {
    EXPECT_EQ(fault_of_servo(static_cast<int>(servo_code_of(fault))), fault);
  }
}

}  // namespace
}  // namespace jointrig::hw
