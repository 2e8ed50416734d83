/// Hysteresis of a series spring and crosstalk of a torque sensor, against closed forms.

#include "sim/board/spring_hysteresis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/spring_joint.h"

namespace jointrig::sim {
namespace {

constexpr double kMost = 2.0;     // [N·m]
constexpr double kReach = 0.004;  // [rad]

TEST(SpringHysteresis, TurnsRoundOverItsReachWhateverTheSteps) {
  const SpringHysteresis material(kMost, kReach);
  for (const int steps : {1, 7, 1000}) {
    double z = -1.0;  // after a long way down
    const double way = 0.01;
    for (int i = 0; i < steps; ++i) z = material.advanced(z, way / steps);
    EXPECT_NEAR(z, 1.0 - 2.0 * std::exp(-way / kReach), 1e-12) << steps;
    EXPECT_EQ(material.advanced(z, 0.0), z) << "at rest it stays";
  }
}

TEST(SpringHysteresis, ACycleTakesTheEnergyOfItsLoop) {
  const SpringHysteresis material(kMost, kReach);
  for (const double swing : {0.001, 0.004, 0.02}) {
    constexpr int kSteps = 20'000;
    double z = 0.0;
    double work = 0.0;
    for (int half = 0; half < 24; ++half) {  // until it is the same each time
      const double step = (half % 2 == 0 ? 2.0 : -2.0) * swing / kSteps;
      if (half % 2 == 0) work = 0.0;
      for (int i = 0; i < kSteps; ++i) {
        const double before = z;
        z = material.advanced(z, step);
        work += material.torque(0.5 * (before + z)) * step;
      }
      const double turn = std::tanh(swing / kReach);
      const double expected = half % 2 == 0 ? turn : -turn;
      if (half > 20) {
        EXPECT_NEAR(z, expected, 1e-4);
      }
    }
    const double closed = 4.0 * kMost * (swing - kReach * std::tanh(swing / kReach));
    EXPECT_NEAR(work, closed, 1e-5 * (closed + kMost * swing)) << swing;
  }
}

JointConfig bent_config(double known) {
  JointConfig config = spring_config();
  config.board.hysteresis = kMost;
  config.board.hysteresis_deflection = kReach;
  config.board.hysteresis_known = known;
  return config;
}

TEST(SpringHysteresis, TheSpringIsBentLessWhereItsMaterialHelps) {
  const double tau = 9.0;
  SpringState motor;
  const SeriesSpring spring(0.08, 600.0, 8.0, 1e-3, {kMost, kReach});
  for (int i = 0; i < 4000; ++i) spring.follow(tau, 0.0, 0.0, motor);  // the joint is held
  EXPECT_NEAR(motor.torque, tau, 1e-6);
  EXPECT_NEAR(600.0 * motor.q + kMost * motor.bend, tau, 1e-6) << "tau = k δ + H z";
  EXPECT_GT(motor.bend, 0.5);
  EXPECT_LT(motor.q, 8.0 / 600.0);
}

TEST(SpringHysteresis, ABoardThatKnowsOfItMeasuresTheTorqueAndOneThatDoesntIsOffByIt) {
  for (const double known : {0.0, 0.5, 1.0}) {
    const JointConfig config = bent_config(known);
    SimBoard board(make_board_spec(config, {}, 0.001));
    const SpringHysteresis material(kMost, kReach);
    JointTruth truth;
    board.power_on(truth);
    double z = 0.0;
    for (int i = 0; i < 400; ++i) {
      const double next = 0.01 * std::sin(0.05 * i);
      z = material.advanced(z, next - truth.deflection);
      truth.deflection = next;
      board.sense(truth);
      const JointState& report = board.report();
      EXPECT_NEAR(report.tau, 600.0 * next + known * kMost * z, 1e-9);
      EXPECT_NEAR(report.tau_hysteresis, known * kMost * z, 1e-9);
      EXPECT_NEAR(report.hysteresis_state, z, 1e-9);
    }
  }
}

TEST(Crosstalk, IsAShareOfTheTorqueOfTheJointBefore) {
  JointConfig config = spring_config();
  config.board.crosstalk = 0.03;
  SimBoard board(make_board_spec(config, {}, 0.001));
  JointTruth truth;
  truth.deflection = 0.01;
  truth.torque_before = -40.0;
  board.power_on(truth);
  board.sense(truth);
  EXPECT_NEAR(board.report().tau, 600.0 * 0.01 - 0.03 * 40.0, 1e-12);
  EXPECT_NEAR(board.report().tau_crosstalk, -1.2, 1e-12);
}

TEST(SpringHysteresis, WithoutASpringOrAReachItIsRefused) {
  JointConfig config = bent_config(1.0);
  config.board.hysteresis_deflection = 0.0;
  EXPECT_THROW(make_board_spec(config, {}, 0.001), std::invalid_argument);
  config = bent_config(1.0);
  config.board.spring_stiffness = 0.0;
  EXPECT_THROW(make_board_spec(config, {}, 0.001), std::invalid_argument);
}

}  // namespace
}  // namespace jointrig::sim
