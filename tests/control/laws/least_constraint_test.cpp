#include "control/laws/least_constraint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/algebra.h"

namespace jointrig {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
using Bounds = LeastConstraint::Bounds;

/// Two links of 1 kg at the ends of 1 m, stretched out: M = [[5, 2], [2, 1]].
Eigen::MatrixXd two_links() {
  Eigen::MatrixXd inertia(2, 2);
  inertia << 5.0, 2.0, 2.0, 1.0;
  return inertia;
}

std::vector<double> torques_of(const Eigen::MatrixXd& inertia, const Eigen::VectorXd& a) {
  const Eigen::VectorXd tau = inertia * a;
  return {tau.begin(), tau.end()};
}

Eigen::VectorXd accelerations(const Eigen::MatrixXd& inertia, const std::vector<double>& torques) {
  const Eigen::Map<const Eigen::VectorXd> tau(torques.data(), inertia.rows());
  return testing::inverse(inertia) * tau;
}

std::vector<double> clamped(std::vector<double> torques, const std::vector<Bounds>& bounds) {
  for (std::size_t i = 0; i < torques.size(); ++i) {
    torques[i] = std::clamp(torques[i], bounds[i].low, bounds[i].high);
  }
  return torques;
}

TEST(LeastConstraint, TorquesWithinTheirBoundsStayAsTheyAre) {
  LeastConstraint shared(2);
  const std::vector<Bounds> bounds{{-71.0, 71.0}, {-31.0, 31.0}};
  std::vector<double> torques{-70.0, -30.0};
  EXPECT_FALSE(shared.apply(two_links(), bounds, torques));
  EXPECT_EQ(torques, (std::vector<double>{-70.0, -30.0}));
}

// Both are to brake at 10: that takes 70 and 30. The shoulder has 20. With the elbow at −10 as it
// wants, 5 a − 20 = −20 gives the shoulder 0, and the elbow needs 2·0 − 10 = −10, not −30. Bounded
// each by itself, −20 and −30 turn the shoulder on at +40 and the elbow back at −110.
TEST(LeastConstraint, AnElbowBrakesAsItWantsBesideAShoulderThatCannot) {
  const Eigen::MatrixXd inertia = two_links();
  const std::vector<Bounds> bounds{{-20.0, 20.0}, {-40.0, 40.0}};
  std::vector<double> torques = torques_of(inertia, Eigen::Vector2d(-10.0, -10.0));

  const Eigen::VectorXd each_by_itself = accelerations(inertia, clamped(torques, bounds));
  EXPECT_NEAR(each_by_itself[0], 40.0, 1e-9);
  EXPECT_NEAR(each_by_itself[1], -110.0, 1e-9);

  LeastConstraint shared(2);
  EXPECT_TRUE(shared.apply(inertia, bounds, torques));
  EXPECT_DOUBLE_EQ(torques[0], -70.0) << "what bounds it later can say so";
  EXPECT_NEAR(torques[1], -10.0, 1e-9);
  EXPECT_NEAR(shared.change(0), 10.0, 1e-9);
  const Eigen::VectorXd a = accelerations(inertia, clamped(torques, bounds));
  EXPECT_NEAR(a[0], 0.0, 1e-9);
  EXPECT_NEAR(a[1], -10.0, 1e-9);
}

// The shoulder's bound takes 4 rad/s² from it: the elbow, which was within its bound, is to give 8
// less, and is then beyond the other one.
TEST(LeastConstraint, AJointThatOnlyTheOthersBringToItsBoundStopsThere) {
  const Eigen::MatrixXd inertia = two_links();
  const std::vector<Bounds> bounds{{-20.0, 20.0}, {3.0, 9.0}};
  std::vector<double> torques = torques_of(inertia, Eigen::Vector2d(8.0, -8.0));
  ASSERT_EQ(torques, (std::vector<double>{24.0, 8.0}));
  std::vector<double> low = {24.0 + 20.0, 8.0};
  LeastConstraint shared(2);
  shared.apply(inertia, bounds, low);
  EXPECT_DOUBLE_EQ(low[0], 44.0);
  EXPECT_DOUBLE_EQ(low[1], 3.0);
}

TEST(LeastConstraint, AJointOfAnotherBranchFeelsNothing) {
  Eigen::MatrixXd inertia = Eigen::MatrixXd::Identity(3, 3);
  inertia.topLeftCorner(2, 2) = two_links();
  const std::vector<Bounds> bounds{{-20.0, 20.0}, {-40.0, 40.0}, {-1.0, 1.0}};
  std::vector<double> torques{-70.0, -30.0, 0.5};
  LeastConstraint shared(3);
  shared.apply(inertia, bounds, torques);
  EXPECT_DOUBLE_EQ(torques[2], 0.5);
}

/// min (a − a_w)ᵀ M (a − a_w) within the bounds, as an implementation of its own: for x = τ it is
/// min (x − τ_w)ᵀ M⁻¹ (x − τ_w), by the projected gradient.
std::vector<double> by_gradient(const Eigen::MatrixXd& inertia, const std::vector<Bounds>& bounds,
                                const std::vector<double>& wanted) {
  const Eigen::MatrixXd inverse = testing::inverse(inertia);
  const double step = 1.0 / inverse.trace();
  const Eigen::Map<const Eigen::VectorXd> tau(wanted.data(), inertia.rows());
  std::vector<double> x = clamped(wanted, bounds);
  for (int i = 0; i < 20000; ++i) {
    Eigen::Map<Eigen::VectorXd> now(x.data(), inertia.rows());
    now -= step * inverse * (now - tau);
    x = clamped(x, bounds);
  }
  return x;
}

TEST(LeastConstraint, IsTheNearestThatTheMotorsCanGiveInTheMetricOfTheInertia) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  int bounded = 0;
  for (int round = 0; round < 60; ++round) {
    const Eigen::Index n = 1 + round % 7;
    const Eigen::MatrixXd root = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return any(random); });
    const Eigen::MatrixXd inertia = root * root.transpose() + 0.3 * Eigen::MatrixXd::Identity(n, n);
    std::vector<Bounds> bounds;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double middle = 0.5 * any(random);
      bounds.push_back({middle - 0.6, i == 3 ? kInfinite : middle + 0.6});
    }
    std::vector<double> torques =
        torques_of(inertia, Eigen::VectorXd::NullaryExpr(n, [&] { return 2.0 * any(random); }));
    const std::vector<double> nearest = by_gradient(inertia, bounds, torques);
    LeastConstraint shared(static_cast<std::size_t>(n));
    bounded += shared.apply(inertia, bounds, torques) ? 1 : 0;
    const std::vector<double> found = clamped(torques, bounds);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], nearest[i], 1e-6) << round;
  }
  EXPECT_GT(bounded, 40);
}

TEST(LeastConstraint, IsContinuousInWhatIsWanted) {
  const Eigen::MatrixXd inertia = two_links();
  const std::vector<Bounds> bounds{{-20.0, 20.0}, {-12.0, 12.0}};
  LeastConstraint shared(2);
  std::array<double, 2> last{};
  for (int i = 0; i <= 4000; ++i) {
    const double a = -20.0 + 0.01 * i;
    std::vector<double> torques = torques_of(inertia, Eigen::Vector2d(a, -0.5 * a));
    shared.apply(inertia, bounds, torques);
    torques = clamped(torques, bounds);
    for (std::size_t k = 0; k < 2; ++k) {
      if (i > 0) {
        EXPECT_LT(std::abs(torques[k] - last[k]), 0.1);
      }
      last[k] = torques[k];
    }
  }
}

}  // namespace
}  // namespace jointrig
