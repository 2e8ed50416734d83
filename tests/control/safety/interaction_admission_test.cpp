// The gate of interaction control and hand guiding, where a number counts only sometimes.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "control/safety/arm_admission.h"

namespace jointrig {
namespace {

ArmConfig arm() {
  ArmConfig config;
  config.joints = {0, 1, 2};
  return config;
}

/// Impedance along and about all axes, all flags off.
SetInteractionControl usual(std::size_t joints = 0) {
  SetInteractionControl command;
  command.arm = 0;
  command.posture_stiffness.resize(joints);
  return command;
}

Refusal check(const SetInteractionControl& command) { return check_arm(command, arm()); }

TEST(InteractionAdmission, ALimitOfForceHasNoSign) {
  SetInteractionControl command = usual();
  command.axes[0] = InteractionAxis::kImpedanceWithForceLimit;
  command.force[0] = -10.0;
  const Refusal refusal = check(command);
  EXPECT_EQ(refusal.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(refusal.limit, 0.0);
  EXPECT_EQ(refusal.place, 1 + place_of<SetInteractionControl>("force"));
  command.force[0] = 10.0;
  EXPECT_FALSE(check(command));
  command.axes[0] = InteractionAxis::kForce;
  command.force[0] = -10.0;
  EXPECT_FALSE(check(command));
}

TEST(InteractionAdmission, DampingIsCheckedAsWhatItIs) {
  SetInteractionControl command = usual();
  command.damping_ratio = 3.0;
  command.damping[3] = 11.0;
  EXPECT_FALSE(check(command)) << "scaled: the numbers say nothing";
  command.damping_source = DampingSource::kRatio;
  EXPECT_EQ(check(command).limit, kMaxDampingRatio);
  command.damping_source = DampingSource::kGiven;
  EXPECT_EQ(check(command).limit, 10.0);
  command.damping[3] = 3.0;
  EXPECT_FALSE(check(command));
}

TEST(InteractionAdmission, AQuaternionHasLengthOne) {
  SetInteractionControl command = usual();
  command.orientation[1] = 1.0;
  const Refusal refusal = check(command);
  EXPECT_EQ(refusal.reason, RejectReason::kOutOfRange);
  EXPECT_NEAR(refusal.value, std::sqrt(2.0), 1e-12);
  EXPECT_EQ(refusal.place, 1 + place_of<SetInteractionControl>("orientation"));
}

TEST(InteractionAdmission, StiffnessOfThePostureIsForAllJointsOrNone) {
  EXPECT_FALSE(check(usual(0)));
  EXPECT_FALSE(check(usual(3)));
  const Refusal refusal = check(usual(2));
  EXPECT_EQ(refusal.reason, RejectReason::kSizeMismatch);
  EXPECT_EQ(refusal.value, 2.0);
  EXPECT_EQ(refusal.limit, 3.0);
}

TEST(InteractionAdmission, NothingElseIsCheckedWhereItIsTurnedOff) {
  SetInteractionControl command = usual(2);
  command.force[0] = 1e6;
  command.active = false;
  EXPECT_FALSE(check(command));
}

TEST(InteractionAdmission, ANumberThatIsNoneAndAWordThatIsNoneAreRefusedBefore) {
  SetInteractionControl command = usual();
  EXPECT_FALSE(check_shape(command, 3, 1));
  command.force[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(check_shape(command, 3, 1).reason, RejectReason::kNotFinite);
  command = usual();
  command.axes[2] = static_cast<InteractionAxis>(kAllInteractionAxis.size());
  Refusal refusal = check_shape(command, 3, 1);
  EXPECT_EQ(refusal.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(refusal.place, 1 + place_of<SetInteractionControl>("mode") + 2);
  command = usual();
  command.frame = static_cast<ToolFrame>(kAllToolFrame.size());
  refusal = check_shape(command, 3, 1);
  EXPECT_EQ(refusal.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(refusal.value, 3.0);
  EXPECT_EQ(refusal.limit, 2.0);
  EXPECT_EQ(refusal.place, 1 + place_of<SetInteractionControl>("frame"));
}

TEST(InteractionAdmission, AxesAreFreedInAFrameThatThereIs) {
  SetFreeAxes command{0, {true, false, false, true, false, false}, ToolFrame::kTool};
  EXPECT_FALSE(check_shape(command, 3, 1));
  command.frame = static_cast<ToolFrame>(3);
  EXPECT_EQ(check_shape(command, 3, 1).reason, RejectReason::kOutOfRange);
}

}  // namespace
}  // namespace jointrig
