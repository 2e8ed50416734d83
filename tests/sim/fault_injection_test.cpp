#include "sim/board/fault_injection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "tests/sim/flywheel_joint.h"

namespace jointrig::sim {
namespace {

/// A value with which each fault is to be found, in this flywheel joint.
double serious_value(SimFault fault) {
  switch (fault) {
    case SimFault::kEncoderJump:
      return 0.05;
    case SimFault::kEncoderNoise:
      return 2e-3;
    case SimFault::kTorqueSensorOffset:
      return 4.0;
    case SimFault::kOverTemperature:
      return 120.0;
    case SimFault::kSupplyVoltage:
      return 30.0;
    case SimFault::kGainLoss:
      return 0.5;
    case SimFault::kStictionStep:
      return 2.0;
    case SimFault::kWrongCalibrationOffset:
      return 0.2;
    case SimFault::kMissedCycles:
      return 10.0;
    default:
      return 0.0;
  }
}

/// A joint that swings to and fro under a load: all that needs motion or current has it.
void swing(FlywheelJoint& joint) {
  const double t = joint.cycles * 0.001;
  joint.load = -4.0;
  joint.step(position_of(0.5 * std::sin(2 * t), std::cos(2 * t)));
}

void rest(FlywheelJoint& joint, double seconds) {
  for (int i = 0; i < static_cast<int>(seconds * 1000 + 0.5); ++i) {
    joint.load = -8.0 * joint.q - 2.0 * joint.v;  // a soft spring: it goes on moving for a while
    joint.step(off());
  }
}

struct FoundByBoard : testing::TestWithParam<SimFault> {};

std::vector<SimFault> found_by_board() {
  std::vector<SimFault> faults;
  for (const SimFault fault : kAllSimFault) {
    if (detection_time(fault) > 0) faults.push_back(fault);
  }
  return faults;
}

TEST_P(FoundByBoard, IsReportedWithItsCodeInItsTime) {
  const SimFault fault = GetParam();
  FlywheelJoint joint;
  while (joint.cycles < 1400) swing(joint);
  ASSERT_EQ(joint.state().status, BoardStatus::kEnabled);
  joint.board().inject(fault, serious_value(fault));
  int n = 0;
  while (joint.state().status != BoardStatus::kHwFault && n < 500) {
    swing(joint);
    ++n;
  }
  EXPECT_EQ(joint.state().fault, detected_as(fault));
  EXPECT_LE(n * 0.001, detection_time(fault) + 1e-9);
  EXPECT_GT(std::abs(joint.state().fault_limit), 0.0);
  swing(joint);
  EXPECT_EQ(joint.torque, 0.0);
}

TEST_P(FoundByBoard, IsClearedOnceItsCauseIsGoneAndNotBefore) {
  const SimFault fault = GetParam();
  FlywheelJoint joint;
  while (joint.cycles < 1400) swing(joint);
  joint.board().inject(fault, serious_value(fault));
  while (joint.state().status != BoardStatus::kHwFault && joint.cycles < 2000) swing(joint);
  ASSERT_EQ(joint.state().status, BoardStatus::kHwFault);

  for (int attempt = 0; attempt < 5; ++attempt) {
    rest(joint, 0.05);
    joint.step(request_of(BoardRequest::kClearFault));
    ASSERT_EQ(joint.state().status, BoardStatus::kHwFault) << "cleared while it was there";
  }
  joint.board().end(fault);
  rest(joint, 0.3);
  EXPECT_EQ(joint.state().status, BoardStatus::kHwFault) << "left by itself";
  EXPECT_EQ(joint.state().fault, detected_as(fault));
  joint.step(request_of(BoardRequest::kClearFault));
  EXPECT_EQ(joint.state().status, BoardStatus::kReady);
  rest(joint, 0.3);
  joint.load = 0;
  joint.run(position_of(joint.q), 0.5);
  EXPECT_EQ(joint.state().status, BoardStatus::kEnabled) << to_string(joint.state().fault);
}

TEST_P(FoundByBoard, EndsByItselfAfterItsDuration) {
  const SimFault fault = GetParam();
  FlywheelJoint joint;
  while (joint.cycles < 1400) swing(joint);
  joint.board().inject(fault, serious_value(fault), 100);
  for (int i = 0; i < 99; ++i) swing(joint);
  EXPECT_TRUE(joint.board().state().faults.has(fault));
  swing(joint);
  EXPECT_FALSE(joint.board().state().faults.has(fault));
}

INSTANTIATE_TEST_SUITE_P(SimFault, FoundByBoard, testing::ValuesIn(found_by_board()),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

TEST(SimFaults, HaveWordsAndUnknownOnesAreRefused) {
  for (const SimFault fault : kAllSimFault) {
    SimFault parsed{};
    EXPECT_TRUE(parse(to_string(fault), parsed));
    EXPECT_EQ(parsed, fault);
    EXPECT_FALSE(describe(fault).empty());
  }
  SimFault unchanged = SimFault::kMotorOff;
  EXPECT_FALSE(parse("encoder_frezze", unchanged));
  EXPECT_EQ(unchanged, SimFault::kMotorOff);
}

TEST(SimFaults, GainLossTakesTorqueFromTheJointAndNothingFromTheSensor) {
  FlywheelJoint joint;
  joint.step(torque_of(10.0));
  joint.board().inject(SimFault::kGainLoss, 0.7);
  for (int i = 0; i < 200; ++i) {
    joint.load = -7.0;
    joint.step(torque_of(10.0));
    ASSERT_DOUBLE_EQ(joint.torque, 7.0);
  }
  EXPECT_EQ(joint.state().status, BoardStatus::kEnabled);
  EXPECT_NEAR(joint.state().tau, 10.0, 1e-9);
}

TEST(SimFaults, StictionIsThePlantsAffair) {
  FlywheelJoint joint;
  EXPECT_EQ(joint.board().added_friction(), 0.0);
  joint.board().inject(SimFault::kStictionStep, 2.5, 3);
  EXPECT_EQ(joint.board().added_friction(), 2.5);
  for (int i = 0; i < 3; ++i) joint.step(off());
  EXPECT_EQ(joint.board().added_friction(), 0.0);
  EXPECT_EQ(joint.state().status, BoardStatus::kReady);
}

TEST(SimFaults, ABoardThatMissesCyclesNeitherHearsNorSpeaks) {
  FlywheelJoint joint;
  joint.step(torque_of(1.0));
  const double q = joint.state().q;
  joint.board().inject(SimFault::kMissedCycles, 5.0);
  for (std::uint32_t n = 1; n <= 5; ++n) {
    joint.step(torque_of(-3.0));
    EXPECT_EQ(joint.state().missed, n);
    EXPECT_EQ(joint.state().q, q);
    EXPECT_EQ(joint.torque, 1.0);  // the last setpoint it heard
  }
  joint.step(torque_of(-3.0));
  EXPECT_EQ(joint.state().missed, 0U);
  EXPECT_NE(joint.state().q, q);
  EXPECT_EQ(joint.torque, -3.0);
}

TEST(SimFaults, ABoardThatMissesTooManyCyclesStopsItsMotorAndSaysSoAfterwards) {
  FlywheelJoint joint;  // watchdog 50 ms
  joint.step(torque_of(1.0));
  joint.board().inject(SimFault::kMissedCycles, 80.0);
  for (int n = 1; n <= 80; ++n) joint.step(torque_of(1.0));
  EXPECT_EQ(joint.state().status, BoardStatus::kEnabled);  // what was last heard of it
  EXPECT_EQ(joint.torque, 0.0);
  joint.step(torque_of(1.0));
  EXPECT_EQ(joint.state().fault, FaultCode::kCommandLost);
}

TEST(SimFaults, ABoardWithoutPowerIsOffAtOnceAndStartsAnewWithoutDriving) {
  FlywheelJoint joint;
  joint.load = 2.0;
  for (int i = 0; i < 5; ++i) joint.step(torque_of(1.0));
  const double q = joint.state().q;
  joint.board().inject(SimFault::kPowerOff, 0.0, 30);
  for (std::uint32_t n = 1; n <= 30; ++n) {
    joint.step(torque_of(1.0));
    EXPECT_EQ(joint.torque, 0.0);
    EXPECT_EQ(joint.state().missed, n);
    EXPECT_EQ(joint.state().q, q);
    EXPECT_TRUE(joint.board().is_dark());
  }
  joint.step(torque_of(1.0));
  EXPECT_FALSE(joint.board().is_dark());
  EXPECT_EQ(joint.state().missed, 0U);
  EXPECT_EQ(joint.state().status, BoardStatus::kReady);
  EXPECT_NEAR(joint.state().q, joint.q, 1e-6) << "read anew";
  joint.step(torque_of(1.0));
  EXPECT_EQ(joint.torque, 0.0) << "the order of before";
  joint.step(off());
  joint.step(torque_of(1.0));
  EXPECT_EQ(joint.torque, 1.0);
}

TEST(SimFaults, AShortFreezeGoesByUnnoticed) {
  FlywheelJoint joint;
  while (joint.cycles < 1400) swing(joint);
  joint.board().inject(SimFault::kEncoderFreeze, 0.0, 15);
  for (int i = 0; i < 300; ++i) {
    swing(joint);
    ASSERT_EQ(joint.state().status, BoardStatus::kEnabled) << to_string(joint.state().fault);
  }
}

TEST(SimFaults, AFrozenEncoderAtAStandIsNotNoticedUntilItMoves) {
  FlywheelJoint joint;
  joint.run(position_of(0.0), 0.5);
  joint.board().inject(SimFault::kEncoderFreeze);
  joint.run(position_of(0.0), 0.5);
  EXPECT_EQ(joint.state().status, BoardStatus::kEnabled);
  joint.load = 5.0;
  joint.run_to_fault(position_of(0.0), 0.5);
  EXPECT_EQ(joint.state().fault, FaultCode::kEncoderFrozen);
  EXPECT_LT(joint.q, 0.05);
}

TEST(SimFaults, MissingEncoderSamplesAreBridged) {
  FlywheelJoint joint;
  joint.run(velocity_of(0.8), 1.0);
  joint.board().inject(SimFault::kEncoderDropout, 0.0, 5);
  for (int i = 0; i < 50; ++i) {
    joint.step(velocity_of(0.8));
    ASSERT_EQ(joint.state().status, BoardStatus::kEnabled) << to_string(joint.state().fault);
    ASSERT_NEAR(joint.state().q, joint.q, 1e-5);
  }
}

TEST(SimFaults, ASmallSensorOffsetIsNotFound) {
  FlywheelJoint joint;
  joint.board().inject(SimFault::kTorqueSensorOffset, 1.5);
  joint.run(position_of(0.0), 0.5);
  EXPECT_EQ(joint.state().status, BoardStatus::kEnabled);
  EXPECT_NEAR(joint.state().tau, 1.5, 1e-6);
}

TEST(SimFaults, LimitSwitchesStandOutsideTheRangeAndAreHeededWhileTheMotorIsOn) {
  FlywheelJoint joint;  // range -2.5 to 1.5, switches 0.05 further out
  joint.q = 1.54;
  joint.board().power_on({joint.q, 0});
  joint.step(torque_of(0.0));
  EXPECT_EQ(joint.state().status, BoardStatus::kEnabled);
  joint.q = 1.56;
  joint.board().power_on({joint.q, 0});
  joint.step(off());
  EXPECT_EQ(joint.state().status, BoardStatus::kReady);
  joint.step(torque_of(0.0));
  EXPECT_EQ(joint.state().fault, FaultCode::kLimitSwitch);
  EXPECT_NEAR(joint.state().fault_value, 1.56, 1e-4);
  EXPECT_EQ(joint.state().fault_limit, 1.5);
}

/// Random torques, jerks and stops on a noisy joint: no monitor may take it for a fault.
TEST(SimFaults, NoMotionOfASoundJointIsTakenForOne) {
  for (const double noise : {0.0, 1e-5, 1e-3}) {
    for (const double step : {0.0, 2e-6, 1e-3}) {
      SCOPED_TRACE(testing::Message() << "noise " << noise << ", step " << step);
      JointConfig config = flywheel_config();
      config.board.encoder_step = step;
      config.board.torque_noise = 0.2;
      config.board.torque_bandwidth_hz = 150;
      config.limits.q_min = -1e9;
      config.limits.q_max = 1e9;
      config.gains.inertia = 0.01;  // 2000 rad/s² at full torque
      PlantConfig plant;
      plant.encoder_noise = noise;
      FlywheelJoint joint(config, plant);
      joint.midpoint = step > 0;
      Random random(11);
      double tau = 0;
      for (int i = 0; i < 60000; ++i) {
        if (i % 7 == 0) tau = 12 * random.normal();
        if (i % 911 == 0) joint.v = -0.5 * joint.v;  // hits something
        joint.load = 3 * random.normal() - 0.3 * joint.v;
        joint.step(i % 3000 < 2500 ? torque_of(tau) : off());
        ASSERT_NE(joint.state().status, BoardStatus::kHwFault)
            << "cycle " << i << ": " << to_string(joint.state().fault) << " "
            << joint.state().fault_value << " against " << joint.state().fault_limit;
      }
    }
  }
}

TEST(SimFaults, ASlowCurrentLoopIsNotTakenForLostPower) {
  JointConfig config = flywheel_config();
  config.board.torque_bandwidth_hz = 5;
  FlywheelJoint joint(config);
  joint.blocked = true;
  for (int i = 0; i < 5000; ++i) {
    joint.step(torque_of(15 * std::sin(2 * std::numbers::pi * 20 * i * 0.001)));
    ASSERT_EQ(joint.state().status, BoardStatus::kEnabled) << to_string(joint.state().fault);
  }
}

}  // namespace
}  // namespace jointrig::sim
