/// External forces: the momentum observer, the wrench that explains joint torques, and a force
/// sensor's samples. Compared with closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "control/laws/force_sensing.h"
#include "control/laws/momentum_observer.h"
#include "control/laws/tool_wrench.h"

namespace jointrig {
namespace {

constexpr double kDt = 1e-3;

// Observer ---------------------------------------------------------------------------------------

TEST(MomentumObserver, FollowsAStepWithItsTimeConstantWhateverTheGain) {
  for (const double gain : {5.0, 30.0, 300.0, 5000.0}) {
    MomentumObserver observer;
    const double share = -std::expm1(-gain * kDt);
    const double motor = 2.0;
    const double external = -7.0;
    double momentum = 1.0;
    observer.advance(momentum, 0.0, motor, share, kDt);
    for (int k = 1; k <= 200; ++k) {
      momentum += (motor + external) * kDt;
      observer.advance(momentum, 0.0, motor, share, kDt);
      EXPECT_NEAR(observer.external(), external * (1.0 - std::exp(-gain * k * kDt)), 1e-9) << gain;
    }
  }
}

TEST(MomentumObserver, WhatIsKnownIsNotExternal) {
  MomentumObserver observer;
  const double share = -std::expm1(-50.0 * kDt);
  // For dp/dt = tau + β with β = sin 20 t, the mean of both ends equals the integral to
  // (w dt)²/12.
  double before = 0.0;
  for (int k = 0; k <= 500; ++k) {
    const double t = k * kDt;
    const double momentum = 3.0 * t + (1.0 - std::cos(20.0 * t)) / 20.0;
    observer.advance(momentum, std::sin(20.0 * t), 3.0, share, kDt);
    EXPECT_NEAR(observer.external(), 0.0, 4e-5);
    before = momentum;
  }
  EXPECT_GT(before, 1.4);
}

TEST(MomentumObserver, KeepsWhatItFoundOverCyclesOfWhichNothingIsKnown) {
  MomentumObserver observer;
  for (int k = 0; k < 100; ++k) observer.advance(4.0 * k * kDt, 0.0, 0.0, 0.1, kDt);
  const double found = observer.external();
  EXPECT_NEAR(found, 4.0, 1e-3);
  observer.pause();
  observer.advance(1000.0, 0.0, 0.0, 0.1, kDt);  // the first sample after the gap
  EXPECT_EQ(observer.external(), found);
  observer.restart();
  EXPECT_EQ(observer.external(), 0.0);
}

// Wrench of torques ------------------------------------------------------------------------------

struct Random {
  double number(double most) { return std::uniform_real_distribution<>(-most, most)(engine); }
  template <typename Matrix>
  Matrix fill(Eigen::Index rows, Eigen::Index cols) {
    Matrix m(rows, cols);
    for (double& entry : m.reshaped()) entry = number(1.0);
    return m;
  }
  std::mt19937 engine{3};
};

TEST(ToolWrench, ComesBackFromTheTorquesThatItMakes) {
  Random random;
  int regular = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const auto jacobian = random.fill<ArmJacobian>(6, 7 + trial % 3);
    const Vector6 wrench = 30.0 * random.fill<Vector6>(6, 1);
    const ArmVector tau = jacobian.transpose() * wrench;
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(jacobian);
    const double least = svd.singularValues()[5];
    // The bound of the damping lies within √6 of the least eigenvalue.
    if (least * least < std::sqrt(6.0) * kLeastFelt) continue;
    ++regular;
    EXPECT_LT((wrench_of_torques(jacobian, tau) - wrench).norm(), 1e-8);
  }
  EXPECT_GT(regular, 50);
}

TEST(ToolWrench, StaysBoundedAndContinuousThroughASingularity) {
  // Seven joints that each move the tool along or about one axis, the last one ever less.
  ArmVector tau(6);
  tau << 1.0, 2.0, -1.0, 0.5, 0.3, 1.0;
  const double most = tau.norm() / (2.0 * std::sqrt(kLeastFelt));
  double before = std::numeric_limits<double>::quiet_NaN();
  double hardest = 0.0;
  for (int k = 2000; k >= 0; --k) {
    ArmJacobian jacobian = Matrix6::Identity();
    jacobian(5, 5) = 1e-4 * k;
    const Vector6 wrench = wrench_of_torques(jacobian, tau);
    ASSERT_TRUE(wrench.allFinite());
    EXPECT_LE(std::abs(wrench[5]), 1.8 * most) << k;
    EXPECT_NEAR(wrench[0], 1.0, 3e-3) << "the others are hardly damped";
    if (k < 2000) hardest = std::max(hardest, std::abs(wrench[5] - before));
    before = wrench[5];
  }
  EXPECT_LT(hardest, 0.1) << "of some 20 N·m";
  EXPECT_EQ(before, 0.0) << "nothing is felt there";
}

TEST(ToolWrench, MovedItTurnsAboutTheNewPoint) {
  Vector6 wrench;
  wrench << 0.0, 0.0, 10.0, 0.0, 0.0, 1.0;
  // 10 N along z at x = 0.2 turn about the origin by −2 N·m of y.
  const Vector6 moved = moved_wrench(wrench, {0.2, 0.0, 0.0}, Eigen::Vector3d::Zero());
  EXPECT_NEAR(moved[4], -2.0, 1e-15);
  EXPECT_NEAR(moved[5], 1.0, 1e-15);
  EXPECT_EQ(moved[2], 10.0);
  const Eigen::Matrix3d quarter =
      Eigen::AngleAxisd(std::numbers::pi / 2, Eigen::Vector3d::UnitX()).toRotationMatrix();
  EXPECT_NEAR(turned_wrench(wrench, quarter)[1], -10.0, 1e-14);
}

// Force sensing ----------------------------------------------------------------------------------

ForceTorqueState reading(const Vector6& wrench) {
  ForceTorqueState sample;
  for (std::size_t i = 0; i < 3; ++i) {
    sample.force[i] = wrench[static_cast<Eigen::Index>(i)];
    sample.torque[i] = wrench[static_cast<Eigen::Index>(i) + 3];
  }
  return sample;
}

Vector6 sixes(double a, double b, double c, double d, double e, double f) {
  return (Vector6() << a, b, c, d, e, f).finished();
}

const Vector6 kRest = sixes(0, 0, 9.81, 0.1, 0, 0);  // what carries 1 kg

struct Sensor {
  explicit Sensor(double filter_hz = 0.0) : sensing((config.filter_hz = filter_hz, config)) {}
  ForceSensing::Outcome take(const Vector6& sample, std::uint32_t missed = 0) {
    return take_at(kRest, sample, missed);
  }
  ForceSensing::Outcome take_at(const Vector6& rest, const Vector6& sample,
                                std::uint32_t missed = 0) {
    ForceTorqueState state = reading(sample);
    state.missed = missed;
    return sensing.advance(config, &state, rest, kDt);
  }
  ForceSensorConfig config;
  ForceSensing sensing;
};

TEST(ForceSensing, TheToolsWeightIsOutAndTheSignIsThatOfTheWorldOnTheTool) {
  Sensor sensor;
  sensor.take(kRest);
  EXPECT_LT(sensor.sensing.wrench().norm(), 1e-15);
  // A table that carries 4 N of the tool leaves 5.81 N to the sensor.
  sensor.take(kRest - sixes(0, 0, 4, 0, 0, 0));
  EXPECT_NEAR(sensor.sensing.wrench()[2], 4.0, 1e-12);
}

TEST(ForceSensing, ItsLowPassIsOfFirstOrder) {
  Sensor sensor(10.0);
  sensor.take(kRest);
  const Vector6 push = sixes(3, 0, 0, 0, 0, -1);
  for (int k = 1; k <= 100; ++k) {
    sensor.take(kRest - push);
    const double share = 1.0 - std::exp(-2.0 * std::numbers::pi * 10.0 * k * kDt);
    EXPECT_LT((sensor.sensing.wrench() - share * push).norm(), 1e-12) << k;
  }
}

TEST(ForceSensing, TareTakesTheMeanAndBlendsItIn) {
  Sensor sensor;
  const Vector6 bias = sixes(2, -1, 0.5, 0.1, 0.2, -0.3);
  sensor.take(kRest + bias);
  sensor.sensing.tare();
  EXPECT_TRUE(sensor.sensing.taring());
  int cycles = 0;
  bool tared = false;
  while (!tared) {
    const double noise = cycles % 2 == 0 ? 0.4 : -0.4;  // its mean is nothing
    tared = sensor.take(kRest + bias + noise * Vector6::Ones()).tared;
    ASSERT_LT(++cycles, 1000);
  }
  EXPECT_EQ(cycles, 100);
  EXPECT_LT((sensor.sensing.found_bias() - bias).norm(), 1e-12);
  double before = sensor.sensing.wrench()[0];
  double hardest = 0.0;
  for (int k = 0; k < 100; ++k) {
    sensor.take(kRest + bias);
    const double now = sensor.sensing.wrench()[0];
    if (k > 0) hardest = std::max(hardest, std::abs(now - before));
    before = now;
  }
  EXPECT_NEAR(hardest, 2.0 * kDt / ForceSensing::kBlendTime, 1e-9) << "no jump";
  EXPECT_LT(sensor.sensing.wrench().norm(), 1e-12);
}

TEST(ForceSensing, TellsSaturationOnceAndGoesOnMeasuring) {
  Sensor sensor;
  sensor.config.force_max = 50.0;
  sensor.take(kRest);
  const auto outcome = sensor.take(sixes(0, -50, 0, 0, 0, 0));
  EXPECT_TRUE(outcome.changed);
  EXPECT_EQ(sensor.sensing.state(), ForceSensorState::kSaturated);
  EXPECT_EQ(outcome.axis, 1);
  EXPECT_EQ(outcome.value, -50.0);
  EXPECT_EQ(outcome.limit, 50.0);
  EXPECT_NEAR(sensor.sensing.wrench()[1], 50.0, 1e-12);
  EXPECT_FALSE(sensor.take(sixes(0, -50, 0, 0, 0, 0)).changed);
  EXPECT_TRUE(sensor.take(kRest).changed);
  EXPECT_EQ(sensor.sensing.state(), ForceSensorState::kGood);
}

TEST(ForceSensing, CarriesTheLastWrenchOverSamplesThatAreStaleOrNoNumbers) {
  Sensor sensor;
  const Vector6 push = sixes(5, 0, 0, 0, 0, 0);
  sensor.take(kRest - push);
  Vector6 none = kRest;
  none[4] = std::numeric_limits<double>::quiet_NaN();
  const auto outcome = sensor.take(none);
  EXPECT_EQ(sensor.sensing.state(), ForceSensorState::kNotFinite);
  EXPECT_EQ(outcome.axis, 4);
  EXPECT_LT((sensor.sensing.wrench() - push).norm(), 1e-12);
  for (std::uint32_t missed = 1; missed < ForceSensing::kStaleAfter; ++missed) {
    sensor.take(kRest - push, missed);
    EXPECT_EQ(sensor.sensing.state(), ForceSensorState::kGood) << missed;
  }
  EXPECT_TRUE(sensor.take(kRest, ForceSensing::kStaleAfter).changed);
  EXPECT_EQ(sensor.sensing.state(), ForceSensorState::kStale);
  EXPECT_LT((sensor.sensing.wrench() - push).norm(), 1e-12);
}

/// Wrench that carries 1 kg with the sensor turned by an angle.
Vector6 rest_turned_by(double angle) {
  return sixes(9.81 * std::sin(angle), 0, 9.81 * std::cos(angle), 0.1, 0, 0);
}

TEST(ForceSensing, ASensorThatRepeatsItselfWhileItsLoadTurnsIsFrozenUntilANumberChanges) {
  Sensor sensor;
  sensor.take(kRest);
  // The chord of 9.81 N over the angle is the change: 0.5 N at 2 asin(0.25/9.81) = 50.97 mrad.
  int cycle = 0;
  ForceSensing::Outcome outcome;
  while (!outcome.changed) {
    outcome = sensor.take_at(rest_turned_by(1e-3 * ++cycle), kRest);  // 1 rad/s
    ASSERT_LT(cycle, 1000);
  }
  EXPECT_EQ(cycle, 51);
  EXPECT_EQ(sensor.sensing.state(), ForceSensorState::kFrozen);
  EXPECT_NEAR(outcome.value, 2.0 * 9.81 * std::sin(0.0255), 1e-9);
  EXPECT_EQ(outcome.limit, 0.5);
  const Vector6 then = sensor.sensing.wrench();
  EXPECT_FALSE(sensor.take_at(rest_turned_by(0.5), kRest).changed);
  EXPECT_EQ(sensor.sensing.wrench(), then) << "carried on";
  EXPECT_FALSE(sensor.take_at(rest_turned_by(0.0), kRest).changed) << "back where it froze";
  Vector6 alive = kRest;
  alive[5] += 1e-9;
  EXPECT_TRUE(sensor.take(alive).changed);
  EXPECT_EQ(sensor.sensing.state(), ForceSensorState::kGood);
}

TEST(ForceSensing, AQuietSensorIsNotFrozen) {
  Sensor sensor;
  for (int k = 0; k < 1000; ++k) sensor.take(kRest);  // nothing turns
  EXPECT_EQ(sensor.sensing.state(), ForceSensorState::kGood);
  // A new payload while the arm stands is no turn, however heavy it is.
  for (int k = 0; k < 1000; ++k) sensor.take_at(5.0 * kRest, kRest);
  EXPECT_EQ(sensor.sensing.state(), ForceSensorState::kGood);
  // As fast as an arm goes, and slower, with a sensor of coarse steps of 0.1 N.
  const auto coarse = [](const Vector6& wrench) {
    return Vector6((wrench * 10.0).array().round() / 10.0);
  };
  for (const double speed : {0.01, 0.1, 3.0}) {
    for (int k = 0; k < 1000; ++k) {
      const Vector6 rest = rest_turned_by(speed * k * kDt);
      sensor.take_at(rest, coarse(rest));
      ASSERT_EQ(sensor.sensing.state(), ForceSensorState::kGood) << speed << " " << k;
    }
  }
  // Fewer samples than an accident of equal ones would take.
  Sensor quick;
  quick.take(kRest);
  for (int k = 1; k < ForceSensing::kFrozenAfter; ++k) {
    quick.take_at(rest_turned_by(0.05 * k), kRest);
    ASSERT_EQ(quick.sensing.state(), ForceSensorState::kGood) << k;
  }
}

TEST(ForceSensing, ATareEndsWhereTheSensorFails) {
  Sensor sensor;
  sensor.take(kRest);
  sensor.sensing.tare();
  sensor.take(kRest + Vector6::Ones());
  sensor.take(kRest, ForceSensing::kStaleAfter);
  EXPECT_FALSE(sensor.sensing.taring());
  for (int k = 0; k < 300; ++k) EXPECT_FALSE(sensor.take(kRest).tared);
  EXPECT_EQ(sensor.sensing.bias().norm(), 0.0);
}

}  // namespace
}  // namespace jointrig
