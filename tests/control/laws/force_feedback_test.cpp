/// A measured force corrects the one asked for: against surroundings of which the answer is known.

#include "control/laws/force_feedback.h"

#include <gtest/gtest.h>

namespace jointrig {
namespace {

constexpr double kDt = 1e-3;
constexpr double kGain = 5.0;  // 1/s
constexpr std::array<double, 6> kCaps{50.0, 50.0, 50.0, 5.0, 5.0, 5.0};
constexpr std::array<InteractionAxis, 6> kPressesAlongZ{
    InteractionAxis::kImpedance, InteractionAxis::kImpedance, InteractionAxis::kForce,
    InteractionAxis::kImpedance, InteractionAxis::kImpedance, InteractionAxis::kImpedance};

Vector6 along_z(double force) {
  Vector6 six = Vector6::Zero();
  six[2] = force;
  return six;
}

/// Force on a wall after `seconds` of pressing with `f`, while friction takes `friction`.
struct Wall {
  double friction = 0.0;
  ForceFeedback feedback;
  double felt = 0.0;  // by the wall

  void press(double f, double seconds) {
    for (int n = 0; n < static_cast<int>(seconds / kDt + 0.5); ++n) {
      const Vector6 sensed = along_z(-felt);
      const Vector6 force =
          feedback.advance(kPressesAlongZ, kGain, along_z(f), &sensed, kCaps, kDt);
      felt = force[2] - friction;
    }
  }
};

TEST(ForceFeedback, TakesUpWhatFrictionKeepsWithItsTimeConstant) {
  Wall wall{.friction = 4.0, .feedback = {}};
  wall.felt = 10.0 - wall.friction;
  wall.press(10.0, 1.0 / kGain);
  EXPECT_NEAR(wall.felt, 10.0 - 4.0 * std::exp(-1.0), 4.0 * kGain * kDt);
  wall.press(10.0, 10.0 / kGain);
  EXPECT_NEAR(wall.felt, 10.0, 4.0 * std::exp(-11.0) + 1e-6);
}

TEST(ForceFeedback, DoesNotWindUpInFreeAirAndForgetsThere) {
  ForceFeedback feedback;
  const Vector6 nothing = Vector6::Zero();
  Vector6 force;
  for (int n = 0; n < 5000; ++n) {
    force = feedback.advance(kPressesAlongZ, kGain, along_z(-10.0), &nothing, kCaps, kDt);
  }
  EXPECT_EQ(force[2], -10.0);

  Wall wall{.friction = 4.0, .feedback = {}};
  wall.felt = 6.0;
  wall.press(10.0, 2.0);
  EXPECT_NEAR(wall.feedback.added()[2], 4.0, 1e-2);
  for (int n = 0; n < 200; ++n) {  // 1/K
    force = wall.feedback.advance(kPressesAlongZ, kGain, along_z(10.0), &nothing, kCaps, kDt);
  }
  EXPECT_NEAR(force[2], 10.0 + 4.0 * std::exp(-1.0), 0.05);
}

TEST(ForceFeedback, AddsNoMoreThanHalfTheCapAndStaysWithinIt) {
  Wall wall{.friction = 25.0, .feedback = {}};
  wall.felt = 15.0;
  wall.press(40.0, 20.0);
  EXPECT_EQ(wall.feedback.added()[2], 10.0) << "40 N and 10 N are the cap";
  const Vector6 always_the_same = along_z(-5.0);
  for (int n = 0; n < 20'000; ++n) {
    (void)wall.feedback.advance(kPressesAlongZ, kGain, along_z(20.0), &always_the_same, kCaps, kDt);
  }
  EXPECT_EQ(wall.feedback.added()[2], 25.0) << "half the cap";
}

TEST(ForceFeedback, FadesWhereNobodyKnowsTheForce) {
  Wall wall{.friction = 4.0, .feedback = {}};
  wall.felt = 6.0;
  wall.press(10.0, 2.0);
  for (int n = 0; n < 4000; ++n) {
    (void)wall.feedback.advance(kPressesAlongZ, kGain, along_z(10.0), nullptr, kCaps, kDt);
  }
  EXPECT_LT(std::abs(wall.feedback.added()[2]), 1e-6);
}

TEST(ForceFeedback, LeavesAxesWithASpringAlone) {
  ForceFeedback feedback;
  const Vector6 sensed = Vector6::Constant(-3.0);
  const Vector6 asked = Vector6::Constant(8.0);
  Vector6 force;
  for (int n = 0; n < 100; ++n) {
    force = feedback.advance(kPressesAlongZ, kGain, asked, &sensed, kCaps, kDt);
  }
  for (const int axis : {0, 1, 3, 4, 5}) EXPECT_EQ(force[axis], 8.0);
  EXPECT_GT(force[2], 8.0);
}

}  // namespace
}  // namespace jointrig
