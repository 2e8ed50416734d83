#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "control/motion/braking.h"
#include "control/motion/minimum_jerk.h"
#include "control/motion/reference_generator.h"
#include "tests/control/motion/motion_limits.h"

namespace jointrig {
namespace {

TEST(BrakingSpeed, EndsExactlyAtTheDistanceAndLosesTheSameSpeedEachCycle) {
  for (const double distance : {1e-7, 3e-6, 1e-5, 1.3e-5, 0.004, 0.31, 7.0}) {
    SCOPED_TRACE(distance);
    double left = distance;
    double v = braking_speed(left, 10.0, kDt);
    while (v > 1e-12) {
      left -= v * kDt;
      ASSERT_GE(left, -1e-12);
      const double next = braking_speed(left, 10.0, kDt);
      ASSERT_NEAR(next, std::max(v - 10.0 * kDt, 0.0), 1e-8);
      v = next;
    }
    EXPECT_NEAR(left, 0.0, 1e-12);
  }
}

TEST(BrakingSpeed, IsTheTextbooksForALongWay) {
  EXPECT_NEAR(braking_speed(2.0, 10.0, 1e-6), std::sqrt(2.0 * 10.0 * 2.0), 1e-5);
  EXPECT_EQ(braking_speed(0.0, 10.0, kDt), 0.0);
  EXPECT_EQ(braking_speed(-1.0, 10.0, kDt), 0.0);
}

TEST(BrakingSpeed, WithinAnotherItIsTheSmallerToTheBit) {
  std::mt19937 random(7);  // any seed
  std::uniform_real_distribution<double> exponent(-9.0, 2.0);
  const auto any = [&] { return std::pow(10.0, exponent(random)); };
  int far = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double fastest = any();
    const double a_max = any();
    // Half of them near the distance from which it makes a difference.
    const double edge = 0.5 * fastest * fastest / a_max;
    const double distance = i % 2 == 0 ? any() : edge * (1.0 + 1e-3 * std::log10(any()));
    const double expected = std::min(fastest, braking_speed(distance, a_max, kDt));
    ASSERT_EQ(braking_speed_within(fastest, distance, a_max, kDt), expected)
        << fastest << ", " << distance << ", " << a_max;
    if (expected == fastest) ++far;
  }
  EXPECT_GT(far, 10'000);
  EXPECT_LT(far, 90'000);
  for (const double distance : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(braking_speed_within(2.0, distance, 10.0, kDt), distance > 0.0 ? 2.0 : 0.0);
  }
}

TEST(MinimumJerk, FromRestToRestHasTheTextbookPeaks) {
  const MinimumJerk path({0.2, 0, 0}, 1.2, 2.0);
  EXPECT_NEAR(path.at(1.0).q, 0.7, 1e-12);                     // half way at half time
  EXPECT_NEAR(path.at(1.0).v, 15.0 / 8.0 * 1.0 / 2.0, 1e-12);  // 15/8 d/T
  const double t_peak = (1.0 - 1.0 / std::sqrt(3.0)) * 2.0 / 2.0;
  EXPECT_NEAR(path.at(t_peak).a, 10.0 / std::sqrt(3.0) / 4.0, 1e-12);  // 10/√3 d/T²
}

TEST(MinimumJerk, MeetsItsStartAndGoalUpToAcceleration) {
  const MotionState start{-0.4, 0.7, -2.0};
  const MinimumJerk path(start, 0.9, 1.3);
  EXPECT_DOUBLE_EQ(path.at(0.0).q, start.q);
  EXPECT_DOUBLE_EQ(path.at(0.0).v, start.v);
  EXPECT_DOUBLE_EQ(path.at(0.0).a, start.a);
  const MotionState end = path.at(1.3 - 1e-9);
  EXPECT_NEAR(end.q, 0.9, 1e-9);
  EXPECT_NEAR(end.v, 0.0, 1e-7);
  EXPECT_NEAR(end.a, 0.0, 1e-6);
}

TEST(MinimumJerk, ItsVelocityIsTheSlopeOfItsPosition) {
  const MinimumJerk path({0.1, -0.5, 3.0}, 1.0, 0.8);
  const double h = 1e-6;
  for (double t = 0.05; t < 0.8; t += 0.05) {
    EXPECT_NEAR(path.at(t).v, (path.at(t + h).q - path.at(t - h).q) / (2 * h), 1e-7);
    EXPECT_NEAR(path.at(t).a, (path.at(t + h).v - path.at(t - h).v) / (2 * h), 1e-6);
  }
}

TEST(MinimumJerk, NoOtherQuinticOfTheSameTimeHasLessJerk) {
  // Adding any motion that starts and ends at rest and zero may only raise ∫ jerk².
  const auto jerk_cost = [](double bump) {
    const MinimumJerk path({0, 0, 0}, 1.0, 1.0);
    const double h = 1e-4;
    double cost = 0.0;
    for (double t = 2 * h; t < 1.0 - 2 * h; t += h) {
      const auto a = [&](double s) {
        // second derivative of bump·s³(1−s)³
        const double p = bump * (6 * s - 36 * s * s + 60 * s * s * s - 30 * s * s * s * s);
        return path.at(s).a + p;
      };
      const double jerk = (a(t + h) - a(t - h)) / (2 * h);
      cost += jerk * jerk * h;
    }
    return cost;
  };
  const double least = jerk_cost(0.0);
  for (const double bump : {-1.0, -0.3, 0.3, 1.0}) EXPECT_GT(jerk_cost(bump), least);
}

TEST(MinimumJerk, WithinKeepsSpeedAndAccelerationFromAnyStart) {
  for (const MotionState start : {MotionState{0, 0, 0}, {0, 1, 0}, {0, -1.5, 0}, {0.5, 1.9, 5}}) {
    const MinimumJerk path = MinimumJerk::within(start, 1.0, 2.0, 10.0);
    const double slack = start.a > 0.0 ? 0.005 : 0.0;  // it still gains speed: no path has less
    for (double t = 0; t < path.duration(); t += 1e-3) {
      EXPECT_LE(std::abs(path.at(t).v), 2.0 * (1.0 + 1e-6 + slack));
      EXPECT_LE(std::abs(path.at(t).a), 10.0 * (1.0 + 1e-6));
    }
  }
}

TEST(MinimumJerk, ItsStrainAndItsReachAreThePeaksOfTheWholePath) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  std::uniform_real_distribution<double> time(0.05, 5.0);
  constexpr int kSamples = 20'000;
  for (int i = 0; i < 300; ++i) {
    const bool rests = i % 10 == 0;
    const MotionState start{share(random), rests ? 0.0 : 2.0 * share(random),
                            i % 3 == 0 ? 8.0 * share(random) : 0.0};
    const MinimumJerk path(start, share(random), time(random));
    double strain = 0.0;
    MinimumJerk::Reach reach{start.q, start.q};
    for (int k = 0; k <= kSamples; ++k) {
      const MotionState at = path.at(path.duration() * k / kSamples);
      strain = std::max({strain, std::abs(at.v) / 1.5, std::abs(at.a) / 7.0});
      reach = {std::min(reach.low, at.q), std::max(reach.high, at.q)};
    }
    ASSERT_NEAR(path.strain(1.5, 7.0), strain, 1e-6 * strain) << i;
    ASSERT_NEAR(path.reach().low, reach.low, 1e-7) << i;
    ASSERT_NEAR(path.reach().high, reach.high, 1e-7) << i;
  }
}

TEST(MinimumJerk, AlmostNoSpeedIsAlmostNoMotion) {
  for (const double speed : {1e-9, 1e-100, 1e-300, 5e-324}) {
    const MinimumJerk path = MinimumJerk::within({0.2, 0.1, 0}, 1.0, speed, 10.0);
    const MinimumJerk slow = MinimumJerk::within({0.2, 0, 0}, 1.0, speed, 10.0);
    EXPECT_TRUE(std::isfinite(path.at(1.0).q)) << speed;
    EXPECT_NEAR(slow.at(1.0).q, 0.2, 1e-9) << speed;
  }
}

TEST(MinimumJerk, FromRestItIsAsFastAsItsSpeedAllows) {
  const MinimumJerk path = MinimumJerk::within({0, 0, 0}, 1.0, 0.5, 1e6);
  EXPECT_NEAR(path.duration(), 15.0 / 8.0 * 1.0 / 0.5, 1e-12);
}

/// Runs a generator and checks the promise of every reference: it continues from the last one.
struct Watch {
  ReferenceGenerator generator = with_room();
  double most_speed = 0.0;
  double most_step_in_speed = 0.0;

  JointReference run(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      const JointReference before = generator.reference();
      const JointReference now = generator.advance(kDt, kLimits);
      most_speed = std::max(most_speed, std::abs(now.q - before.q) / kDt);
      most_step_in_speed = std::max(most_step_in_speed, std::abs(now.v - before.v));
    }
    return generator.reference();
  }
};

TEST(ReferenceGenerator, ANewGoalWhileMovingGoesOnWithoutAJump) {
  Watch w;
  w.generator.start(0.0, 0.0);
  w.generator.move(1.0, 1.0, kLimits);
  w.run(700);
  EXPECT_GT(w.generator.reference().v, 0.3);
  w.generator.move(-0.5, 1.0, kLimits);
  EXPECT_NEAR(w.run(6000).q, -0.5, 1e-12);
  EXPECT_LE(w.most_step_in_speed, kLimits.a_max * kDt * 1.06);
  EXPECT_TRUE(w.generator.standing());
}

/// The way back from a speed towards a stop is braked in v²/2a, less half a cycle's step, since the
/// first cycle is slower already; a path of least jerk would need 1.5 times as much.
TEST(ReferenceGenerator, AMoveAwayFromANearLimitBrakesFirstAndThenGoesFromRest) {
  constexpr double kSpeed = 2.0;
  constexpr double kBrakes = kSpeed / kLimits.a_max;
  constexpr double kWay = 0.5 * kSpeed * kBrakes;
  const double rest = 1.65 + kWay - 0.5 * kSpeed * kDt;
  const auto turn = [&](auto&& ask, double duration) {
    Watch w;
    w.generator.start(1.65, kSpeed);
    ask(w.generator);
    EXPECT_NEAR(w.run(200).q, rest, 1e-9);
    EXPECT_TRUE(w.generator.on_path());
    EXPECT_EQ(w.generator.goal(), -1.0);
    double highest = 0.0;
    int cycles = 200;
    for (; !w.generator.arrived() && cycles < 10'000; ++cycles) {
      highest = std::max(highest, w.run(1).q);
    }
    EXPECT_LE(highest, rest + 1e-9);
    EXPECT_NEAR(cycles * kDt, duration, 2.0 * kDt);
    EXPECT_NEAR(w.generator.reference().q, -1.0, 1e-12);
    EXPECT_LE(w.most_step_in_speed, kLimits.a_max * kDt * (1.0 + 1e-6));
  };
  const auto from_rest = [](double distance, double speed) {
    return std::max(15.0 / 8.0 * distance / speed,
                    std::sqrt(10.0 / std::sqrt(3.0) * distance / kLimits.a_max));
  };
  turn([](ReferenceGenerator& g) { g.move(-1.0, 1.0, kLimits); },
       kBrakes + from_rest(rest + 1.0, 1.0));
  turn([](ReferenceGenerator& g) { g.timed_move(-1.0, 4.0, kLimits); }, 4.0);

  ReferenceGenerator g = with_room();
  g.start(1.65, kSpeed);
  const double shortest = kBrakes + from_rest(1.65 + kWay + 1.0, kLimits.v_max);
  EXPECT_NEAR(g.shortest(-1.0, kLimits), shortest, 1e-12);
  EXPECT_TRUE(g.can_arrive(-1.0, 1.001 * shortest, kLimits));
  EXPECT_FALSE(g.can_arrive(-1.0, 0.999 * shortest, kLimits));
}

TEST(ReferenceGenerator, ABrakeBeforeAMoveGivesWayToWhateverIsAskedNext) {
  const auto turning = [] {
    Watch w;
    w.generator.start(1.65, 2.0);
    w.generator.move(-1.0, 1.0, kLimits);
    w.run(100);
    return w;
  };
  Watch stopped = turning();
  stopped.generator.stop();
  EXPECT_FALSE(stopped.generator.on_path());
  stopped.run(300);
  EXPECT_TRUE(stopped.generator.standing());
  EXPECT_NEAR(stopped.generator.reference().q, 1.849, 1e-9);

  Watch streamed = turning();
  streamed.generator.stream(streamed.generator.reference().q, kDt, kLimits);
  streamed.run(3000);
  EXPECT_GT(streamed.generator.reference().q, 1.0) << "goes on to its old goal";

  Watch mixed = turning();
  mixed.generator.set_velocity(-0.1);
  mixed.run(7000);
  EXPECT_NEAR(mixed.generator.reference().v, -0.1, 1e-9);
  EXPECT_LT(mixed.generator.reference().q, -1.0);
}

/// Its speed changes by no more than a_max a cycle, and it stays inside, whatever is asked of it.
TEST(ReferenceGenerator, MovesAndStopsAtAnyPhaseKeepTheAccelerationAndTheLimits) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> part(0.0, 1.0);
    const auto between = [&](double a, double b) { return a + (b - a) * part(random); };
    const auto size = [&](double a, double b) { return std::pow(10.0, between(a, b)); };
    JointLimits limits = kLimits;
    limits.v_max = size(-1.0, 1.3);
    limits.a_max = size(-0.5, 2.3);
    const double last = soft_max(limits);
    ReferenceGenerator g = with_room();
    g.start(between(-last, last), 0.0);
    const auto run = [&](int cycles) {
      for (int i = 0; i < cycles; ++i) {
        const JointReference before = g.reference();
        const JointReference& now = g.advance(kDt, limits);
        ASSERT_LE(std::abs(now.v - before.v), limits.a_max * kDt * (1.0 + 1e-6))
            << "at " << now.q << ", v_max " << limits.v_max << ", a_max " << limits.a_max;
        ASSERT_LE(std::abs(now.q), last + 1e-9);
      }
    };
    for (int k = 0; k < 3; ++k) {
      const bool is_far = part(random) < 0.3;
      const double goal = is_far ? std::copysign(last, between(-1.0, 1.0)) : between(-last, last);
      if (part(random) < 0.7)
        g.move(goal, limits.v_max * between(0.05, 1.0), limits);
      else
        g.timed_move(goal, between(0.1, 5.0), limits);
      run(1 + static_cast<int>(2000.0 * part(random) * part(random)));
      if (part(random) < 0.7) {  // else it is replaced while it moves
        g.stop();
        run(1 + static_cast<int>(part(random) < 0.5 ? 200.0 * part(random) : 3000.0));
      }
      if (HasFatalFailure()) FAIL() << "seed " << seed << ", motion " << k;
    }
  }
}

TEST(ReferenceGenerator, AMoveAskedForWhileTheLastTraceOfSpeedIsBrakedGoesStraightToItsGoal) {
  // An estimated speed of a joint at rest is never quite zero.
  for (const double v : {1e-6, -1e-4, 3e-3, -3e-3, 0.02}) {
    ReferenceGenerator g = with_room();
    g.start(0.0, v);
    g.advance(kDt, kLimits);
    g.move(1.0, 1.0, kLimits);
    double highest = 0.0;
    int cycles = 0;
    for (; !g.arrived() && cycles < 10000; ++cycles) {
      highest = std::max(highest, g.advance(kDt, kLimits).q);
    }
    EXPECT_LE(highest, 1.0 + 1e-9) << "start at " << v << " rad/s";
    EXPECT_LE(cycles * kDt, 15.0 / 8.0 * 1.3) << "start at " << v << " rad/s";
  }
}

TEST(ReferenceGenerator, ArrivedIsTrueInOneCycleOnly) {
  ReferenceGenerator g = with_room();
  g.start(0.0, 0.0);
  g.move(0.3, 1.0, kLimits);
  int arrivals = 0;
  for (int i = 0; i < 3000; ++i) {
    g.advance(kDt, kLimits);
    arrivals += g.arrived();
  }
  EXPECT_EQ(arrivals, 1);
}

TEST(ReferenceGenerator, AStartInMotionBrakesAtTheJointsDeceleration) {
  Watch w;
  w.generator.start(0.0, 1.5);
  w.run(1000);
  // v²/(2a) = 0.1125, and half a step of the discrete sum less
  EXPECT_NEAR(w.generator.reference().q, 1.5 * 1.5 / 20.0, 1.5 * kDt);
  EXPECT_LE(w.most_step_in_speed, kLimits.a_max * kDt * (1 + 1e-9));
  EXPECT_TRUE(w.generator.standing());
}

// An encoder's step looks like a speed that one cycle of braking takes away: fed forward, that
// braking jolted a joint of 2.5 kg m² by 0.4 N·m as it was taken over in a hold.
TEST(ReferenceGenerator, AStartWithNoMoreSpeedThanACycleBrakesHasNoAcceleration) {
  for (const double v : {1.4e-3, -1.4e-3, 0.9 * kLimits.a_max * kDt}) {
    ReferenceGenerator g = with_room();
    g.start(0.0, v);
    const JointReference& reference = g.advance(kDt, kLimits);
    EXPECT_EQ(reference.v, 0.0) << v;
    EXPECT_EQ(reference.a, 0.0) << v;
  }
  ReferenceGenerator g = with_room();
  g.start(0.0, 1.5 * kLimits.a_max * kDt);
  EXPECT_NEAR(g.advance(kDt, kLimits).a, -kLimits.a_max, 1e-9) << "a motion is braked as ever";
}

TEST(ReferenceGenerator, AVelocityRampsAndIntegrates) {
  Watch w;
  w.generator.start(0.0, 0.0);
  w.generator.set_velocity(1.0);
  w.run(1000);
  // 0.1 s ramp, then 0.9 s at 1 rad/s
  EXPECT_NEAR(w.generator.reference().q, 0.05 + 0.9, 2e-3);
  EXPECT_DOUBLE_EQ(w.generator.reference().v, 1.0);
}

TEST(ReferenceGenerator, AVelocityTowardsALimitStopsAtTheSoftLimit) {
  Watch w;
  w.generator.start(0.0, 0.0);
  w.generator.set_velocity(2.0);
  double furthest = 0.0;
  for (int i = 0; i < 4000; ++i) {
    w.run(1);
    furthest = std::max(furthest, w.generator.reference().q);
  }
  EXPECT_NEAR(furthest, 1.9, 1e-9);
  EXPECT_LE(w.most_step_in_speed, kLimits.a_max * kDt * (1 + 1e-9)) << "down to the last cycle";
}

TEST(ReferenceGenerator, ARequestThatOutrunsALimitSaysWhereItWouldHaveEnded) {
  ReferenceGenerator g = with_room();
  g.start(1.8, 0.0);
  g.set_velocity(2.0);
  while (!g.limited().has(Limit::kPosition)) g.advance(kDt, kLimits);
  EXPECT_NEAR(g.limited().cut(Limit::kPosition).wanted, g.reference().q + 2.0 * 2.0 / 20.0, 2e-3);
  EXPECT_DOUBLE_EQ(g.limited().cut(Limit::kPosition).bound, 1.9);
}

TEST(ReferenceGenerator, APathAndAVelocityTogetherStopAtTheSoftLimit) {
  Watch w;
  w.generator.start(0.0, 0.0);
  w.generator.set_velocity(0.5);
  w.generator.move(1.5, 1.0, kLimits);
  w.run(6000);
  EXPECT_NEAR(w.generator.reference().q, 1.9, 1e-9);
  EXPECT_LE(w.most_step_in_speed, 2.0 * kLimits.a_max * kDt * 1.06);
}

TEST(ReferenceGenerator, AHoldBrakesAtFourTimesTheJointsDeceleration) {
  Watch w;
  w.generator.start(0.0, 1.5, ReferenceGenerator::Braking::kBrisk);
  w.run(1000);
  EXPECT_NEAR(w.generator.reference().q, 1.5 * 1.5 / 80.0, 1.5 * kDt);
  EXPECT_LE(w.most_step_in_speed, 4.0 * kLimits.a_max * kDt * (1 + 1e-9));
}

TEST(ReferenceGenerator, MixedAddsAVelocityToAPath) {
  ReferenceGenerator both;
  both.start(0.0, 0.0);
  both.move(0.5, 1.0, kLimits);
  both.set_velocity(0.2);
  ReferenceGenerator path;
  path.start(0.0, 0.0);
  path.move(0.5, 1.0, kLimits);
  ReferenceGenerator drift;
  drift.start(0.0, 0.0);
  drift.set_velocity(0.2);
  for (int i = 0; i < 1500; ++i) {
    const double sum = path.advance(kDt, kLimits).q + drift.advance(kDt, kLimits).q;
    EXPECT_NEAR(both.advance(kDt, kLimits).q, sum, 1e-12);
  }
}

TEST(ReferenceGenerator, AGoalAfterAVelocityThatThenEndsIsReachedExactlyAndOnlyThenToldAsReached) {
  for (const double speed : {0.2, 1.0, -1.0}) {
    for (const int silent_after : {50, 200, 3000}) {  // cycles: on the way, and when it has ended
      SCOPED_TRACE(speed);
      Watch w;
      w.generator.start(0.0, 0.0);
      w.generator.set_velocity(speed);
      w.run(300);
      w.generator.move(0.3, 0.5, kLimits);
      bool told = false;
      for (int i = 0; i < 13000; ++i) {
        if (i == silent_after) w.generator.set_velocity(0.0);
        w.run(1);
        if (w.generator.arrived()) {
          told = true;
          EXPECT_GE(i, silent_after);
          EXPECT_NEAR(w.generator.reference().q, 0.3, 1e-9);
        }
      }
      EXPECT_TRUE(told);
      EXPECT_NEAR(w.generator.reference().q, 0.3, 1e-9);
      EXPECT_TRUE(w.generator.standing());
      EXPECT_LE(w.most_step_in_speed, 2.0 * kLimits.a_max * kDt * 1.06);
    }
  }
}

TEST(ReferenceGenerator, ATimedMoveKeepsItsTimeWhereAVelocityFromBeforeEndsOnItsWay) {
  for (const double speed : {0.05, -0.05}) {
    SCOPED_TRACE(speed);
    Watch w;
    w.generator.start(0.0, 0.0);
    w.generator.set_velocity(speed);
    w.run(300);
    w.generator.timed_move(0.3, 4.0, kLimits);
    double fastest = 0.0;
    int cycles = 0;
    for (bool arrived = false; !arrived && cycles < 8000; ++cycles) {
      if (cycles == 200) w.generator.set_velocity(0.0);
      w.run(1);
      fastest = std::max(fastest, std::abs(w.generator.reference().v));
      arrived = w.generator.arrived();
    }
    EXPECT_NEAR(cycles * kDt, 4.0, 3 * kDt);
    EXPECT_NEAR(w.generator.reference().q, 0.3, 1e-9);
    // 15/8 of the way by its time, and the little that the velocity took from either.
    EXPECT_NEAR(fastest, 15.0 / 8.0 * 0.3 / 4.0, 0.05);
  }
}

TEST(ReferenceGenerator, ASlowStreamIsJoinedByStraightLines) {
  ReferenceGenerator g = with_room();
  g.start(0.0, 0.0);
  double sample = 0.0;
  double most = 0.0;
  for (int i = 0; i < 500; ++i) {
    if (i % 10 == 0) g.stream(sample += 0.005, i == 0 ? kDt : 10 * kDt, kLimits);  // 0.5 rad/s
    const double before = g.reference().q;
    g.advance(kDt, kLimits);
    if (i > 300) most = std::max(most, std::abs(g.reference().q - before));
  }
  EXPECT_NEAR(most, 0.0005, 1e-9) << "one tenth of a sample's step in each cycle";
  EXPECT_NEAR(g.reference().q, sample, 1e-9);
}

TEST(ReferenceGenerator, ASmoothStreamAtTheLoopsRateIsFollowedToTheSample) {
  ReferenceGenerator g = with_room();
  g.start(0.0, 0.0);
  // 0.4 (1 − cos 4t): at most 1.6 rad/s and 6.4 rad/s²
  for (int i = 1; i <= 3000; ++i) {
    const double sample = 0.4 * (1.0 - std::cos(4.0 * i * kDt));
    g.stream(sample, kDt, kLimits);
    g.advance(kDt, kLimits);
    ASSERT_NEAR(g.reference().q, sample, 1e-12) << i;
  }
}

TEST(ReferenceGenerator, AStreamNeverJoltsTheReference) {
  Watch w;
  w.generator.start(0.0, 0.0);
  const double samples[] = {0.5, 0.5, -0.5, 0.0, 1.0, 1.0, 1.0, 0.2};
  for (int i = 0; i < 8000; ++i) {
    if (i % 7 == 0) w.generator.stream(samples[i / 1000], i == 0 ? kDt : 7 * kDt, kLimits);
    w.run(1);
  }
  EXPECT_NEAR(w.generator.reference().q, 0.2, 1e-9);
  EXPECT_LE(w.most_step_in_speed, 4.0 * kLimits.a_max * kDt * (1 + 1e-9));
  EXPECT_LE(w.most_speed, kLimits.v_max * (1 + 1e-9));
}

TEST(ReferenceGenerator, AStreamThatEndsInFullMotionOvershootsByLessThanItsWayInATimeConstant) {
  ReferenceGenerator g = with_room();
  g.start(0.0, 0.0);
  double sample = 0.0;
  for (int i = 0; i < 500; ++i) {
    g.stream(sample += 1.0 * kDt, kDt, kLimits);  // 1 rad/s
    g.advance(kDt, kLimits);
  }
  double highest = 0.0;
  for (int i = 0; i < 500; ++i) highest = std::max(highest, g.advance(kDt, kLimits).q);
  // The least is v²/2a, with a of the room; the law brakes with poles at p/2 = 50 1/s.
  EXPECT_GT(highest, sample + 1.0 / (2.0 * kRoom.a));
  EXPECT_LT(highest, sample + 1.0 / 50.0);
  EXPECT_NEAR(g.reference().q, sample, 1e-9);
}

TEST(ReferenceGenerator, AModeLeftInMotionForAStreamGoesOnWithoutAJump) {
  Watch w;
  w.generator.start(0.0, 0.0);
  w.generator.set_velocity(1.0);
  w.run(500);
  const double here = w.generator.reference().q;
  for (int i = 0; i < 500; ++i) {
    w.generator.stream(here, kDt, kLimits);
    w.run(1);
  }
  EXPECT_NEAR(w.generator.reference().q, here, 1e-9);
  EXPECT_LE(w.most_step_in_speed, 4.0 * kLimits.a_max * kDt * (1 + 1e-9));
}

TEST(ReferenceGenerator, AFarSampleIsCutToTheStepLimitAndNoted) {
  ReferenceGenerator g = with_room();
  g.start(0.0, 0.0);
  g.stream(1.0, kDt, kLimits);
  double most = 0.0;
  for (int i = 0; i < 500; ++i) {
    const double before = g.reference().q;
    g.advance(kDt, kLimits);
    EXPECT_TRUE(g.limited().has(Limit::kStep));
    most = std::max(most, std::abs(g.reference().q - before));
  }
  EXPECT_NEAR(g.reference().q, kLimits.step_max, 1e-12);
  EXPECT_LE(most, kLimits.v_max * kDt * (1 + 1e-9));
}

TEST(ReferenceGenerator, SamplesBeyondTheSoftLimitsAreKeptInside) {
  ReferenceGenerator g = with_room();
  g.start(1.85, 0.0);
  for (int i = 0; i < 500; ++i) {
    g.stream(3.0, kDt, kLimits);
    g.advance(kDt, kLimits);
    EXPECT_LE(g.reference().q, 1.9 + 1e-12);
    EXPECT_TRUE(g.limited().has(Limit::kPosition));
  }
  EXPECT_NEAR(g.reference().q, 1.9, 1e-12);
}

TEST(ReferenceGenerator, AJointOutsideItsLimitsMayComeBackButGoesNoFurtherOut) {
  ReferenceGenerator g = with_room();
  g.start(2.2, 0.0);
  g.set_velocity(1.0);
  for (int i = 0; i < 100; ++i) EXPECT_LE(g.advance(kDt, kLimits).q, 2.2 + 1e-12);
  g.move(1.0, 1.0, kLimits);
  g.set_velocity(0.0);
  for (int i = 0; i < 5000; ++i) g.advance(kDt, kLimits);
  EXPECT_NEAR(g.reference().q, 1.0, 1e-9);
}

// Its hard limit is 2, its soft one 1.9: the envelope leads a joint back to the middle, 1.95.
TEST(ReferenceGenerator, ThatStandsBeyondItsStopComesInWithTheJointAndNeverOut) {
  ReferenceGenerator g = with_room();
  g.start(2.05, 0.0);
  const auto with_joint_at = [&](double q) {
    g.come_in(q, kLimits);
    return g.advance(kDt, kLimits).q;
  };
  EXPECT_DOUBLE_EQ(with_joint_at(2.0), 2.0);
  EXPECT_DOUBLE_EQ(with_joint_at(2.04), 2.0);
  EXPECT_DOUBLE_EQ(with_joint_at(1.97), 1.97);
  EXPECT_DOUBLE_EQ(with_joint_at(1.93), 1.95);
  EXPECT_DOUBLE_EQ(with_joint_at(1.0), 1.95);

  g.start(-2.05, 0.0);
  EXPECT_DOUBLE_EQ(with_joint_at(-1.97), -1.97);
  EXPECT_DOUBLE_EQ(with_joint_at(-1.0), -1.95);
  g.start(1.92, 0.0);
  EXPECT_DOUBLE_EQ(with_joint_at(1.8), 1.92) << "within the soft margin it may stand";
}

TEST(ReferenceGenerator, ABlockedJointDoesNotWindUpItsReference) {
  ReferenceGenerator g = with_room();
  g.start(0.0, 0.0);
  g.set_velocity(1.0);
  for (int i = 0; i < 1000; ++i) {
    g.advance(kDt, kLimits);
    g.keep_near(0.0, 0.05);
  }
  EXPECT_LE(g.reference().q, 0.05 + 1e-12);
}

}  // namespace
}  // namespace jointrig
