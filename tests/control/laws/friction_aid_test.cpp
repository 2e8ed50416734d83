#include "control/laws/friction_aid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "control/laws/servo_law.h"

namespace jointrig {
namespace {

constexpr double kStep = 1e-3;
constexpr double kFriction = 60.0;  // of a mass of 1 [N]

TEST(FrictionAid, IsNothingWhereTheJointStandsAtItsReference) {
  const FrictionAid aid{.coulomb = 3.0, .smooth_speed = 0.1, .stiffness = 400.0};
  EXPECT_EQ(aid_torque(aid, 0.0, 0.0), 0.0);
}

TEST(FrictionAid, IsNothingWithoutFriction) {
  const FrictionAid aid{.coulomb = 0.0, .smooth_speed = 0.1, .stiffness = 400.0};
  EXPECT_EQ(aid_torque(aid, 1.0, 1.0), 0.0);
}

TEST(FrictionAid, OvercomesTheFrictionInTheDirectionOfTheReference) {
  const FrictionAid aid{.coulomb = 3.0, .smooth_speed = 0.1, .stiffness = 400.0};
  EXPECT_NEAR(aid_torque(aid, 1.0, 0.0), 3.0, 1e-7);
  EXPECT_NEAR(aid_torque(aid, -1.0, 0.0), -3.0, 1e-7);
  EXPECT_NEAR(aid_torque(aid, 0.1, 0.0), 3.0 * std::tanh(1.0), 1e-12);
}

TEST(FrictionAid, AtRestIsASpringThatFrictionAloneCanHold) {
  const FrictionAid aid{.coulomb = 3.0, .smooth_speed = 0.1, .stiffness = 400.0};
  EXPECT_NEAR(aid_torque(aid, 0.0, 0.001), 0.4, 1e-12);
  EXPECT_NEAR(aid_torque(aid, 0.0, 1.0), 0.7 * 3.0, 1e-12);
  EXPECT_NEAR(aid_torque(aid, 0.0, -1.0), -0.7 * 3.0, 1e-12);
}

TEST(FrictionAid, IsNeverMoreThanTheFriction) {
  const FrictionAid aid{.coulomb = 3.0, .smooth_speed = 0.1, .stiffness = 400.0};
  EXPECT_DOUBLE_EQ(aid_torque(aid, 1.0, 1.0), 3.0);
  EXPECT_DOUBLE_EQ(aid_torque(aid, -1.0, -1.0), -3.0);
}

double share_of(double hz) { return -std::expm1(-kStep * 2.0 * std::numbers::pi * hz); }

/// Friction that gives an acceleration a and a speed v what is asked for, within ± its bound.
using FrictionLaw = double (*)(double a, double v);
/// Dry: it stops the mass within the step.
double dry(double a, double v) { return a + v / kStep; }
/// As MuJoCo's constraint, with its default solref and solimp: a tenth of the acceleration is left,
/// so that a mass at rest creeps at a / 1000 1/s.
double creeping(double a, double v) { return 0.9 * (a + 2.0 / (0.95 * 0.02) * v); }

/// A mass of g times the model's inverse inertia, friction on it, and the servo, its observer and
/// the aid: an implementation of its own, in which the model's inertia is 1.
struct Joint {
  FrictionLaw law = creeping;
  double g = 1.0;
  double friction = 0.0;   // that is there
  double taken_for = 0.0;  // that the aid knows
  std::size_t delay = 1;   // cycles between command and torque
  double q = 0.1, v = 0.0, seen_v = 0.0, rate = 0.0, load = 0.0;
  std::array<double, 8> sent{}, aided{};

  void run(const ServoDesign& design, const JointReference& reference, double push) {
    constexpr double kMost = 1e9;
    const ServoRoom room{.brake_positive = kMost, .brake_negative = kMost, .jerk = kMost};
    rate += share_of(kRateFilterHz) * (reference.v - seen_v - rate);
    std::shift_right(sent.begin(), sent.end(), 1);
    std::shift_right(aided.begin(), aided.end(), 1);
    aided[0] = aid_torque(
        {.coulomb = taken_for, .smooth_speed = 0.1, .stiffness = aid_stiffness(design.w, 1.0)},
        reference.v, reference.q - q);
    sent[0] =
        servo_acceleration(design, room, reference, reference.a, q, rate, kMost) - load + aided[0];
    const double a = g * (sent[delay] + push);
    v += (a - std::clamp(law(a, v), -g * friction, g * friction)) * kStep;
    q += v * kStep;
    const double before = seen_v;
    seen_v += share_of(200.0) * (v - seen_v);
    const double share = design.observer * kStep / (1.0 + design.observer * kStep);
    load += share * ((seen_v - before) / kStep - (sent[delay] - aided[delay]) - load);
  }
  void run(double seconds, double push = 0.0) {
    const ServoDesign design = servo_design(loop_time(), JointGains{});
    for (int i = 0; i < static_cast<int>(seconds / kStep); ++i) run(design, {}, push);
  }
  /// From rest at 0 up to a speed and down again: the error 0.3 s later.
  double error_after_a_ramp() {
    const ServoDesign design = servo_design(loop_time(), JointGains{});
    q = 0.0;
    JointReference reference;
    for (int i = 0; i < 1300; ++i) {
      const double t = i * kStep;
      constexpr double kRamp = 0.2;
      constexpr double kSpeed = 0.5;
      const auto ramp = [&](double s) {
        return s <= 0.0     ? 0.0
               : s >= kRamp ? 1.0
                            : 0.5 - 0.5 * std::cos(std::numbers::pi * s / kRamp);
      };
      const double speed = kSpeed * (ramp(t) - ramp(t - 0.8));
      reference.a = (speed - reference.v) / kStep;
      reference.v = speed;
      reference.q += speed * kStep;
      run(design, reference, 0.0);
    }
    return std::abs(reference.q - q);
  }
  [[nodiscard]] double loop_time() const {
    return kStep * (static_cast<double>(delay) + 1.0) + 1.0 / (2.0 * std::numbers::pi * 200.0);
  }
};

// A loop that relied on friction would swing on a robot whose friction is less than its model's.
TEST(FrictionAid, ALoopWithoutTheFrictionStillComesToRest) {
  for (const std::size_t delay : {0U, 1U, 2U, 3U}) {
    for (const double g : {0.8, 1.0, 1.25}) {
      Joint joint{.g = g, .taken_for = kFriction, .delay = delay};
      joint.run(3.0);
      EXPECT_LT(std::abs(joint.q), 1e-5) << delay << " cycles, " << g;
      EXPECT_LT(std::abs(joint.v), 1e-4) << delay << " cycles, " << g;
    }
  }
}

constexpr double kFifthOfADegree = 0.2 * std::numbers::pi / 180.0;

/// Largest error from 0.7 s after a push on.
double left_of_a_push(FrictionLaw law, double taken_for) {
  Joint joint{.law = law, .friction = kFriction, .taken_for = taken_for};
  joint.q = 0.0;
  joint.run(0.3, 3.0 * kFriction);
  joint.run(0.7);
  double most = 0.0;
  for (int i = 0; i < 10; ++i) {
    most = std::max(most, std::abs(joint.q));
    joint.run(0.1);
  }
  return most;
}

TEST(FrictionAid, AJointThatWasPushedAsideIsHomeWithinASecond) {
  for (const FrictionLaw law : {dry, creeping}) {
    for (const double share : {0.7, 1.0, 1.4}) {
      EXPECT_LT(left_of_a_push(law, share * kFriction), kFifthOfADegree) << share;
    }
  }
  EXPECT_GT(left_of_a_push(creeping, 0.0), 2.0 * kFifthOfADegree) << "else the bound says nothing";
}

double error_after_a_ramp(FrictionLaw law, double taken_for) {
  return Joint{.law = law, .friction = kFriction, .taken_for = taken_for}.error_after_a_ramp();
}

TEST(FrictionAid, AReferenceThatStopsLeavesTheJointAtItsGoal) {
  for (const FrictionLaw law : {dry, creeping}) {
    EXPECT_LT(error_after_a_ramp(law, kFriction), kFifthOfADegree);
  }
  EXPECT_GT(error_after_a_ramp(creeping, 0.0), kFifthOfADegree) << "else the bound says nothing";
}

}  // namespace
}  // namespace jointrig
