/// Drift of an unbalanced arm, compared with solutions on paper.

#include "control/laws/drift.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jointrig {
namespace {

ArmVector of(double a, double b) {
  ArmVector vector(2);
  vector << a, b;
  return vector;
}

const std::vector<FrictionConfig> kNoFriction(2);

GuideBrake brake(double rate, double damping) {
  GuideBrake brake;
  brake.rate = rate;
  brake.damping = damping;
  brake.friction = brake.slope = ArmVector::Zero(2);
  return brake;
}
const GuideBrake kNoBrake = brake(0.0, 0.0);

TEST(Drift, WithoutFrictionAJointFallsByHalfItsAccelerationTimesTheTimeSquared) {
  ArmMatrix inertia(2, 2);
  inertia << 2.0, 0.0, 0.0, 0.5;
  const ArmVector way = predict_drift(inertia, of(1.0, -0.1), kNoFriction, kNoBrake, 2.0);
  EXPECT_NEAR(way[0], 0.5 * 0.5 * 4.0, 1e-12);
  EXPECT_NEAR(way[1], -0.5 * 0.2 * 4.0, 1e-12);
}

TEST(Drift, JointsThatShareTheirInertiaAreMovedByOneAnother) {
  ArmMatrix inertia(2, 2);
  inertia << 2.0, 1.0, 1.0, 2.0;  // its inverse is [2, -1; -1, 2] / 3
  const ArmVector way = predict_drift(inertia, of(3.0, 0.0), kNoFriction, kNoBrake, 1.0);
  EXPECT_NEAR(way[0], 0.5 * 2.0, 1e-12);
  EXPECT_NEAR(way[1], -0.5 * 1.0, 1e-12);
}

TEST(Drift, DampedItComesToASteadySpeed) {
  ArmMatrix inertia(2, 2);
  inertia << 1.0, 0.0, 0.0, 1.0;
  const double d = 2.0;
  const ArmVector way = predict_drift(inertia, of(0.6, 0.0), kNoFriction, brake(0.0, d), 2.0);
  // x = u/d (t - (1 - exp(-d t)) / d); a step of 20 ms is 4 % of the time constant.
  const double exact = 0.6 / d * (2.0 - (1.0 - std::exp(-d * 2.0)) / d);
  EXPECT_NEAR(way[0], exact, 0.01 * exact);
}

TEST(Drift, DampedByItsInertiaEachJointHasTheSameTimeWhateverItWeighs) {
  ArmMatrix inertia(2, 2);
  inertia << 2.0, 0.3, 0.3, 0.1;
  const double rate = 3.0;
  const ArmVector push = inertia * of(0.6, 0.6);
  const ArmVector way = predict_drift(inertia, push, kNoFriction, brake(rate, 0.0), 2.0);
  const double exact = 0.6 / rate * (2.0 - (1.0 - std::exp(-rate * 2.0)) / rate);
  EXPECT_NEAR(way[0], exact, 0.01 * exact);
  EXPECT_NEAR(way[1], exact, 0.01 * exact);
}

TEST(Drift, TheBrakesFrictionLeavesACreepWhereItIsStrongerThanThePush) {
  const ArmMatrix inertia = ArmMatrix::Identity(2, 2);
  GuideBrake creeping = brake(0.0, 0.0);
  creeping.friction = of(1.5, 0.5);
  creeping.fit(inertia, 0.001);  // fast enough for the steepest slope
  EXPECT_NEAR(creeping.slope[0], 1.5 / GuideBrake::kCreep, 1e-9);
  const ArmVector way = predict_drift(inertia, of(1.0, 1.0), kNoFriction, creeping, 2.0);
  // 1.5 x / √(1 + x²) = 1 at x = 2 / √5; reached within a fiftieth of a second.
  EXPECT_NEAR(way[0], 2.0 / std::sqrt(5.0) * GuideBrake::kCreep * 2.0, 0.002);
  EXPECT_NEAR(way[1], 0.5 * 0.5 * 4.0, 0.02) << "the rest of the push accelerates it";
}

TEST(Drift, FrictionHoldsWhatIsBelowItAndTakesItsShareOfWhatIsAbove) {
  ArmMatrix inertia(2, 2);
  inertia << 1.0, 0.0, 0.0, 1.0;
  std::vector<FrictionConfig> friction(2);
  friction[0].coulomb = 0.5;
  friction[1].coulomb = 0.5;
  const ArmVector way = predict_drift(inertia, of(0.4, -0.7), friction, kNoBrake, 1.0);
  EXPECT_EQ(way[0], 0.0);
  EXPECT_NEAR(way[1], -0.5 * 0.2, 1e-12);
}

}  // namespace
}  // namespace jointrig
