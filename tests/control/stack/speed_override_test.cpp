// The factor on all speeds: its effect on a joint's reference, and who may set it.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "control/core/command_numbers.h"
#include "control/motion/reference_generator.h"
#include "harness/log/event_text.h"
#include "tests/support/ideal_rig.h"

namespace jointrig::testing {
namespace {

constexpr double kDt = 1e-3;

JointLimits limits() {
  JointLimits l;
  l.q_min = -10.0;
  l.q_max = 10.0;
  l.v_max = 2.0;
  l.a_max = 8.0;
  l.step_max = 0.02;
  return l;
}

/// A reference and the finite differences of its positions.
struct Watched {
  ReferenceGenerator motion;
  JointLimits l = limits();
  double q = 0.0, v = 0.0;              // of the last cycle, v from positions
  double fastest = 0.0, hardest = 0.0;  // |dq/dt|, |d²q/dt²| so far
  double v_off = 0.0;                   // |v_ref - dq/dt|, at worst

  explicit Watched(double factor) {
    motion.set_room({.a = 4.0 * l.a_max, .jerk = 400.0 * l.a_max});
    motion.start(0.0, 0.0);
    motion.set_speed_override(factor);
    motion.advance(kDt, l);
  }
  /// @return cycles until it stands
  int run(int most) {
    for (int i = 0; i < most; ++i) {
      const JointReference r = motion.advance(kDt, l);
      const double speed = (r.q - q) / kDt;
      fastest = std::max(fastest, std::abs(speed));
      hardest = std::max(hardest, std::abs(speed - v) / kDt);
      v_off = std::max(v_off, std::abs(r.v - speed));
      q = r.q;
      v = speed;
      if (motion.standing()) return i + 1;
    }
    return most;
  }
};

TEST(SpeedOverride, AMoveTakesTheSameWayInLongerTime) {
  Watched full(1.0);
  Watched slow(0.25);
  full.motion.move(1.0, 1.5, full.l);
  slow.motion.move(1.0, 1.5, slow.l);
  const int cycles = full.run(10'000);
  EXPECT_NEAR(slow.run(40'000), 4 * cycles, 4);
  EXPECT_NEAR(full.fastest, 1.5, 0.01);
  EXPECT_NEAR(slow.fastest, 1.5 / 4, 0.01);
  EXPECT_NEAR(slow.hardest, full.hardest / 16, 0.05) << "as the square of the pace";
  EXPECT_NEAR(slow.q, 1.0, 1e-12);
}

TEST(SpeedOverride, AChangeOnTheWayNeverTakesMoreThanTheJointsAcceleration) {
  // Up and down at each twentieth of the way there and back.
  for (int twentieth = 0; twentieth < 20; ++twentieth) {
    for (const double other : {0.01, 0.1, 0.5}) {
      SCOPED_TRACE(twentieth);
      SCOPED_TRACE(other);
      Watched w(1.0);
      w.motion.move(2.0, 2.0, w.l);
      w.run(94 * twentieth);  // of some 1875
      w.motion.set_speed_override(other);
      w.run(400);
      w.motion.set_speed_override(1.0);
      w.run(400);
      w.motion.set_speed_override(other);
      w.run(137);
      w.motion.set_speed_override(1.0);
      w.run(10'000);
      EXPECT_LE(w.hardest, 1.03 * w.l.a_max) << "a path may miss its limits by 2 %";
      EXPECT_LE(w.v_off, w.l.a_max * kDt) << "v is that of the positions";
      EXPECT_NEAR(w.q, 2.0, 1e-12) << "and it arrives";
    }
  }
}

TEST(SpeedOverride, IsInForceAfterATwentiethOfTheMoveAtMost) {
  Watched w(1.0);
  w.motion.move(4.0, 2.0, w.l);
  w.run(1800);  // near its peak
  EXPECT_GT(w.v, 1.8);
  w.motion.set_speed_override(0.1);
  w.run(300);  // 1.8 rad/s are braked at 8 rad/s² in 0.23 s
  EXPECT_LT(w.v, 0.2 * 1.01);
  w.motion.set_speed_override(1.0);
  w.run(300);
  EXPECT_GT(w.v, 1.7);
}

TEST(SpeedOverride, NewGoalsTimeAndAgainAreNoWayAroundIt) {
  Watched w(0.1);
  for (int i = 0; i < 100; ++i) {
    w.motion.move(3.0 + 0.01 * i, 2.0, w.l);
    w.run(20);
  }
  EXPECT_LE(w.fastest, 0.1 * 2.0 * 1.02);
  EXPECT_LE(w.hardest, w.l.a_max);
}

TEST(SpeedOverride, AGoalGivenInFullMotionIsTakenOverWithoutAJolt) {
  Watched w(1.0);
  w.motion.set_velocity(1.5);
  w.run(400);
  w.motion.set_velocity(0.0);
  w.motion.set_speed_override(0.05);
  w.motion.move(2.0, 2.0, w.l);
  w.run(60'000);
  EXPECT_LE(w.hardest, 1.03 * w.l.a_max);
  EXPECT_NEAR(w.q, 2.0, 1e-12);
}

TEST(SpeedOverride, ACommandedVelocityIsTakenByTheFactorAndRampsToIt) {
  Watched w(1.0);
  w.motion.set_velocity(1.0);
  w.run(500);
  EXPECT_NEAR(w.v, 1.0, 1e-9);
  w.motion.set_speed_override(0.3);
  w.run(500);
  EXPECT_NEAR(w.v, 0.3, 1e-9);
  EXPECT_LE(w.hardest, w.l.a_max * (1 + 1e-6));
}

TEST(SpeedOverride, AStreamedReferenceGoesNoFasterAndTellsIt) {
  Watched w(0.2);
  double sample = 0.0;
  for (int i = 0; i < 500; ++i) {
    w.motion.stream(sample += 1.5 * kDt, kDt, w.l);
    w.run(1);
  }
  EXPECT_LE(w.fastest, 0.2 * 2.0 * (1 + 1e-9));
  EXPECT_NEAR(w.v, 0.4, 1e-9);
  EXPECT_TRUE(w.motion.limited().has(Limit::kVelocity));
  EXPECT_LE(w.hardest, 4 * w.l.a_max * (1 + 1e-6)) << "what a stream may take";
  w.motion.set_speed_override(1.0);
  for (int i = 0; i < 1000; ++i) {
    w.motion.stream(sample, kDt, w.l);
    w.run(1);
  }
  EXPECT_NEAR(w.q, sample, 1e-9) << "it makes up for it";
  EXPECT_LE(w.fastest, w.l.v_max * (1 + 1e-9));
}

struct Asked : ::testing::Test {
  Event answer_to(double factor) {
    return rig.answer([&] { return rig.client.set_speed_override(factor); });
  }
  IdealRig rig{ideal_config(2)};
};

TEST_F(Asked, TheSnapshotTellsIt) {
  EXPECT_EQ(rig.stack.snapshot().speed_override, 1.0);
  EXPECT_EQ(answer_to(0.4).kind, EventKind::kAccepted);
  EXPECT_EQ(rig.stack.snapshot().speed_override, 0.4);
  EXPECT_EQ(answer_to(kLeastSpeedOverride).kind, EventKind::kAccepted);
  EXPECT_EQ(answer_to(1.0).kind, EventKind::kAccepted);
}

TEST_F(Asked, NoNumberAndNoSuchFactorIsRefusedWithTheReason) {
  ASSERT_EQ(answer_to(0.4).kind, EventKind::kAccepted);
  const Event nan = answer_to(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(nan.reason, RejectReason::kNotFinite);
  for (const double factor : {0.0, 0.009, 1.001, -1.0}) {
    SCOPED_TRACE(factor);
    const Event answer = answer_to(factor);
    EXPECT_EQ(answer.kind, EventKind::kRejected);
    EXPECT_EQ(answer.reason, RejectReason::kOutOfRange);
    EXPECT_NE(harness::sentence(answer, rig.stack.config()).find("is out of range; give 0.01 to 1"),
              std::string::npos)
        << harness::sentence(answer, rig.stack.config());
  }
  EXPECT_EQ(rig.stack.snapshot().speed_override, 0.4) << "it stays as it was";
}

TEST_F(Asked, ACommandOfTheRobotHasNumbersOfItsOwnAndNamesNoJoint) {
  Request request = SetSpeedOverride{};
  const std::array numbers{0.5, 0.5};
  EXPECT_FALSE(fill_fields(request, {}));
  EXPECT_FALSE(fill_fields(request, numbers));
  EXPECT_TRUE(fill_fields(request, std::span(numbers).first(1)));
  EXPECT_EQ(std::get<SetSpeedOverride>(request).factor, 0.5);
  EXPECT_FALSE(add_joint(request, 0));
  EXPECT_TRUE(joints_of(request).none());
}

TEST_F(Asked, AMoveOfTheStackIsSlowedAndAStackMayBeginSlowly) {
  rig.stack.start_with_speed(0.1);
  rig.enter(ModeRequest::kPosition);
  rig.client.move(rig.client.select("all"), 2.0, 1.0);  // far enough to get to that speed
  double fastest = 0.0;
  for (int i = 0; i < 25'000; ++i) {
    rig.run(1);
    fastest = std::max(fastest, rig.joint(0).reference.v);
  }
  EXPECT_NEAR(fastest, 0.1, 0.002);
  EXPECT_THROW(rig.stack.start_with_speed(0.0), ConfigError);
  EXPECT_THROW(rig.stack.start_with_speed(std::nan("")), ConfigError);
}

}  // namespace
}  // namespace jointrig::testing
