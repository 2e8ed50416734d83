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
  double outside = 0.0;  // acceleration that a load gives it
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
    v += (g * acts + outside) * kStep;
    q += v * kStep;
    const double before = seen_v;
    seen_v += filter(200.0) * (v - seen_v);
    load += share * ((seen_v - before) / kStep - acts - load);
  }
};

double time_of(int delay) { return kStep * (delay + 1.0) + lag(200.0); }

double overshoot(double g, int delay, const JointConfig& joint = {}) {
  const ServoDesign design = servo_design(time_of(delay), joint);
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

/// A joint of 1 kg·m², as that of the Servo, with so much torque.
JointConfig joint_with(double torque) {
  JointConfig joint;
  joint.gains.inertia = 1.0;
  joint.limits.tau_max = torque;
  return joint;
}

/// Largest way under a load that comes in ten steps within 0.4 s.
double gives_way(double torque, int delay, const ServoDesign& design) {
  Servo servo{.g = 1.0, .delay = delay, .q = 0.0};
  double most = 0.0;
  for (int i = 0; i < 2000; ++i) {
    servo.outside = torque * std::min(1 + i / 40, 10) / 10.0;
    servo.run(design);
    most = std::max(most, std::abs(servo.q));
  }
  return most;
}

TEST(ServoLaw, AJointThatIsLightForItsTorqueGivesWayLessByAFasterLoop) {
  constexpr double kTorque = 2000.0;
  for (const int delay : {1, 2, 3}) {
    SCOPED_TRACE(delay);
    const ServoDesign usual = servo_design(time_of(delay), JointGains{});
    const ServoDesign light = servo_design(time_of(delay), joint_with(kTorque));
    const double way = gives_way(kTorque, delay, light);
    EXPECT_LT(way, 0.4 * gives_way(kTorque, delay, usual));
    const double formula = way_under_rising_load(light, 1.0, kTorque / kLoadTime);
    EXPECT_NEAR(way, formula, 0.15 * formula);
    EXPECT_LE(light.w, 1.5 * usual.w);
  }
}

// v_ref + k e is all that leads it: the loop of the speed is that of before, and the acceleration
// 2ζω (v_ref + k e − v).
TEST(ServoLaw, LedByAVelocityItTakesTheErrorOfThePositionAsASpeed) {
  JointGains gains;
  gains.damping_ratio = 0.8;
  const ServoDesign usual = servo_design(2.8e-3, gains);
  const ServoDesign led = led_by_velocity(usual);
  EXPECT_NEAR(led.damping * led.w, usual.damping * usual.w, 1e-12);
  const ServoRoom room{.brake_positive = 100.0, .brake_negative = 100.0, .jerk = 1e5};
  const JointReference reference{.q = 1e-4};
  EXPECT_NEAR(servo_acceleration(led, room, reference, 0.0, 0.0, 1e-3, 2.0),
              2.0 * usual.damping * usual.w * (1e-3 + kVelocityLoopGain * 1e-4), 1e-9);
  gains.bandwidth_hz = 1.0;  // ω / 2ζ = 3.9/s, below k: as it was
  const ServoDesign slow = servo_design(2.8e-3, gains);
  EXPECT_DOUBLE_EQ(led_by_velocity(slow).w, slow.w);
  EXPECT_DOUBLE_EQ(led_by_velocity(slow).damping, slow.damping);
}

TEST(ServoLaw, AHeavyJointAndOneWithABandwidthKeepTheirs) {
  const ServoDesign usual = servo_design(2.8e-3, JointGains{});
  EXPECT_DOUBLE_EQ(servo_design(2.8e-3, joint_with(100.0)).w, usual.w);
  JointConfig slow = joint_with(2000.0);
  slow.gains.bandwidth_hz = 3.0;
  EXPECT_DOUBLE_EQ(servo_design(2.8e-3, slow).w, 6.0 * std::numbers::pi);
}

TEST(ServoLaw, ALightJointKeepsItsMarginsWithOneToThreeCyclesOfDelay) {
  const JointConfig light = joint_with(1e4);
  for (const int delay : {1, 2, 3}) {
    SCOPED_TRACE(delay);
    for (const double g : {1.0 / 1.2, 1.0, 1.25}) EXPECT_LT(overshoot(g, delay, light), 0.16) << g;
    for (const double g : {0.25, 0.4, 2.3, 3.0}) EXPECT_LT(overshoot(g, delay, light), 0.7) << g;
  }
}

}  // namespace
}  // namespace jointrig
