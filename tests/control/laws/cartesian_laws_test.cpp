/// The impedance of a tool, its error and its damping: against figures by hand, and against the
/// motion that they make.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "control/laws/cartesian_impedance.h"
#include "control/laws/loop_bounds.h"
#include "control/laws/tool_error.h"
#include "control/laws/tool_inertia.h"
#include "tests/support/algebra.h"

namespace jointrig {
namespace {

using Eigen::Vector3d;
using testing::eigenvalues;
using testing::inverse;
using testing::symmetric_eigenvalues;
constexpr double kPi = std::numbers::pi;

class Random {
 public:
  double number(double most) { return std::uniform_real_distribution<>(-most, most)(engine_); }
  Vector3d vector(double most) { return {number(most), number(most), number(most)}; }
  /// Symmetric, eigenvalues from about `least` up.
  Matrix6 definite(double least) {
    Matrix6 root;
    for (double& entry : root.reshaped()) entry = number(1.0);
    return root * root.transpose() + least * Matrix6::Identity();
  }

 private:
  std::mt19937 engine_{11};
};

/// A tool carried by six joints that each move it along or about one axis: J = 1.
ToolState free_tool() {
  ToolState tool;
  tool.jacobian = Matrix6::Identity();
  return tool;
}

struct Pull {
  ArmVector spring = ArmVector::Zero(6);
  ArmVector damper = ArmVector::Zero(6);
  ImpedanceOutput out;
};

Pull pull(const ToolState& tool, const Placement& target, const Matrix6& stiffness,
          const Eigen::Matrix3d& axes = Eigen::Matrix3d::Identity(), double error_max = 10.0) {
  Pull result;
  result.out = add_cartesian_impedance(stiffness, 0.1 * stiffness, Vector6::Constant(error_max),
                                       axes, tool, target, result.spring, result.damper);
  return result;
}

Matrix6 diagonal(double a, double b, double c, double d, double e, double f) {
  return Vector6(a, b, c, d, e, f).asDiagonal();
}

TEST(ToolError, ARotationVectorComesBackFromItsRotation) {
  Random random;
  for (int trial = 0; trial < 200; ++trial) {
    const double length = std::abs(random.number(kPi - 1e-6));
    const Vector3d vector = random.vector(1.0).normalized() * length;
    EXPECT_LT((rotation_vector(rotation_of(vector)) - vector).norm(), 1e-9) << length;
  }
  for (const double length : {0.0, 1e-13, 1e-9, 1e-6}) {
    const Vector3d vector(0.0, length, 0.0);
    EXPECT_LT((rotation_vector(rotation_of(vector)) - vector).norm(), 1e-15) << length;
  }
}

TEST(ToolError, IsAQuarterTurnAboutTheAxisThatTheTargetIsTurnedBy) {
  Placement tool;
  tool.rotation = rotation_of({0.3, -0.2, 0.5});
  Placement target;
  target.position = {1.0, 2.0, 3.0};
  target.rotation = rotation_of({0.0, 0.0, kPi / 2}) * tool.rotation;
  Vector6 expected;
  expected << 1.0, 2.0, 3.0, 0.0, 0.0, kPi / 2;
  EXPECT_LT((tool_error(target, tool) - expected).norm(), 1e-12);
}

TEST(ToolError, AtHalfATurnTheFirstComponentIsPositive) {
  for (const Vector3d& axis : {Vector3d(1, 0, 0), Vector3d(0, -1, 0), Vector3d(0, 0, -1),
                               Vector3d(-1, 2, 3).normalized()}) {
    const Vector3d error = rotation_vector(rotation_of(kPi * axis));
    EXPECT_NEAR(error.norm(), kPi, 1e-9);
    const Vector3d other_way = rotation_vector(rotation_of(-kPi * axis));
    EXPECT_LT((error - other_way).norm(), 1e-6) << "one rotation, one error";
    double first = 0.0;
    for (int i = 2; i >= 0; --i) first = std::abs(error[i]) > 1e-6 ? error[i] : first;
    EXPECT_GT(first, 0.0);
  }
}

TEST(CartesianImpedance, PullsWithStiffnessTimesTheWayPerAxis) {
  Placement target;
  target.position = {0.01, -0.02, 0.03};
  const Pull p = pull(free_tool(), target, diagonal(100, 200, 300, 1, 2, 3));
  ArmVector expected(6);
  expected << 1.0, -4.0, 9.0, 0.0, 0.0, 0.0;
  EXPECT_LT((p.spring - expected).norm(), 1e-12);
  EXPECT_FALSE(p.out.is_clipped);
}

TEST(CartesianImpedance, AlongTheAxesOfATurnedFrameTheSoftAxisTurnsToo) {
  // A quarter turn about z: the frame's x is the base's y, its y the base's -x.
  const Eigen::Matrix3d axes = rotation_of({0.0, 0.0, kPi / 2});
  Placement target;
  target.position = {0.01, 0.02, 0.0};
  const Pull p = pull(free_tool(), target, diagonal(100, 500, 300, 1, 2, 3), axes);
  EXPECT_NEAR(p.spring[0], 500 * 0.01, 1e-12);
  EXPECT_NEAR(p.spring[1], 100 * 0.02, 1e-12);
}

TEST(CartesianImpedance, AFullMatrixPullsSideways) {
  Matrix6 stiffness = diagonal(300, 300, 300, 10, 10, 10);
  stiffness(0, 2) = stiffness(2, 0) = 100;
  Placement target;
  target.position = {0.01, 0.0, 0.0};
  const Pull p = pull(free_tool(), target, stiffness);
  EXPECT_NEAR(p.spring[0], 3.0, 1e-12);
  EXPECT_NEAR(p.spring[2], 1.0, 1e-12);
}

TEST(CartesianImpedance, DampsTheTwistAndAddsToWhatIsThere) {
  ToolState tool = free_tool();
  tool.twist << 0.1, 0.0, 0.0, 0.0, 0.0, -0.2;
  ArmVector spring = ArmVector::Constant(6, 1.0);
  ArmVector damper = ArmVector::Constant(6, 2.0);
  add_cartesian_impedance(diagonal(1, 1, 1, 1, 1, 1), diagonal(40, 40, 40, 5, 5, 5),
                          Vector6::Constant(1.0), Eigen::Matrix3d::Identity(), tool, {}, spring,
                          damper);
  EXPECT_NEAR(spring[0], 1.0, 1e-12);
  EXPECT_NEAR(damper[0], 2.0 - 4.0, 1e-12);
  EXPECT_NEAR(damper[5], 2.0 + 1.0, 1e-12);
  EXPECT_NEAR(damper[2], 2.0, 1e-12);
}

TEST(CartesianImpedance, PullsNoHarderThanAtItsLargestError) {
  Placement target;
  target.position = {5.0, -0.01, 0.0};
  const Pull p =
      pull(free_tool(), target, diagonal(100, 100, 100, 1, 1, 1), Eigen::Matrix3d::Identity(), 0.1);
  EXPECT_TRUE(p.out.is_clipped);
  EXPECT_NEAR(p.spring[0], 100 * 0.1, 1e-12);
  EXPECT_NEAR(p.spring[1], -100 * 0.01, 1e-12) << "the other axes as they are";
}

TEST(ToolInertia, OfJointsAlongEachAxisIsTheirOwn) {
  ToolInertia tool;
  ArmJacobian solved = ArmJacobian::Zero(6, 6);
  for (int i = 0; i < 6; ++i) solved(i, i) = 1.0 / (i + 1.0);  // masses 1..6
  tool.update(Matrix6::Identity(), solved);
  EXPECT_LT((tool.inertia() - diagonal(1, 2, 3, 4, 5, 6)).norm(), 1e-12);
  // D = 2 ζ √(K m) where nothing is coupled.
  const Matrix6 damping = tool.damping(diagonal(100, 200, 300, 10, 20, 30), 0.5);
  EXPECT_LT((damping - diagonal(std::sqrt(100.), std::sqrt(400.), std::sqrt(900.), std::sqrt(40.),
                                std::sqrt(100.), std::sqrt(180.)))
                .norm(),
            1e-9);
}

TEST(ToolInertia, EveryMotionOfTheToolHasTheDampingRatioAskedFor) {
  Random random;
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix6 inertia = random.definite(0.5);
    const Matrix6 stiffness = 100.0 * random.definite(0.2);
    const double ratio = 0.2 + std::abs(random.number(0.7));
    ToolInertia tool;
    const Matrix6 mobility = inverse(inertia);
    tool.update(Matrix6::Identity(), ArmJacobian(mobility));
    // x'' = -Λ⁻¹ (K x + D x'): its poles are at -ζ ω ± i ω √(1 - ζ²).
    Eigen::MatrixXd motion = Eigen::MatrixXd::Zero(12, 12);
    motion.topRightCorner<6, 6>().setIdentity();
    motion.bottomLeftCorner<6, 6>() = -mobility * stiffness;
    motion.bottomRightCorner<6, 6>() = -mobility * tool.damping(stiffness, ratio);
    for (const std::complex<double> pole : eigenvalues(motion)) {
      EXPECT_NEAR(-pole.real() / std::abs(pole), ratio, 1e-6);
    }
  }
}

/// Two links of one metre with a point of 1 kg at the elbow and at the tip, bent by `bend`.
ToolInertia two_links(double bend) {
  const double s1 = 0.0, c1 = 1.0, s12 = std::sin(bend), c12 = std::cos(bend);
  ArmJacobian jacobian = ArmJacobian::Zero(6, 2);
  jacobian(0, 0) = -s1 - s12;
  jacobian(0, 1) = -s12;
  jacobian(1, 0) = c1 + c12;
  jacobian(1, 1) = c12;
  jacobian(5, 0) = jacobian(5, 1) = 1.0;
  Eigen::Matrix2d mass;
  mass << 3.0 + 2.0 * c12, 1.0 + c12, 1.0 + c12, 1.0;
  const ArmJacobian solved = (inverse(mass) * jacobian.transpose()).transpose();
  ToolInertia tool;
  tool.update(jacobian, solved);
  return tool;
}

TEST(ToolInertia, StaysBoundedAndContinuousWhereAnArmIsStretched) {
  const Matrix6 stiffness = diagonal(600, 600, 600, 20, 20, 20);
  Matrix6 before = two_links(0.5).damping(stiffness, 0.7);
  for (double bend = 0.5; bend > -0.1; bend -= 1e-3) {
    const ToolInertia tool = two_links(bend);
    const Matrix6 now = tool.damping(stiffness, 0.7);
    EXPECT_LE(eigenvalues(tool.inertia()).real().maxCoeff(), 1.0 / tool.floor() + 1e-6);
    EXPECT_TRUE(now.allFinite());
    EXPECT_LT((now - before).norm(), 0.02 * now.norm()) << bend;
    before = now;
  }
  EXPECT_LT(two_links(0.0).least_mobility(), ToolInertia::kFloor);
  EXPECT_TRUE(two_links(0.0).consistent_inverse().allFinite());
}

/// The arm of two links, its masses n times as large: A is 1/n of it.
ToolInertia heavy_links(double bend, double n) {
  ArmJacobian jacobian = ArmJacobian::Zero(6, 2);
  const double s = std::sin(bend);
  const double c = std::cos(bend);
  jacobian(0, 0) = -s;
  jacobian(0, 1) = -s;
  jacobian(1, 0) = 1.0 + c;
  jacobian(1, 1) = c;
  jacobian(5, 0) = jacobian(5, 1) = 1.0;
  ToolInertia tool;
  tool.update(jacobian, jacobian / n);
  return tool;
}

TEST(ToolInertia, AnArmOfTonsHasItsDirectionsAsALightOneHas) {
  // Λ of a bent arm that weighs 2000 times as much is 2000 times as large, where nothing fades.
  const Eigen::Vector3d along(0.3, 0.2, 0.1);
  const auto moved = [&](const ToolInertia& tool) {
    Vector6 wanted = Vector6::Zero();
    wanted.head<2>() = along.head<2>();
    return Vector6(tool.consistent_inverse() * (tool.mobility() * wanted));
  };
  const Vector6 light = moved(heavy_links(0.9, 1.0));
  const Vector6 heavy = moved(heavy_links(0.9, 2000.0));
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(heavy[i], light[i], 1e-9) << i;
  EXPECT_LT(heavy_links(0.9, 2000.0).floor(), 1e-3 * ToolInertia::kFloor);
}

TEST(ToolInertia, AlongTheModesOfThePoseBeforeTheDampingIsTheSame) {
  // An arm that bends and straightens at a radian a second, through where it is stretched.
  const Matrix6 stiffness = diagonal(600, 900, 600, 20, 30, 20);
  DampingModes modes;
  int kept = 0;
  for (int cycle = 0; cycle < 2000; ++cycle) {
    const ToolInertia tool = two_links(0.9 - 1e-3 * cycle);
    const Matrix6 before = modes.directions;
    const Matrix6 quick = tool.damping(stiffness, 0.7, modes);
    const Matrix6 exact = tool.damping(stiffness, 0.7);
    EXPECT_LT((quick - exact).norm(), 3e-4 * exact.norm()) << cycle;
    kept += before == modes.directions ? 1 : 0;
  }
  EXPECT_GT(kept, 900) << "the modes needn't be worked out each time";
}

TEST(ToolInertia, WithoutStiffnessAlongAnAxisTheModesAreWorkedOutEachTime) {
  Random random;
  const Matrix6 stiffness = diagonal(0, 900, 600, 0, 30, 20);
  DampingModes modes;
  for (int cycle = 0; cycle < 20; ++cycle) {
    ToolInertia tool;
    tool.update(Matrix6::Identity(), ArmJacobian(random.definite(0.5)));
    const Matrix6 quick = tool.damping(stiffness, 0.7, modes);
    EXPECT_LT((quick - tool.damping(stiffness, 0.7)).norm(), 3e-4 * quick.norm());
    EXPECT_TRUE(quick.allFinite());
  }
}

TEST(ToolInertia, IsTheSameOnBothSidesOfWhereEigenvaluesAreNeeded) {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix6 a = random.definite(0.3);
    const Matrix6 stiffness = 100.0 * random.definite(0.2);
    // The same A under two floors: one that its trace clears, one just below its least eigenvalue.
    const double least = symmetric_eigenvalues(a)[0];
    const Matrix6 inertia = inverse(a);
    const double bound = 1.0 / inertia.trace();
    ASSERT_LT(bound, least);
    ToolInertia plain(0.5 * bound);
    ToolInertia careful(0.5 * (bound + least));
    plain.update(Matrix6::Identity(), ArmJacobian(a));
    careful.update(Matrix6::Identity(), ArmJacobian(a));
    EXPECT_LT((plain.inertia() - inertia).norm(), 1e-9 * inertia.norm());
    EXPECT_LT((careful.inertia() - inertia).norm(), 1e-9 * inertia.norm());
    const Matrix6 damping = plain.damping(stiffness, 0.7);
    EXPECT_LT((damping - careful.damping(stiffness, 0.7)).norm(), 1e-9 * damping.norm());
    EXPECT_NEAR(plain.least_mobility(), least, 1e-9);
  }
}

/// Largest eigenvalues of Λ⁻¹ G first, by a way of their own.
Vector6 modes_of(const ToolInertia& felt, const Matrix6& gain) {
  Vector6 values = eigenvalues(felt.mobility() * gain).real();
  std::sort(values.begin(), values.end());
  return values;
}

/// An arm with a light last joint: a tool of kilograms that turns about one axis as by 1e-6 kg·m².
ToolInertia light_wrist() {
  const Matrix6 inertia = diagonal(4, 5, 3, 0.05, 0.04, 1e-6);
  Random random;
  ToolState tool = free_tool();
  tool.jacobian = Matrix6(Matrix6::Identity() + 0.3 * random.definite(0.0));
  ToolInertia felt;
  felt.update(tool.jacobian, ArmJacobian(tool.jacobian * inverse(inertia)));
  return felt;
}

TEST(ToolInertia, CutsOfAGainTheModesThatAreTooFastAndLeavesTheOthers) {
  const ToolInertia felt = light_wrist();
  const Matrix6 asked = diagonal(600, 500, 400, 20, 15, 10);
  const Vector6 before = modes_of(felt, asked);
  constexpr double kMost = 20000.0;
  ASSERT_GT(before[5], 1e6);
  ASSERT_LT(before[4], kMost);
  Matrix6 gain = asked;
  Matrix6 share;
  EXPECT_TRUE(felt.cut(gain, kMost, share));
  const Vector6 after = modes_of(felt, gain);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(after[i], before[i], 1e-6 * before[i]) << i;
  EXPECT_NEAR(after[5], 0.5 * kMost, 1.0);
  EXPECT_LT((share * asked - gain).norm(), 1e-9 * gain.norm());
  EXPECT_EQ(gain, gain.transpose());
}

TEST(ToolInertia, LeavesAGainThatTheLoopCarriesAsItIsToTheBit) {
  const ToolInertia felt = light_wrist();
  const Matrix6 asked = diagonal(600, 500, 400, 20, 15, 10);
  const double fastest = modes_of(felt, asked)[5];
  Matrix6 gain = asked;
  Matrix6 share = Matrix6::Constant(7.0);
  EXPECT_FALSE(felt.cut(gain, 1.001 * fastest, share));
  EXPECT_EQ(gain, asked);
  EXPECT_EQ(share, Matrix6::Constant(7.0));
  EXPECT_TRUE(felt.cut(gain, 0.999 * fastest, share));
  EXPECT_LT((gain - asked).norm(), 0.01 * asked.norm()) << "no step where it begins";
}

/// How far a mass on a spring and a damper, which answer `late` cycles later, swings over after it
/// was let go, and how far it is away after 2 s: parts of the deflection.
struct Swing {
  double over = 0.0;
  double left = 0.0;
};
Swing swing(const LoopBounds& bounds, int late, double share, double lighter) {
  const double k = share * bounds.stiffness;
  const double d = 2.0 * 0.7 * std::sqrt(k);
  constexpr int kFine = 10;  // steps of the motion in a cycle
  std::vector<double> forces(static_cast<std::size_t>(late), 0.0);
  double x = 1.0;
  double v = 0.0;
  Swing result;
  for (int cycle = 0; cycle < 2000; ++cycle) {
    forces.push_back(-(k * x + d * v) / lighter);
    const double force = forces[static_cast<std::size_t>(cycle)];
    for (int i = 0; i < kFine; ++i) {
      v += 1e-3 / kFine * force;
      x += 1e-3 / kFine * v;
    }
    if (!(std::abs(x) < 1e3)) return {1e3, 1e3};
    result.over = std::max(result.over, -x);
    if (cycle > 1900) result.left = std::max(result.left, std::abs(x));
  }
  return result;
}

TEST(LoopBounds, ASpringWithinThemDiesOutAlsoOnALighterMassAndAtHalfSwingsLittle) {
  for (const int late : {1, 2, 3, 8}) {
    SCOPED_TRACE(late);
    const LoopBounds bounds = loop_bounds(1e-3 * (late + 0.5));  // half a cycle: it holds
    EXPECT_LT(swing(bounds, late, 1.0, 1.0).left, 1e-6);
    EXPECT_LT(swing(bounds, late, 1.0, 0.8).left, 0.01) << "a fifth lighter";
    const Swing cut = swing(bounds, late, 0.5, 1.0);
    EXPECT_LT(cut.over, 0.2);
    EXPECT_LT(cut.left, 1e-6);
    EXPECT_LT(swing(bounds, late, 0.5, 0.8).over, 0.35) << "a fifth lighter";
    EXPECT_GT(swing(bounds, late, 4.0, 1.0).left, 1.0)
        << "at four times of it the loop is unstable";
  }
}

}  // namespace
}  // namespace jointrig
