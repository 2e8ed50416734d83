#include "control/safety/arm_admission.h"

#include <gtest/gtest.h>

#include <limits>

namespace jointrig {
namespace {

constexpr Six kMost{1300, 1300, 1300, 30, 30, 30};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Command with(CommandKind kind, std::initializer_list<double> numbers, ArmIndex arm = 0) {
  Command command;
  command.kind = kind;
  command.arm = arm;
  for (const double number : numbers) command.numbers.push_back(number);
  return command;
}

std::array<double, 36> matrix_of(std::initializer_list<double> diagonal) {
  std::array<double, 36> matrix{};
  std::size_t i = 0;
  for (const double entry : diagonal) matrix[7 * i++] = entry;
  return matrix;
}

TEST(ArmAdmission, AnArmThatIsntThereIsUnknown) {
  const Refusal r = check_arm_shape(with(CommandKind::kSetToolDamping, {0.7}, 1), 1);
  EXPECT_EQ(r.reason, RejectReason::kUnknownArm);
  EXPECT_EQ(r.value, 1.0);
  EXPECT_EQ(r.limit, 1.0);
  EXPECT_EQ(check_arm_shape(with(CommandKind::kSetToolDamping, {0.7}, kNoArm), 2).reason,
            RejectReason::kUnknownArm);
  EXPECT_FALSE(check_arm_shape(with(CommandKind::kSetToolDamping, {0.7}, 1), 2));
}

TEST(ArmAdmission, EachKindTakesItsSizes) {
  const auto reason = [](CommandKind kind, std::size_t size) {
    Command command = with(kind, {});
    command.numbers.resize(size);
    return check_arm_shape(command, 1).reason;
  };
  for (std::size_t size = 0; size <= kMaxCommandNumbers; ++size) {
    const auto expect = [&](CommandKind kind, bool fits) {
      EXPECT_EQ(reason(kind, size), fits ? RejectReason::kNone : RejectReason::kSizeMismatch)
          << to_string(kind) << " " << size;
    };
    expect(CommandKind::kSetToolTarget, size == 7);
    expect(CommandKind::kStreamToolTarget, size == 7);
    expect(CommandKind::kSetToolStiffness, size == 6 || size == 36);
    expect(CommandKind::kSetToolDamping, size == 1 || size == 6 || size == 36);
    expect(CommandKind::kSetArmTerm, size == 2);
    expect(CommandKind::kSetPayload, size == 4);
    expect(CommandKind::kSetToolInertia, size == 6);
    expect(CommandKind::kSetInteractionControl, size == 0 || (size >= 42 && size <= 58));
    expect(CommandKind::kSetCuff, size == 1);
    expect(CommandKind::kSetFreeAxes, size == 7);
  }
  Command named = with(CommandKind::kSetToolDamping, {0.7});
  named.joints.set(0);
  EXPECT_EQ(check_arm_shape(named, 1).reason, RejectReason::kSizeMismatch);
}

TEST(ArmAdmission, NoNumberMayBeNanOrInfinite) {
  for (const double bad : {kNan, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(check_arm_shape(with(CommandKind::kSetPayload, {1, 0, bad, 0}), 1).reason,
              RejectReason::kNotFinite);
  }
}

TEST(ArmAdmission, StiffnessIsPositiveAndBelowItsCap) {
  const std::array<double, 6> good{1300, 0, 600, 30, 20, 10};
  EXPECT_FALSE(check_tool_gains(good, kMost));
  std::array<double, 6> bad = good;
  bad[1] = -1.0;
  EXPECT_EQ(check_tool_gains(bad, kMost).reason, RejectReason::kOutOfRange);
  bad[1] = 1301.0;
  const Refusal r = check_tool_gains(bad, kMost);
  EXPECT_EQ(r.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(r.value, 1301.0);
  EXPECT_EQ(r.limit, 1300.0);
}

TEST(ArmAdmission, AMatrixIsSymmetricAndPositive) {
  std::array<double, 36> matrix = matrix_of({600, 600, 600, 20, 20, 20});
  EXPECT_FALSE(check_tool_gains(matrix, kMost));
  matrix[1] = 100.0;
  EXPECT_EQ(check_tool_gains(matrix, kMost).reason, RejectReason::kNotDefinite);
  matrix[6] = 100.0;
  EXPECT_FALSE(check_tool_gains(matrix, kMost));
  matrix[1] = matrix[6] = 700.0;  // |700| > √(600 · 600): pushes away along (1, -1)
  const Refusal r = check_tool_gains(matrix, kMost);
  EXPECT_EQ(r.reason, RejectReason::kNotDefinite);
  EXPECT_NEAR(r.value, -100.0, 1e-9);
  EXPECT_EQ(check_tool_gains(matrix_of({1400, 1, 1, 1, 1, 1}), kMost).reason,
            RejectReason::kOutOfRange);
}

TEST(ArmAdmission, ADampingRatioIsFromZeroToTwo) {
  const auto reason = [](double ratio) {
    return check_tool_damping(std::array{ratio}, kMost).reason;
  };
  EXPECT_EQ(reason(0.0), RejectReason::kNone);
  EXPECT_EQ(reason(2.0), RejectReason::kNone);
  EXPECT_EQ(reason(-0.1), RejectReason::kOutOfRange);
  EXPECT_EQ(reason(2.1), RejectReason::kOutOfRange);
}

TEST(ArmAdmission, ATargetIsWithinReachAndItsQuaternionIsOne) {
  const auto check = [](double x, double w) {
    return check_tool_target(std::array{x, 0.0, 0.4, w, 0.0, 0.0, 0.0}, {0.1, 0.0, 0.4}, 0.8);
  };
  EXPECT_FALSE(check(0.9, 1.0));
  const Refusal far = check(1.0, 1.0);
  EXPECT_EQ(far.reason, RejectReason::kOutOfReach);
  EXPECT_NEAR(far.value, 0.9, 1e-12);
  EXPECT_EQ(far.limit, 0.8);
  EXPECT_EQ(check(0.5, 0.9).reason, RejectReason::kOutOfRange);
  EXPECT_FALSE(check(0.5, 1.0005));
}

TEST(ArmAdmission, OnlyTermsThatAreSwitchedAreSwitched) {
  const auto reason = [](double term, double on) {
    return check_arm_term(std::array{term, on}).reason;
  };
  for (const ArmTerm term : kAllArmTerm) {
    const bool switched = term != ArmTerm::kSpring && term != ArmTerm::kDamping &&
                          term != ArmTerm::kPayload && term != ArmTerm::kForce;
    EXPECT_EQ(reason(static_cast<double>(term), 1.0),
              switched ? RejectReason::kNone : RejectReason::kUnsupported)
        << to_string(term);
  }
  EXPECT_EQ(reason(99.0, 1.0), RejectReason::kOutOfRange);
  EXPECT_EQ(reason(2.5, 1.0), RejectReason::kOutOfRange);
  EXPECT_EQ(reason(-1.0, 1.0), RejectReason::kOutOfRange);
  EXPECT_EQ(reason(2.0, 0.5), RejectReason::kOutOfRange);
}

TEST(ArmAdmission, APayloadHasAMassBelowItsCapAndLiesAtTheTool) {
  const auto reason = [](double mass, double x) {
    return check_payload(std::array{mass, x, 0.0, 0.0}, 5.0).reason;
  };
  EXPECT_EQ(reason(5.0, 0.2), RejectReason::kNone);
  EXPECT_EQ(reason(5.1, 0.2), RejectReason::kOutOfRange);
  EXPECT_EQ(reason(-0.1, 0.2), RejectReason::kOutOfRange);
  EXPECT_EQ(reason(1.0, 1.1), RejectReason::kOutOfRange);
}

}  // namespace
}  // namespace jointrig
