#include "control/motion/online_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include "control/motion/reference_generator.h"
#include "tests/control/motion/motion_limits.h"

namespace jointrig {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

double duration_to(double distance, const TargetBounds& bounds) {
  JerkProfile profile;
  EXPECT_TRUE(profile.plan({.q = 0.3}, {.q = 0.3 + distance}, bounds));
  return profile.duration();
}

double duration_of_change(double by, const TargetBounds& bounds) {
  JerkProfile profile;
  EXPECT_TRUE(profile.plan({.v = -0.2}, {.is_velocity = true, .v = by - 0.2}, bounds));
  return profile.duration();
}

TEST(JerkProfile, StaysBetweenItsLowestAndHighestPositionAndReachesBoth) {
  std::mt19937 random(11);  // any seed
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int i = 0; i < 2000; ++i) {
    const MotionState start{
        .q = between(-3.0, 3.0), .v = between(-1.0, 1.0), .a = between(-4.0, 4.0)};
    const MotionTarget target{
        .is_velocity = i % 2 == 0, .q = between(-3.0, 3.0), .v = between(-1.0, 1.0)};
    JerkProfile profile;
    if (!profile.plan(start, target, {.v = 1.5, .a = 4.0, .jerk = 40.0})) continue;
    double low = start.q;
    double high = start.q;
    constexpr int kParts = 4000;
    for (int k = 0; k <= kParts; ++k) {
      const double q = profile.at(profile.duration() * k / kParts).q;
      low = std::min(low, q);
      high = std::max(high, q);
    }
    ASSERT_NEAR(profile.lowest(), low, 1e-6) << i;
    ASSERT_NEAR(profile.highest(), high, 1e-6) << i;
    ASSERT_LE(profile.lowest(), low + 1e-12);
    ASSERT_GE(profile.highest(), high - 1e-12);
  }
}

TEST(JerkProfile, FromRestToRestTakesTheTimeOfTheClosedForms) {
  // Speed and acceleration reached: d/v + v/a + a/j.
  EXPECT_NEAR(duration_to(3.0, {2.0, 10.0, 100.0}), 3.0 / 2.0 + 2.0 / 10.0 + 0.1, 1e-12);
  EXPECT_NEAR(duration_to(-3.0, {2.0, 10.0, 100.0}), 3.0 / 2.0 + 2.0 / 10.0 + 0.1, 1e-12);
  // Acceleration alone: a/j + √((a/j)² + 4 d/a).
  EXPECT_NEAR(duration_to(0.4, {9.0, 10.0, 100.0}), 0.1 + std::sqrt(0.01 + 0.16), 1e-12);
  // Speed alone: d/v + 2 √(v/j).
  EXPECT_NEAR(duration_to(3.0, {0.5, 10.0, 100.0}), 6.0 + 2.0 * std::sqrt(0.005), 1e-12);
  // Neither: jerk alone, in four equal parts of which each lasts ∛(d / 2j).
  EXPECT_NEAR(duration_to(0.016, {9.0, 10.0, 100.0}), 4.0 * std::cbrt(0.016 / 200.0), 1e-12);
  // Without a bound on the jerk a trapezoid, d/v + v/a, and a triangle, 2 √(d/a).
  EXPECT_NEAR(duration_to(3.0, {2.0, 10.0, kNone}), 1.7, 1e-12);
  EXPECT_NEAR(duration_to(0.1, {2.0, 10.0, kNone}), 0.2, 1e-12);
}

TEST(JerkProfile, ChangesItsSpeedInTheTimeOfTheClosedForms) {
  EXPECT_NEAR(duration_of_change(1.5, {2.0, 10.0, 100.0}), 0.15 + 0.1, 1e-12);  // Δv/a + a/j
  EXPECT_NEAR(duration_of_change(-0.5, {2.0, 10.0, 100.0}), 2.0 * std::sqrt(0.005), 1e-12);
  EXPECT_NEAR(duration_of_change(1.5, {2.0, 10.0, kNone}), 0.15, 1e-12);
}

TEST(JerkProfile, TakesAsLongAsItIsToldAndEndsAtTheTarget) {
  JerkProfile profile;
  const MotionState start{.q = -0.4, .v = 0.7, .a = -2.0};
  ASSERT_TRUE(profile.plan(start, {.q = 1.0, .v = 0.3}, {2.0, 10.0, 100.0}, 3.0));
  EXPECT_NEAR(profile.duration(), 3.0, 1e-9);
  const MotionState end = profile.at(3.0 - 1e-9);
  EXPECT_NEAR(end.q, 1.0, 1e-8);
  EXPECT_NEAR(end.v, 0.3, 1e-6);
  EXPECT_NEAR(profile.at(4.0).q, 1.3, 1e-9);  // goes on
}

/// The first three differences of the references are averages of velocity, acceleration and jerk.
class Differences {
 public:
  explicit Differences(double q) : q_(q) {}
  void see(double q) {
    const double v = (q - q_) / kDt;
    const double a = (v - v_) / kDt;
    if (++count_ > 1) v_max = std::max(v_max, std::abs(v));
    if (count_ > 2) a_max = std::max(a_max, std::abs(a));
    if (count_ > 3) jerk_max = std::max(jerk_max, std::abs(a - a_) / kDt);
    q_ = q;
    v_ = v;
    a_ = a;
  }
  double v_max = 0.0, a_max = 0.0, jerk_max = 0.0;

 private:
  double q_, v_ = 0.0, a_ = 0.0;
  int count_ = 0;
};

OnlineWish wish(const MotionTarget& target, const TargetBounds& bounds) {
  return {.target = target, .bounds = bounds, .patience = 0.05, .group = 0};
}

bool go(ReferenceGenerator& generator, const OnlineWish& to) {
  JerkProfile profile;
  if (!generator.draft(to, kLimits, 0.0, profile).is_kept()) return false;
  generator.go_to_target(to, kLimits, profile);
  return true;
}

TEST(OnlineMotion, TenThousandReplacementsWhileMovingBreakNoBoundAndNoContinuity) {
  std::mt19937 random(1);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int taken = 0;
  for (int sequence = 0; sequence < 200; ++sequence) {
    SCOPED_TRACE(sequence);
    const TargetBounds bounds{between(0.2, 2.0), between(1.0, 10.0), between(20.0, 2000.0)};
    ReferenceGenerator generator = with_room();
    generator.start(between(-1.5, 1.5), 0.0);
    Differences differences(generator.reference().q);
    for (int i = 0; i < 60; ++i) {
      const bool is_velocity = i % 3 == 2;
      const double v = is_velocity  ? between(-bounds.v, bounds.v)
                       : i % 3 == 1 ? between(-0.2, 0.2) * bounds.v
                                    : 0.0;
      generator.set_speed_override(i % 5 == 4 ? between(0.05, 1.0) : 1.0);
      taken += go(generator, wish({is_velocity, between(-1.9, 1.9), v}, bounds)) ? 1 : 0;
      const int cycles = 1 + static_cast<int>(between(0.0, i % 7 == 0 ? 400.0 : 40.0));
      for (int cycle = 0; cycle < cycles; ++cycle) {
        const double before = generator.reference().q;
        const JointReference& now = generator.advance(kDt, kLimits);
        differences.see(now.q);
        ASSERT_LE(std::abs(now.q), 1.9 + 1e-12);
        // The velocity that is told is that of the positions.
        ASSERT_NEAR((now.q - before) / kDt, now.v, bounds.a * kDt + 1e-4);
      }
    }
    ASSERT_LE(differences.v_max, bounds.v * (1.0 + 1e-9) + 1e-4);
    ASSERT_LE(differences.a_max, bounds.a * (1.0 + 1e-6) + 1e-2);
    ASSERT_LE(differences.jerk_max, bounds.jerk * (1.0 + 1e-6) + 15.0);
  }
  EXPECT_GT(taken, 10'000);
}

TEST(OnlineMotion, ComesInFromASpeedBeyondTheNewBoundAtTheBoundsOfAccelerationAndJerk) {
  ReferenceGenerator generator = with_room();
  generator.start(-1.5, 0.0);
  ASSERT_TRUE(go(generator, wish({.q = 1.5}, {2.0, 10.0, 200.0})));
  for (int i = 0; i < 500; ++i) generator.advance(kDt, kLimits);
  ASSERT_NEAR(generator.reference().v, 2.0, 1e-9);
  ASSERT_TRUE(go(generator, wish({.q = 1.5}, {0.4, 10.0, 200.0})));
  // Δv/a + a/j
  for (int i = 0; i < 210; ++i) generator.advance(kDt, kLimits);
  EXPECT_NEAR(generator.reference().v, 0.4, 1e-9);
}

TEST(OnlineMotion, AnAccelerationThatWouldExceedTheSpeedLimitIsGivenUp) {
  ReferenceGenerator generator = with_room();
  generator.start(-1.5, 0.0);
  ASSERT_TRUE(go(generator, wish({.q = 1.5}, {2.0, 10.0, kNone})));
  for (int i = 0; i < 195; ++i) generator.advance(kDt, kLimits);
  ASSERT_NEAR(generator.reference().a, 10.0, 1e-9);
  ASSERT_TRUE(go(generator, wish({.q = 1.5}, {2.0, 10.0, 100.0})));
  for (int i = 0; i < 600; ++i) ASSERT_LE(generator.advance(kDt, kLimits).v, 2.0 + 1e-9);
}

TEST(OnlineMotion, TheSpeedOverrideActsAtOnceWithinTheBounds) {
  ReferenceGenerator generator = with_room();
  generator.start(-1.5, 0.0);
  ASSERT_TRUE(go(generator, wish({.q = 1.5}, {2.0, 10.0, 200.0})));
  Differences differences(-1.5);
  for (int i = 0; i < 4000 && generator.to_target(); ++i) {
    if (i == 400) generator.set_speed_override(0.25);
    if (i == 900) generator.set_speed_override(0.5);
    differences.see(generator.advance(kDt, kLimits).q);
    const double v = generator.reference().v;
    if (i == 400 + 200) {
      EXPECT_NEAR(v, 0.5, 1e-9);
    }
    if (i == 900 + 200) {
      EXPECT_NEAR(v, 1.0, 1e-9);
    }
  }
  EXPECT_EQ(generator.reference().q, 1.5);
  EXPECT_TRUE(generator.arrived());
  EXPECT_LE(differences.a_max, 10.0 + 1e-3);
  EXPECT_LE(differences.jerk_max, 200.0 + 1.0);
}

TEST(OnlineMotion, AVelocityLastsForItsPatienceAndThenSlowsDown) {
  ReferenceGenerator generator = with_room();
  generator.start(0.0, 0.0);
  ASSERT_TRUE(go(generator, wish({.is_velocity = true, .v = 1.0}, {2.0, 10.0, 200.0})));
  int lapsed_at = 0;
  int cycle = 0;
  for (; cycle < 1000 && generator.to_target(); ++cycle) {
    generator.advance(kDt, kLimits);
    if (generator.lapsed()) lapsed_at = cycle;
  }
  EXPECT_NEAR(lapsed_at, 150 + 50, 2);  // reached after Δv/a + a/j
  EXPECT_NEAR(cycle, 150 + 50 + 150, 3);
  EXPECT_TRUE(generator.standing());
}

TEST(OnlineMotion, AVelocityRestsAtTheSoftLimitWithoutABreakOfTheBounds) {
  ReferenceGenerator generator = with_room();
  generator.start(0.0, 0.0);
  OnlineWish to = wish({.is_velocity = true, .v = 1.7}, {2.0, 10.0, 200.0});
  to.patience = 10.0;
  ASSERT_TRUE(go(generator, to));
  Differences differences(0.0);
  for (int i = 0; i < 3000; ++i) differences.see(generator.advance(kDt, kLimits).q);
  EXPECT_NEAR(generator.reference().q, 1.9, 1e-8);
  EXPECT_TRUE(generator.standing());
  EXPECT_LE(differences.a_max, 10.0 + 1e-3);
  EXPECT_LE(differences.jerk_max, 200.0 + 15.0);
}

TEST(OnlineMotion, ATargetWhoseWayLeavesTheSoftLimitsIsNotKept) {
  ReferenceGenerator generator = with_room();
  generator.start(1.0, 0.0);
  JerkProfile profile;
  // A velocity at the soft limit cannot be stopped there.
  const auto fast =
      generator.draft(wish({.q = 1.9, .v = 1.0}, {2.0, 10.0, 200.0}), kLimits, 0.0, profile);
  EXPECT_FALSE(fast.is_kept());
  EXPECT_NEAR(fast.reach, 1.9 + 1.0 / 20.0 + 1.0 * 10.0 / (2.0 * 200.0), 1e-6);
  EXPECT_NEAR(fast.limit, 1.9, 1e-6);
  EXPECT_TRUE(
      generator.draft(wish({.q = 1.9}, {2.0, 10.0, 200.0}), kLimits, 0.0, profile).is_kept());
}

// The references that were there before, against the fastest that there are ----------------------

/// Braking to rest is as short as it can be within a_max, but for the last cycle. With the jerk
/// bounded it would pass soft limits that are kept now, by v a/2j and more.
TEST(Braking, IsTheFastestWithinTheAccelerationOverTenThousandStates) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  int would_pass = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double v = kLimits.v_max * share(random);
    // Where the speed can just be braked before the soft limit, or sooner.
    const double way = v * v / (2.0 * kLimits.a_max) + std::abs(v) * kDt;
    const double room = way + 0.05 * std::abs(share(random));
    const double q = std::copysign(1.9 - room, v);
    ReferenceGenerator generator = with_room();
    generator.start(q, v);
    int cycles = 0;
    while (!generator.standing()) {
      ASSERT_LT(++cycles, 1000);
      ASSERT_LE(std::abs(generator.advance(kDt, kLimits).q), 1.9 + 1e-12);
    }
    JerkProfile fastest;
    const MotionTarget rest{.is_velocity = true, .q = 0.0, .v = 0.0};
    ASSERT_TRUE(fastest.plan({.q = q, .v = v}, rest, {2.0, 10.0, kNone}));
    ASSERT_NEAR(cycles * kDt, fastest.duration(), 1.01 * kDt);
    ASSERT_NEAR(generator.reference().q, fastest.end().q, 0.51 * std::abs(v) * kDt + 1e-9);
    JerkProfile smooth;
    ASSERT_TRUE(smooth.plan({.q = q, .v = v}, rest, {2.0, 10.0, 200.0}));
    const double longer = std::abs(smooth.end().q - q) - std::abs(fastest.end().q - q);
    ASSERT_GE(longer, -1e-12);
    would_pass += std::abs(smooth.end().q) > 1.9 ? 1 : 0;
  }
  EXPECT_GT(would_pass, 1000);
}

/// A move from any motion to another goal, against the fastest without and with a bound on the
/// jerk.
TEST(Move, TakesNoLessThanTheFastestMotionOverTenThousandStates) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  double least = kNone;
  double sum = 0.0;
  for (int i = 0; i < 10'000; ++i) {
    const MotionState start{.q = 1.5 * share(random), .v = share(random), .a = 0.0};
    const double goal = 1.5 * share(random);
    const MinimumJerk path = MinimumJerk::within(start, goal, kLimits.v_max, kLimits.a_max);
    JerkProfile fastest;
    ASSERT_TRUE(fastest.plan(start, {.q = goal}, {kLimits.v_max, kLimits.a_max, kNone}));
    const double ratio = path.duration() / fastest.duration();
    least = std::min(least, ratio);
    sum += ratio;
  }
  EXPECT_GE(least, 1.0 / MinimumJerk::kWithin);
  RecordProperty("mean_ratio", std::to_string(sum / 10'000));
  std::printf("minimum-jerk moves take %.3f times the fastest on average, %.3f at least\n",
              sum / 10'000, least);
}

}  // namespace
}  // namespace jointrig
