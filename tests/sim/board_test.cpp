#include "sim/board/board.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <new>
#include <numbers>

#include "tests/sim/flywheel_joint.h"

namespace jointrig::sim {
namespace {

constexpr double kPi = std::numbers::pi;

// Status machine
// -----------------------------------------------------------------------------------

TEST(BoardStatusMachine, AFaultIsReachedFromEveryConfiguredStatusAndLeftByClearingAlone) {
  for (const BoardStatus status : kAllBoardStatus) {
    SCOPED_TRACE(to_string(status));
    const bool configured = status != BoardStatus::kNotConfigured;
    EXPECT_EQ(next_status(status, DriveTrigger::kFault),
              configured ? BoardStatus::kHwFault : BoardStatus::kNotConfigured);
  }
  for (const DriveTrigger trigger : kAllDriveTrigger) {
    SCOPED_TRACE(to_string(trigger));
    const bool clears =
        trigger == DriveTrigger::kCleared || trigger == DriveTrigger::kClearedAbsolute;
    EXPECT_EQ(next_status(BoardStatus::kHwFault, trigger) == BoardStatus::kHwFault, !clears);
  }
}

TEST(BoardStatusMachine, OnlyReadyAndCalibDoneCanBeEnabled) {
  for (const BoardStatus status : kAllBoardStatus) {
    SCOPED_TRACE(to_string(status));
    const bool may = status == BoardStatus::kReady || status == BoardStatus::kCalibDone;
    const BoardStatus expected = may ? BoardStatus::kEnabled : status;
    EXPECT_EQ(next_status(status, DriveTrigger::kDrive), expected);
  }
}

TEST(SimBoard, IsEnabledByADriveModeAndRestsWithoutOne) {
  FlywheelJoint joint;
  EXPECT_EQ(joint.state().status, BoardStatus::kReady);
  joint.step(torque_of(1.0));
  EXPECT_EQ(joint.state().status, BoardStatus::kEnabled);
  joint.step(off());
  EXPECT_EQ(joint.state().status, BoardStatus::kReady);
  EXPECT_EQ(joint.torque, 0.0);
}

TEST(SimBoard, IgnoresADriveModeItDoesNotHave) {
  FlywheelJoint joint;
  JointSetpoint impedance;
  impedance.drive = DriveMode::kImpedance;
  impedance.tau = 5.0;
  joint.step(impedance);
  EXPECT_EQ(joint.state().status, BoardStatus::kReady);
  EXPECT_EQ(joint.torque, 0.0);
}

TEST(SimBoard, TakesASetpointThatIsNotFiniteAsNone) {
  FlywheelJoint joint;
  joint.step(torque_of(3.0));
  joint.step(torque_of(std::nan("")));
  EXPECT_DOUBLE_EQ(joint.torque, 3.0);  // the one before holds
}

// Motor
// --------------------------------------------------------------------------------------------

TEST(SimBoard, CurrentFollowsAStepAsAFirstOrderLag) {
  JointConfig config = flywheel_config();
  config.board.torque_bandwidth_hz = 80.0;
  config.board.torque_constant = 2.0;
  FlywheelJoint joint(config);
  for (int n = 1; n <= 20; ++n) {
    joint.step(torque_of(6.0));
    const double t = n * 0.001;
    const double expected_A = 3.0 * (1 - std::exp(-2 * kPi * 80.0 * t));
    ASSERT_NEAR(joint.state().current_A, expected_A, 1e-12) << n;
    ASSERT_NEAR(joint.state().tau, 2.0 * expected_A, 1e-12) << n;
  }
}

TEST(SimBoard, TheLagGivesTheMomentumOfTheContinuousCurrent) {
  JointConfig config = flywheel_config();
  config.board.torque_bandwidth_hz = 80.0;
  FlywheelJoint joint(config);
  joint.run(torque_of(6.0), 0.02);
  // ∫ 6 (1 - e^(-w t)) dt = 6 (T - (1 - e^(-w T)) / w), over the inertia of 0.5
  const double w = 2 * kPi * 80.0;
  const double momentum = 6.0 * (0.02 - (1 - std::exp(-w * 0.02)) / w);
  EXPECT_NEAR(joint.v, momentum / 0.5, 1e-12);
}

TEST(SimBoard, WithoutALagTorqueActsInTheSamePeriod) {
  FlywheelJoint joint;
  joint.step(torque_of(7.5));
  EXPECT_DOUBLE_EQ(joint.torque, 7.5);
}

TEST(SimBoard, TorqueIsLimitedToTauMax) {
  FlywheelJoint joint;
  joint.step(torque_of(50.0));
  EXPECT_DOUBLE_EQ(joint.torque, 20.0);
  joint.step(torque_of(-50.0));
  EXPECT_DOUBLE_EQ(joint.torque, -20.0);
}

TEST(SimBoard, CurrentIsLimitedToCurrentMax) {
  JointConfig config = flywheel_config();
  config.board.torque_constant = 2.0;
  config.board.current_max_A = 4.0;
  FlywheelJoint joint(config);
  joint.step(torque_of(20.0));
  EXPECT_DOUBLE_EQ(joint.torque, 8.0);
}

TEST(SimBoard, UnderFullDutyItRunsAtNoLoadSpeed) {
  JointConfig config = flywheel_config();
  config.board.supply_V = 24.0;
  config.board.torque_constant = 6.0;
  config.limits.q_max = 1000.0;
  FlywheelJoint joint(config);
  joint.run(duty_of(1.0), 3.0);
  EXPECT_NEAR(joint.v, 24.0 / 6.0, 1e-6);
  joint.run(duty_of(-0.5), 3.0);
  EXPECT_NEAR(joint.v, -12.0 / 6.0, 1e-6);
}

TEST(SimBoard, AtSpeedTheSupplyLeavesOnlyPartOfTheTorque) {
  JointConfig config = flywheel_config();
  config.board.supply_V = 24.0;
  config.board.torque_constant = 6.0;
  config.board.resistance_ohm = 2.0;
  FlywheelJoint joint(config);
  joint.v = 3.0;
  joint.board().power_on({joint.q, joint.v});
  joint.step(torque_of(20.0));
  // (U - kt v) / R = (24 - 18) / 2 = 3 A at 6 N·m/A
  EXPECT_NEAR(joint.torque, 18.0, 1e-12);
}

TEST(SimBoard, AStrongMotorOnALightJointBrakesToItsNoLoadSpeedAndDoesNotThrowItBack) {
  JointConfig config = flywheel_config();
  config.gains.inertia = 4e-4;  // a wrist, with a motor that gives 20 kN·m: as models have it
  config.limits.tau_max = 20000.0;
  config.limits.v_max = 2.0;
  const double no_load = 3.0 + 0.5 * 10.0 / 2000.0;  // 1.5 v_max and R i / kt: board_defaults.h
  FlywheelJoint joint(config);
  for (const JointSetpoint& setpoint : {torque_of(0.0), duty_of(1.0)}) {
    joint.v = 4.0;
    joint.board().power_on({joint.q, joint.v});
    for (int i = 0; i < 20; ++i) {
      joint.step(setpoint);
      ASSERT_GT(joint.v, no_load - 1e-3);
      ASSERT_LT(joint.v, no_load + 1e-3);
    }
  }
}

TEST(SimBoard, ADutySmallerThanTheBackEmfBrakes) {
  JointConfig config = flywheel_config();
  config.board.supply_V = 24.0;
  config.board.torque_constant = 2.0;
  config.board.resistance_ohm = 1.0;
  FlywheelJoint joint(config);
  joint.v = 1.0;
  joint.board().power_on({joint.q, joint.v});
  joint.step(duty_of(0.05));
  // (0.05 · 24 - 2 · 1) / 1 = -0.8 A
  EXPECT_NEAR(joint.torque, -1.6, 1e-12);
}

TEST(SimBoard, DefaultsGiveTauMaxUpToHalfAgainVMax) {
  JointConfig config = flywheel_config();
  config.limits.tau_max = 330.0;
  config.limits.v_max = 2.09;
  const BoardSpec spec = make_board_spec(config, {}, 0.001);
  const Motor motor(spec);
  const double wanted = motor.current_of_torque(330.0);
  EXPECT_NEAR(motor.possible(wanted, spec.board.supply_V, 1.5 * 2.09), wanted, 1e-9);
  EXPECT_LT(motor.possible(wanted, spec.board.supply_V, 1.6 * 2.09), wanted);
}

TEST(SimBoard, WindingWarmsAsAFirstOrderSystem) {
  JointConfig config = flywheel_config();
  config.board.torque_constant = 2.0;
  config.board.resistance_ohm = 0.4;
  config.board.thermal_resistance_C_per_W = 3.0;
  config.board.thermal_time_s = 2.0;
  config.board.ambient_C = 20.0;
  FlywheelJoint joint(config);
  joint.blocked = true;
  joint.run(torque_of(10.0), 1.5);
  const double rise = 3.0 * 0.4 * 25.0;  // R_th R i², i = 5 A
  const double hot = 20.0 + rise * (1 - std::exp(-1.5 / 2.0));
  EXPECT_NEAR(joint.state().temperature_C, hot, 1e-9);
  joint.run(torque_of(0.0), 1.0);
  EXPECT_NEAR(joint.state().temperature_C, 20.0 + (hot - 20.0) * std::exp(-1.0 / 2.0), 1e-9);
}

TEST(SimBoard, AWarmWindingGetsLessTorqueTheWarmerItIs) {
  JointConfig config = flywheel_config();  // 20 N·m
  config.board.temperature_max_C = 90.0;
  const auto most_at = [&](double temperature) {
    FlywheelJoint joint(config);
    joint.blocked = true;
    joint.board().inject(SimFault::kOverTemperature, temperature);
    joint.run(torque_of(20.0), 0.1);
    EXPECT_EQ(joint.state().status, BoardStatus::kEnabled);
    return joint.torque;
  };
  EXPECT_NEAR(most_at(25.0), 20.0, 1e-9);
  EXPECT_NEAR(most_at(80.0), 20.0, 1e-9);
  EXPECT_NEAR(most_at(84.0), 16.0, 1e-9);  // 1 - 0.5 · 4 / 10
  EXPECT_NEAR(most_at(89.0), 11.0, 1e-9);
  EXPECT_NEAR(most_at(90.0), 10.0, 1e-9);
  FlywheelJoint gentle(config);
  gentle.blocked = true;
  gentle.board().inject(SimFault::kOverTemperature, 89.0);
  gentle.run(torque_of(-8.0), 0.1);
  EXPECT_NEAR(gentle.torque, -8.0, 1e-9) << "what is within it is as it was";
}

TEST(SimBoard, ItsOwnHeatIsAFaultOnceTheWindingIsTooHot) {
  JointConfig config = flywheel_config();
  config.board.torque_constant = 2.0;
  config.board.resistance_ohm = 0.4;
  config.board.thermal_resistance_C_per_W = 3.0;
  config.board.thermal_time_s = 1.0;
  config.board.temperature_max_C = 70.0;
  config.limits.tau_max = 40.0;  // of which 20 are left where it is warm
  FlywheelJoint joint(config);
  joint.blocked = true;
  const double t = joint.run_to_fault(torque_of(20.0), 5.0);
  // 25 + 120 (1 - e^-t) = 70 at t = -ln(1 - 45/120) = 0.470 s
  EXPECT_EQ(joint.state().fault, FaultCode::kOverTemperature);
  EXPECT_NEAR(t, -std::log(1 - 45.0 / 120.0), 0.002);
  EXPECT_GT(joint.state().fault_value, 70.0);
  EXPECT_EQ(joint.state().fault_limit, 70.0);

  // Cleared at 65 °C, 5 below its limit: 40 above the air after ln(45/40) = 0.118 s.
  double cooled = 0;
  while (joint.state().status == BoardStatus::kHwFault && cooled < 1) {
    joint.step(off());
    joint.step(request_of(BoardRequest::kClearFault));
    cooled += 0.002;
  }
  EXPECT_NEAR(cooled, std::log(45.0 / 40.0), 0.006);  // one try in two cycles
}

// Sensors
// ------------------------------------------------------------------------------------------

TEST(SimBoard, ReadsPositionWithinHalfAStep) {
  JointConfig config = flywheel_config();
  config.board.encoder_step = 1e-3;
  FlywheelJoint joint(config);
  for (int i = 0; i < 2000; ++i) {
    joint.load = std::sin(i * 0.01);
    joint.step(off());
    const double error = joint.state().q - joint.q;
    ASSERT_LE(std::abs(error), 0.5e-3 + 1e-12);
    const double steps = joint.state().q / 1e-3;
    ASSERT_NEAR(steps, std::round(steps), 1e-9);
  }
}

TEST(SimBoard, EstimatesTheSpeedOfARampWithAFirstOrderLag) {
  JointConfig config = flywheel_config();
  config.board.encoder_step = 0.0;
  config.board.velocity_bandwidth_hz = 30.0;
  FlywheelJoint joint(config);  // at rest, then at once at 2 rad/s
  joint.v = 2.0;
  for (int n = 1; n <= 50; ++n) {
    joint.step(off());
    ASSERT_NEAR(joint.state().v, 2.0 * (1 - std::exp(-2 * kPi * 30.0 * n * 0.001)), 1e-9) << n;
  }
}

TEST(SimBoard, WithoutAFilterSpeedIsThePlainDifference) {
  JointConfig config = flywheel_config();
  config.board.encoder_step = 0.0;
  config.board.velocity_bandwidth_hz = 0.0;
  FlywheelJoint joint(config);
  joint.v = 1.25;
  joint.step(off());
  EXPECT_NEAR(joint.state().v, 1.25, 1e-12);
}

TEST(SimBoard, TorqueSensorIsNoisyAsSpecifiedAndTheSameForTheSameSeed) {
  JointConfig config = flywheel_config();
  config.board.torque_noise = 0.3;
  PlantConfig plant;
  plant.torque_noise = 0.4;
  FlywheelJoint joint(config, plant);
  FlywheelJoint same(config, plant);
  plant.seed = 2;
  FlywheelJoint other(config, plant);
  double sum = 0;
  double squares = 0;
  constexpr int kCount = 20000;
  bool differs = false;
  for (int i = 0; i < kCount; ++i) {
    joint.step(off());
    same.step(off());
    other.step(off());
    sum += joint.state().tau;
    squares += joint.state().tau * joint.state().tau;
    ASSERT_EQ(joint.state().tau, same.state().tau);
    differs = differs || joint.state().tau != other.state().tau;
  }
  EXPECT_TRUE(differs);
  // Two independent noises: 0.5. Four deviations of the estimates: 0.014 and 2 %.
  EXPECT_NEAR(sum / kCount, 0.0, 0.015);
  EXPECT_NEAR(std::sqrt(squares / kCount), 0.5, 0.01);
}

// Local loops
// --------------------------------------------------------------------------------------

TEST(SimBoard, PositionLoopCarriesALoadWithoutLastingError) {
  FlywheelJoint joint;
  joint.load = -6.0;
  joint.run(position_of(0.3), 3.0);
  EXPECT_NEAR(joint.q, 0.3, 1e-4);
  EXPECT_NEAR(joint.torque, 6.0, 1e-2);
}

TEST(SimBoard, VelocityLoopKeepsItsSpeedUnderALoad) {
  FlywheelJoint joint;
  joint.load = -3.0;
  joint.run(velocity_of(0.4), 2.0);
  EXPECT_NEAR(joint.v, 0.4, 1e-4);
}

TEST(SimBoard, ImpedanceIsASpringThatSagsUnderALoad) {
  JointConfig config = flywheel_config();
  config.board.drive_modes = {DriveMode::kOff, DriveMode::kImpedance};
  FlywheelJoint joint(config);
  joint.load = -4.0;
  JointSetpoint spring;
  spring.drive = DriveMode::kImpedance;
  spring.q = 0.5;
  spring.stiffness = 80.0;
  spring.damping = 2 * std::sqrt(80.0 * 0.5);
  joint.run(spring, 3.0);
  EXPECT_NEAR(joint.q, 0.5 - 4.0 / 80.0, 1e-5);
}

TEST(SimBoard, AModeOfItsOwnStartsFromTheTorqueThatWasOn) {
  FlywheelJoint joint;
  joint.load = -6.0;
  joint.run(torque_of(6.0), 0.1);  // balanced: it stands
  joint.step(position_of(joint.state().q));
  EXPECT_NEAR(joint.torque, 6.0, 0.1);
  joint.run(torque_of(6.0), 0.1);
  joint.step(velocity_of(0.0));
  EXPECT_NEAR(joint.torque, 6.0, 0.1);
}

TEST(SimBoard, AMotorThatWasOffBeginsWithItsFeedforward) {
  for (JointSetpoint held : {position_of(0.0), velocity_of(0.0)}) {
    FlywheelJoint joint;
    joint.load = -6.0;
    held.tau = 6.0;
    joint.step(held);
    EXPECT_NEAR(joint.torque, 6.0, 1e-9);
    double lowest = 0.0;
    for (int i = 0; i < 500; ++i) {
      joint.step(held);
      lowest = std::min(lowest, joint.q);
    }
    EXPECT_GT(lowest, -1e-9) << "balanced from the first step on";
  }
}

TEST(SimBoard, TheIntegratorDoesNotWindUpWhileTheMotorIsAtItsLimit) {
  FlywheelJoint joint;
  joint.q = -0.2;
  joint.board().power_on({joint.q, 0.0});
  joint.blocked = true;
  joint.run(position_of(0.0), 2.0);
  EXPECT_EQ(joint.torque, 20.0);
  joint.blocked = false;
  double overshoot = 0.0;
  for (int i = 0; i < 1000; ++i) {
    joint.step(position_of(0.0));
    overshoot = std::max(overshoot, joint.q);
  }
  EXPECT_LT(overshoot, 0.1);  // wound up, 800 N·m of integral would throw it far beyond
  EXPECT_NEAR(joint.q, 0.0, 5e-3);
}

TEST(SimBoard, ForgetsItsIntegratorWhileTheMotorIsOff) {
  FlywheelJoint joint;
  joint.load = -6.0;
  joint.run(position_of(0.0), 2.0);
  joint.load = 0.0;
  joint.blocked = true;
  joint.run(off(), 0.01);
  joint.step(position_of(joint.state().q));
  EXPECT_NEAR(joint.torque, 0.0, 0.1);
}

// Watchdog
// -----------------------------------------------------------------------------------------

TEST(SimBoard, HoldsItsLastSetpointUntilTheWatchdogStopsTheMotor) {
  FlywheelJoint joint;  // watchdog 50 ms
  joint.step(torque_of(1.0));
  int silent = 0;
  while (joint.state().status == BoardStatus::kEnabled && silent < 100) {
    joint.step(nullptr);
    ++silent;
    if (joint.state().status == BoardStatus::kEnabled) {
      EXPECT_EQ(joint.torque, 1.0);
    }
  }
  EXPECT_EQ(silent, 50);
  EXPECT_EQ(joint.torque, 0.0);
  EXPECT_EQ(joint.state().fault, FaultCode::kCommandLost);
  EXPECT_NEAR(joint.state().fault_value, 0.05, 1e-9);
  EXPECT_EQ(joint.state().fault_limit, 0.05);
}

TEST(SimBoard, SilenceWhileTheMotorIsOffIsNoFault) {
  FlywheelJoint joint;
  for (int i = 0; i < 500; ++i) joint.step(nullptr);
  EXPECT_EQ(joint.state().status, BoardStatus::kReady);
}

TEST(SimBoard, AfterAFaultItDrivesOnlyOnceAskedToRest) {
  FlywheelJoint joint;
  joint.step(torque_of(1.0));
  for (int i = 0; i < 60; ++i) joint.step(nullptr);
  JointSetpoint pushing = torque_of(1.0);
  pushing.request = BoardRequest::kClearFault;
  for (int i = 0; i < 10; ++i) joint.step(pushing);
  EXPECT_EQ(joint.state().status, BoardStatus::kReady);  // cleared, and still at rest
  EXPECT_EQ(joint.torque, 0.0);
  joint.step(off());
  joint.step(torque_of(1.0));
  EXPECT_EQ(joint.state().status, BoardStatus::kEnabled);
}

TEST(SimBoard, ARequestThatIsHeldActsOnce) {
  FlywheelJoint joint;
  joint.board().inject(SimFault::kLimitSwitch, 0.0, 30);
  joint.step(torque_of(0.0));
  ASSERT_EQ(joint.state().status, BoardStatus::kHwFault);
  joint.run(request_of(BoardRequest::kClearFault), 0.1);  // its cause goes away meanwhile
  EXPECT_EQ(joint.state().status, BoardStatus::kHwFault);
  joint.step(off());
  joint.step(request_of(BoardRequest::kClearFault));
  EXPECT_EQ(joint.state().status, BoardStatus::kReady);
}

// State
// --------------------------------------------------------------------------------------------

TEST(SimBoard, ASavedStateGoesOnToTheSameBits) {
  JointConfig config = flywheel_config();
  config.board.torque_noise = 0.1;
  config.board.torque_bandwidth_hz = 100;
  PlantConfig plant;
  plant.encoder_noise = 1e-5;
  FlywheelJoint joint(config, plant);
  joint.load = -2.0;
  joint.run(position_of(0.2), 0.5);
  const FlywheelJoint saved = joint;
  joint.run(position_of(0.2), 0.5);
  FlywheelJoint again = saved;
  EXPECT_NE(hash_of(again.board()), hash_of(joint.board()));
  again.run(position_of(0.2), 0.5);
  EXPECT_EQ(hash_of(again.board()), hash_of(joint.board()));
  EXPECT_EQ(again.q, joint.q);
}

TEST(SimBoard, ItsHashDoesNotDependOnWhatWasInMemory) {
  const auto hash_in_memory_of = [](unsigned char filling) {
    alignas(SimBoard) std::array<unsigned char, sizeof(SimBoard)> memory;
    memory.fill(filling);
    auto* board = new (memory.data()) SimBoard(make_board_spec(flywheel_config(), {}, 0.001));
    board->power_on({0.1, 0.0});
    board->step(nullptr, {0.1, 0.0});
    return hash_of(*board);
  };
  EXPECT_EQ(hash_in_memory_of(0xAA), hash_in_memory_of(0x55));
}

TEST(BoardSpec, RefusesWhatMakesNoSense) {
  JointConfig config = flywheel_config();
  config.limits.tau_max = 0.0;
  try {
    make_board_spec(config, {}, 0.001);
    FAIL() << "tau_max 0 was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "joint flywheel: tau_max is 0, must be above 0");
  }
}

TEST(Random, IsNearlyNormal) {
  Random random(7);
  constexpr int kCount = 200000;
  double sum = 0;
  double squares = 0;
  int beyond_two = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    beyond_two += std::abs(x) > 2 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kCount, 0.0, 0.01);
  EXPECT_NEAR(squares / kCount, 1.0, 0.015);
  EXPECT_NEAR(static_cast<double>(beyond_two) / kCount, 0.0455, 0.004);  // 1 - erf(√2)
}

}  // namespace
}  // namespace jointrig::sim
