#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tests/sim/spring_joint.h"

namespace jointrig::sim {
namespace {

constexpr double kPi = std::numbers::pi;

/// With the joint held, a second-order system at w, critically damped, answers a step so.
double critical_step(double w, double t) { return 1 - (1 + w * t) * std::exp(-w * t); }

TEST(SpringBoard, AtRestMeasuresTheTorqueThatIsApplied) {
  JointConfig config = spring_config();
  config.board.deflection_step = 1e-6;
  SpringJoint joint(config);
  joint.load = -6.0;
  joint.run(position_of(0.3), 4.0);
  EXPECT_NEAR(joint.q, 0.3, 1e-4);
  EXPECT_NEAR(joint.state().tau, 6.0, 600.0 * 1e-6);
  EXPECT_NEAR(joint.motor.q - joint.q, 6.0 / 600.0, 1e-6);
}

TEST(SpringBoard, MeasuresInStepsOfItsDeflectionSensor) {
  JointConfig config = spring_config();
  config.board.deflection_step = 1e-3;
  SpringJoint joint(config);
  joint.load = 1.0;
  for (int i = 0; i < 300; ++i) {
    joint.step(torque_of(3.0));
    const double steps = joint.state().tau / (600.0 * 1e-3);
    ASSERT_NEAR(steps, std::round(steps), 1e-9);
    ASSERT_LE(std::abs(joint.state().tau - 600.0 * joint.truth().deflection), 0.3 + 1e-9);
  }
}

TEST(SpringBoard, ItsTorqueLoopAnswersAStepAsDesigned) {
  JointConfig config = spring_config();
  config.board.deflection_bandwidth_hz = 40.0;
  config.board.velocity_bandwidth_hz = 0.0;
  config.board.current_max_A = 1000.0;
  config.board.supply_V = 1e6;
  SpringJoint joint(config, 2e-5);  // a cycle so short that it delays next to nothing
  joint.blocked = true;
  for (int i = 1; i <= 2500; ++i) {
    joint.step(torque_of(5.0));
    const double expected = 5.0 * critical_step(2 * kPi * 40.0, i * 2e-5);
    ASSERT_NEAR(joint.state().tau, expected, 0.1) << i;
  }
}

TEST(SpringBoard, AtAMillisecondACycleItsTorqueSettlesInThreeHundredths) {
  SpringJoint joint;
  joint.blocked = true;
  double highest = 0.0;
  for (int i = 1; i <= 200; ++i) {
    joint.step(torque_of(5.0));
    highest = std::max(highest, joint.state().tau);
    if (i > 30) {
      ASSERT_NEAR(joint.state().tau, 5.0, 0.25) << i;
    }
  }
  EXPECT_LT(highest, 1.25 * 5.0);
  EXPECT_NEAR(joint.state().tau, 5.0, 1e-4);
}

TEST(SpringBoard, TheJointFeelsOfTheMotorsInertiaWhatTheLoopLeaves) {
  SpringJoint joint;
  joint.run(torque_of(0.0), 0.1);
  joint.load = 0.4;
  joint.run(torque_of(0.0), 0.2);
  const double v_before = joint.v;
  joint.run(torque_of(0.0), 0.2);
  // J / (1 + a) = k / w²; the flywheel has 0.5
  const double w = 2 * kPi * 40.0;
  EXPECT_NEAR((joint.v - v_before) / 0.2, 0.4 / (0.5 + 600.0 / (w * w)), 1e-3);
}

TEST(SpringBoard, ALoopSlowerThanTheSpringItselfIsLeftAtTheSprings) {
  JointConfig config = spring_config();
  config.board.deflection_bandwidth_hz = 1.0;  // the motor on its spring alone: 13.8 Hz
  SpringJoint joint(config);
  joint.blocked = true;
  joint.step(torque_of(5.0));
  EXPECT_DOUBLE_EQ(joint.motor_torque, 5.0);
  joint.run(torque_of(5.0), 3.0);
  EXPECT_NEAR(joint.state().tau, 5.0, 1e-3);
}

TEST(SpringBoard, TheJointGetsTauMaxAtMost) {
  SpringJoint joint;
  joint.blocked = true;
  joint.run(torque_of(50.0), 1.0);
  EXPECT_NEAR(joint.state().tau, 20.0, 1e-3);
  joint.run(torque_of(-50.0), 1.0);
  EXPECT_NEAR(joint.state().tau, -20.0, 1e-3);
}

TEST(SpringBoard, WithItsMotorOffItSwingsAndNeverGainsEnergy) {
  SpringJoint joint;
  joint.v = 2.0;
  joint.board().power_on(joint.truth());
  const auto energy = [&] {
    const double bend = joint.motor.q - joint.q;
    return (0.5 * joint.v * joint.v + 0.08 * joint.motor.v * joint.motor.v + 600.0 * bend * bend) /
           2;
  };
  const double before = energy();
  for (int i = 0; i < 1000; ++i) {
    joint.step(off());
    ASSERT_LE(energy(), before * 1.01);  // what a step itself swaps between the two: h w / 4
  }
  EXPECT_EQ(joint.motor_torque, 0.0);
  const double together = 0.5 * 2.0;  // momentum; both at one speed in the end
  EXPECT_NEAR(joint.v, together / 0.58, 0.15);
}

// Faults
// -------------------------------------------------------------------------------------------

TEST(SpringBoard, NoTorqueOrMotionOfASoundJointLooksLikeAFault) {
  for (const bool blocked : {true, false}) {
    SpringJoint joint;
    for (int i = 0; i < 4000; ++i) {
      joint.blocked = blocked;
      if (!blocked) joint.load = -40.0 * joint.q - 2.0 * joint.v;
      joint.step(torque_of(i / 100 % 2 == 0 ? 20.0 : -20.0));
      ASSERT_EQ(joint.state().status, BoardStatus::kEnabled)
          << to_string(joint.state().fault) << " at " << i << (blocked ? " blocked" : " free");
    }
  }
}

TEST(SpringBoard, FindsTheFaultsThatARigidJointsBoardFinds) {
  struct Case {
    SimFault fault;
    double value;
  };
  for (const Case& c : {Case{SimFault::kTorqueSensorOffset, 6.0},
                        {SimFault::kTorqueSensorTimeout, 0},
                        {SimFault::kMotorOff, 0},
                        {SimFault::kEncoderFreeze, 0},
                        {SimFault::kEncoderJump, 0.5},
                        {SimFault::kOverTemperature, 120.0},
                        {SimFault::kLimitSwitch, 0},
                        {SimFault::kSupplyVoltage, 20.0}}) {
    SCOPED_TRACE(to_string(c.fault));
    SpringJoint joint;
    joint.load = -3.0;
    joint.run(velocity_of(0.5), 0.5);
    ASSERT_EQ(joint.state().status, BoardStatus::kEnabled);
    joint.board().inject(c.fault, c.value);
    double t = 0;
    while (t < 0.2 && joint.state().status != BoardStatus::kHwFault) {
      joint.step(velocity_of(0.5));
      t += 0.001;
    }
    EXPECT_EQ(joint.state().fault, detected_as(c.fault));
    EXPECT_LE(t, detection_time(c.fault) + 0.002);
    joint.step(velocity_of(0.5));
    EXPECT_EQ(joint.motor_torque, 0.0);
  }
}

TEST(SpringBoard, ASlippingCouplingLiesBehindItsSpring) {
  SpringJoint joint;
  joint.load = -6.0;
  joint.run(position_of(0.2), 3.0);
  joint.board().inject(SimFault::kGainLoss, 0.5);
  joint.run(position_of(0.2), 3.0);
  EXPECT_NEAR(joint.q, 0.2, 1e-3);
  EXPECT_NEAR(joint.state().tau, 12.0, 0.05);  // twice, for half of it to arrive
}

TEST(SpringBoard, ItsWatchdogStopsTheMotor) {
  SpringJoint joint;
  joint.step(torque_of(1.0));
  for (int i = 0; i < 50; ++i) joint.step(nullptr);
  EXPECT_EQ(joint.state().fault, FaultCode::kCommandLost);
  EXPECT_EQ(joint.motor_torque, 0.0);
}

TEST(SpringBoard, ASavedStateGoesOnToTheSameBits) {
  JointConfig config = spring_config();
  config.board.torque_noise = 0.1;
  SpringJoint joint(config);
  joint.load = -2.0;
  joint.run(position_of(0.2), 0.3);
  SpringJoint again = joint;
  joint.run(position_of(0.2), 0.3);
  EXPECT_NE(hash_of(again.board()), hash_of(joint.board()));
  again.run(position_of(0.2), 0.3);
  EXPECT_EQ(hash_of(again.board()), hash_of(joint.board()));
}

TEST(BoardSpec, RefusesASpringWithoutAMotorBehindIt) {
  JointConfig config = spring_config();
  config.board.armature.reset();
  try {
    make_board_spec(config, {}, 0.001);
    FAIL() << "a spring without a motor's inertia was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(
        error.what(),
        "joint flywheel: armature is 0, must be given and above 0 where spring_stiffness is");
  }
}

}  // namespace
}  // namespace jointrig::sim
