// The way by which the reference's centre of mass is led, against the sway that its header has.

#include "control/wholebody/balance_lead.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/MatrixFunctions>

namespace jointrig {
namespace {

constexpr double kOmega = 4.27;  // of the iCub [1/s]
constexpr double kFine = 1e-4;

/// A robot that sways on its servos, one axis: c̈ = ω² (c − p), p = κ (c − s).
struct Sway {
  double kappa = 1.0;
  double place = 0.0;  // c [m]
  double speed = 0.0;  // ċ [m/s]

  [[nodiscard]] double pressure(const BalanceLead& lead) const {
    return kappa * (place - lead.way.x());
  }
  void go(const LeadGains& gains, BalanceLead& lead) {
    const Eigen::Vector2d wanted =
        BalanceLead::wanted_pressure(gains, Eigen::Vector2d::Zero(), {place + speed / kOmega, 0.0});
    lead.advance(gains, {{pressure(lead), 0.0}, wanted, kOmega}, kFine);
    speed += kFine * kOmega * kOmega * (place - pressure(lead));
    place += kFine * speed;
  }
};

double kappa_of(double bandwidth_hz) {
  const double ratio = 2.0 * std::numbers::pi * bandwidth_hz / kOmega;
  return 1.0 + ratio * ratio;
}

/// (c, ċ, s, ṡ)' = A (c, ċ, s, ṡ), written down from the equations of the header.
Eigen::Matrix4d dynamics(const LeadGains& gains, double kappa) {
  const double rate =
      2.0 * std::numbers::pi * gains.servo_bandwidth / kappa_of(gains.servo_bandwidth);
  const double lag = 0.25 / ((1.0 + gains.gain) * kOmega);
  const double w2 = kOmega * kOmega;
  Eigen::Matrix4d a = Eigen::Matrix4d::Zero();
  a(0, 1) = 1.0;
  a(1, 0) = w2 * (1.0 - kappa);
  a(1, 2) = w2 * kappa;
  a(2, 3) = 1.0;
  a(3, 0) = rate / lag * (kappa - 1.0 - gains.gain);
  a(3, 1) = -rate / lag * (1.0 + gains.gain) / kOmega;
  a(3, 2) = -rate / lag * kappa;
  a(3, 3) = -1.0 / lag;
  return a;
}

TEST(BalanceLead, MovesTheSwayAsTheExponentialOfItsEquationsHasIt) {
  LeadGains gains;
  gains.most = 1.0;
  Sway robot{.kappa = kappa_of(gains.servo_bandwidth), .speed = 0.1};
  BalanceLead lead;
  const Eigen::Vector4d start(0.0, 0.1, 0.0, 0.0);
  for (int k = 1; k <= 10000; ++k) {
    robot.go(gains, lead);
    if (k % 1000 != 0) continue;
    const Eigen::Matrix4d over = kFine * k * dynamics(gains, robot.kappa);
    const Eigen::Vector4d expected = over.exp() * start;
    EXPECT_NEAR(robot.place, expected[0], 1e-4) << k;
    EXPECT_NEAR(lead.way.x(), expected[2], 1e-4) << k;
  }
}

TEST(BalanceLead, IsStableForServosTenTimesStifferAndThreeTimesSofterThanItIsTold) {
  for (const double gain : {0.5, 2.0, 5.0}) {
    LeadGains gains;
    gains.gain = gain;
    for (const double bandwidth : {1.0, 3.0, 9.5, 30.0}) {
      const double kappa = kappa_of(bandwidth);
      if (kappa - 1.0 <= gain) continue;  // beyond what the header's second condition allows
      const Eigen::Vector4cd poles = dynamics(gains, kappa).eigenvalues();
      EXPECT_LT(poles.real().maxCoeff(), 0.0) << gain << " " << bandwidth;
    }
  }
}

TEST(BalanceLead, WithoutItTheSameSwayGoesOnForEver) {
  Sway robot{.kappa = kappa_of(3.0), .speed = 0.1};
  Sway led = robot;
  LeadGains none;
  none.most = 0.0;
  BalanceLead rests;
  BalanceLead lead;
  double most = 0.0;
  double most_led = 0.0;
  for (int k = 0; k < 50000; ++k) {
    robot.go(none, rests);
    led.go(LeadGains{}, lead);
    if (k < 40000) continue;
    most = std::max(most, std::abs(robot.place));
    most_led = std::max(most_led, std::abs(led.place));
  }
  // ċ / ω_s, the amplitude of the push
  EXPECT_NEAR(most, 0.1 / (6.0 * std::numbers::pi), 2e-4);
  EXPECT_LT(most_led, 0.05 * most);
}

TEST(BalanceLead, GoesNoFartherThanItsLargestWay) {
  LeadGains gains;
  BalanceLead lead;
  const Eigen::Vector2d pressure(0.3, 0.4);
  for (int k = 0; k < 5000; ++k) {
    lead.advance(gains, {pressure, Eigen::Vector2d::Zero(), kOmega}, 1e-3);
    ASSERT_LE(lead.way.norm(), gains.most + 1e-12);
  }
  EXPECT_NEAR((lead.way - gains.most * pressure.normalized()).norm(), 0.0, 1e-6);
  EXPECT_LT(lead.speed.norm(), 1e-3) << "it stands there";
  for (int k = 0; k < 200; ++k) {
    lead.advance(gains, {-pressure, Eigen::Vector2d::Zero(), kOmega}, 1e-3);
  }
  EXPECT_LT(lead.way.norm(), 0.9 * gains.most) << "and comes back";
}

TEST(BalanceLead, ComesToRestWhereNobodyKnowsThePressure) {
  LeadGains gains;
  BalanceLead lead;
  lead.speed = {0.1, 0.0};
  for (int k = 0; k < 1000; ++k) lead.rest(gains, kOmega, 1e-3);
  EXPECT_LT(lead.speed.norm(), 1e-6);
  EXPECT_NEAR(lead.way.x(), 0.1 * BalanceLead::lag(gains, kOmega), 1e-4);
}

}  // namespace
}  // namespace jointrig
