#include "control/safety/arm_admission.h"

#include <gtest/gtest.h>

#include <limits>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"

namespace jointrig {
namespace {

/// With the caps of a default arm: 1300 N/m and 30 N·m/rad.
ArmConfig arm() {
  ArmConfig config;
  config.payload_max = 5.0;
  return config;
}

Refusal shape(const Request& request, std::size_t arms = 1) {
  return check_shape(request, 8, arms);
}

template <typename Gains>
ToolGains gains_of(const Gains& numbers) {
  ToolGains gains;
  for (const double number : numbers) gains.push_back(number);
  return gains;
}
ToolGains gains(std::initializer_list<double> numbers) { return gains_of(numbers); }

std::array<double, 36> matrix_of(std::initializer_list<double> diagonal) {
  std::array<double, 36> matrix{};
  std::size_t i = 0;
  for (const double entry : diagonal) matrix[7 * i++] = entry;
  return matrix;
}

Refusal check_stiffness(const ToolGains& stiffness) {
  return check_arm(SetToolStiffness{0, stiffness}, arm());
}

TEST(ArmAdmission, AnArmThatIsntThereIsUnknown) {
  const Refusal r = shape(SetCuff{1, 0.5});
  EXPECT_EQ(r.reason, RejectReason::kUnknownArm);
  EXPECT_EQ(r.value, 1.0);
  EXPECT_EQ(r.limit, 1.0);
  EXPECT_EQ(shape(SetCuff{kNoArm, 0.5}, 2).reason, RejectReason::kUnknownArm);
  EXPECT_FALSE(shape(SetCuff{1, 0.5}, 2));
}

TEST(ArmAdmission, GainsAreSixOrAMatrixAndDampingMayBeARatio) {
  for (std::size_t size = 0; size <= ToolGains::capacity(); ++size) {
    SCOPED_TRACE(size);
    const ToolGains some(size);
    const bool is_gains = size == 6 || size == 36;
    const Refusal stiffness = shape(SetToolStiffness{0, some});
    EXPECT_EQ(stiffness.reason, is_gains ? RejectReason::kNone : RejectReason::kSizeMismatch);
    const Refusal damping = shape(SetToolDamping{0, 0.7, some});
    EXPECT_EQ(damping.reason,
              is_gains || size == 0 ? RejectReason::kNone : RejectReason::kSizeMismatch);
    if (damping) {
      EXPECT_EQ(damping.value, static_cast<double>(size));
      EXPECT_EQ(damping.limit, 6.0);
    }
  }
}

TEST(ArmAdmission, ACommandIsFilledByAsManyNumbersAsItHas) {
  for (const CommandKind kind : kAllCommandKind) {
    if (!is_for_arm(kind)) continue;
    SCOPED_TRACE(to_string(kind));
    std::size_t least = 0;
    std::size_t most = 0;
    for (const FieldInfo& field : fields_of(kind)) {
      least += field.is_list ? 0 : field.most;
      most += field.most;
    }
    for (std::size_t size = 0; size <= most + 2; ++size) {
      Request request = blank_request(kind);
      const std::vector<double> numbers(size, 0.0);
      EXPECT_EQ(fill_fields(request, numbers), size >= least && size <= most) << size;
    }
  }
}

TEST(ArmAdmission, NoNumberMayBeNanOrInfinite) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const Refusal r = shape(SetPayload{0, 1.0, {0.0, bad, 0.0}});
    EXPECT_EQ(r.reason, RejectReason::kNotFinite);
    EXPECT_EQ(r.place, 1 + place_of<SetPayload>("centre") + 1);
  }
}

TEST(ArmAdmission, StiffnessIsPositiveAndBelowItsCap) {
  EXPECT_FALSE(check_stiffness(gains({1300, 0, 600, 30, 20, 10})));
  EXPECT_EQ(check_stiffness(gains({1300, -1, 600, 30, 20, 10})).reason, RejectReason::kOutOfRange);
  const Refusal r = check_stiffness(gains({1300, 1301, 600, 30, 20, 10}));
  EXPECT_EQ(r.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(r.value, 1301.0);
  EXPECT_EQ(r.limit, 1300.0);
  EXPECT_EQ(r.place, 2);
}

TEST(ArmAdmission, AMatrixIsSymmetricAndPositive) {
  std::array<double, 36> matrix = matrix_of({600, 600, 600, 20, 20, 20});
  EXPECT_FALSE(check_stiffness(gains_of(matrix)));
  matrix[1] = 100.0;
  EXPECT_EQ(check_stiffness(gains_of(matrix)).reason, RejectReason::kNotDefinite);
  matrix[6] = 100.0;
  EXPECT_FALSE(check_stiffness(gains_of(matrix)));
  matrix[1] = matrix[6] = 700.0;  // |700| > √(600 · 600): pushes away along (1, -1)
  const Refusal r = check_stiffness(gains_of(matrix));
  EXPECT_EQ(r.reason, RejectReason::kNotDefinite);
  EXPECT_NEAR(r.value, -100.0, 1e-9);
  const Refusal capped = check_stiffness(gains_of(matrix_of({1, 1, 1400, 1, 1, 1})));
  EXPECT_EQ(capped.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(capped.place, 1 + 2 * 7) << "third on the diagonal";
}

TEST(ArmAdmission, ADampingRatioIsFromZeroToTwo) {
  const auto reason = [](double ratio) {
    return check_arm(SetToolDamping{0, ratio, {}}, arm()).reason;
  };
  EXPECT_EQ(reason(0.0), RejectReason::kNone);
  EXPECT_EQ(reason(2.0), RejectReason::kNone);
  EXPECT_EQ(reason(-0.1), RejectReason::kOutOfRange);
  EXPECT_EQ(reason(2.1), RejectReason::kOutOfRange);
}

TEST(ArmAdmission, ATargetIsWithinReachAndItsQuaternionIsOne) {
  const auto check = [](double x, double w) {
    const ToolTargetFields target{0, {x, 0.0, 0.4}, {w, 0.0, 0.0, 0.0}};
    return check_tool_target(target, {0.1, 0.0, 0.4}, 0.8);
  };
  EXPECT_FALSE(check(0.9, 1.0));
  const Refusal far = check(1.0, 1.0);
  EXPECT_EQ(far.reason, RejectReason::kOutOfReach);
  EXPECT_NEAR(far.value, 0.9, 1e-12);
  EXPECT_EQ(far.limit, 0.8);
  EXPECT_EQ(check(0.5, 0.9).reason, RejectReason::kOutOfRange);
  EXPECT_EQ(check(0.5, 0.9).place, 1 + place_of<ToolTargetFields>("orientation"));
  EXPECT_FALSE(check(0.5, 1.0005));
}

TEST(ArmAdmission, OnlyTermsThatAreSwitchedAreSwitched) {
  for (const ArmTerm term : kAllArmTerm) {
    const bool switched = term != ArmTerm::kSpring && term != ArmTerm::kDamping &&
                          term != ArmTerm::kPayload && term != ArmTerm::kForce;
    EXPECT_EQ(check_arm(SetArmTerm{0, term, true}, arm()).reason,
              switched ? RejectReason::kNone : RejectReason::kUnsupported)
        << to_string(term);
  }
  const Refusal beyond = shape(SetArmTerm{0, static_cast<ArmTerm>(kAllArmTerm.size()), true});
  EXPECT_EQ(beyond.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(beyond.limit, static_cast<double>(kAllArmTerm.size()) - 1.0);
}

TEST(ArmAdmission, APayloadHasAMassBelowItsCapAndLiesAtTheTool) {
  const auto reason = [](double mass, double x) {
    return check_arm(SetPayload{0, mass, {x, 0.0, 0.0}}, arm()).reason;
  };
  EXPECT_EQ(reason(5.0, 0.2), RejectReason::kNone);
  EXPECT_EQ(reason(5.1, 0.2), RejectReason::kOutOfRange);
  EXPECT_EQ(reason(-0.1, 0.2), RejectReason::kOutOfRange);
  EXPECT_EQ(reason(1.0, 1.1), RejectReason::kOutOfRange);
}

TEST(ArmAdmission, ALoadIsARigidBodyOrRefused) {
  const auto check = [](double mass, const LoadInertia& inertia) {
    return check_arm(SetPayload{0, mass, {}, inertia}, arm());
  };
  EXPECT_FALSE(check(1.0, {}));
  EXPECT_FALSE(check(1.0, {0.01, 0.02, 0.03, 0, 0, 0})) << "a plate";
  EXPECT_FALSE(check(1.0, {0.06, 0.06, 0.12, -0.06, 0, 0})) << "a rod along the diagonal of x, y";
  const Refusal triangle = check(1.0, {0.01, 0.04, 0.02, 0, 0, 0});
  EXPECT_EQ(triangle.reason, RejectReason::kNotRigid);
  EXPECT_NEAR(triangle.value, 0.04, 1e-9);
  EXPECT_NEAR(triangle.limit, 0.03, 1e-9);
  EXPECT_EQ(triangle.place, 1 + place_of<SetPayload>("inertia"));
  // Its diagonal is that of a cube: only the principal moments, 0.02 ± 0.015, tell.
  const Refusal turned = check(1.0, {0.02, 0.02, 0.02, 0.015, 0, 0});
  EXPECT_EQ(turned.reason, RejectReason::kNotRigid);
  EXPECT_NEAR(turned.value, 0.035, 1e-9);
  EXPECT_NEAR(turned.limit, 0.025, 1e-9);
  const Refusal negative = check(1.0, {0.02, 0.02, 0.02, 0, 0, 0.03});
  EXPECT_EQ(negative.reason, RejectReason::kNotRigid);
  EXPECT_NEAR(negative.value, -0.01, 1e-9);
  const Refusal massless = check(0.0, {0.01, 0.01, 0.01, 0, 0, 0});
  EXPECT_EQ(massless.reason, RejectReason::kNotRigid);
  EXPECT_EQ(massless.value, massless.limit);
  const Refusal nan = shape(
      SetPayload{0, 1.0, {}, {0.01, 0.01, std::numeric_limits<double>::quiet_NaN(), 0, 0, 0}});
  EXPECT_EQ(nan.reason, RejectReason::kNotFinite);
  EXPECT_EQ(nan.place, 1 + place_of<SetPayload>("inertia") + 2);
}

TEST(Load, AMixOfTwoIsTheRigidBodyOfTheirShares) {
  const KnownPayload one{2.0, {0.1, 0.0, 0.0}, {0.01, 0.02, 0.03, 0.0, 0.0, 0.0}};
  const KnownPayload other{1.0, {0.0, 0.0, 0.4}, {0.004, 0.004, 0.004, 0.001, 0.0, 0.0}};
  const KnownPayload mix = mix_loads(one, 0.25, other);  // 0.5 kg and 0.75 kg
  EXPECT_NEAR(mix.mass, 1.25, 1e-15);
  EXPECT_NEAR(mix.centre[0], 0.04, 1e-15);
  EXPECT_NEAR(mix.centre[2], 0.24, 1e-15);
  // About y, through the centre: 0.5 (0.06² + 0.24²) + 0.75 (0.04² + 0.16²) and their own.
  EXPECT_NEAR(mix.inertia[1], 0.25 * 0.02 + 0.75 * 0.004 + 0.5 * 0.0612 + 0.75 * 0.0272, 1e-15);
  EXPECT_NEAR(mix.inertia[3], 0.75 * 0.001, 1e-15);
  EXPECT_NEAR(mix.inertia[4], -(0.5 * 0.06 * -0.24 + 0.75 * -0.04 * 0.16), 1e-15);
  EXPECT_EQ(mix_loads({}, 1.0, other), KnownPayload{});
}

TEST(ArmAdmission, AToolIsShapedWithinItsBoundsOrNotAtAll) {
  const auto check = [](const Six& six) { return check_arm(SetToolInertia{0, six}, arm()); };
  EXPECT_FALSE(check({0, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(check({1, 1, 1, 0.1, 0.1, 0.1}));
  EXPECT_EQ(check({1, 1, 0, 0.1, 0.1, 0.1}).limit, 0.5);
  EXPECT_EQ(check({1, 1, 200, 0.1, 0.1, 0.1}).limit, 100.0);
}

}  // namespace
}  // namespace jointrig
