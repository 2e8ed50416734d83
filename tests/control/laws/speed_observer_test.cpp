#include "control/laws/speed_observer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jointrig {
namespace {

constexpr double kStep = 2.0 * std::numbers::pi / 4096;  // of an encoder of 12 bits [rad]
constexpr double kCycle = 1e-3;

double read(double q) { return std::round(q / kStep) * kStep; }

/// Goes along q(t) for `seconds`, its acceleration known but for `unknown`; returns the largest
/// error of the speed in the last half.
template <typename Position, typename Speed, typename Acceleration>
double largest_error(Position q, Speed v, Acceleration a, double seconds, double unknown = 0.0) {
  SpeedObserver observer;
  observer.restart(read(q(0.0)), v(0.0));
  double before = read(q(0.0));
  double worst = 0.0;
  const int cycles = static_cast<int>(seconds / kCycle);
  for (int k = 1; k <= cycles; ++k) {
    const double t = k * kCycle;
    observer.expect(a(t - 0.5 * kCycle) - unknown);
    observer.advance(kCycle);
    observer.correct(read(q(t)), (read(q(t)) - before) / kCycle, kStep, kCycle);
    before = read(q(t));
    EXPECT_LE(std::abs(observer.q() - before), 0.5 * kStep * (1.0 + 1e-9));
    if (2 * k > cycles) worst = std::max(worst, std::abs(observer.v() - v(t)));
  }
  return worst;
}

TEST(SpeedObserver, SeesAKnownMotionThroughTheStepsOfTheEncoder) {
  constexpr double kSize = 0.4;
  constexpr double kRate = 2.0 * std::numbers::pi;
  const double error =
      largest_error([](double t) { return kSize * std::sin(kRate * t); },
                    [](double t) { return kSize * kRate * std::cos(kRate * t); },
                    [](double t) { return -kSize * kRate * kRate * std::sin(kRate * t); }, 3.0);
  EXPECT_LT(error, 2e-2 * kStep / kCycle);  // a plain difference is wrong by up to one of these
}

TEST(SpeedObserver, FindsAConstantSpeedThatItWasNotTold) {
  SpeedObserver observer;
  observer.restart(0.0, 0.0);
  double before = 0.0;
  for (int k = 1; k <= 200; ++k) {
    const double reading = read(0.7 * k * kCycle);
    observer.advance(kCycle);
    observer.correct(reading, (reading - before) / kCycle, kStep, kCycle);
    before = reading;
  }
  EXPECT_NEAR(observer.v(), 0.7, 2e-2 * kStep / kCycle);
}

TEST(SpeedObserver, IsWrongByTwoOverItsGainWhereAnAccelerationIsUnknown) {
  constexpr double kUnknown = 10.0;  // [rad/s²]
  const double error = largest_error([](double t) { return 0.5 * kUnknown * t * t; },
                                     [](double t) { return kUnknown * t; },
                                     [](double) { return kUnknown; }, 0.4, kUnknown);
  const double bound = 2.0 * kUnknown / SpeedObserver::kGain;
  EXPECT_LT(error, 1.4 * bound);
  EXPECT_GT(error, 0.8 * bound);
}

TEST(SpeedObserver, KnowsNothingOfWhereInAStepTheJointIs) {
  SpeedObserver observer;
  observer.restart(0.0, 0.0);
  for (int k = 0; k < 100; ++k) {
    observer.expect(k < 50 ? 0.05 : -0.05);  // 0.125 mrad there and to rest: within the step
    observer.advance(kCycle);
    const double expected = observer.v();
    observer.correct(0.0, 0.0, kStep, kCycle);
    EXPECT_EQ(observer.v(), expected);
  }
  EXPECT_NEAR(observer.q(), 0.05 * 0.05 * 0.05, 1e-9);
}

TEST(SpeedObserver, StaysWithinAStepPerCycleOfTheBoardsSpeed) {
  SpeedObserver observer;
  observer.restart(0.0, 0.0);
  for (int k = 0; k < 100; ++k) {  // a wall that the model doesn't know
    observer.expect(2000.0);
    observer.advance(kCycle);
    observer.correct(0.0, 0.0, kStep, kCycle);
    EXPECT_LE(std::abs(observer.v()), kStep / kCycle);
  }
}

TEST(SpeedObserver, GoesOnByTheAccelerationWithoutReadings) {
  SpeedObserver observer;
  observer.restart(1.0, 0.5);
  observer.expect(2.0);
  for (int k = 0; k < 100; ++k) observer.advance(kCycle);
  EXPECT_NEAR(observer.v(), 0.5 + 2.0 * 0.1, 1e-12);
  EXPECT_NEAR(observer.q(), 1.0 + 0.5 * 0.1 + 0.5 * 2.0 * 0.1 * 0.1, 1e-12);
}

}  // namespace
}  // namespace jointrig
