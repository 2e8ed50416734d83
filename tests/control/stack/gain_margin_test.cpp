#include "control/stack/gain_margin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/ideal_robot.h"

namespace jointrig {
namespace {

constexpr int kDelay = 1;

/// Inertia 1, no friction, a PID with a damping ratio of 1 at 10 Hz, no lags but the delay.
JointSetup bare_joint() {
  RobotConfig robot = testing::ideal_config(1);
  JointConfig& config = robot.joints[0];
  config.board.velocity_bandwidth_hz = 0.0;
  config.board.torque_bandwidth_hz = 0.0;
  const double w = 2.0 * std::numbers::pi * 10.0;
  config.gains.inertia = 1.0;
  config.gains.viscous = 0.0;
  config.gains.kp = w * w;
  config.gains.ki = 0.0;
  config.gains.kd = 2.0 * w;
  config.gains.is_pid = true;
  const testing::IdealRobot ideal(robot);
  return make_setup(config, ideal.capabilities[0], 1e-3, kDelay);
}

/// True if the loop of this joint swings up, stepped by hand: the torque computed in a cycle acts
/// during the next one, and the mass moves exactly as under a constant force. Compares the largest
/// excursions of the second and of the last second.
bool swings_up(const JointSetup& setup, double kp, double kd, double inertia) {
  constexpr int kSecond = 1000;
  constexpr int kLast = 8;
  double q = 1.0;
  double v = 0.0;
  double torque = 0.0;
  double early = 0.0;
  double late = 0.0;
  for (int k = 0; k < kLast * kSecond; ++k) {
    const double acts = torque;
    torque = -kp * q - kd * v;
    const double a = acts / inertia;
    q += v * setup.dt + 0.5 * a * setup.dt * setup.dt;
    v += a * setup.dt;
    const double size = std::abs(q) + 1e-3 * std::abs(v);
    if (k >= kSecond && k < 2 * kSecond) early = std::max(early, size);
    if (k >= (kLast - 1) * kSecond) late = std::max(late, size);
  }
  return late > early;
}

TEST(GainMargin, TheDampingThatItNamesHoldsOnAnInertiaAThirdLighterAndMoreSwingsUp) {
  const JointSetup setup = bare_joint();
  const double margin = gain_margin(setup, JointParameter::kKd, 1e5, kDelay);
  const double light = 1.0 / 1.5;
  EXPECT_FALSE(swings_up(setup, setup.config.gains.kp, 0.97 * margin, light));
  EXPECT_TRUE(swings_up(setup, setup.config.gains.kp, 1.05 * margin, light));
}

TEST(GainMargin, OfAStiffnessLikewise) {
  const JointSetup setup = bare_joint();
  const double margin = gain_margin(setup, JointParameter::kKp, 1e6, kDelay);
  EXPECT_GT(margin, setup.config.gains.kp);
  const double kd = setup.config.gains.kd;
  EXPECT_FALSE(swings_up(setup, 0.97 * margin, kd, 1.5) ||
               swings_up(setup, 0.97 * margin, kd, 1.0 / 1.5));
  EXPECT_TRUE(swings_up(setup, 1.05 * margin, kd, 1.5) ||
              swings_up(setup, 1.05 * margin, kd, 1.0 / 1.5));
}

TEST(GainMargin, MoreDelayLeavesLess) {
  const JointSetup setup = bare_joint();
  const double one = gain_margin(setup, JointParameter::kKd, 1e5, 1);
  EXPECT_LT(gain_margin(setup, JointParameter::kKd, 1e5, 3), 0.7 * one);
}

TEST(GainMargin, WhereAllIsStableItIsTheLargestValueAndALimitHasNone) {
  const JointSetup setup = bare_joint();
  EXPECT_EQ(gain_margin(setup, JointParameter::kKd, 100.0, kDelay), 100.0);
  EXPECT_TRUE(std::isinf(gain_margin(setup, JointParameter::kTorqueMax, 10.0, kDelay)));
}

TEST(GainMargin, AJointWhoseBoardClosesTheLoopHasNone) {
  JointSetup setup = bare_joint();
  for (auto& drives : setup.drives) drives.fill(DriveMode::kPosition);
  EXPECT_TRUE(std::isinf(gain_margin(setup, JointParameter::kKp, 1e6, kDelay)));
}

}  // namespace
}  // namespace jointrig
