/// The velocity envelope on an ideal joint of inertia 1: full torque at rest, never faster than the
/// joint may be by its own commands, and stopped before its limits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/ideal_rig.h"

namespace jointrig {
namespace {

struct EnvelopeRig : testing::IdealRig {
  EnvelopeRig() : IdealRig(1) {}

  /// Streams a torque, and keeps the fastest and the furthest.
  void stream(double torque, double seconds) {
    for (int i = 0; i < static_cast<int>(seconds * 1e3); ++i) {
      client.send<StreamTorque>({{0, {torque}}});
      run(1);
      most_v = std::max(most_v, std::abs(robot.joint[0].v));
    }
  }
  [[nodiscard]] const JointLimits& limits() const { return stack.config().joints[0].limits; }
  double most_v = 0.0;
};

TEST(VelocityEnvelope, FullTorqueTowardsALimitStopsBeforeTheHardLimit) {
  for (const double torque : {50.0, -50.0}) {
    for (const double load : {0.0, 15.0, -15.0}) {
      SCOPED_TRACE(load);
      EnvelopeRig rig;
      rig.enter(ModeRequest::kTorque);
      rig.robot.joint[0].load = load;
      rig.stream(torque, 4.0);
      EXPECT_LE(rig.robot.joint[0].q, rig.limits().q_max);
      EXPECT_GE(rig.robot.joint[0].q, rig.limits().q_min);
      EXPECT_GT(std::abs(rig.robot.joint[0].q), 1.9) << "it does go to the limit";
      EXPECT_LE(rig.most_v, 1.05 * rig.limits().v_max);
    }
  }
}

TEST(VelocityEnvelope, AtRestTheJointHasAllOfItsTorque) {
  EnvelopeRig rig;
  rig.enter(ModeRequest::kTorque);
  // A load that grows with the torque, so that the joint stays where it is.
  for (int i = 0; i < 500; ++i) {
    rig.client.send<StreamTorque>({{0, {rig.limits().tau_max}}});
    rig.robot.joint[0].load = -rig.robot.joint[0].tau;
    rig.run(1);
  }
  EXPECT_NEAR(rig.robot.joint[0].tau, rig.limits().tau_max, 1e-9);
}

TEST(VelocityEnvelope, AJointBeyondItsLimitIsBroughtBackWhateverIsAsked) {
  EnvelopeRig rig;
  rig.robot.joint[0].q = 2.7;
  rig.enter(ModeRequest::kTorque);
  rig.stream(50.0, 3.0);
  EXPECT_NEAR(rig.robot.joint[0].q, rig.limits().q_max - 0.5 * rig.limits().soft_margin, 2e-2);
}

TEST(VelocityEnvelope, AHeldJointPushedWithHalfItsTorqueStaysBelowElevenTenthsOfItsSpeed) {
  EnvelopeRig rig;
  rig.enter(ModeRequest::kPosition);
  rig.run_for(0.5);
  rig.robot.joint[0].load = 0.5 * rig.limits().tau_max;
  double most = 0.0;
  double furthest = 0.0;
  for (int i = 0; i < 2000; ++i) {
    rig.run(1);
    most = std::max(most, std::abs(rig.robot.joint[0].v));
    furthest = std::max(furthest, std::abs(rig.robot.joint[0].q));
  }
  EXPECT_LE(most, 1.1 * rig.limits().v_max);
  EXPECT_LT(furthest, 0.1);
  EXPECT_NEAR(rig.robot.joint[0].q, 0.0, 1e-4) << "the observer carries the load";
}

/// Cycles in which the joint is told as limited by its position, with a torque streamed in mode
/// torque.
int told_cycles(EnvelopeRig& rig, int cycles, double torque = 0.0) {
  int told = 0;
  for (int i = 0; i < cycles; ++i) {
    torque == 0.0 ? rig.run(1) : rig.stream(torque, 1e-3);
    if (rig.joint().limits.has(Limit::kPosition)) ++told;
  }
  return told;
}

// A joint that came in from its hard limit stands where the envelope lets it accelerate no further
// out: what a jolt pushes it outwards with, it takes back whole.
TEST(VelocityEnvelope, ARestingJointAtItsEndIsToldAsLimitedByWhatCountsOfItsTorque) {
  EnvelopeRig rig;
  rig.robot.joint[0].q = rig.limits().q_max;
  rig.enter(ModeRequest::kPosition);
  rig.run_for(3.0);
  const double rests_at = rig.robot.joint[0].q;
  ASSERT_LT(rests_at, rig.limits().q_max);
  ASSERT_NEAR(rig.robot.joint[0].v, 0.0, 1e-6);
  rig.robot.joint[0].load = 0.002 * rig.limits().tau_max;
  EXPECT_EQ(told_cycles(rig, 500), 0);
  EXPECT_NEAR(rig.robot.joint[0].q, rests_at, 1e-3) << "it is held all the same";
  rig.robot.joint[0].load = 0.1 * rig.limits().tau_max;
  EXPECT_GT(told_cycles(rig, 500), 0);
}

TEST(VelocityEnvelope, ATorqueThatIsAskedForIsToldAsLimitedHoweverSmallItIs) {
  EnvelopeRig rig;
  rig.robot.joint[0].q = rig.limits().q_max;
  rig.enter(ModeRequest::kTorque);
  const double torque = 0.002 * rig.limits().tau_max;
  rig.stream(torque, 3.0);
  EXPECT_GT(told_cycles(rig, 500, torque), 100);
  EXPECT_LE(rig.robot.joint[0].q, rig.limits().q_max);
}

}  // namespace
}  // namespace jointrig
