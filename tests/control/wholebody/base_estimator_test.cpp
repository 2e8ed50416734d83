// The estimate of the base on motions whose truth is a formula: sensors are that formula's
// derivatives, soles are where the world has them.

#include "control/wholebody/base_estimator.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace jointrig {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kDt = 1e-3;  // [s]
const Vector3d kGravity(0.0, 0.0, -9.81);
const Vector3d kImu(0.05, -0.01, -0.12);  // in the base
const std::array<Vector3d, 2> kSoles{Vector3d(0.02, 0.07, 0.0), Vector3d(0.02, -0.07, 0.0)};

/// A base that sways and turns about all axes, at rest until kStart; or that falls over its soles.
struct Sway {
  static constexpr double kStart = 0.3;  // [s]
  double reach = 0.03;                   // [m]
  double turn = 0.1;                     // [rad]
  double fall = 0.0;                     // tilt about the soles' line at the start [rad]

  [[nodiscard]] double phase(double t) const {
    const double s = std::max(t - kStart, 0.0);
    return 1.0 - std::cos(4.0 * s);  // starts at rest
  }
  // As a pendulum that stands on its head: θ'' = (4 1/s)² θ.
  [[nodiscard]] Matrix3d tipped(double t) const {
    const double angle = fall > 0.0 ? fall * std::cosh(4.0 * t) : 0.0;
    return AngleAxisd(angle, Vector3d::UnitY()).toRotationMatrix();
  }
  [[nodiscard]] Vector3d place(double t) const {
    const Vector3d pivot(kSoles[0].x(), 0.0, 0.0);
    const Vector3d at(0.0, 0.0, 0.6);
    return pivot + tipped(t) * (at - pivot) + reach * phase(t) * Vector3d(1.0, -0.7, 0.3);
  }
  [[nodiscard]] Matrix3d axes(double t) const {
    return tipped(t) *
           AngleAxisd(turn * phase(t), Vector3d(0.5, 1.0, -0.4).normalized()).toRotationMatrix();
  }
  // By central differences of the formula.
  [[nodiscard]] Vector3d spin(double t) const {  // in the base
    const double h = 1e-5;
    const AngleAxisd step(axes(t - h).transpose() * axes(t + h));
    return step.angle() / (2.0 * h) * step.axis();
  }
  double imu_way = 0.0;  // of an IMU that moves in the base, along with the sway [m]
  [[nodiscard]] Vector3d imu_in_base(double t) const {
    return kImu + imu_way * phase(t) * Vector3d(1.0, 0.5, -0.8);
  }
  [[nodiscard]] Vector3d imu_speed(double t) const {  // in the base
    const double h = 1e-6;
    return (imu_in_base(t + h) - imu_in_base(t - h)) / (2.0 * h);
  }
  [[nodiscard]] Vector3d imu_place(double t) const { return place(t) + axes(t) * imu_in_base(t); }
  [[nodiscard]] Vector3d felt(double t) const {  // along the axes of the base
    const double h = 1e-4;
    const Vector3d a = (imu_place(t + h) - 2.0 * imu_place(t) + imu_place(t - h)) / (h * h);
    return axes(t).transpose() * (a - kGravity);
  }
  [[nodiscard]] Vector3d speed(double t) const {
    const double h = 1e-6;
    return (place(t + h) - place(t - h)) / (2.0 * h);
  }
};

/// A sole that stands in the world with axes along it, seen from the base.
SeenSole seen(const Sway& sway, double t, const Vector3d& at) {
  SeenSole sole;
  sole.axes = sway.axes(t).transpose();
  sole.place = sole.axes * (at - sway.place(t));
  sole.contact = sole.place;
  const double h = 1e-6;
  const auto there = [&](double time) {
    return Vector3d(sway.axes(time).transpose() * (at - sway.place(time)));
  };
  sole.speed = (there(t + h) - there(t - h)) / (2.0 * h);
  sole.spin = -sway.spin(t);
  sole.load = 160.0;
  return sole;
}

/// The right sole alone, turned by an angle [rad] about its front edge, 8 cm ahead of its middle,
/// below a base at rest.
std::vector<SeenSole> tipped(double angle, double spin) {
  const Vector3d edge = kSoles[1] + Vector3d(0.08, 0.0, 0.0);
  std::vector<SeenSole> soles(2);
  SeenSole& sole = soles[1];
  sole.axes = AngleAxisd(angle, Vector3d::UnitY()).toRotationMatrix();
  sole.place = edge + sole.axes * Vector3d(-0.08, 0.0, 0.0) - Vector3d(0.0, 0.0, 0.6);
  sole.contact = edge - Vector3d(0.0, 0.0, 0.6);
  sole.spin = Vector3d(0.0, spin, 0.0);
  sole.load = 320.0;
  sole.is_flat = angle == 0.0;
  return soles;
}

const SeenImu kStill{true, Vector3d::Zero(), -kGravity, kImu};

class BaseEstimate : public testing::Test {
 protected:
  BaseEstimate() {
    BaseState start;
    start.position = {0.0, 0.0, 0.6};
    estimator = BaseEstimator({}, start, kImu, kGravity, kSoles);
  }

  void run(double until) {
    while (time < until) {
      time += kDt;
      SeenImu imu;
      imu.is_good = has_imu;
      imu.place = sway.imu_in_base(time);
      imu.speed = sway.imu_speed(time);
      // An accelerometer integrates the mean over the cycle that ends now.
      imu.acceleration = sway.felt(time - 0.5 * kDt) + acceleration_error;
      imu.turn = sway.spin(time - 0.5 * kDt) + turn_error;
      std::vector<SeenSole> soles;
      for (const Vector3d& at : kSoles) soles.push_back(seen(sway, time, at));
      for (SeenSole& sole : soles) {
        sole.load *= has_feet ? 1.0 : 0.0;
        for (double& v : sole.speed) v += encoder_noise * noise(random);
        sole.speed += (&sole == soles.data() ? 1.0 : -1.0) * apart - drift - time * drift_gain;
      }
      estimator.advance(imu, soles, kDt);
      const BaseState base = estimator.base();
      if (!estimator.is_known() || time < judged_from) continue;
      const Eigen::Quaterniond q(base.orientation[0], base.orientation[1], base.orientation[2],
                                 base.orientation[3]);
      place_error =
          std::max(place_error, (Vector3d(base.position.data()) - sway.place(time)).norm());
      turn_off = std::max(turn_off,
                          AngleAxisd(q.toRotationMatrix().transpose() * sway.axes(time)).angle());
      speed_error =
          std::max(speed_error, (Vector3d(base.linear_velocity.data()) - sway.speed(time)).norm());
    }
  }

  Sway sway;
  BaseEstimator estimator;
  double time = 0.0;
  std::mt19937 random{7};
  std::normal_distribution<double> noise;
  double encoder_noise = 0.0;              // [m/s]
  Vector3d drift = Vector3d::Zero();       // of the base over its soles [m/s]
  Vector3d drift_gain = Vector3d::Zero();  // [m/s²]
  Vector3d apart = Vector3d::Zero();       // of one sole, against the other's [m/s]
  bool has_imu = true;
  bool has_feet = true;
  Vector3d acceleration_error = Vector3d::Zero();
  Vector3d turn_error = Vector3d::Zero();
  double judged_from = 0.0;
  double place_error = 0.0;
  double turn_off = 0.0;
  double speed_error = 0.0;
};

TEST_F(BaseEstimate, FollowsABaseThatSwaysAndTurns) {
  run(5.0);
  ASSERT_TRUE(estimator.is_known());
  EXPECT_LT(place_error, 1e-4);
  EXPECT_LT(turn_off, 5e-4);
  EXPECT_LT(speed_error, 1e-3);
}

// An IMU on the chest of a robot that bows, or on its head.
TEST_F(BaseEstimate, FollowsABaseThatSwaysByAnImuThatMovesInIt) {
  sway.imu_way = 0.1;
  run(5.0);
  ASSERT_TRUE(estimator.is_known());
  // Its place is summed by the speeds at the ends of cycles: up to 0.55 m/s times half a cycle.
  EXPECT_LT(place_error, 2.8e-4);
  EXPECT_LT(turn_off, 5e-4);
  EXPECT_LT(speed_error, 1e-3);
}

TEST_F(BaseEstimate, IsKnownOnceTheRobotHasStoodStill) {
  run(BaseEstimator::kCalmTime + BaseEstimator::kBeginTime - 0.005);
  EXPECT_FALSE(estimator.is_known());
  run(BaseEstimator::kCalmTime + BaseEstimator::kBeginTime + 0.01);
  EXPECT_TRUE(estimator.is_known());
}

TEST_F(BaseEstimate, IsKnownBesideNoiseOfTheEncoders) {
  sway = {.reach = 0.0, .turn = 0.0};
  encoder_noise = 0.05;  // of each sole's speed [m/s]: 0.1 mrad on a leg at 1 kHz
  run(BaseEstimator::kCalmTime + BaseEstimator::kBeginTime + 0.01);
  ASSERT_TRUE(estimator.is_known());
  // Speed before and after, filtered: 0.05/√(2·20)/√2 each, over 0.2 s, of g; four times that.
  EXPECT_LT(turn_off, 4.0 * 0.05 / std::sqrt(80.0) * std::sqrt(2.0) / 0.2 / 9.81);
}

TEST_F(BaseEstimate, IsNotKnownWhileItsSolesSlideApart) {
  sway = {.reach = 0.0, .turn = 0.0};
  apart = Vector3d(0.0, 0.5, 0.0);
  run(0.5);
  EXPECT_FALSE(estimator.is_known());
  const BaseDoubt doubt = estimator.doubt(kDt);
  EXPECT_EQ(doubt.why, TorqueObstacle::kFeetApart);
  EXPECT_NEAR(doubt.value, 0.5, 1e-3) << "each from their mean";
  EXPECT_EQ(doubt.limit, BaseEstimator::kApart);
}

TEST_F(BaseEstimate, UntilItIsKnownItTellsForHowLongItHasStoodOrWhatIsMissing) {
  sway = {.reach = 0.0, .turn = 0.0};
  constexpr double kAll = BaseEstimator::kCalmTime + BaseEstimator::kBeginTime;
  run(0.06);
  EXPECT_EQ(estimator.doubt(kDt).why, TorqueObstacle::kLooking);
  EXPECT_NEAR(estimator.doubt(kDt).value, 0.06, 2.5e-3);
  EXPECT_DOUBLE_EQ(estimator.doubt(kDt).limit, kAll);
  run(0.2);
  EXPECT_NEAR(estimator.doubt(kDt).value, 0.2, 2.5e-3);
  has_feet = false;
  run(0.21);
  EXPECT_EQ(estimator.doubt(kDt).why, TorqueObstacle::kNoFoot);
  has_imu = false;
  run(0.22);
  EXPECT_EQ(estimator.doubt(kDt).why, TorqueObstacle::kNoImu);
  has_feet = true;
  run(0.23);
  EXPECT_EQ(estimator.doubt(kDt).why, TorqueObstacle::kNoImu);
  has_imu = true;
  run(0.26);
  EXPECT_EQ(estimator.doubt(kDt).why, TorqueObstacle::kLooking) << "it begins anew";
  EXPECT_NEAR(estimator.doubt(kDt).value, 0.03, 2.5e-3);
  run(0.26 + kAll);
  EXPECT_TRUE(estimator.is_known());
}

TEST_F(BaseEstimate, IsNotKnownWhileItsSolesSlideTogether) {
  sway = {.reach = 0.0, .turn = 0.0};
  drift = Vector3d(0.0, 0.0, 0.3);
  drift_gain = Vector3d(0.0, 0.0, 1.5);  // [m/s²]: the base seems to rise ever faster
  run(0.5);
  EXPECT_FALSE(estimator.is_known());
  const BaseDoubt doubt = estimator.doubt(kDt);
  EXPECT_EQ(doubt.why, TorqueObstacle::kNoGravity);
  EXPECT_NEAR(doubt.value, 9.81 - 1.5, 0.05) << "on the first try F has yet to settle";
  EXPECT_DOUBLE_EQ(doubt.limit, 9.81);
}

TEST_F(BaseEstimate, IsNotKnownWhileItTurnsAsInAFall) {
  sway = {.reach = 0.0, .turn = 0.0, .fall = 0.1};
  time = 0.27;  // it turns at 0.53 rad/s and ever faster
  run(0.7);
  EXPECT_FALSE(estimator.is_known());
  EXPECT_EQ(estimator.doubt(kDt).why, TorqueObstacle::kTurns);
  // θ' = 0.1 · 4 1/s · sinh(4 1/s · 0.7 s)
  EXPECT_NEAR(estimator.doubt(kDt).value, 0.4 * std::sinh(2.8), 0.05);
}

// In a free fall over its soles the accelerometer feels no tilt at all: 77 mrad would be missing.
TEST_F(BaseEstimate, FindsTheTiltOfARobotThatBeginsToFall) {
  sway = {.reach = 0.0, .turn = 0.0, .fall = 0.05};
  run(BaseEstimator::kCalmTime + BaseEstimator::kBeginTime + 0.01);
  ASSERT_TRUE(estimator.is_known());
  EXPECT_LT(turn_off, 1e-3);
  EXPECT_LT(speed_error, 0.02);  // 1 m/s² for kCalm
}

TEST_F(BaseEstimate, FindsTheTiltByGravityAndTheHeightByTheSoles) {
  // The start pose is upright; the robot leans by 0.1 rad about y on the same soles.
  sway = {.reach = 0.0, .turn = 0.0};
  const Matrix3d lean = AngleAxisd(0.1, Vector3d::UnitY()).toRotationMatrix();
  SeenImu imu{true, Vector3d::Zero(), lean.transpose() * -kGravity};
  std::vector<SeenSole> soles(2);
  for (std::size_t i = 0; i < 2; ++i) {
    soles[i].axes = lean.transpose();
    soles[i].place = soles[i].contact = lean.transpose() * (kSoles[i] - Vector3d(0.0, 0.0, 0.55));
    soles[i].load = 1.0;
  }
  for (int i = 0; i < 320; ++i) estimator.advance(imu, soles, kDt);
  ASSERT_TRUE(estimator.is_known());
  const BaseState base = estimator.base();
  EXPECT_NEAR(base.orientation[2], std::sin(0.05), 1e-9);
  EXPECT_NEAR(base.orientation[1], 0.0, 1e-9);
  EXPECT_NEAR(base.position[2], 0.55, 1e-9);
}

TEST_F(BaseEstimate, FindsTheTiltOfARobotThatSways) {
  sway = {.reach = 0.002, .turn = 0.0};
  time = Sway::kStart + 0.2;  // it accelerates by up to 0.03 m/s²: 4 mrad
  run(time + 0.35);
  ASSERT_TRUE(estimator.is_known());
  EXPECT_LT(turn_off, 1e-4);
}

TEST_F(BaseEstimate, FindsTheGyrosBias) {
  sway = {.reach = 0.0, .turn = 0.0};
  turn_error = Vector3d(3e-3, -2e-3, 1e-3);
  run(60.0);
  // Critically damped by 0.5 1/s and 0.06 1/s²: gone in 60 s.
  EXPECT_LT((estimator.state().bias - turn_error).norm(), 1e-5);
  EXPECT_LT(turn_off, 6e-3);  // at worst, b/(k_r) e^-1 about
}

TEST_F(BaseEstimate, ATiltThatTheAccelerometerTellsFalselyIsHeldByTheSoles) {
  // 0.05 m/s² is 5 mrad; it was told so from the start, and stays: nobody can know better.
  sway = {.reach = 0.0, .turn = 0.0};
  acceleration_error = Vector3d(0.05, 0.0, 0.0);
  run(10.0);
  EXPECT_NEAR(turn_off, 0.05 / 9.81, 1e-4);
}

// It is told wrong at the start, by 0.05 m/s² of g: 5.1 mrad.
TEST_F(BaseEstimate, AWrongTiltDiesAwayByGravity) {
  sway = {.reach = 0.0, .turn = 0.0};
  acceleration_error = Vector3d(0.05, 0.0, 0.0);
  judged_from = 9.3045;
  run(0.305);
  ASSERT_TRUE(estimator.is_known());
  acceleration_error.setZero();
  run(9.305);
  // Speed e and tilt δ of a cycle, with a share s = 1 - e^(-60 dt) of what is missing:
  //     e ← (1 - s) (e + g δ dt)     δ ← δ - k_t dt / g (e + g δ dt)
  // so that λ² - (2 - s - k_t dt²) λ + 1 - s = 0.
  const double s = -std::expm1(-60.0 * kDt);
  const double half = 1.0 - 0.5 * (s + BaseGains{}.tilt * kDt * kDt);
  const double slow = half + std::sqrt(half * half - 1.0 + s);
  const double left = 0.05 / 9.81 * std::pow(slow, 9000);
  EXPECT_NEAR(turn_off, left, 0.02 * left);
  // Upright again, the base is over its soles again: off by 0.6 m of height times δ, and by g δ /
  // k_v of speed, which k_p pulls back.
  const double height = 0.6 + 9.81 / BaseGains{}.speed / BaseGains{}.place;
  EXPECT_LT(place_error, 1.1 * height * left);
}

TEST_F(BaseEstimate, WithoutItsImuTheSolesAloneTell) {
  run(0.5);
  has_imu = false;
  run(3.0);
  EXPECT_TRUE(estimator.is_known());
  EXPECT_LT(place_error, 1e-3);
  EXPECT_LT(turn_off, 1e-3);
  EXPECT_LT(speed_error, 2e-3);
}

TEST_F(BaseEstimate, InTheAirTheImuAloneTells) {
  run(0.5);
  has_feet = false;
  run(0.9);
  EXPECT_TRUE(estimator.is_known());
  EXPECT_LT(place_error, 1e-3);
  EXPECT_LT(turn_off, 1e-3);
}

TEST_F(BaseEstimate, ALostRobotThatLiesIsNotCarriedAwayByAWrongTilt) {
  sway = {.reach = 0.0, .turn = 0.0};
  run(0.5);
  estimator.lose();
  has_feet = false;
  acceleration_error = Vector3d(0.5, 0.0, 0.0);  // by 51 mrad: 6 m in 5 s
  run(5.5);
  EXPECT_FALSE(estimator.is_known());
  EXPECT_NEAR(estimator.base().position[0], 0.0, 0.01);
  acceleration_error.setZero();
  has_feet = true;
  run(6.0);
  EXPECT_TRUE(estimator.is_known());
  EXPECT_NEAR(estimator.base().position[0], 0.0, 0.01);
}

TEST_F(BaseEstimate, WithNeitherNobodyKnowsAndTheLastPoseStays) {
  run(0.5);
  const BaseState last = estimator.base();
  has_imu = has_feet = false;
  run(0.6);
  EXPECT_FALSE(estimator.is_known());
  EXPECT_EQ(estimator.base().position, last.position);
  EXPECT_EQ(estimator.base().orientation, last.orientation);
  EXPECT_EQ(Vector3d(estimator.base().angular_velocity.data()).norm(), 0.0);
}

TEST_F(BaseEstimate, ASoleThatTipsAboutItsEdgeMovesNothing) {
  sway = {.reach = 0.0, .turn = 0.0};
  run(0.5);
  ASSERT_TRUE(estimator.is_known());
  for (int i = 1; i <= 300; ++i) estimator.advance(kStill, tipped(0.1 * i / 300.0, 0.1 / 0.3), kDt);
  // Its middle has gone 8 mm up.
  EXPECT_NEAR(estimator.base().position[2], 0.6, 1e-6);
  EXPECT_LT(std::abs(estimator.base().orientation[2]), 1e-6);
  EXPECT_LT(Vector3d(estimator.base().linear_velocity.data()).norm(), 1e-6);
}

TEST_F(BaseEstimate, ASoleThatLandsTippedIsNoGroundThatLeans) {
  sway = {.reach = 0.0, .turn = 0.0};
  run(0.5);
  ASSERT_TRUE(estimator.is_known());
  estimator.advance(kStill, std::vector<SeenSole>(2), kDt);
  for (int i = 299; i > 0; --i) estimator.advance(kStill, tipped(0.1 * i / 300.0, -0.1 / 0.3), kDt);
  for (int i = 0; i < 3000; ++i) estimator.advance(kStill, tipped(0.0, 0.0), kDt);
  // Taken for the ground, it would turn the base by 0.1 rad within seconds, and lift it by 8 mm.
  EXPECT_NEAR(estimator.base().position[2], 0.6, 1e-6);
  EXPECT_LT(std::abs(estimator.base().orientation[2]), 1e-6);
  EXPECT_LT(estimator.state().bias.norm(), 1e-6);
}

TEST_F(BaseEstimate, ASoleThatHasTippedStandsWhereItStood) {
  sway = {.reach = 0.0, .turn = 0.0};
  run(0.5);
  // While it is tipped, the gyro tells a turn about the vertical that there isn't.
  const SeenImu turns{true, Vector3d(0.0, 0.0, 0.2), -kGravity};
  for (int i = 0; i < 100; ++i) estimator.advance(turns, tipped(0.1, 0.0), kDt);
  const auto heading = [&] { return 2.0 * std::abs(estimator.base().orientation[3]); };
  EXPECT_NEAR(heading(), 0.02, 1e-4);
  for (int i = 0; i < 2000; ++i) estimator.advance(kStill, tipped(0.0, 0.0), kDt);
  // e'' + k_r e' + k_b e = 0 with 0.5 1/s and 0.06 1/s² from e' = -k_r e on.
  EXPECT_NEAR(heading(), 0.02 * (3.0 * std::exp(-0.6) - 2.0 * std::exp(-0.4)), 2e-4);
}

}  // namespace
}  // namespace jointrig
