#include "control/laws/servo_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jointrig {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kStep = 1e-3;

TEST(SquareRootGain, IsLinearForSmallErrorsAndBrakesAtAConstantRateBeyond) {
  EXPECT_DOUBLE_EQ(square_root_gain(0.01, 20.0, 40.0), 0.2);
  EXPECT_DOUBLE_EQ(square_root_gain(-0.01, 20.0, 40.0), -0.2);
  // v dv/dx = a: the speed at x that is braked at 40 is reached again from x + dx.
  const double dx = 1e-6;
  const double v = square_root_gain(1.0, 20.0, 40.0);
  EXPECT_NEAR(v * (square_root_gain(1.0 + dx, 20.0, 40.0) - v) / dx, 40.0, 1e-3);
}

TEST(SquareRootGain, ValueAndSlopeAreContinuousWhereBothPartsMeet) {
  const double at = 40.0 / (20.0 * 20.0);
  const double dx = 1e-7;
  const double before = square_root_gain(at - dx, 20.0, 40.0);
  const double after = square_root_gain(at + dx, 20.0, 40.0);
  EXPECT_NEAR((after - before) / (2.0 * dx), 20.0, 1e-3);
}

TEST(ServoLaw, ForSmallErrorsIsASpringAndADamperOfUnitMass) {
  const ServoDesign design = servo_design(2.8e-3, JointGains{});
  const ServoRoom room{.brake_positive = 100.0, .brake_negative = 100.0, .jerk = 1e4};
  const JointReference reference{.q = 1e-4};
  EXPECT_NEAR(servo_acceleration(design, room, reference, 0.5, 0.0, 1e-3, 2.0),
              0.5 + design.w * design.w * 1e-4 + 2.0 * design.w * 1e-3, 1e-9);
}

TEST(ServoLaw, NeverAsksForMoreThanTheSpeedLimitOnItsWayToTheReference) {
  const ServoDesign design = servo_design(2.8e-3, JointGains{});
  const ServoRoom room{.brake_positive = kInfinite, .brake_negative = kInfinite, .jerk = kInfinite};
  const JointReference far{.q = 10.0};
  EXPECT_NEAR(servo_acceleration(design, room, far, 0.0, 0.0, -2.0, 2.0), 0.0, 1e-9);
  EXPECT_LT(servo_acceleration(design, room, far, 0.0, 0.0, -2.1, 2.0), 0.0);
}

double lag(double hz) { return 1.0 / (2.0 * std::numbers::pi * hz); }
double filter(double hz) { return -std::expm1(-kStep / lag(hz)); }

/// A mass of g times the model's inverse inertia with the servo and its observer, `delay` cycles
/// between command and torque, and the speed through a filter of 200 Hz and that of the law: an
/// implementation of its own, in which the model's inertia is 1.
struct Servo {
  double g;
  int delay;
  double q = 0.1, v = 0.0, seen_v = 0.0, rate = 0.0, load = 0.0, momentum = 0.0;
  std::array<double, 8> sent{};

  void run(const ServoDesign& design) {
    const ServoRoom room{
        .brake_positive = kInfinite, .brake_negative = kInfinite, .jerk = kInfinite};
    const double share = design.observer * kStep / (1.0 + design.observer * kStep);
    rate += filter(kRateFilterHz) * (-seen_v - rate);
    const double a =
        servo_acceleration(design, room, JointReference{}, 0.0, q, rate, kInfinite) - load;
    std::shift_right(sent.begin(), sent.end(), 1);
    sent[0] = a;
    const double acts = sent[static_cast<std::size_t>(delay)];
    v += g * acts * kStep;
    q += v * kStep;
    const double before = seen_v;
    seen_v += filter(200.0) * (v - seen_v);
    load += share * ((seen_v - before) / kStep - acts - load);
  }
};

double overshoot(double g, int delay) {
  const double loop_time = kStep * (delay + 1.0) + lag(200.0);
  const ServoDesign design = servo_design(loop_time, JointGains{});
  Servo servo{.g = g, .delay = delay};
  double least = servo.q;
  for (int i = 0; i < 4000; ++i) {
    servo.run(design);
    least = std::min(least, servo.q);
  }
  return std::abs(servo.q) < 1e-4 ? -least / 0.1 : kInfinite;  // it has come to rest
}

TEST(ServoLaw, IsStableForATrueInertiaFromAQuarterToFiveTimesTheModels) {
  for (const int delay : {1, 2, 3}) {
    SCOPED_TRACE(delay);
    for (const double g : {0.2, 0.4, 1.0, 2.3, 4.0}) EXPECT_LT(overshoot(g, delay), 0.7) << g;
    EXPECT_EQ(overshoot(16.0, delay), kInfinite) << "else the bounds say nothing";
  }
}

TEST(ServoLaw, OvershootsLittleWithinTwentyPercentOfInertia) {
  for (const int delay : {1, 2, 3}) {
    for (const double g : {1.0 / 1.2, 1.0, 1.25}) EXPECT_LT(overshoot(g, delay), 0.16) << g;
  }
}

}  // namespace
}  // namespace jointrig
