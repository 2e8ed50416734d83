/// Gains and limits that a command changes while the loop runs.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/ideal_rig.h"

namespace jointrig::testing {
namespace {

JointSet only(std::size_t i) { return JointSet{}.set(i); }

Event set(IdealRig& rig, JointParameter parameter, double value) {
  return rig.answer([&] { return rig.client.set_parameter(only(0), parameter, value); });
}

TEST(Parameter, AWeakerSpringGivesWayFurtherUnderTheSameLoad) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  ASSERT_EQ(set(rig, JointParameter::kKi, 0.0).kind, EventKind::kAccepted);
  ASSERT_EQ(set(rig, JointParameter::kKp, 1000.0).kind, EventKind::kAccepted);
  rig.robot.joint[0].load = 20.0;
  rig.robot.joint[1].load = 20.0;
  rig.run_for(3.0);
  EXPECT_NEAR(rig.robot.joint[0].q, 20.0 / 1000.0, 1e-5);  // tau / kp
  EXPECT_NEAR(rig.robot.joint[1].q, 0.0, 1e-4) << "the other one has its integral still";
}

TEST(Parameter, NewGainsUnderLoadAreNoJolt) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  set(rig, JointParameter::kKi, 0.0);
  rig.robot.joint[0].load = 20.0;
  rig.run_for(3.0);
  const double before = rig.joint().setpoint.tau;
  EXPECT_NEAR(before, -20.0, 1e-3);
  set(rig, JointParameter::kKp, 1500.0);  // was 3948: at once this would be -7.6 N·m
  double last = before;
  for (int i = 0; i < 200; ++i) {
    EXPECT_LT(std::abs(rig.joint().setpoint.tau - last), 0.3) << i;  // 12.4 N·m in 100 cycles
    last = rig.joint().setpoint.tau;
    rig.run(1);
  }
}

TEST(Parameter, MovesKeepTheNewSpeedLimit) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  ASSERT_EQ(set(rig, JointParameter::kVelocityMax, 0.5).kind, EventKind::kAccepted);
  EXPECT_EQ(rig.answer([&] { return rig.client.move(only(0), 1.0, 0.6); }).reason,
            RejectReason::kOutOfRange);
  EXPECT_EQ(rig.answer([&] { return rig.client.move(only(0), 1.0, 0.5); }).kind,
            EventKind::kAccepted);
  EXPECT_EQ(rig.answer([&] { return rig.client.move(only(1), 1.0, 0.6); }).kind,
            EventKind::kAccepted);
}

TEST(Parameter, TorqueStaysWithinTheNewLimit) {
  IdealRig rig;
  rig.enter(ModeRequest::kPosition);
  ASSERT_EQ(set(rig, JointParameter::kTorqueMax, 5.0).kind, EventKind::kAccepted);
  rig.robot.joint[0].load = 4.0;
  rig.client.move(only(0), 0.5, 2.0);
  for (int i = 0; i < 1000; ++i) {
    rig.run(1);
    EXPECT_LE(std::abs(rig.joint().setpoint.tau), 5.0 + 1e-9);
  }
}

TEST(Parameter, ALimitIsNarrowedAndWidenedAgainButNotBeyondWhatTheRobotWasOpenedWith) {
  IdealRig rig;
  EXPECT_EQ(set(rig, JointParameter::kTorqueMax, 10.0).kind, EventKind::kAccepted);
  EXPECT_EQ(set(rig, JointParameter::kTorqueMax, 50.0).kind, EventKind::kAccepted);
  const Event refused = set(rig, JointParameter::kTorqueMax, 51.0);
  EXPECT_EQ(refused.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(refused.value, 51.0);
  EXPECT_EQ(refused.limit, 50.0);
  EXPECT_EQ(set(rig, JointParameter::kVelocityMax, 0.0).reason, RejectReason::kOutOfRange);
}

TEST(Parameter, GainsThatWouldSwingTheJointUpAreRefused) {
  IdealRig rig;
  const JointGains gains = rig.stack.config().joints[0].gains;  // inertia 1
  const double most = gains.kp * gains.kd;                      // Routh: ki < kp kd / I
  EXPECT_EQ(set(rig, JointParameter::kKi, 1.01 * most).reason, RejectReason::kOutOfRange);
  EXPECT_EQ(set(rig, JointParameter::kKd, 0.99 * gains.ki / gains.kp).reason,
            RejectReason::kOutOfRange);
  EXPECT_EQ(set(rig, JointParameter::kKp, 1.01 * max_stiffness(gains)).reason,
            RejectReason::kOutOfRange);
  EXPECT_EQ(set(rig, JointParameter::kKp, -1.0).reason, RejectReason::kOutOfRange);
  EXPECT_EQ(set(rig, JointParameter::kKp, std::numeric_limits<double>::quiet_NaN()).reason,
            RejectReason::kNotFinite);
  EXPECT_EQ(rig.stack.state().setups[0].config.gains, gains) << "nothing was taken";
}

TEST(Parameter, AnUnknownParameterIsRefused) {
  IdealRig rig;
  for (const std::size_t which : {kAllJointParameter.size(), std::size_t{255}}) {
    const Event answer = set(rig, static_cast<JointParameter>(which), 1.0);
    EXPECT_EQ(answer.reason, RejectReason::kOutOfRange) << which;
    EXPECT_EQ(answer.value, static_cast<double>(which));
    EXPECT_EQ(answer.limit, static_cast<double>(kAllJointParameter.size()) - 1.0);
  }
}

TEST(Parameter, StiffnessAloneIsSetAsInAPair) {
  IdealRig rig;
  ASSERT_EQ(set(rig, JointParameter::kStiffness, 40.0).kind, EventKind::kAccepted);
  ASSERT_EQ(set(rig, JointParameter::kDamping, 12.0).kind, EventKind::kAccepted);
  EXPECT_EQ(rig.joint().stiffness, 40.0);
  EXPECT_EQ(rig.joint().damping, 12.0);
}

TEST(Parameter, ARestoredStackHasThemToo) {
  IdealRig rig;
  set(rig, JointParameter::kTorqueMax, 10.0);
  const Stack::State saved = rig.stack.state();
  set(rig, JointParameter::kTorqueMax, 20.0);
  rig.stack.restore(saved);
  EXPECT_EQ(rig.stack.state().setups[0].config.limits.tau_max, 10.0);
}

}  // namespace
}  // namespace jointrig::testing
