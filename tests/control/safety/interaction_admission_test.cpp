#include "control/safety/interaction_admission.h"

#include <gtest/gtest.h>

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
std::vector<double> usual(std::size_t joints = 0) {
  std::vector<double> numbers(kAtPostureStiffness + joints, 0.0);
  numbers[kAtOrientation] = 1.0;
  return numbers;
}

struct Case {
  std::size_t place;
  double fits;
  double does_not;
  double limit;
};

TEST(InteractionAdmission, EachNumberIsHeldAgainstItsOwnCapAndNamed) {
  for (const Case& c : std::vector<Case>{{kAtAxes + 1, 3.0, 4.0, 3.0},
                                         {kAtAxes + 1, 1.0, 1.5, 3.0},
                                         {kAtStiffness, 1300.0, 1301.0, 1300.0},
                                         {kAtStiffness + 5, 30.0, 31.0, 30.0},
                                         {kAtStiffness + 2, 0.0, -1.0, 0.0},
                                         {kAtMaxImpedance, 1.0, 2.0, 1.0},
                                         {kAtForce + 2, -50.0, -51.0, -50.0},
                                         {kAtForce + 3, 5.0, 5.1, 5.0},
                                         {kAtPoint, 1.0, 1.1, 1.0},
                                         {kAtFrame, 2.0, 3.0, 2.0},
                                         {kAtTurnsFreely, 1.0, -1.0, 0.0},
                                         {kAtPostureStiffness + 2, 10.0, 10.5, 10.0}}) {
    std::vector<double> numbers = usual(3);
    numbers[c.place] = c.fits;
    EXPECT_FALSE(check_interaction(numbers, arm())) << c.place;
    numbers[c.place] = c.does_not;
    const Refusal refusal = check_interaction(numbers, arm());
    EXPECT_EQ(refusal.reason, RejectReason::kOutOfRange) << c.place;
    EXPECT_EQ(refusal.value, c.does_not) << c.place;
    EXPECT_EQ(refusal.limit, c.limit) << c.place;
    EXPECT_EQ(refusal.place, c.place + 1);
  }
}

TEST(InteractionAdmission, ALimitOfForceHasNoSign) {
  std::vector<double> numbers = usual();
  numbers[kAtAxes] = static_cast<double>(InteractionAxis::kImpedanceWithForceLimit);
  numbers[kAtForce] = -10.0;
  EXPECT_EQ(check_interaction(numbers, arm()).reason, RejectReason::kOutOfRange);
  numbers[kAtForce] = 10.0;
  EXPECT_FALSE(check_interaction(numbers, arm()));
}

TEST(InteractionAdmission, DampingIsCheckedAsWhatItIs) {
  std::vector<double> numbers = usual();
  numbers[kAtDamping] = 3.0;
  EXPECT_FALSE(check_interaction(numbers, arm())) << "scaled: the number says nothing";
  numbers[kAtDampingSource] = static_cast<double>(DampingSource::kRatio);
  EXPECT_EQ(check_interaction(numbers, arm()).limit, kMaxDampingRatio);
  numbers[kAtDampingSource] = static_cast<double>(DampingSource::kGiven);
  EXPECT_FALSE(check_interaction(numbers, arm()));
  numbers[kAtDamping + 3] = 11.0;
  EXPECT_EQ(check_interaction(numbers, arm()).limit, 10.0);
}

TEST(InteractionAdmission, AQuaternionHasLengthOne) {
  std::vector<double> numbers = usual();
  numbers[kAtOrientation + 1] = 1.0;
  const Refusal refusal = check_interaction(numbers, arm());
  EXPECT_EQ(refusal.reason, RejectReason::kOutOfRange);
  EXPECT_NEAR(refusal.value, std::sqrt(2.0), 1e-12);
}

TEST(InteractionAdmission, StiffnessOfThePostureIsForAllJointsOrNone) {
  EXPECT_FALSE(check_interaction(usual(3), arm()));
  const Refusal refusal = check_interaction(usual(2), arm());
  EXPECT_EQ(refusal.reason, RejectReason::kSizeMismatch);
  EXPECT_EQ(refusal.limit, static_cast<double>(kAtPostureStiffness + 3));
  EXPECT_FALSE(check_interaction({}, arm())) << "none at all turns it off";
}

TEST(InteractionAdmission, AnotherCountOfNumbersOrOneThatIsNoneIsRefusedBefore) {
  Command command;
  command.kind = CommandKind::kSetInteractionControl;
  command.arm = 0;
  for (const double number : usual()) command.numbers.push_back(number);
  EXPECT_FALSE(check_arm_shape(command, 1));
  command.numbers[kAtForce] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(check_arm_shape(command, 1).reason, RejectReason::kNotFinite);
  command.numbers.resize(kAtPostureStiffness - 1);
  EXPECT_EQ(check_arm_shape(command, 1).reason, RejectReason::kSizeMismatch);
}

TEST(InteractionAdmission, ACuffIsGraspedForATimeAndAxesAreFreeOrNot) {
  EXPECT_FALSE(check_cuff(0.0));
  EXPECT_FALSE(check_cuff(kLongestGrasp));
  EXPECT_TRUE(check_cuff(-0.1));
  EXPECT_TRUE(check_cuff(kLongestGrasp + 1.0));
  EXPECT_FALSE(check_free_axes(std::vector<double>{1, 0, 0, 1, 0, 0, 2}));
  EXPECT_TRUE(check_free_axes(std::vector<double>{1, 0, 0, 2, 0, 0, 0}));
  EXPECT_TRUE(check_free_axes(std::vector<double>{1, 0, 0, 1, 0, 0, 3}));
}

TEST(InteractionAdmission, AToolIsShapedWithinItsBoundsOrNotAtAll) {
  const ArmConfig config = arm();
  const auto check = [&](std::vector<double> six) {
    return check_tool_inertia(six, config.inertia_min, config.inertia_max);
  };
  EXPECT_FALSE(check({0, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(check({1, 1, 1, 0.1, 0.1, 0.1}));
  EXPECT_EQ(check({1, 1, 0, 0.1, 0.1, 0.1}).limit, 0.5);
  EXPECT_EQ(check({1, 1, 200, 0.1, 0.1, 0.1}).limit, 100.0);
}

}  // namespace
}  // namespace jointrig
